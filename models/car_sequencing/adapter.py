"""Car sequences of collections, as CSPLib's: numbers of options and classes as texts or lists."""

from collections.abc import Mapping
from typing import Any

from models.shared.adapter import block, numbers
from models.shared.puzzle import Solution

KINDS = ("car_sequencing",)


def adapt(fields: Mapping[str, Any]) -> tuple[dict[str, Any], Solution]:
    """The puzzle's keys of an instance file, and the published solution or None; raises InstanceError."""
    names = ("max_in_window", "window", "demand", "cars")
    table = {name: fields[name] for name in names if name in fields}
    texts = {name: numbers([text])[0] for name, text in table.items() if isinstance(text, str)}
    return table | texts | {"requires": block(fields, "requires")}, fields.get("solution")
