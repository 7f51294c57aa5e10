"""Perfect squares of collections: the sides as a text or a list; `size` is both sides of the rectangle."""

from collections.abc import Mapping
from typing import Any

from models.shared.adapter import numbers
from models.shared.puzzle import Solution

KINDS = ("perfect_squares", "perfect_square")


def adapt(fields: Mapping[str, Any]) -> tuple[dict[str, Any], Solution]:
    """The puzzle's keys of an instance file, and the published solution or None."""
    squares = fields.get("squares")
    if isinstance(squares, str):
        (squares,) = numbers([squares])
    sides = {key: fields.get(key, fields.get("size")) for key in ("width", "height")}
    return sides | {"squares": squares}, fields.get("solution")
