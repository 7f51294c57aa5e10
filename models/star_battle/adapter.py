"""Star Battles of collections: grids of labels, and addresses of puzz.link."""

import re
from collections.abc import Mapping
from itertools import product
from typing import Any

from models.shared.adapter import address, block, numbers
from models.shared.document import InstanceError, shorten
from models.shared.graph import graph_of, parts_of
from models.shared.grid import Cell, labels_text
from models.shared.puzzle import Solution

KINDS = ("star_battle", "starbattle")


def adapt(fields: Mapping[str, Any]) -> tuple[dict[str, Any], Solution]:
    """The puzzle's keys of an instance file, and the published solution or None; raises InstanceError."""
    if "puzzlink" in fields:
        words = str(fields["puzzlink"]).split("/")
        if len(words) != 4 or not re.fullmatch("[1-9][0-9]?", words[2]):
            raise InstanceError(
                f"the address should end in WIDTH/HEIGHT/STARS/CODE, not {shorten(fields['puzzlink'])}"
            )
        stars = int(words.pop(2))
        width, height, code = address("/".join(words))
        if width != height:
            raise InstanceError(f"a Star Battle is a square, not {width}/{height}")
        return {"stars": stars, "regions": labels_text(bordered(width, height, code), width)}, None
    if type(fields.get("stars")) is not int:
        raise InstanceError(f"stars: should be a whole number, not {shorten(fields.get('stars'))}")
    return {"stars": fields["stars"], "regions": block(fields, "regions")}, numbers(fields.get("solution"))


def bordered(width: int, height: int, code: str) -> list[set[Cell]]:
    """The parts into which borders cut a grid; raises InstanceError if the code has another length.

    A digit to base 32 says of five edges whether they are borders: of those between columns, row by row, and
    from a new digit on of those between rows.
    """
    aside = list(product(range(height), range(width - 1)))
    below = list(product(range(height - 1), range(width)))
    lengths = [-(-len(edges) // 5) for edges in (aside, below)]
    if not re.fullmatch(f"[0-9a-v]{{{sum(lengths)}}}", code):
        raise InstanceError(f"{shorten(code)} should have {sum(lengths)} digits from 0 to v, five edges each")
    bits = "".join(f"{int(digit, 32):05b}" for digit in code)
    open_ = [((r, c), (r, c + 1)) for (r, c), bit in zip(aside, bits, strict=False) if bit == "0"]
    bits = bits[5 * lengths[0] :]
    open_ += [((r, c), (r + 1, c)) for (r, c), bit in zip(below, bits, strict=False) if bit == "0"]
    return parts_of(graph_of(open_, product(range(height), range(width))))
