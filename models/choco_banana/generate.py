"""Choco Banana: a random shading with few numbers.

Rectangles are shaded, each in or beside an unshaded group that is a rectangle or too large, in place of those
that it touches. Then every cell gets the size of its group, and numbers are deleted in random order while the
hand search proves that there is one solution. `hardness` is the share of those whose deletion is tried.
"""

from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

from models.choco_banana.backtrack import propagation
from models.choco_banana.bitboard import Bitboard, Cells
from models.choco_banana.puzzle import SHADED, UNSHADED, ChocoBanana, parse
from models.shared.generator import Draft, document
from models.shared.grid import Cell
from models.shared.puzzle import Solution
from models.shared.second_solution import is_only_solution

SIZE = "rows and columns of the square grid"

LARGEST = 20  # the most cells of an unshaded group
LARGEST_SHADED = 9  # the most cells of a rectangle
RESTARTS = 10  # how often the shading starts anew
ATTEMPTS = 50  # how many rectangles are tried until then, for each cell
PROOF = 2  # the limit of branches in the proof that there is one solution, for each cell


def draft(size: int, hardness: float, rng: Random) -> Draft | None:
    """Returns a shading with numbers that no other has; None if the search did not prove that of all."""
    if size < 1:
        raise ValueError("the grid needs a row")
    board = Bitboard(size, size)
    shaded = next(filter(None, (shading(board, rng) for _ in range(RESTARTS))), None)
    if shaded is None:
        return None
    puzzle = ChocoBanana(size, size, {})
    solution = puzzle.solution(lambda i: SHADED if board.bit[i] & shaded else UNSHADED)
    puzzle = replace(puzzle, numbers=sizes(board, shaded))
    if not is_unique(puzzle, solution):
        return None
    places = list(puzzle.numbers)
    rng.shuffle(places)
    left = [place for place in places if rng.random() < hardness]
    number = 1
    while left:
        deleted = {*left[:number]}
        numbers = {place: size for place, size in puzzle.numbers.items() if place not in deleted}
        if is_unique(fewer := replace(puzzle, numbers=numbers), solution):
            puzzle, left, number = fewer, left[number:], 2 * number
        elif number > 1:
            number = max(1, number // 4)
        else:
            left = left[1:]
    return Draft(as_table(puzzle), solution)


def shading(board: Bitboard, rng: Random) -> Cells | None:
    """Returns the cells that are shaded; None if an unshaded group stays a rectangle or too large."""
    shaded = 0
    wrong, excess = faults(board, shaded)
    for _ in range(ATTEMPTS * len(board.bit)):
        if not wrong:
            return shaded
        near = rng.choice((wrong, board.around(wrong)))
        cell = rng.choice([cell for cell, bit in board.bit.items() if bit & near])
        boxes = list(board.rectangles(cell, rng.randint(1, rng.randint(1, LARGEST_SHADED))))
        if not boxes:
            continue
        box = rng.choice(boxes)
        touched = board.connected(board.around(box) & shaded, shaded)
        wrong_then, excess_then = faults(board, box | shaded & ~touched)
        if excess_then <= excess or rng.random() < 0.5 ** (excess_then - excess):
            shaded, wrong, excess = box | shaded & ~touched, wrong_then, excess_then
    return None


def faults(board: Bitboard, shaded: Cells) -> tuple[Cells, int]:
    """Returns the cells of unshaded groups that are rectangles or too large, and how many are too many."""
    most = min(LARGEST, len(board.bit) // 2 + 1)
    wrong = excess = 0
    for group in board.groups(board.board & ~shaded):
        size = group.bit_count()
        if (rectangle := board.is_rectangle(group)) or size > most:
            wrong |= group
            excess += size if rectangle else size - most
    return wrong, excess


def sizes(board: Bitboard, shaded: Cells) -> dict[Cell, int]:
    """Returns the size of the group of each cell."""
    found = [group for cells in (shaded, board.board & ~shaded) for group in board.groups(cells)]
    return {cell: next(each.bit_count() for each in found if each & bit) for cell, bit in board.bit.items()}


def is_unique(puzzle: ChocoBanana, solution: Solution) -> bool:
    """Tells whether the hand search proves that there is no other solution."""
    return is_only_solution(partial(propagation, puzzle), solution, PROOF * puzzle.size)


def as_table(puzzle: ChocoBanana) -> dict[str, Any]:
    """Returns the puzzle's keys of an instance file."""
    words = puzzle.solution(lambda i: str(puzzle.numbers.get(i, ".")))
    widths = [max(map(len, column)) for column in zip(*words, strict=True)]
    rows = (" ".join(map(str.rjust, row, widths)) for row in words)
    return {"cells": "\n".join(rows) + "\n"}


def narrow(draft: Draft, other: Solution, rng: Random) -> Draft | None:
    """Returns the draft with one more number."""
    puzzle = parse(document(draft.table))
    board = Bitboard(puzzle.height, puzzle.width)
    shaded = sum(bit for (row, column), bit in board.bit.items() if draft.solution[row][column] == SHADED)
    more = [
        (place, size)
        for place, size in sizes(board, shaded).items()
        if place not in puzzle.numbers and replace(puzzle, numbers={place: size}).check(other)
    ]
    if not more:
        return None
    place, size = rng.choice(more)
    return Draft(as_table(replace(puzzle, numbers={**puzzle.numbers, place: size})), draft.solution)


def spoil(draft: Draft, rng: Random) -> Draft | None:
    """Returns the draft with another number in a cell that has one; None without any number."""
    puzzle = parse(document(draft.table))
    sizes = range(1, puzzle.size + 1)
    others = [(place, n) for place, number in puzzle.numbers.items() for n in sizes if n != number]
    if not others:
        return None
    place, number = rng.choice(others)
    return Draft(as_table(replace(puzzle, numbers={**puzzle.numbers, place: number})), draft.solution)
