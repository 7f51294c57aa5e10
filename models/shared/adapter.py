"""Notations of collections that the adapters of several puzzles share (docs/collections.md)."""

import re
from collections.abc import Mapping
from typing import Any

from models.shared.document import InstanceError, shorten
from models.shared.puzzle import Solution


def block(fields: Mapping[str, Any], name: str, numbered: bool = False) -> str:
    """A field's list of lines as a text block; raises InstanceError if it is none."""
    lines = fields.get(name)
    if not isinstance(lines, list) or not all(isinstance(line, str) and line.isprintable() for line in lines):
        raise InstanceError(f"{name}: should be a list of texts, not {shorten(lines)}")
    return "\n".join(" ".join([str(n)] * numbered + line.split()) for n, line in enumerate(lines, 1))


def numbers(rows: Any) -> Solution:
    """Rows of words as numbers, 0 for `.`; what is none stays as it is, for the checker to refuse."""
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        return rows
    return [
        [int(w) if re.fullmatch("[0-9]{1,9}", w) else 0 if w == "." else w for w in row.split()]
        for row in rows
    ]


def address(text: Any) -> tuple[int, int, str]:
    """Width, height and code in what a puzz.link address ends in; raises InstanceError if there are none."""
    if not (found := re.fullmatch(r"([1-9][0-9]?)/([1-9][0-9]?)/([^/]+)", str(text))):
        raise InstanceError(f"the address should end in WIDTH/HEIGHT/CODE, not {shorten(text)}")
    return int(found[1]), int(found[2]), found[3]


def coded_grid(code: str, width: int, height: int, runs: str, base: int) -> list[list[str]]:
    """The words of a grid in a code, row by row; raises InstanceError if it is of another size, or no code.

    Letters from `runs` on are cells without a number: one cell, two, and so on. To base 16 a number has one
    digit, two behind `-`, or three behind `+`, and `.` is an unknown one, `?`. To base 10 `_` parts numbers.
    """
    signs = "[a-z_]|[0-9]{1,9}" if base == 10 else r"[g-z.]|[0-9a-f]|-[0-9a-f]{2}|\+[0-9a-f]{3}"
    if not re.fullmatch(f"(?:{signs})*", code):
        raise InstanceError(
            f"{shorten(code)} has a sign that stands for nothing; copy the whole code, unchanged"
        )
    cells: list[str] = []
    for sign in re.findall(signs, code.replace("_", " ")):
        if sign >= runs:
            cells += ["."] * (ord(sign) - ord(runs) + 1)
        else:
            cells.append("?" if sign == "." else str(int(sign.strip("-+"), base)))
    if len(cells) != width * height:
        raise InstanceError(
            f"{shorten(code)} has {len(cells)} cells; a grid of {width}x{height} has {width * height}"
        )
    return [cells[at : at + width] for at in range(0, len(cells), width)]
