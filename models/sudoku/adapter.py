"""Sudokus of collections: grids, addresses of puzz.link, and descriptions by the Solo of sgt-puzzles."""

import re
from collections.abc import Mapping
from math import isqrt, prod
from typing import Any

from models.shared.adapter import address, block, coded_grid, numbers
from models.shared.document import InstanceError, shorten
from models.shared.puzzle import Solution

KINDS = ("sudoku", "solo")


def adapt(fields: Mapping[str, Any]) -> tuple[dict[str, Any], Solution]:
    """The puzzle's keys of an instance file, and the published solution or None; raises InstanceError."""
    if "sgt" in fields:
        kind, _, code = str(fields["sgt"]).partition(":")
        if not re.fullmatch("[1-9]+x[1-9]+", kind):
            raise InstanceError(f"{kind} is no plain Sudoku: leave out x (diagonals), j (jigsaw), k (killer)")
        # The first digit is the height of a box.
        box, runs, base = [*map(int, kind.split("x"))], "a", 10
    elif "puzzlink" in fields:
        width, height, code = address(fields["puzzlink"])
        if width != height or width not in (4, 6, 9, 16, 25):
            raise InstanceError(f"a puzz.link Sudoku has sides of 4, 6, 9, 16 or 25, not {width}/{height}")
        box = [2, 3] if width == 6 else [isqrt(width)] * 2
        runs, base = "g", 16
    else:
        return _table(fields.get("box"), block(fields, "givens")), numbers(fields.get("solution"))
    side = prod(box)
    rows = coded_grid(code, side, side, runs, base)
    solved = [row.copy() for row in rows]
    # A click into a cell, whose place is counted in half cells, and a key.
    for move in re.findall("mouse,left,([0-9]{1,2}),([0-9]{1,2});key,([0-9])", str(fields.get("moves"))):
        solved[int(move[1]) // 2 % side][int(move[0]) // 2 % side] = move[2]
    givens = "\n".join(map(" ".join, rows))
    return _table(box, givens), numbers([*map(" ".join, solved)]) if "moves" in fields else None


def _table(box: Any, givens: str) -> dict[str, Any]:
    if not isinstance(box, list) or [*map(type, box)] != [int, int] or max(box) > 100:
        raise InstanceError(f"box: should be the rows and the columns of a box, not {shorten(box)}")
    return {"box": box, "digits": " ".join(map(str, range(1, prod(box) + 1))), "givens": givens}
