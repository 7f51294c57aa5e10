"""Generates Latin sums: shuffles a Latin square, and cuts it into small cages, all of which have a sum.

`hardness` is the share of the cells that are not given at first.
"""

from random import Random

from models.shared.generator import Draft
from models.shared.givens import one_more, with_givens
from models.shared.grid import Cell, cells_of, labels_text, neighbours, read_grid, regions_of
from models.shared.puzzle import Solution

SIZE = "cells on a side"
LARGEST = 3  # The number of cells in the largest cages.


def draft(size: int, hardness: float, rng: Random) -> Draft | None:
    """A square with all sums and some cells given."""
    if not 2 <= size <= 9:
        raise ValueError("sizes 2 to 9")
    rows, columns, values = (rng.sample(range(size), size) for _ in range(3))
    solution = [[values[(row + column) % size] + 1 for column in columns] for row in rows]
    text = labels_text(cut(size, rng), size)
    cages = regions_of("cages", read_grid("cages", text, spaced=True))
    sums = {label: sum(solution[r][c] for r, c in cells) for label, cells in cages.items()}
    given = {cell for cell in cells_of(solution) if rng.random() >= hardness}
    return with_givens(Draft({"cages": text, "sums": sums}, solution), given)


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


def narrow(draft: Draft, other: Solution, rng: Random) -> Draft | None:
    """The draft with one more cell given, in which the other solution differs."""
    return one_more(draft, other, rng)


def spoil(draft: Draft, rng: Random) -> Draft | None:
    """The draft with one sum increased by 1: as every cage has one, the sums together are then too large."""
    sums = draft.table["sums"]
    label = rng.choice(list(sums))
    return Draft(draft.table | {"sums": sums | {label: sums[label] + 1}}, draft.solution)
