"""Cross Sums: the rules.

A grid has blocked cells, and entries: stretches of open cells in a row or column that end at blocked cells or
at the border. Each open cell gets a digit from 1 to 9, or with the rule `signed_sum` a digit or its negative.

- Rule `sum_or_product`: the clue of an entry is the sum of its digits, or their product.
- Rule `signed_sum`: the clue of an entry is its sum. No absolute value occurs twice in a row or column of the
  whole grid, and exactly one number in every row and every column of the grid is negative.

## Data
- `cells`: a grid of words, `.` for an open cell and `#` for a blocked one.
- `rule`: `sum_or_product` or `signed_sum`.
- `across`, `down`: a line for each entry: its number, the row and column of its first cell from 0, its
  length, and its clue.
- `answer_rule` (optional): `sum_of_digits`, the default; or `sum_of_cells_next_to_negatives`, the sum over
  the negative cells of the cells that share an edge with them.

A solution is a list of rows of integers, 0 for a blocked cell.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

from models.shared.document import Document, InstanceError, read_document
from models.shared.grid import Cell

AnswerRule = Literal["sum_of_digits", "sum_of_cells_next_to_negatives"]
"""What the setter asks for."""

DIGITS = range(1, 10)
"""The absolute values of open cells."""

BLOCKED = 0


class Rule(StrEnum):
    """What an open cell may hold, and what a clue says."""

    SUM_OR_PRODUCT = "sum_or_product"
    SIGNED_SUM = "signed_sum"


class CrossSumsDocument(Document):
    """The keys of an instance file."""

    cells: str
    rule: Literal["sum_or_product", "signed_sum"]
    across: str = ""
    down: str = ""
    answer_rule: AnswerRule = "sum_of_digits"


def parse(table: dict[str, Any]) -> "CrossSums":
    """The puzzle in the table of a TOML file.

    Raises:
        InstanceError: if the table breaks the format.
    """
    document = read_document(CrossSumsDocument, table)
    raise InstanceError(f"{document.title}: to be written")


@dataclass(frozen=True)
class Entry:
    """Cells of a row or column, in reading order, and what they say together."""

    number: int
    cells: tuple[Cell, ...]
    clue: int


@dataclass(frozen=True)
class CrossSums:
    """One instance; a solution is a list of rows of integers, 0 for a blocked cell.

    Attributes:
        blocked: the cells that hold nothing.
    """

    height: int
    width: int
    rule: Rule
    blocked: frozenset[Cell]
    across: tuple[Entry, ...]
    down: tuple[Entry, ...]
    answer_rule: AnswerRule
