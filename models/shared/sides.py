"""Clues at the four sides of a grid, one at either end of each row and column."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from models.shared.document import InstanceError, Strict, shorten
from models.shared.grid import Cell, Labels, grid_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Side(StrEnum):
    """The side from which one looks into a grid: at its columns, left to right, or its rows, from the top."""

    TOP = "top"
    BOTTOM = "bottom"
    LEFT = "left"
    RIGHT = "right"

    @property
    def on_columns(self) -> bool:
        """Whether its lines are columns."""
        return self in (Side.TOP, Side.BOTTOM)


class Sides(Strict):
    """The clues as an instance file writes them: numbers in reading order, `.` where there is none."""

    top: str | None = None
    bottom: str | None = None
    left: str | None = None
    right: str | None = None


LONGEST = 9
"""A number has at most so many digits; no grid needs more."""

SideClues = Mapping[tuple[Side, int], int]
"""The number at a side of a column or row, by the side and the column or row, from 0."""


def read_line(field: str, text: str | None, length: int, least: int) -> dict[int, int]:
    """The numbers of a line of words by their place, from 0; `.` stands for no number, None for none at all.

    Raises InstanceError if there are not `length` words, or one is neither `.` nor a number from `least` on.
    """
    words = ["."] * length if text is None else text.split()
    if len(words) != length:
        raise InstanceError(f"{field}: {len(words)} entries; it needs {length}, with . for no number")
    numbers = {}
    for place, word in enumerate(words):
        if word == ".":
            continue
        if not (word.isascii() and word.isdigit() and len(word) <= LONGEST and int(word) >= least):
            raise InstanceError(
                f"{field}, entry {place + 1}: {shorten(word)} is neither . nor a whole number from {least} on"
                f" with at most {LONGEST} digits"
            )
        numbers[place] = int(word)
    return numbers


def read_sides(field: str, sides: Sides, height: int, width: int) -> SideClues:
    """The clues at the sides of a grid, each 1 or more; raises InstanceError if a side has others."""
    return {
        (side, line): number
        for side in Side
        for length in [width if side.on_columns else height]
        for line, number in read_line(f"{field}.{side}", getattr(sides, side), length, 1).items()
    }


def line_from(side: Side, line: int, height: int, width: int) -> list[Cell]:
    """The cells of a column or row in the order in which one meets them from a side."""
    cells = [(row, line) for row in range(height)] if side.on_columns else [(line, c) for c in range(width)]
    return cells if side in (Side.TOP, Side.LEFT) else cells[::-1]


def text_with_sides(labels: Labels, content: Callable[[Cell], str], clues: SideClues) -> str:
    """The grid in box-drawing characters with the clues around it."""
    lines = grid_text(labels, content).splitlines()
    if not clues:
        return "\n".join(lines)
    height, width = len(labels), len(labels[0])
    span = (len(lines[0]) - 1) // width - 1
    pad = max(len(str(number)) for number in clues.values()) + 1

    def word(side: Side, line: int) -> str:
        return str(clues.get((side, line), ""))

    for row in range(height):
        lines[2 * row + 1] += f" {word(Side.RIGHT, row)}"
    indented = [
        (word(Side.LEFT, number // 2) if number % 2 else "").rjust(pad - 1) + " " + line
        for number, line in enumerate(lines)
    ]
    top, bottom = (
        " " * pad + "".join(f" {word(side, column):^{span}}" for column in range(width))
        for side in (Side.TOP, Side.BOTTOM)
    )
    return "\n".join(line.rstrip() for line in (top, *indented, bottom) if line.strip())


def draw_sides(axes: "Axes", clues: SideClues, height: int, width: int, size: float) -> None:
    """Writes the clues around a grid that is drawn already, and makes room for them."""
    for (side, line), number in clues.items():
        row, column = line_from(side, line, height, width)[0]
        x = column + 0.5 + {Side.LEFT: -0.95, Side.RIGHT: 0.95}.get(side, 0)
        y = row + 0.5 + {Side.TOP: -0.9, Side.BOTTOM: 0.9}.get(side, 0)
        axes.text(x, y, str(number), ha="center", va="center", fontsize=size, color="#111111")
    if clues:
        axes.set(xlim=(-0.9, width + 0.9), ylim=(height + 0.9, -0.9))
