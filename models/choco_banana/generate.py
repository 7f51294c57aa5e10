"""Generates Choco Bananas: a random shading, of which any cell may have the size of its group.

Rectangles are shaded, each in or beside an unshaded group that is a rectangle or too large, in place of those
that it touches.
"""

from collections.abc import Collection, Sequence
from random import Random

from models.choco_banana.bitboard import Bitboard, Cells
from models.choco_banana.puzzle import SHADED, UNSHADED
from models.shared.generator import Clue, Planted, Table, one_changed
from models.shared.givens import givens_text
from models.shared.grid import Cell, Grid

SIZE = "rows and columns of the square grid"

LARGEST = 20  # the most cells of an unshaded group
LARGEST_SHADED = 9  # the most cells of a rectangle
ATTEMPTS = 50  # how many rectangles are tried, for each cell


def plant(size: int, rng: Random) -> Planted | None:
    """A shading; None if an unshaded group stays a rectangle or too large."""
    if size < 1:
        raise ValueError("the grid needs a row")
    board = Bitboard(size, size)
    shaded = shading(board, rng)
    if shaded is None:
        return None
    solution = Grid(size, size).solution(lambda i: SHADED if board.bit[i] & shaded else UNSHADED)

    def table(clues: Collection[Clue]) -> Table:
        return {"cells": givens_text(solution, clues)}

    return Planted(solution, [[*sizes(board, shaded).items()]], table)


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


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue] | None:
    """One cell has another number."""
    return one_changed(clues, range(1, len(planted.solution) ** 2 + 1), rng)
