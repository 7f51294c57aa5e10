"""Grids of which some cells hold a number, 1 or more, and the others are empty: rules, and pictures."""

from collections.abc import Collection, Mapping
from math import prod
from typing import TYPE_CHECKING

from models.shared.grid import (
    Cell,
    Labels,
    cells_of,
    connected_parts,
    draw_regions,
    in_words,
    word,
    write_in_cell,
)
from models.shared.puzzle import Solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes

EMPTY = 0
"""What a cell without a number has in a solution."""


def out_of_range(solution: Solution, most: int) -> list[str]:
    """The cells that hold no number up to `most` and are not empty, in words."""
    return [
        f"{in_words((r, c))} holds {value}, not {EMPTY} for an empty cell or 1 to {most}"
        for r, c in cells_of(solution)
        if not 0 <= (value := solution[r][c]) <= most
    ]


def full_blocks(solution: Solution) -> list[str]:
    """The 2x2 blocks that are completely filled, in words."""
    return [
        f"the 2x2 block with its top left corner in {in_words((row, column))} is filled"
        for row in range(len(solution) - 1)
        for column in range(len(solution[0]) - 1)
        if all(solution[row][column : column + 2] + solution[row + 1][column : column + 2])
    ]


def separate_groups(solution: Solution) -> list[str]:
    """How many groups of filled cells there are, if there is more than one, in words."""
    groups = connected_parts((r, c) for r, c in cells_of(solution) if solution[r][c] != EMPTY)
    return [f"the filled cells are {len(groups)} groups, not one"] if len(groups) > 1 else []


def product_of_empty_groups(solution: Solution) -> int:
    """The product of the sizes of the connected groups of empty cells."""
    return prod(map(len, connected_parts((r, c) for r, c in cells_of(solution) if solution[r][c] == EMPTY)))


def draw_cells(
    axes: "Axes",
    labels: Labels,
    givens: Mapping[Cell, int],
    solution: Solution | None,
    fill: Mapping[Cell, str],
    without: Collection[Cell] = (),
) -> None:
    """Draws the regions, empty cells grey, and what stands in most cells; givens in bold."""
    empty = [(r, c) for r, c in cells_of(labels) if solution and solution[r][c] == EMPTY]
    draw_regions(axes, labels, {**fill, **dict.fromkeys(empty, "#d9d9d9")}, thin_lines=True)
    width = len(labels[0])
    for cell in cells_of(labels):
        if cell not in without:
            text = word(cell, givens, solution).strip(".")
            write_in_cell(axes, cell, text, font_size(width), cell in givens)


def font_size(width: int) -> float:
    """The size at which numbers fit the cells of a grid with so many columns, in points."""
    return min(14, 120 / width)
