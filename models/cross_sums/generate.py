"""Generates Cross Sums with a rule of sums: a frame, filled at random, with the sums of its entries.

Blocked cells are drawn two at a time, symmetric about the centre, so that no stretch of open cells has one.
To fill the frame is to colour the edges of a bipartite graph, whose nodes are the rows and columns and whose
edges are the open cells: nine digits suffice if no row or column has more. With signs a perfect matching is
negative.

Where the hand search finds another solution, two digits change places along a chain from a cell in which
the two differ; with the rule `sum`, one digit changes, and stays if propagation decides no fewer cells. Then
clues are deleted in random order, as long as the search proves that there is one solution. `hardness` is the
share of the clues whose deletion is tried.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import networkx

from models.cross_sums.backtrack import propagation
from models.cross_sums.puzzle import DIGITS, AnswerRule, CrossSums, Entry, Rule, parse
from models.shared.generator import Draft, document
from models.shared.grid import Cell
from models.shared.puzzle import Solution
from models.shared.second_solution import LimitedTally, Undecided, is_only_solution, second_solution

SIZE = "cells on a side"
RULES = (Rule.SIGNED_SUM, Rule.SUM)

SMALLEST = 3  # the smallest frame that has a perfect matching beside blocked cells
BLOCKED = {Rule.SIGNED_SUM: 0.25, Rule.SUM: 0.4}  # their share, where crowded rows do not need more
MOVES = 100  # how often two digits change places in one frame
CHANGES = 20  # how often one digit changes, for each cell
BRANCHES = 100  # the limit of branches in the proof that there is one solution

Frame = tuple[int, set[Cell], set[Cell]]
"""The size, the open cells, and those of them that are negative."""


def draft(size: int, hardness: float, rng: Random, rule: str = RULES[0]) -> Draft | None:
    """Returns a filled frame with exactly one solution; None if this attempt finds none."""
    if size < SMALLEST:
        raise ValueError(f"the grid needs {SMALLEST} cells or more on a side")
    frame = random_frame(size, BLOCKED[Rule(rule)], rng)
    if frame is None:
        return None
    digits = random_digits(frame, rng)
    if rule == Rule.SUM:
        puzzle, solution = filled(frame, digits_by_sums(frame, digits, rng), Rule.SUM)
        unique = is_only_solution(partial(propagation, puzzle), solution, BRANCHES)
        return Draft(as_table(with_few_clues(puzzle, solution, hardness, rng)), solution) if unique else None
    for _ in range(MOVES):
        puzzle, solution = filled(frame, digits, Rule(rule))
        differ = puzzle.cells
        with suppress(Undecided):
            other = second_solution(partial(propagation, puzzle), solution, [BRANCHES])
            if other is None:
                return Draft(as_table(with_few_clues(puzzle, solution, hardness, rng)), solution)
            differ = [(r, c) for r, c in puzzle.cells if other[r][c] != solution[r][c]]
        digits = exchanged(digits, rng.choice(differ), rng.choice(DIGITS))
    return None


def random_frame(size: int, blocked: float, rng: Random) -> Frame | None:
    """Returns a frame; None if a row or column has more cells than there are digits, or no negative one."""
    open_ = {(row, column) for row in range(size) for column in range(size)}
    order = sorted(open_)
    rng.shuffle(order)
    least = (1 - blocked) * len(order)
    for crowded_alone in (True, False):
        for row, column in order:
            pair = {(row, column), (size - 1 - row, size - 1 - column)}
            rest = open_ - pair
            in_row, in_column = (sum(cell[i] == (row, column)[i] for cell in open_) for i in (0, 1))
            wanted = max(in_row, in_column) > len(DIGITS) if crowded_alone else len(rest) >= least
            if wanted and not any(beside_single(rest, cell) for cell in pair):
                open_ = rest
    graph = networkx.Graph()
    rows = [("row", row) for row in range(size)]
    graph.add_nodes_from(rows)
    cells = sorted(open_)
    rng.shuffle(cells)
    graph.add_edges_from((("row", row), ("column", column)) for row, column in cells)
    partner = networkx.bipartite.hopcroft_karp_matching(graph, rows)
    if max(degree for _, degree in graph.degree) > len(DIGITS) or not partner.keys() >= {*rows}:
        return None
    return size, open_, {(row, partner["row", row][1]) for row in range(size)}


def beside_single(open_: set[Cell], cell: Cell) -> bool:
    """Whether a stretch that ends beside a blocked cell has one cell."""
    row, column = cell
    return any(
        (row + down, column + right) in open_ and (row + 2 * down, column + 2 * right) not in open_
        for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1))
    )


def random_digits(frame: Frame, rng: Random) -> dict[Cell, int]:
    """Returns a digit for each open cell, none of them twice in a row or column."""
    digits: dict[Cell, int] = {}
    cells = sorted(frame[1])
    rng.shuffle(cells)
    for cell in cells:
        taken = [{digits[k] for k in digits if k[axis] == cell[axis]} for axis in (0, 1)]
        free_in_row, free_in_column = ([digit for digit in DIGITS if digit not in held] for held in taken)
        both = [digit for digit in free_in_row if digit in free_in_column]
        digit = rng.choice(both or free_in_row)
        if not both:
            # The chain from the cell of the column that has the digit does not come back to the row.
            holder = next(other for other in digits if other[1] == cell[1] and digits[other] == digit)
            digits = exchanged(digits, holder, rng.choice(free_in_column))
        digits[cell] = digit
    return digits


def exchanged(digits: dict[Cell, int], cell: Cell, digit: int) -> dict[Cell, int]:
    """Returns the digits after two changed places in a chain of cells, each in line with one before it."""
    two = {digits[cell], digit}
    chain, ends = {cell}, [cell]
    while ends:
        row, column = ends.pop()
        for other in digits:
            if other not in chain and digits[other] in two and (other[0] == row or other[1] == column):
                chain.add(other)
                ends.append(other)
    return {c: sum(two) - d if c in chain and len(two) == 2 else d for c, d in digits.items()}


def digits_by_sums(frame: Frame, digits: dict[Cell, int], rng: Random) -> dict[Cell, int]:
    """Returns the digits, changed one by one until their sums tell them all by propagation, or most."""

    def undecided(digits: dict[Cell, int]) -> int:
        tally = LimitedTally(1, 0)
        with suppress(Undecided):
            next(propagation(filled(frame, digits, Rule.SUM)[0], tally))
        return tally.undecided or 0

    puzzle, _ = filled(frame, digits, Rule.SUM)
    fewest = undecided(digits)
    for cell in rng.choices(puzzle.cells, k=CHANGES * puzzle.size):
        its = [entry.cells for entry in puzzle.across + puzzle.down if cell in entry.cells]
        taken = {digits[other] for cells in its for other in cells}
        if fewest and (free := [digit for digit in DIGITS if digit not in taken]):
            changed = digits | {cell: rng.choice(free)}
            if (left := undecided(changed)) <= fewest:
                fewest, digits = left, changed
    return digits


def filled(frame: Frame, digits: dict[Cell, int], rule: Rule) -> tuple[CrossSums, Solution]:
    """Returns the puzzle in which each entry has its clue, and its solution."""
    size, open_, negative = frame
    signed = rule == Rule.SIGNED_SUM
    value = {cell: -digit if signed and cell in negative else digit for cell, digit in digits.items()}
    blocked = frozenset((r, c) for r in range(size) for c in range(size) if (r, c) not in open_)
    across, down = entries(open_, value, (0, 1)), entries(open_, value, (1, 0))
    asked: AnswerRule = "sum_of_cells_next_to_negatives" if signed else "sum_of_digits"
    puzzle = CrossSums(size, size, rule, blocked, across, down, asked)
    return puzzle, puzzle.solution(value.__getitem__)


def entries(open_: set[Cell], value: Mapping[Cell, int], step: Cell) -> tuple[Entry, ...]:
    """Returns the entries of a frame, with their sums, in the direction of a step from cell to cell."""
    down, right = step
    found: list[Entry] = []
    for row, column in sorted(open_):
        if (row - down, column - right) in open_:
            continue
        cells = [(row, column)]
        while (after := (cells[-1][0] + down, cells[-1][1] + right)) in open_:
            cells.append(after)
        found.append(Entry(len(found) + 1, tuple(cells), sum(value[cell] for cell in cells)))
    return tuple(found)


def with_few_clues(puzzle: CrossSums, solution: Solution, hardness: float, rng: Random) -> CrossSums:
    """Returns the puzzle without the clues that the hand search does not need to prove its solution alone."""
    order = [entry for entry in puzzle.across + puzzle.down if rng.random() < hardness]
    rng.shuffle(order)
    for entry in order:
        fewer = replaced(puzzle, entry)
        if is_only_solution(partial(propagation, fewer), solution, BRANCHES):
            puzzle = fewer
    return puzzle


def replaced(puzzle: CrossSums, entry: Entry, *instead: Entry) -> CrossSums:
    """Returns the puzzle with others, or none, in place of one of its entries."""
    across, down = (
        tuple(new for old in listed for new in (instead if old is entry else [old]))
        for listed in (puzzle.across, puzzle.down)
    )
    return replace(puzzle, across=across, down=down)


def as_table(puzzle: CrossSums) -> dict[str, Any]:
    """Returns the puzzle's keys of an instance file."""

    def lines(entries: tuple[Entry, ...]) -> str:
        words = ((entry.number, *entry.cells[0], len(entry.cells), entry.clue) for entry in entries)
        return "".join("{:2} {:2} {:2} {} {:3}\n".format(*numbers) for numbers in words)

    return {
        "rule": puzzle.rule.value,
        "answer_rule": puzzle.answer_rule,
        "cells": "".join(" ".join(row) + "\n" for row in puzzle.labels),
        "across": lines(puzzle.across),
        "down": lines(puzzle.down),
    }


