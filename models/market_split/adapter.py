"""Market Splits of collections: as MiniZinc's benchmarks have them, products in rows."""

from collections.abc import Mapping
from typing import Any

from models.shared.adapter import block
from models.shared.document import InstanceError, shorten
from models.shared.puzzle import Solution

KINDS = ("market_split",)


def adapt(fields: Mapping[str, Any]) -> tuple[dict[str, Any], Solution]:
    """The puzzle's keys of an instance file, and the published solution or None; raises InstanceError."""
    totals = fields.get("rhs")
    if not isinstance(totals, str) or not all(word.isdecimal() and len(word) < 10 for word in totals.split()):
        raise InstanceError(f"rhs: should be a text of whole numbers, not {shorten(totals)}")
    table = {"coefficients": block(fields, "coefficients"), "totals": [*map(int, totals.split())]}
    return table, fields.get("solution")
