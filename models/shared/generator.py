"""Draft instances, and what a puzzle's generator of instances provides."""

from dataclasses import dataclass
from random import Random
from typing import Any, Protocol, runtime_checkable

from models.shared.puzzle import Solution


@dataclass(frozen=True)
class Draft:
    """The puzzle's own keys of an instance file, and a solution of the instance."""

    table: dict[str, Any]
    solution: Solution


def document(table: dict[str, Any]) -> dict[str, Any]:
    """The table with the keys that all instances have, as `parse` needs them."""
    return dict.fromkeys(("puzzle", "title", "source"), "draft") | table


class Generator(Protocol):
    """The module `models/<puzzle>/generate.py`; the same random numbers give the same drafts.

    `hardness` is between 0 (as many clues as possible) and 1 (as few as possible). A module may have RULES,
    names of rules: `draft` then accepts one of them as a further argument, by default the first.
    """

    SIZE: str
    """The unit of the size of an instance, in words."""

    def draft(self, size: int, hardness: float, rng: Random) -> Draft | None:
        """An instance with a solution; None if this attempt failed, ValueError if none has the size."""
        ...

    def narrow(self, draft: Draft, other: Solution, rng: Random) -> Draft | None:
        """The draft with one more clue, which `other` breaks; None if the puzzle has no such clue."""
        ...

    def spoil(self, draft: Draft, rng: Random) -> Draft | None:
        """The draft with a clue that its solution breaks; None if there is no clue to change."""
        ...


@runtime_checkable
class HardGenerator(Generator, Protocol):
    """A generator that also has a hard kind of instances, meant to stop solvers at smaller sizes."""

    def hard_draft(self, size: int, hardness: float, rng: Random) -> Draft | None:
        """The same of the hard kind."""
        ...
