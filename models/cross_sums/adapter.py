"""Kakuro of collections: grids with lists of entries, and addresses of puzz.link."""

from collections.abc import Mapping
from itertools import count, product
from string import ascii_letters, digits
from typing import Any

from models.shared.adapter import address, block, numbers
from models.shared.document import InstanceError
from models.shared.puzzle import Solution

KINDS = ("kakuro",)

_STEPS = {"across": (0, 1), "down": (1, 0)}


def adapt(fields: Mapping[str, Any]) -> tuple[dict[str, Any], Solution]:
    """The puzzle's keys of an instance file, and the published solution or None; raises InstanceError."""
    if "puzzlink" in fields:
        try:
            fields = _decoded(*address(fields["puzzlink"]))
        except StopIteration:
            raise InstanceError("the address is cut off") from None
    entries = {name: block(fields, name, numbered=True) for name in _STEPS}
    return {"rule": "sum", "cells": block(fields, "cells"), **entries}, numbers(fields.get("solution"))


def _decoded(width: int, height: int, code: str) -> dict[str, list[str]]:
    """The fields of a code: k to z are runs of open cells, a point is a blocked one without sums.

    Two digits are a blocked cell with sums down and across. Behind the cells come the sums in the margin,
    down, then across. StopIteration is raised if the code is cut off.
    """
    value = (digits + ascii_letters[:10] + ascii_letters[26:]).find  # a is 10, A is 20; -1 is no sum.
    signs, words, sums = iter(code), list[str](), dict[tuple[int, int, str], int]()
    while len(words) < width * height:
        if "k" <= (sign := next(signs)) <= "z":
            words += "." * (int(sign, 36) - 19)
            continue
        if sign != ".":
            row, column = divmod(len(words), width)
            sums |= {(row, column, "down"): value(sign), (row, column, "across"): value(next(signs))}
        words.append("#")
    rows = [words[at : at + width] for at in range(0, width * height, width)]
    cells = {(r, c) for r, c in product(range(height), range(width)) if rows[r][c] == "."}
    sums |= {(-1, c, "down"): value(next(signs)) for c in range(width) if (0, c) in cells}
    sums |= {(r, -1, "across"): value(next(signs)) for r in range(height) if (r, 0) in cells}
    fields: dict[str, list[str]] = {"cells": [" ".join(row) for row in rows], "across": [], "down": []}
    for (name, (down, right)), (r, c) in product(_STEPS.items(), sorted(cells)):
        if (r - down, c - right) not in cells:
            length = next(n for n in count(1) if (r + n * down, c + n * right) not in cells)
            total = sums.get((r - down, c - right, name), 0)
            if total < 1 < length:
                raise InstanceError(f"row {r + 1}, column {c + 1}: the entry {name} has no sum")
            fields[name] += [f"{r} {c} {length} {total}"] * (total > 0)
    return fields
