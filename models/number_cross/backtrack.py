"""Number Cross by search: choose the word of one row after the other, and propagate between rows.

    allowed     row, column -> the symbols that the cell can still hold
    order       the rows as they are chosen: the one with the fewest words first, then always one next to them

The words of a row are made only of the symbols that the rows before leave it (narrowing.py, which has the
propagation); then the search branches on the words of a row that allowed symbols spell.

Constraints: regular (the words of a row), binary (cells above each other), both to domain consistency
"""

from collections.abc import Iterator

from models.number_cross.narrowing import Allowed, Rules, every_symbol
from models.number_cross.puzzle import SHADED, SYMBOLS, NumberCross
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, depth_first, propagates


@propagates(Step.FULL, Step.SHAVING)
def narrowing(puzzle: NumberCross, tally: Tally) -> Iterator[Solution]:
    """Yields every solution."""
    rules, allowed = Rules(puzzle, tally), every_symbol(puzzle)
    consistent = rules.narrow(allowed) and prune(rules, allowed, set())
    left = [len(symbols) for row in allowed for symbols in row]
    tally.root(
        variables=puzzle.size,
        undecided=puzzle.size - left.count(1),
        values=puzzle.size * len(SYMBOLS),
        values_left=sum(left) if consistent else puzzle.size,
    )

    order = row_order(rules) if consistent else []

    def options(node: tuple[Allowed, int]) -> Iterator[tuple[str, tuple[Allowed, int], bool]]:
        allowed, depth = node
        for row in order[depth : depth + 1]:
            for word in tally.shuffled(rules.words[row].words(allowed[row])):
                child = allowed.copy()
                child[row] = [{symbol} for symbol in word]
                yield f"row {row + 1}: {word}", (child, depth + 1), prune(rules, child, {row})

    for found, _ in depth_first(tally, (allowed, 0), consistent, options, view):
        yield ["".join(min(symbols) for symbols in row) for row in found]


def shave(rules: Rules, allowed: Allowed) -> bool:
    """Removes what propagation refutes on trial, until nothing changes; False if a cell has nothing left."""
    before: Allowed = []
    while before != allowed:
        before = allowed.copy()
        for row, line in enumerate(before):
            for column, symbols in enumerate(line):
                for symbol in sorted(symbols):
                    others = allowed[row][column] - {symbol}
                    tried = others and symbol in allowed[row][column]
                    if tried and not rules.propagate(with_cell(allowed, row, column, {symbol}), {row}):
                        rules.tally.propagations += 1
                        allowed[:] = with_cell(allowed, row, column, others)
                        if not rules.propagate(allowed, {row}):
                            return False
    return True


def prune(rules: Rules, allowed: Allowed, rows: set[int]) -> bool:
    """Propagates as far as the step goes, starting from these rows; False as above."""
    return rules.propagate(allowed, rows) and (rules.tally.step < Step.SHAVING or shave(rules, allowed))


def with_cell(allowed: Allowed, row: int, column: int, symbols: set[str]) -> Allowed:
    """Returns the allowed symbols where one cell has others."""
    line = [*allowed[row][:column], symbols, *allowed[row][column + 1 :]]
    return [*allowed[:row], line, *allowed[row + 1 :]]


def view(node: tuple[Allowed, int]) -> View:
    """The digits that each cell can still hold, and a square if it can be shaded."""
    return View(
        {
            (row, column): ["■" if symbol == SHADED else symbol for symbol in sorted(symbols)]
            for row, line in enumerate(node[0])
            for column, symbols in enumerate(line)
        }
    )


def row_order(rules: Rules) -> list[int]:
    """Returns the rows, starting from the one with the fewest words, each next to one before it."""
    counts = {row: words.count() for row, words in rules.words.items()}
    order = [min(counts, key=lambda row: (counts[row], row))]
    while near := {row + step for row in order for step in (-1, 1)} & counts.keys() - set(order):
        order.append(min(near, key=lambda row: (counts[row], row)))
    return order


FORMULATIONS = by_name(narrowing)
