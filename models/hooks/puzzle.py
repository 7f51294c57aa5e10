"""Hooks: the rules.

A grid of n x n cells is cut into n hooks. The hook of size n is an outer row and an outer column of the grid
together, 2n-1 cells; what remains is a square of n-1 rows and columns, which is cut again, down to one cell.

Each hook gets one of the numbers 1..n, and each number one hook; the number v is written in exactly v cells
of its hook, and the other cells stay empty. The hooks may be printed or are to be found. The hook of size v
may have to hold the number v, or the numbers are to be found too.

## Data
- `size`: n.
- `layout`: `fixed` or `free`. If it is fixed, `hooks` has the size of the hook of each cell.
- `numbering`: `by_size` if the hook of size v holds the number v; else `free`.
- `connected` (optional): true if all filled cells are connected along edges.
- `no_full_2x2` (optional): true if no 2x2 block is completely filled.
- `givens` (optional): a grid of words, with the numbers that are given and `.` in the other cells.
- `row_sums`, `column_sums` (optional): the sum of a row or column, `.` where there is none.
- `first_two_product` (optional): the product of the first two filled cells that are met from the `top`,
  `bottom` (left to right), `left`, `right` (top to bottom), `.` where there is no clue.
- `first_block_sum` (optional): in the same way, the sum of the first unbroken run of filled cells.
- `regions` (optional): a grid of labels, one a cell; the numbers in every region have the same sum.
- `neighbour_sums` (optional): a grid of words; a cell with a number stays empty, and the cells that share an
  edge with it sum to the number; `.` in the other cells.
- `answer_rule` (optional): `empty_product`, the default, the product of the sizes of the connected groups of
  empty cells; `checkerboard_sum`, the sum of the cells whose row and column, from 0, are both even or both
  odd; or `max_rook_product`, the greatest product of filled cells no two of which share a row or column.

A solution is a list of rows of integers, 0 for an empty cell. The hooks are not part of it: it is one
solution if several ways of cutting and numbering fit it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import pydantic

from models.shared.document import Document, InstanceError, read_document
from models.shared.grid import Cell
from models.shared.sides import SideClues, Sides

AnswerRule = Literal["empty_product", "checkerboard_sum", "max_rook_product"]
"""What the setter asks for."""

EMPTY = 0


class HooksDocument(Document):
    """The keys of an instance file."""

    size: int = pydantic.Field(ge=1, le=100)
    layout: Literal["fixed", "free"]
    numbering: Literal["by_size", "free"]
    hooks: str | None = None
    connected: bool = False
    no_full_2x2: bool = False
    givens: str | None = None
    row_sums: str | None = None
    column_sums: str | None = None
    first_two_product: Sides = Sides()
    first_block_sum: Sides = Sides()
    regions: str | None = None
    neighbour_sums: str | None = None
    answer_rule: AnswerRule = "empty_product"


def parse(table: dict[str, Any]) -> "Hooks":
    """The puzzle in the table of a TOML file.

    Raises:
        InstanceError: if the table breaks the format.
    """
    document = read_document(HooksDocument, table)
    raise InstanceError(f"{document.title}: to be written")


@dataclass(frozen=True)
class Hooks:
    """One instance; a solution is a list of rows of integers, 0 for an empty cell.

    Attributes:
        n: the rows, columns, hooks and numbers.
        hooks: the size of the hook of each cell; None if the hooks are to be found.
        by_size: whether the hook of size v holds the number v.
        row_sums, column_sums: by row or column, from 0; some may lack.
        regions: empty if there are none; else they cover the grid.
        neighbour_sums: by the cell, which stays empty.
    """

    n: int
    hooks: Mapping[Cell, int] | None
    by_size: bool
    connected: bool
    no_full_2x2: bool
    givens: Mapping[Cell, int]
    row_sums: Mapping[int, int]
    column_sums: Mapping[int, int]
    first_two_product: SideClues
    first_block_sum: SideClues
    regions: tuple[tuple[Cell, ...], ...]
    neighbour_sums: Mapping[Cell, int]
    answer_rule: AnswerRule
