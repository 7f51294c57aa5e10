"""Nurikabes of collections: grids, and addresses of puzz.link."""

import re
from collections.abc import Mapping
from typing import Any

from models.shared.adapter import address, block, coded_grid, numbers
from models.shared.puzzle import Solution

KINDS = ("nurikabe",)


def adapt(fields: Mapping[str, Any]) -> tuple[dict[str, Any], Solution]:
    """The puzzle's keys of an instance file, and the published solution or None; raises InstanceError."""
    if "puzzlink" not in fields:
        return {"givens": block(fields, "givens")}, numbers(fields.get("solution"))
    width, height, code = address(fields["puzzlink"])
    # & ends the code.
    words = coded_grid(re.split("[&%]", code)[0], width, height, "g", 16)
    solution = _shaded(width, height, str(fields["moves"])) if "moves" in fields else None
    return {"givens": "\n".join(map(" ".join, words))}, solution


def _shaded(width: int, height: int, moves: str) -> Solution:
    """The grid that clicks leave, each of them in the middle of a cell, counted in half cells."""
    sea = {(int(y) // 2, int(x) // 2) for x, y in re.findall("mouse,left,([0-9]+),([0-9]+)", moves)}
    return [[int((row, column) in sea) for column in range(width)] for row in range(height)]
