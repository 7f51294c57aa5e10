"""An instance in the making, and what a puzzle's generator of instances promises."""

from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from models.shared.puzzle import Solution


@dataclass(frozen=True)
class Draft:
    """The keys of an instance file that are the puzzle's own, and a solution of the instance."""

    table: dict[str, Any]
    solution: Solution


class Generator(Protocol):
    """What `models/<puzzle>/generate.py` offers; the same random numbers give the same drafts.

    `hardness` lies between 0 (as many clues as there can be) and 1 (as few as the puzzle allows).
    """

    SIZE: str
    """What the size of an instance counts, in words."""

    def draft(self, size: int, hardness: float, rng: Random) -> Draft | None:
        """An instance with a solution; None if this attempt came to nothing.

        Raises:
            ValueError: if there is no instance of this size.
        """
        ...

    def narrow(self, draft: Draft, other: Solution, rng: Random) -> Draft | None:
        """The draft with one more clue, which `other` breaks; None if the puzzle has no such clue."""
        ...

    def spoil(self, draft: Draft, rng: Random) -> Draft | None:
        """The draft with a clue that its solution breaks; None if it has no clue to change."""
        ...