def narrow(draft: Draft, other: Solution, rng: Random) -> Draft | None:
    """Returns the draft with the clue of one more entry that the other solution breaks; None without one."""
    puzzle = parse(document(draft.table))
    value = {(row, column): draft.solution[row][column] for row, column in puzzle.cells}

    def one_more(listed: tuple[Entry, ...], step: Cell) -> Iterator[tuple[Entry, ...]]:
        """Yields the entries of a direction with one that has another sum in the other solution."""
        known = {entry.cells for entry in listed}
        for entry in entries({*value}, value, step):
            if entry.cells not in known and sum(other[r][c] for r, c in entry.cells) != entry.clue:
                yield (*listed, entry)

    more = [replace(puzzle, across=across) for across in one_more(puzzle.across, (0, 1))]
    more += [replace(puzzle, down=down) for down in one_more(puzzle.down, (1, 0))]
    return Draft(as_table(rng.choice(more)), draft.solution) if more else None


def spoil(draft: Draft, rng: Random) -> Draft | None:
    """Returns the draft with another clue at one of its entries; None if there is none."""
    puzzle = parse(document(draft.table))
    if not puzzle.across + puzzle.down:
        return None
    spoilt = rng.choice(puzzle.across + puzzle.down)
    changed = replace(spoilt, clue=spoilt.clue + rng.choice((-2, -1, 1, 2)))
    return Draft(as_table(replaced(puzzle, spoilt, changed)), draft.solution)
