"""Generates Latin sums: shuffles a Latin square, and cuts it into small cages."""

from collections.abc import Collection, Sequence
from random import Random

from models.shared.generator import Clue, Planted, Table, one_changed
from models.shared.givens import givens, givens_text
from models.shared.grid import Cell, labels_text, neighbours, read_grid, regions_of

SIZE = "cells on a side"
LARGEST = 3  # The number of cells in the largest cages.


def plant(size: int, rng: Random) -> Planted:
    """A square; any cell may be given, and any cage may have its sum."""
    if not 2 <= size <= 9:
        raise ValueError("sizes 2 to 9")
    rows, columns, values = (rng.sample(range(size), size) for _ in range(3))
    solution = [[values[(row + column) % size] + 1 for column in columns] for row in rows]
    text = labels_text(cut(size, rng), size)
    cages = regions_of("cages", read_grid("cages", text, spaced=True))
    sums = [(label, sum(solution[r][c] for r, c in cells)) for label, cells in cages.items()]

    def table(clues: Collection[Clue]) -> Table:
        given = [clue for clue in clues if clue[0] not in cages]
        told = {label: total for label, total in clues if label in cages}
        return {"cages": text, "sums": told, "givens": givens_text(solution, given)}

    # Givens are left out first.
    return Planted(solution, [givens(solution), sums], table)


def cut(size: int, rng: Random) -> list[list[Cell]]:
    """Connected cages that cover the grid."""
    # A list, not a set: the same random numbers must give the same instance in every process.
    free = [(row, column) for row in range(size) for column in range(size)]
    cages = []
    while free:
        cage = [free.pop(0)]
        while len(cage) < LARGEST:
            border = [i for cell in cage for i in neighbours(cell, size) if i in free]
            if not border:
                break
            cage.append(rng.choice(border))
            free.remove(cage[-1])
        cages.append(cage)
    return cages


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue] | None:
    """One clue has another number."""
    return one_changed(clues, range(1, len(planted.solution) + 1), rng)
