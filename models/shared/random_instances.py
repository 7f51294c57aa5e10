"""What a puzzle's random instances provide, and what several puzzles draw: headers and regions."""

from collections.abc import Iterator
from typing import Any, Protocol

from hypothesis import strategies as st

from models.shared.puzzle import Puzzle, Solution

Table = dict[str, Any]
"""An instance as the table of a TOML file."""


class RandomInstances(Protocol):
    """The module `models/<puzzle>/random_instances.py`; it shares no code with the models."""

    INSTANCES: st.SearchStrategy[Table]
    """Small instances of all kinds: with no solution, with one, with many, and of odd shapes.

    What gives an instance its shape is drawn first, so that instances shrink to small ones.
    """

    def candidates(self, puzzle: Puzzle) -> Iterator[Solution]:
        """Fillings that include every solution, each once; most of them break a rule.

        How many `check` accepts is the number of solutions, which each model must count. There may be
        millions: the caller stops.
        """
        ...


def header(puzzle: str) -> Table:
    """The keys that instances of all puzzles have."""
    return {"puzzle": puzzle, "title": "random", "source": "random"}


def one_in(number: int) -> st.SearchStrategy[bool]:
    """True in about one of so many cases; shrinks to False."""
    return st.sampled_from([False] * (number - 1) + [True])


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
