"""Slitherlinks of collections: grids, addresses of puzz.link, and descriptions by Loopy of sgt-puzzles."""

import re
from collections.abc import Mapping
from typing import Any

from models.shared.adapter import address, block, coded_grid, numbers
from models.shared.document import InstanceError, shorten
from models.shared.puzzle import Solution

KINDS = ("slitherlink", "slither", "loopy")


def adapt(fields: Mapping[str, Any]) -> tuple[dict[str, Any], Solution]:
    """The puzzle's keys of an instance file, and the published solution or None; raises InstanceError."""
    if "sgt" in fields:
        shape, _, code = str(fields["sgt"]).partition(":")
        # t0 is the grid of squares; dh is how hard it is.
        if not (found := re.fullmatch("([1-9][0-9]?)x([1-9][0-9]?)t0(?:d[a-z])?", shape)):
            raise InstanceError(f"{shorten(shape)} should be a grid of squares, as in 10x10t0")
        digits = re.sub("(?<=[0-9])(?=[0-9])", "_", code)
        rows = coded_grid(digits, int(found[1]), int(found[2]), "a", 10)
    elif "puzzlink" in fields:
        rows = _decoded(*address(fields["puzzlink"]))
    else:
        rows = [row.split() for row in block(fields, "givens").splitlines()]
    return {"givens": "\n".join(map(" ".join, rows))}, numbers(fields.get("solution"))


def _decoded(width: int, height: int, code: str) -> list[list[str]]:
    """The words of a grid in a code of puzz.link.

    A digit to base 15 is a clue, up to 4, and 5 times how many empty cells are behind it. Letters from g on
    are empty cells: one, two, and so on. `.` is a clue that says nothing.
    """
    cells: list[str] = []
    for sign in code:
        if not re.fullmatch("[0-9a-eg-z.]", sign):
            raise InstanceError(f"{shorten(code)}: {shorten(sign)} stands for nothing; copy the whole code")
        empty, clue = divmod(int(sign, 15), 5) if sign < "f" and sign != "." else (0, ".")
        cells += [str(clue), *["."] * (int(sign, 36) - 16 if sign > "f" else empty)]
    # The empty cells of the last digit may be beyond the grid.
    if not 0 <= len(cells) - width * height <= 2 or {*cells[width * height :]} - {"."}:
        raise InstanceError(f"{shorten(code)} has {len(cells)} cells; {width}x{height} has {width * height}")
    return [cells[at : at + width] for at in range(0, width * height, width)]
