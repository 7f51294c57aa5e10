"""Number Cross by search: choose the word of one row after the other, and propagate between rows.

A word has one symbol for each cell of its row: a digit, or "." for a shaded cell. The words that satisfy the
row's clue and all rules within the row are the paths through a minimal layered automaton (row_automata.py).

    words       row -> its automaton
    allowed     row, column -> the symbols that the cell can still hold
    order       the rows as they are chosen: the one with the fewest words first, then always one next to them

`rows`: branches on the words of a row that allowed symbols spell, and propagates until nothing changes:
    a cell keeps a symbol that some word of its row has there, made of allowed symbols alone
    a cell keeps a symbol that goes with some allowed symbol of the cell above, and of the cell below:
    not both shaded; if neither is, equal in one region and different in two

Constraints: regular (the words of a row), binary (cells above each other), both to domain consistency
"""

from collections.abc import Iterator
from itertools import pairwise

from models.number_cross.puzzle import NumberCross, compatible
from models.number_cross.row_automata import row_automata
from models.shared.automaton import LayeredAutomaton
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Tally

Allowed = list[list[set[str]]]


class Rules:
    """The words of each row, and what rows above each other allow."""

    def __init__(self, puzzle: NumberCross, tally: Tally):
        self.tally = tally
        self.words = row_automata(puzzle)
        self.same_region = [
            [above == below for above, below in zip(*pair, strict=True)] for pair in pairwise(puzzle.labels)
        ]

    def propagate(self, allowed: Allowed, rows: set[int]) -> bool:
        """Removes what the rules refute, starting from these rows; False if a cell has nothing left."""
        while rows:
            row = rows.pop()
            # Each row is a word of its automaton.
            support = self.words[row].supported(allowed[row])
            if not all(support):
                return False
            self.tally.propagations += sum(map(len, allowed[row])) - sum(map(len, support))
            allowed[row] = support
            for other in (row - 1, row + 1):
                if 0 <= other < len(allowed) and self.restrict(allowed, row, other):
                    rows.add(other)
        return True

    def restrict(self, allowed: Allowed, row: int, other: int) -> bool:
        """Removes from another row what goes with nothing in this one; True if that was anything."""
        same_region = self.same_region[min(row, other)]
        changed = False
        # No two shaded cells share an edge; neighbours in two regions hold different digits.
        # Neighbours in one region hold the same digit, unless one of them is shaded.
        for column, (here, there) in enumerate(zip(allowed[row], allowed[other], strict=True)):
            kept = {s for s in there if any(compatible(s, t, same_region[column]) for t in here)}
            if len(kept) < len(there):
                self.tally.propagations += len(there) - len(kept)
                allowed[other] = [*allowed[other][:column], kept, *allowed[other][column + 1 :]]
                changed = True
        return changed


def rows(puzzle: NumberCross, tally: Tally) -> Iterator[Solution]:
    """Yields every solution."""
    rules = Rules(puzzle, tally)
    allowed = [automaton.symbols() for automaton in rules.words]
    consistent = rules.propagate(allowed, set(range(len(allowed))))
    undecided = sum(len(symbols) != 1 for row in allowed for symbols in row)
    tally.root(variables=puzzle.size, undecided=undecided)

    def branch(allowed: Allowed, order: list[int]) -> Iterator[Solution]:
        if not order:
            yield ["".join(min(symbols) for symbols in row) for row in allowed]
            return
        row, *others = order
        for word in rules.tally.shuffled(rules.words[row].words(allowed[row])):
            tally.branches += 1
            child = allowed.copy()
            child[row] = [{symbol} for symbol in word]
            if rules.propagate(child, {row}):
                yield from branch(child, others)
            else:
                tally.failures += 1

    if consistent:
        yield from branch(allowed, row_order(rules.words))


def row_order(words: list[LayeredAutomaton]) -> list[int]:
    """Returns the rows, starting from the one with the fewest words, each next to one before it."""
    counts = [automaton.count() for automaton in words]
    order = [min(range(len(words)), key=counts.__getitem__)]
    while len(order) < len(words):
        near = {row + step for row in order for step in (-1, 1)} - set(order)
        order.append(min((row for row in near if 0 <= row < len(words)), key=counts.__getitem__))
    return order


FORMULATIONS = by_name(rows)
