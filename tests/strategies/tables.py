"""Instances as the tables of TOML files."""

import json
from typing import Any

from hypothesis import strategies as st

Table = dict[str, Any]


def as_toml(table: Table) -> str:
    """The table as a file."""
    return "".join(f"{key} = {_toml(value)}\n" for key, value in table.items())


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(item)}" for key, item in value.items()) + "}"
    return json.dumps(value)


def header(puzzle: str) -> Table:
    return {"puzzle": puzzle, "title": "random", "source": "made for this test"}


@st.composite
def partitions(draw: st.DrawFn, height: int, width: int, count: int) -> str:
    """A grid cut into connected regions, grown cell by cell from `count` seeds."""
    cells = [(row, column) for row in range(height) for column in range(width)]
    seeds = draw(st.permutations(cells))[:count]
    labels = {cell: "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number] for number, cell in enumerate(seeds)}
    while len(labels) < len(cells):
        border = [
            (other, labels[row, column])
            for row, column in sorted(labels)
            for other in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
            if other in cells and other not in labels
        ]
        cell, label = draw(st.sampled_from(border))
        labels[cell] = label
    return "\n".join("".join(labels[row, column] for column in range(width)) for row in range(height))
