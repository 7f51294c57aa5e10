"""Nonograms of collections: lists of clues, addresses of puzz.link, and the Pattern of sgt-puzzles."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from models.shared.adapter import address, block, numbers
from models.shared.document import InstanceError, shorten
from models.shared.puzzle import Solution

KINDS = ("nonogram", "pattern")


def adapt(fields: Mapping[str, Any]) -> tuple[dict[str, Any], Solution]:
    """The puzzle's keys of an instance file, and the published solution or None; raises InstanceError."""
    if "sgt" in fields:
        if not (found := re.fullmatch("([0-9]{1,4})x([0-9]{1,4}):([0-9./]*)", str(fields["sgt"]))):
            raise InstanceError(f"a Pattern is WIDTHxHEIGHT:CLUES, not {shorten(fields['sgt'])}")
        # The columns are first.
        width, height, clues = int(found[1]), int(found[2]), found[3].replace(".", " ").split("/")
    elif "puzzlink" in fields:
        width, height, code = address(fields["puzzlink"])
        clues = [*_decoded(code, [(height + 1) // 2] * width + [(width + 1) // 2] * height)]
    else:
        if [] in (fields.get("col_clues"), fields.get("row_clues")):
            raise InstanceError("row_clues and col_clues: there are none; write one for each line")
        columns, rows = (block(fields, name).split("\n") for name in ("col_clues", "row_clues"))
        width, height, clues = len(columns), len(rows), columns + rows
    if len(clues) != width + height:
        raise InstanceError(f"{len(clues)} clues; {width} columns and {height} rows need {width + height}")
    clues = [clue or "0" for clue in clues]
    return {"rows": clues[width:], "columns": clues[:width]}, numbers(fields.get("solution"))


def _decoded(code: str, places: Sequence[int]) -> Iterator[str]:
    """Yields the clue of each line, for which there are so many numbers, the last block first."""
    words: list[str] = []
    for sign in re.findall(signs := "[g-z]|[0-9a-f]|-[0-9a-f]{2}", code):
        words += [""] * (ord(sign) - ord("g") + 1) if sign >= "g" else [str(int(sign.strip("-"), 16))]
    if not re.fullmatch(f"(?:{signs})*", code) or len(words) != sum(places):
        raise InstanceError(f"{shorten(code)} should have {sum(places)} places or numbers, none unknown")
    for count in places:
        yield " ".join(filter(None, words[:count][::-1]))
        words = words[count:]
