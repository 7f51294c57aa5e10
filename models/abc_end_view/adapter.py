"""ABC End Views of collections."""

from collections.abc import Mapping
from typing import Any

from models.abc_end_view.puzzle import ALPHABET
from models.shared.adapter import block
from models.shared.puzzle import Solution

KINDS = ("abc_end_view",)


def adapt(fields: Mapping[str, Any]) -> tuple[dict[str, Any], Solution]:
    """The puzzle's keys of an instance file, and the published solution or None; raises InstanceError."""
    names = ("size", "letters", "top", "bottom", "left", "right")
    table = {name: fields[name] for name in names if fields.get(name) is not None}
    table |= {"givens": block(fields, "givens")} if "givens" in fields else {}
    solution = fields.get("solution")
    if isinstance(solution, list) and all(isinstance(row, str) for row in solution):
        rows = (row.split() for row in solution)
        solution = [[ALPHABET.find(word) if len(word) == 1 else -1 for word in row] for row in rows]
    return table, solution
