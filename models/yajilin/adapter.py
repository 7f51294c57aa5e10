"""Yajilins of collections: grids of words, and addresses of puzz.link."""

import re
from collections.abc import Mapping
from typing import Any

from models.shared.adapter import address, block
from models.shared.document import InstanceError, shorten
from models.shared.puzzle import Solution

KINDS = ("yajilin", "yajirin")


def adapt(fields: Mapping[str, Any]) -> tuple[dict[str, Any], Solution]:
    """The puzzle's keys of an instance file, and the published solution or None; raises InstanceError."""
    rows = fields.get("solution")
    if isinstance(rows, list) and all(isinstance(row, str) for row in rows):
        rows = [["".join(sorted(word, key="nsew".find)) for word in row.split()] for row in rows]
    return {"cells": decoded(fields["puzzlink"]) if "puzzlink" in fields else block(fields, "cells")}, rows


def decoded(end: Any) -> str:
    """The grid in what an address ends in; raises InstanceError if it is of another size, or no code."""
    # Letters are cells that are not grey: one, two, and so on. A clue is a direction, 0 for none, and a digit
    # to base 16, or `.` for none; 5 more, and two digits; or `-`, the direction and three. `b/` says nothing.
    width, height, code = address(str(end).removeprefix("b/"))
    signs = "[a-z]|[0-4][0-9a-f.]|[5-9][0-9a-f]{2}|-[0-4][0-9a-f]{3}"
    words: list[str] = []
    for sign in re.findall(signs, code):
        way, number = sign.strip("-")[0], sign.strip("-")[1:]
        if not number:
            words += ["."] * (ord(way) - ord("a") + 1)
        else:
            words.append("#" if way in "05" or number == "." else f"{int(number, 16)}{' nswe'[int(way) % 5]}")
    if not re.fullmatch(f"(?:{signs})*", code) or len(words) != width * height:
        raise InstanceError(f"{shorten(code)} is no code of a grid of {width}x{height}; copy the whole of it")
    return "\n".join(" ".join(words[at : at + width]) for at in range(0, len(words), width))
