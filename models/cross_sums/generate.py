"""Generates Cross Sums with a rule of sums: a frame, filled at random, with the sums of its entries.

Blocked cells are drawn two at a time, symmetric about the centre, so that no stretch of open cells has one.
To fill the frame is to colour the edges of a bipartite graph, whose nodes are the rows and columns and whose
edges are the open cells: nine digits suffice if no row or column has more. With signs a perfect matching is
negative. Where another solution differs, two digits change places along a chain of cells.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from random import Random

from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from models.cross_sums.entries import entry_multisets, lines
from models.cross_sums.puzzle import BLOCKED, DIGITS, Entry, Rule, parse
from models.shared.generator import Clue, Planted, Table, document
from models.shared.grid import Cell
from models.shared.puzzle import Solution

SIZE = "cells on a side"
RULES = (Rule.SIGNED_SUM, Rule.SUM)

SMALLEST = 3  # the smallest frame that has a perfect matching beside blocked cells
CHANGES = 3  # of which one is chosen where another solution differs
SHARE = {Rule.SIGNED_SUM: 0.25, Rule.SUM: 0.4}  # of blocked cells, where crowded rows do not need more


def plant(size: int, rng: Random, rule: str = RULES[0]) -> Planted | None:
    """A filled frame; None if a row or column has more cells than there are digits, or no negative one."""
    if size < SMALLEST:
        raise ValueError(f"the grid needs {SMALLEST} cells or more on a side")
    open_ = random_frame(size, SHARE[Rule(rule)], rng)
    columns = rng.sample(range(size), size)
    matrix = csr_array([[(row, column) in open_ for column in columns] for row in range(size)])
    partner = maximum_bipartite_matching(matrix, perm_type="column").tolist()
    lengths = [sum(cell[axis] == line for cell in open_) for axis in (0, 1) for line in range(size)]
    if max(lengths) > len(DIGITS) or -1 in partner:
        return None
    values = random_digits(size, open_, rng)
    if rule == Rule.SIGNED_SUM:
        for row, place in enumerate(partner):
            values[row, columns[place]] *= -1
    return with_sums(size, values, Rule(rule))


def random_frame(size: int, blocked: float, rng: Random) -> set[Cell]:
    """The open cells of a frame."""
    open_ = {(row, column) for row in range(size) for column in range(size)}
    order = rng.sample(sorted(open_), len(open_))
    least = (1 - blocked) * len(order)
    for crowded_alone in (True, False):
        for row, column in order:
            pair = {(row, column), (size - 1 - row, size - 1 - column)}
            rest = open_ - pair
            in_row, in_column = (sum(cell[i] == (row, column)[i] for cell in open_) for i in (0, 1))
            wanted = max(in_row, in_column) > len(DIGITS) if crowded_alone else len(rest) >= least
            if wanted and not any(beside_single(rest, cell) for cell in pair):
                open_ = rest
    return open_


def beside_single(open_: set[Cell], cell: Cell) -> bool:
    """Whether a stretch that ends beside a blocked cell has one cell."""
    row, column = cell
    return any(
        (row + down, column + right) in open_ and (row + 2 * down, column + 2 * right) not in open_
        for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1))
    )


def random_digits(size: int, open_: set[Cell], rng: Random) -> dict[Cell, int]:
    """A digit for each open cell, none of them twice in a row or column."""
    digits: dict[Cell, int] = {}
    cells = rng.sample(sorted(open_), len(open_))
    in_line = [[c for c in cells if c[axis] == line] for axis in (0, 1) for line in range(size)]
    for cell in cells:
        taken = [{digits[k] for k in digits if k[axis] == cell[axis]} for axis in (0, 1)]
        free_in_row, free_in_column = ([digit for digit in DIGITS if digit not in held] for held in taken)
        both = [digit for digit in free_in_row if digit in free_in_column]
        digit = rng.choice(both or free_in_row)
        if not both:
            # The chain from the cell of the column that has the digit does not come back to the row.
            holder = next(other for other in digits if other[1] == cell[1] and digits[other] == digit)
            digits = exchanged(digits, holder, rng.choice(free_in_column), in_line)
        digits[cell] = digit
    return digits


def exchanged(
    values: Mapping[Cell, int], cell: Cell, digit: int, lines: Sequence[Sequence[Cell]]
) -> dict[Cell, int]:
    """The values after two digits changed places in a chain of cells, each in a line with one before it."""
    two = (abs(values[cell]), digit)
    chain = [cell]
    for end in chain:
        for line in lines:
            if end in line:
                chain += [c for c in line if c not in chain and abs(values.get(c, 0)) in two]
    after = {c: sum(two) - abs(value) if c in chain else abs(value) for c, value in values.items()}
    return {c: after[c] if value > 0 else -after[c] for c, value in values.items()}


def with_sums(size: int, values: Mapping[Cell, int], rule: Rule) -> Planted:
    """The filled frame with the sums of its entries."""
    grid = [[(row, column) for column in range(size)] for row in range(size)]
    entries = [
        tuple(cells)
        for line in (*grid, *zip(*grid, strict=True))
        for is_open, cells in groupby(line, values.__contains__)
        if is_open
    ]
    signed = rule == Rule.SIGNED_SUM

    def table(clues: Collection[Clue]) -> Table:
        def listed(step: Cell) -> str:
            found = sorted(
                (cells, total)
                for cells, total in clues
                if cells[1] == (cells[0][0] + step[0], cells[0][1] + step[1])
            )
            return "".join(
                f"{number:2} {cells[0][0]:2} {cells[0][1]:2} {len(cells)} {total:3}\n"
                for number, (cells, total) in enumerate(found, 1)
            )

        return {
            "rule": rule.value,
            "answer_rule": "sum_of_cells_next_to_negatives" if signed else "sum_of_digits",
            "cells": "".join(" ".join(".#"[cell not in values] for cell in row) + "\n" for row in grid),
            "across": listed((0, 1)),
            "down": listed((1, 0)),
        }

    sums = [(cells, sum(values[cell] for cell in cells)) for cells in entries]
    return Planted([[values.get(cell, BLOCKED) for cell in row] for row in grid], [sums], table)


def refute(planted: Planted, other: Solution, rng: Random) -> Planted:
    """Two digits change places along a chain from a cell in which the other solution differs.

    Of several such changes it is the one with the fewest multisets that fit entries.
    """
    puzzle = parse(document(planted.table(planted.clues[0])))
    values = {(row, column): planted.solution[row][column] for row, column in puzzle.cells}
    differ = [(row, column) for row, column in puzzle.cells if other[row][column] != values[row, column]]
    changes = []
    for cell in rng.choices(differ, k=CHANGES):
        digit = rng.choice([digit for digit in DIGITS if digit != abs(values[cell])])
        after = exchanged(values, cell, digit, lines(puzzle))
        changes.append(with_sums(puzzle.height, after, puzzle.rule))

    def fitting(change: Planted) -> int:
        return sum(len(entry_multisets(puzzle.rule, Entry(0, *clue))) for clue in change.clues[0])

    return min(changes, key=fitting)


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue] | None:
    """One entry has another clue, about as large; None if no entry has one."""
    if not clues:
        return None
    spoilt, total = rng.choice(clues)
    changed = total + rng.choice((-2, -1, 1, 2))
    return [(cells, changed if cells == spoilt else number) for cells, number in clues]
