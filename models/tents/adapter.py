"""Tents of collections: grids with counts, and the Tents of sgt-puzzles."""

import re
from collections.abc import Mapping
from typing import Any

from models.shared.adapter import block, numbers
from models.shared.document import InstanceError, shorten
from models.shared.puzzle import Solution

KINDS = ("tents",)


def adapt(fields: Mapping[str, Any]) -> tuple[dict[str, Any], Solution]:
    """The puzzle's keys of an instance file, and the published solution or None; raises InstanceError.

    A letter of sgt-puzzles, a to y, is a tree behind so many empty cells, _ behind none; z is 25 of them.
    The last tree is behind the last cell. The counts of the columns are first.
    """
    if "sgt" not in fields:
        table = {name: fields[name] for name in ("row_counts", "col_counts") if name in fields}
        return {"trees": block(fields, "trees"), **table}, numbers(fields.get("solution"))
    signs = "([1-9][0-9]{0,2})x([1-9][0-9]{0,2}):([a-z_]*)((?:,[0-9]{1,9})*)"
    if not (found := re.fullmatch(signs, str(fields["sgt"]))):
        raise InstanceError(f"Tents are WIDTHxHEIGHT:TREES,COUNTS, not {shorten(fields['sgt'])}")
    width, height, counts = int(found[1]), int(found[2]), found[4].split(",")[1:]
    runs = ("." * "_abcdefghijklmnopqrstuvwxyz".index(sign) + "T" for sign in found[3])
    cells = "".join(runs).replace("." * 26 + "T", "." * 25)
    if len(cells) != width * height + 1 or cells[-1] != "T" or len(counts) != width + height:
        raise InstanceError(f"{shorten(fields['sgt'])} has not the cells and counts of {width}x{height}")
    rows = (" ".join(cells[at : at + width]) for at in range(0, width * height, width))
    columns, lines = " ".join(counts[:width]), " ".join(counts[width:])
    return {"trees": "\n".join(rows), "row_counts": lines, "col_counts": columns}, None
