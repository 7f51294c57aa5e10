"""Number Cross by search: choose the rows' words one after the other, and propagate between them.

    words       row -> the automaton of the words that the row may hold by its own rules (rows.py)
    allowed     cell -> the symbols, digits or shaded, that it can still hold
    order       the rows as they are chosen: the one with the fewest words first, then always a neighbour

Propagation until nothing changes: a cell keeps the symbols that some word of its row has there, made of
allowed symbols alone, and those that go together with some symbol of the cells above and below.
"""

from collections.abc import Iterator
from itertools import pairwise

from models.number_cross.puzzle import NumberCross
from models.number_cross.rows import compatible, row_automata
from models.shared.automaton import Layered
from models.shared.model import Tally
from models.shared.puzzle import Solution

Allowed = list[list[set[str]]]


class Rules:
    """The words of each row, and what neighbouring rows say about each other."""

    def __init__(self, puzzle: NumberCross, tally: Tally):
        self.tally = tally
        self.words = row_automata(puzzle)
        labels = puzzle.labels
        self.same_region = [
            [above == below for above, below in zip(*pair, strict=True)] for pair in pairwise(labels)
        ]

    def propagate(self, allowed: Allowed, rows: set[int]) -> bool:
        """Takes away what the rules refute, starting from these rows; False if a cell has nothing left."""
        while rows:
            row = rows.pop()
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
        """Takes from another row what goes with nothing in this one; whether that was anything."""
        same_region = self.same_region[min(row, other)]
        changed = False
        for column, (here, there) in enumerate(zip(allowed[row], allowed[other], strict=True)):
            kept = {s for s in there if any(compatible(s, t, same_region[column]) for t in here)}
            if len(kept) < len(there):
                self.tally.propagations += len(there) - len(kept)
                allowed[other] = [*allowed[other][:column], kept, *allowed[other][column + 1 :]]
                changed = True
        return changed


def row_order(words: list[Layered]) -> list[int]:
    """The rows, starting from the one with the fewest words, always next to one that is there."""
    counts = [automaton.count() for automaton in words]
    order = [min(range(len(words)), key=counts.__getitem__)]
    while len(order) < len(words):
        near = {row + step for row in order for step in (-1, 1)} - set(order)
        order.append(min((row for row in near if 0 <= row < len(words)), key=counts.__getitem__))
    return order


def search(puzzle: NumberCross, tally: Tally) -> Iterator[Solution]:
    """Every solution."""
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


FORMULATIONS = {"rows": search}
