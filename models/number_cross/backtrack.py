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
With shaving, a symbol that propagation refutes on trial is removed, at each node, until nothing changes.

Constraints: regular (the words of a row), binary (cells above each other), both to domain consistency
"""

from collections.abc import Iterator
from functools import partial
from itertools import pairwise

from models.number_cross.puzzle import SHADED, SYMBOLS, NumberCross, compatible
from models.number_cross.row_automata import row_automata
from models.shared.automaton import LayeredAutomaton
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, propagates

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

    def shave(self, allowed: Allowed) -> bool:
        """Removes what propagation refutes on trial, until nothing changes; False as above."""
        before: Allowed = []
        while before != allowed:
            before = allowed.copy()
            for row, line in enumerate(before):
                for column, symbols in enumerate(line):
                    for symbol in sorted(symbols):
                        others = allowed[row][column] - {symbol}
                        if others and not self.propagate(with_cell(allowed, row, column, {symbol}), {row}):
                            allowed[:] = with_cell(allowed, row, column, others)
                            if not self.propagate(allowed, {row}):
                                return False
        return True

    def prune(self, allowed: Allowed, rows: set[int]) -> bool:
        """Propagates as far as the step goes, starting from these rows; False as above."""
        return self.propagate(allowed, rows) and (self.tally.step < Step.SHAVING or self.shave(allowed))


def with_cell(allowed: Allowed, row: int, column: int, symbols: set[str]) -> Allowed:
    """The allowed symbols where one cell has others."""
    line = [*allowed[row][:column], symbols, *allowed[row][column + 1 :]]
    return [*allowed[:row], line, *allowed[row + 1 :]]


@propagates(Step.FULL, Step.SHAVING)
def rows(puzzle: NumberCross, tally: Tally) -> Iterator[Solution]:
    """Yields every solution."""
    rules = Rules(puzzle, tally)
    allowed = [automaton.symbols() for automaton in rules.words]
    consistent = rules.prune(allowed, set(range(len(allowed))))
    tally.root(
        variables=puzzle.size,
        undecided=sum(len(symbols) != 1 for row in allowed for symbols in row),
        values=puzzle.size * len(SYMBOLS),
        values_left=sum(len(symbols) for row in allowed for symbols in row) if consistent else puzzle.size,
    )

    def branch(allowed: Allowed, order: list[int], depth: int) -> Iterator[Solution]:
        if not order:
            yield ["".join(min(symbols) for symbols in row) for row in allowed]
            return
        row, *others = order
        for word in rules.tally.shuffled(rules.words[row].words(allowed[row])):
            tally.branches += 1
            child = allowed.copy()
            child[row] = [{symbol} for symbol in word]
            consistent = rules.prune(child, {row})
            if tally.watcher:
                tally.watcher.node(depth, f"row {row + 1}: {word}", partial(view, child), consistent)
            if consistent:
                yield from branch(child, others, depth + 1)
            else:
                tally.failures += 1

    if tally.watcher:
        tally.watcher.node(0, "", partial(view, allowed), consistent)
    if consistent:
        yield from branch(allowed, row_order(rules.words), 1)


def view(allowed: Allowed) -> View:
    """The digits that each cell can still hold, and a square if it can be shaded."""
    return View(
        {
            (row, column): ["■" if symbol == SHADED else symbol for symbol in sorted(symbols)]
            for row, line in enumerate(allowed)
            for column, symbols in enumerate(line)
        }
    )


def row_order(words: list[LayeredAutomaton]) -> list[int]:
    """Returns the rows, starting from the one with the fewest words, each next to one before it."""
    counts = [automaton.count() for automaton in words]
    order = [min(range(len(words)), key=counts.__getitem__)]
    while len(order) < len(words):
        near = {row + step for row in order for step in (-1, 1)} - set(order)
        order.append(min((row for row in near if 0 <= row < len(words)), key=counts.__getitem__))
    return order


FORMULATIONS = by_name(rows)
