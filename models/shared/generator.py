"""What a puzzle's generator of instances provides: solutions, and true clues of them."""

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol, runtime_checkable

from models.shared.puzzle import Solution

Table = dict[str, Any]
"""The puzzle's own keys of an instance file."""

Clue = Any
"""What an instance tells in one place, as in ((row, column), number); it can be hashed."""


@dataclass(frozen=True)
class Planted:
    """A solution, and what may be told of it.

    Attributes:
        solution: as `check` accepts it, of every instance whose clues are true.
        clues: true clues, each of which may be left out; those of the first group are left out first.
        table: the instance that has these clues, true or not, in any order.
    """

    solution: Solution
    clues: Sequence[Sequence[Clue]]
    table: Callable[[Collection[Clue]], Table]


def document(table: Table) -> Table:
    """The table with the keys that all instances have, as `parse` needs them."""
    return dict.fromkeys(("puzzle", "title", "source"), "draft") | table


class Generator(Protocol):
    """The module `models/<puzzle>/generate.py`: the same random numbers, the same result.

    It may have RULES, names of rules: `plant` then accepts one of them as a further argument, by default the
    first.
    """

    SIZE: str
    """The unit of the size of an instance, in words."""

    def plant(self, size: int, rng: Random) -> Planted | None:
        """A solution with clues; None if this attempt failed, ValueError if none has the size."""
        ...

    def spoil(self, planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue] | None:
        """These clues with one that the solution breaks in place of another; None if there is no such."""
        ...


@runtime_checkable
class Refuter(Generator, Protocol):
    """A generator of a puzzle whose clues may leave several solutions even if none is left out."""

    def refute(self, planted: Planted, other: Solution, rng: Random) -> Planted | None:
        """Another solution, changed where `other` differs; None if it cannot be."""
        ...


def one_changed(
    clues: Sequence[tuple[Hashable, int]], values: Collection[int], rng: Random
) -> Sequence[Clue] | None:
    """These clues of a place and a number, one with another of the values; None if none can be changed."""
    changes = [(place, value) for place, number in clues for value in values if value != number]
    if not changes:
        return None
    place, value = rng.choice(changes)
    return [(other, value if other == place else number) for other, number in clues]
