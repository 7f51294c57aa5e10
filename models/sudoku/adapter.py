"""Sudokus of collections: grids, addresses of puzz.link, and descriptions by the Solo of sgt-puzzles."""

import re
from collections.abc import Mapping
from math import isqrt, prod
from typing import Any

from models.shared.adapter import address, block, numbers
from models.shared.document import InstanceError, shorten
from models.shared.puzzle import Solution

KINDS = ("sudoku", "solo")


def adapt(fields: Mapping[str, Any]) -> tuple[dict[str, Any], Solution]:
    """The puzzle's keys of an instance file, and the published solution or None; raises InstanceError."""
    if "sgt" in fields:
        kind, _, code = str(fields["sgt"]).partition(":")
        if not re.fullmatch("[1-9]+x[1-9]+", kind):
            raise InstanceError(f"{kind} is no plain Sudoku: leave out x (diagonals), j (jigsaw), k (killer)")
        # The first digit is the height of a box; a to z are runs of empty cells.
        box, word, runs, base = [*map(int, kind.split("x"))], "[a-z]|[0-9]+", "a", 10
    elif "puzzlink" in fields:
        width, height, code = address(fields["puzzlink"])
        if width != height or width not in (4, 6, 9, 16, 25):
            raise InstanceError(f"a puzz.link Sudoku has sides of 4, 6, 9, 16 or 25, not {width}/{height}")
        box = [2, 3] if width == 6 else [isqrt(width)] * 2
        word, runs, base = "[g-z]|[0-9a-f]|-[0-9a-f]{2}", "g", 16
    else:
        return _table(fields.get("box"), block(fields, "givens")), numbers(fields.get("solution"))
    cells: list[str] = []
    for sign in re.findall(word, code):
        cells += ["."] * (ord(sign) - ord(runs) + 1) if sign >= runs else [str(int(sign.strip("-"), base))]
    if len(cells) != (side := prod(box)) ** 2:
        raise InstanceError(f"{shorten(code)} has {len(cells)} cells; a Sudoku of this size has {side**2}")
    solved = [*cells]
    # A click into a cell, whose place is counted in half cells, and a key.
    for move in re.findall("mouse,left,([0-9]{1,2}),([0-9]{1,2});key,([0-9])", str(fields.get("moves"))):
        solved[(int(move[1]) // 2 * side + int(move[0]) // 2) % side**2] = move[2]
    rows = [[" ".join(of[at : at + side]) for at in range(0, side**2, side)] for of in (cells, solved)]
    return _table(box, "\n".join(rows[0])), numbers(rows[1]) if "moves" in fields else None


def _table(box: Any, givens: str) -> dict[str, Any]:
    if not isinstance(box, list) or [*map(type, box)] != [int, int] or max(box) > 100:
        raise InstanceError(f"box: should be the rows and the columns of a box, not {shorten(box)}")
    return {"box": box, "digits": " ".join(map(str, range(1, prod(box) + 1))), "givens": givens}
