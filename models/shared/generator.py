"""What a puzzle's generator of instances provides: solutions, and true clues of them."""

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

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
    return dict.fromkeys(("puzzle", "title", "source"), "planted") | table


class Generator(Protocol):
    """The module `models/<puzzle>/generate.py`: the same random numbers, the same result.

    It may have RULES, names of rules: `plant` then accepts one of them as a further argument, by default the
    first. It may have `refute`, if all clues may leave several solutions: from what is planted, another
    solution, and random numbers it plants one that is changed where the other differs; None if that fails.
    """

    SIZE: str
    """The unit of the size of an instance, in words."""

    def plant(self, size: int, rng: Random) -> Planted | None:
        """A solution with clues; None if this attempt failed, ValueError if none has the size."""
        ...

    def spoil(self, planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue] | None:
        """These clues, changed so that the solution breaks them; None if there is no such change."""
        ...


def one_changed(
    clues: Sequence[tuple[Hashable, int]], values: Collection[int], rng: Random
) -> Sequence[Clue] | None:
    """These clues of a place and a number, one with another of the values; None if none can be changed."""
    if not clues:
        return None
    changed, told = rng.choice(clues)
    if not (others := [value for value in values if value != told]):
        return None
    value = rng.choice(others)
    return [(place, value if place == changed else number) for place, number in clues]
