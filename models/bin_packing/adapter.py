"""Bin packings of collections: sizes as a text, as from Gecode's example, or as a list."""

from collections.abc import Mapping
from typing import Any

from models.shared.adapter import numbers
from models.shared.puzzle import Solution

KINDS = ("bin_packing",)


def adapt(fields: Mapping[str, Any]) -> tuple[dict[str, Any], Solution]:
    """The puzzle's keys of an instance file, and the published solution or None."""
    sizes = fields.get("sizes")
    if isinstance(sizes, str):
        (sizes,) = numbers([sizes])
    return {"capacity": fields.get("capacity"), "sizes": sizes}, fields.get("solution")
