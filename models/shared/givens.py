"""Cells that are given: rows of words, `.` for the other cells."""

from collections.abc import Collection

from models.shared.generator import Planted, Table
from models.shared.grid import Cell
from models.shared.puzzle import Solution

Given = tuple[Cell, int]


def givens(solution: Solution) -> list[Given]:
    """All cells with their values."""
    return [((r, c), value) for r, row in enumerate(solution) for c, value in enumerate(row)]


def givens_text(solution: Solution, given: Collection[Given]) -> str:
    """A block of rows as long as those of the solution, in which these cells are given."""
    shown = {cell: str(value) for cell, value in given}
    width = max(map(len, shown.values()), default=1)
    rows = (
        " ".join(f"{shown.get((r, c), '.'):>{width}}" for c in range(len(row)))
        for r, row in enumerate(solution)
    )
    return "\n".join(rows) + "\n"


def planted_grid(solution: Solution, rules: Table) -> Planted:
    """A grid, any cell of which may be given."""
    return Planted(
        solution, [givens(solution)], lambda given: rules | {"givens": givens_text(solution, given)}
    )
