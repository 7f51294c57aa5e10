"""Choco Banana: the rules.

Some cells of a grid are shaded. The shaded cells fall into groups that are connected along edges, and so do
the unshaded ones. Every shaded group is a full rectangle; a square or a single cell counts as one. No
unshaded group is a full rectangle. A number in a cell is the size of the group, shaded or not, that holds the
cell.

## Data
- `cells`: a grid of words, a number or `.` where there is none. Several numbers may lie in one group, and a
  group may have none.

A solution is a list of rows of integers, 1 for a shaded cell and 0 for an unshaded one. The answer is the
product, over the rows, of the number of unshaded cells.

## Links
- Jane Street, Choco Banana, July 2023: https://www.janestreet.com/puzzles/choco-banana-index/
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from models.shared.document import Document, InstanceError, read_document
from models.shared.grid import Cell

SHADED = 1
UNSHADED = 0


class ChocoBananaDocument(Document):
    """The keys of an instance file."""

    cells: str


def parse(table: dict[str, Any]) -> "ChocoBanana":
    """The puzzle in the table of a TOML file.

    Raises:
        InstanceError: if the table breaks the format.
    """
    document = read_document(ChocoBananaDocument, table)
    raise InstanceError(f"{document.title}: to be written")


@dataclass(frozen=True)
class ChocoBanana:
    """One instance; a solution is a list of rows of integers, 1 for a shaded cell and 0 for an unshaded one.

    Attributes:
        numbers: by the cell, the size of its group.
    """

    height: int
    width: int
    numbers: Mapping[Cell, int]
