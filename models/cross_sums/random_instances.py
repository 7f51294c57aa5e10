"""Small random instances of Cross Sums, and the candidates for their solutions."""

import random
from collections.abc import Iterator
from itertools import groupby
from math import prod

from hypothesis import strategies as st

from models.cross_sums.puzzle import DIGITS, CrossSums, Rule
from models.shared.grid import Cell
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in

MOST_OPEN = {Rule.SUM: 10, Rule.SUM_OR_PRODUCT: 10, Rule.SIGNED_SUM: 8}
"""The open cells of an instance are at most so many, so that there are few candidates."""


@st.composite
def cross_sums(draw: st.DrawFn) -> Table:
    """A grid of 1 to 16 cells with true clues, one of them perhaps spoilt; some entries may have none."""
    rule = draw(st.sampled_from(list(Rule)))
    signed = rule == Rule.SIGNED_SUM
    height = draw(st.sampled_from([2, 1, 3, 4, 3]))
    width = height if signed and not draw(one_in(8)) else draw(st.integers(1, 4))
    rng = random.Random(draw(st.integers(0, 10**6)))
    grid = [(row, column) for row in range(height) for column in range(width)]
    # With signs, the open cells include one negative in each row and column, if the grid is square.
    negative = [(row, column % width) for row, column in enumerate(rng.sample(range(height), height))]
    negative = negative if signed and not draw(one_in(8)) else negative[:1]
    others = [cell for cell in grid if cell not in negative]
    fewest = max(0, len(grid) - MOST_OPEN[rule])
    blocked = rng.sample(others, rng.randint(fewest, max(fewest, len(others) // 3)))
    # With signs there is no solution if a whole row is blocked.
    if any(row > 0 and (row, column) not in blocked for row, column in grid) and draw(one_in(12)):
        blocked += [cell for cell in grid if cell[0] == 0]
    values: dict[Cell, int] = {}
    for row, column in grid:
        if (row, column) not in blocked:
            taken = {abs(v) for (r, c), v in values.items() if r == row or c == column}
            digit = rng.choice([d for d in DIGITS if d not in taken or rule == Rule.SUM_OR_PRODUCT])
            values[row, column] = -digit if signed and (row, column) in negative else digit
    most_unlisted = draw(st.sampled_from([0, 0, 1]))
    spoilt = draw(one_in(5))
    table = header("cross_sums") | {
        "rule": rule.value,
        "cells": "\n".join(
            " ".join("." if (row, column) in values else "#" for column in range(width))
            for row in range(height)
        ),
    }
    if draw(st.booleans()):
        table["answer_rule"] = draw(st.sampled_from(["sum_of_digits", "sum_of_cells_next_to_negatives"]))
    across = [[(row, column) for column in range(width)] for row in range(height)]
    down = [[(row, column) for row in range(height)] for column in range(width)]
    for name, lines in (("across", across), ("down", down)):
        words: list[str] = []
        for line in lines:
            for is_open, stretch in groupby(line, values.__contains__):
                cells = list(stretch)
                # A single cell that is listed in both directions tells little more.
                if not is_open or (len(cells) == 1 and rng.random() < 0.5):
                    continue
                if most_unlisted and rng.random() < 0.3:
                    most_unlisted -= 1
                    continue
                says = prod if rule == Rule.SUM_OR_PRODUCT and rng.random() < 0.5 else sum
                clue = says(values[cell] for cell in cells)
                if spoilt and rng.random() < 0.3:
                    spoilt, clue = False, clue + rng.choice([-1, 1, -20, 1000])
                words.append(f"{len(words) + 1} {cells[0][0]} {cells[0][1]} {len(cells)} {clue}")
        rng.shuffle(words)
        if words:
            table[name] = "\n".join(words)
    return table


INSTANCES = cross_sums()


def candidates(puzzle: CrossSums) -> Iterator[Solution]:
    """Every filling that is right so far with each cell, row by row: its entries, its row and its column."""
    signed = puzzle.rule == Rule.SIGNED_SUM
    options = [*DIGITS, *(-digit for digit in DIGITS)] if signed else list(DIGITS)
    cells, entries = puzzle.cells, puzzle.across + puzzle.down
    entries_of = {cell: [entry for entry in entries if cell in entry.cells] for cell in cells}
    lines = {i: [[k for k in cells if k[axis] == i[axis]] for axis in (0, 1)] for i in cells}
    values: dict[Cell, int] = {}

    def may_reach(clue: int, cells: tuple[Cell, ...]) -> bool:
        """Whether some values of the open cells that are not filled yet may make the clue true."""
        known = [values[cell] for cell in cells if cell in values]
        missing = len(cells) - len(known)
        total, product = sum(known), prod(known)
        if puzzle.rule == Rule.SUM_OR_PRODUCT and product <= clue <= product * 9**missing:
            return clue % product == 0 or total + missing <= clue <= total + 9 * missing
        least = total - 9 * missing if signed else total + missing
        different = puzzle.rule != Rule.SUM or len({*known}) == len(known)
        return different and least <= clue <= total + 9 * missing

    def right(cell: Cell) -> bool:
        for line in lines[cell] if signed else ():
            known = [values[other] for other in line if other in values]
            negative = sum(value < 0 for value in known)
            if len({*map(abs, known)}) < len(known) or negative > 1:
                return False
            if negative == 0 and len(known) == len(line):
                return False
        return all(may_reach(entry.clue, entry.cells) for entry in entries_of[cell])

    def fill() -> Iterator[Solution]:
        if len(values) == puzzle.size:
            yield puzzle.solution(values.__getitem__)
            return
        cell = puzzle.cells[len(values)]
        for value in options:
            values[cell] = value
            if right(cell):
                yield from fill()
            del values[cell]

    return fill()
