"""Hidatos of collections: grids of which some cells are given."""

from collections.abc import Mapping
from typing import Any

from models.shared.adapter import block, numbers
from models.shared.puzzle import Solution

KINDS = ("hidato", "hidoku")


def adapt(fields: Mapping[str, Any]) -> tuple[dict[str, Any], Solution]:
    """The puzzle's keys of an instance file, and the published solution or None; raises InstanceError."""
    return {"givens": block(fields, "givens")}, numbers(fields.get("solution"))
