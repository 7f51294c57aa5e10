"""Bin packings of collections: sizes as a text, as from Gecode's example, or as a list."""

from collections.abc import Mapping
from typing import Any

from models.shared.document import InstanceError, shorten
from models.shared.puzzle import Solution

KINDS = ("bin_packing",)


def adapt(fields: Mapping[str, Any]) -> tuple[dict[str, Any], Solution]:
    """The puzzle's keys of an instance file, and the published solution or None; raises InstanceError."""
    sizes = fields.get("sizes")
    if isinstance(sizes, str):
        if not all(word.isdecimal() and len(word) < 10 for word in sizes.split()):
            raise InstanceError(f"sizes: should be a text or a list of whole numbers, not {shorten(sizes)}")
        sizes = [*map(int, sizes.split())]
    return {"capacity": fields.get("capacity"), "sizes": sizes}, fields.get("solution")
