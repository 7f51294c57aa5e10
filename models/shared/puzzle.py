"""What the harness needs of a puzzle, and the figures that sources published about it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from matplotlib.axes import Axes


Value = TypeVar("Value", int, float)


class Ingredient(StrEnum):
    """What kinds of puzzles are made of, by which the report groups them."""

    PERMUTATION = "permutation"
    """Values that are all different."""
    SUMS = "sums"
    """Sums or products of values that are to be found."""
    WORDS = "words"
    """Lines that belong to a large set of sequences."""
    PATHS = "paths"
    """Walks or routes from one place to another."""
    CONNECTIVITY = "connectivity"
    """Cells that hang together."""
    DISTANCE = "distance"
    """How far equal values are from each other."""


Solution = Any
"""A solution as the instance format writes it: lists, strings, numbers, dictionaries (JSON)."""


class Sense(StrEnum):
    """Which of two values of an objective is the better one."""

    LEAST = "least"
    MOST = "most"

    def better(self, value: float, other: float) -> bool:
        """Whether a value is better than the other."""
        return value < other if self is Sense.LEAST else value > other

    def best(self, values: Iterable[Value]) -> Value:
        """The best of some values; raises ValueError if there are none."""
        return min(values) if self is Sense.LEAST else max(values)


@dataclass(frozen=True)
class Objective:
    """What the best solution has the least or the most of; `unit` in words, as in `bins`."""

    sense: Sense
    unit: str


class Puzzle(Protocol):
    """The rules, checker and picture of one instance; knows nothing of models or measuring.

    Each `models/<puzzle>/puzzle.py` has a function `parse(table)` that returns the puzzle in the table of a
    TOML file, or raises InstanceError, a sequence `REPORTED` of the figures that sources published, and a
    sequence `INGREDIENTS` of what the puzzle is made of; both may be missing.
    """

    @property
    def size(self) -> int:
        """The number of unknowns as a person would count them (cells, edges)."""
        ...

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words; empty if `solution` solves the puzzle. Never raises."""
        ...

    def answer(self, solution: Solution) -> int | str:
        """The answer that the setter asks for; the solution has passed `check`."""
        ...

    def text(self, solution: Solution | None) -> str:
        """The instance, and the solution if there is one, for a terminal."""
        ...

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The instance, and the solution if there is one, on matplotlib axes."""
        ...


@runtime_checkable
class Optimised(Protocol):
    """A puzzle that asks for the best solution: its only task is `best`. Its answer is a solution's value."""

    @property
    def objective(self) -> Objective:
        """What is to be least or most."""
        ...


@runtime_checkable
class WithGivens(Protocol):
    """A puzzle with cells that may be filled in from the start."""

    @property
    def givens(self) -> Mapping[Any, int]:
        """The values of those cells."""
        ...


@runtime_checkable
class Placed(Protocol):
    """A puzzle whose unknowns are not the cells of a grid of squares."""

    def position(self, unknown: Any) -> tuple[float, float]:
        """Where an unknown is on the axes of `draw`: the middle of its cell, or of its edge."""
        ...


@dataclass(frozen=True)
class Reported:
    """Figures that a source published for one system on one instance; None where it gives none.

    Attributes:
        source: author and title of the publication.
        formulation: the formulation that repeats the published model, if there is one.
        url: the address of the publication; empty if it is not known.
    """

    instance: str
    system: str
    source: str
    formulation: str | None = None
    variables: int | None = None
    constraints: int | None = None
    presolved_variables: int | None = None
    presolved_constraints: int | None = None
    branches: int | None = None
    failures: int | None = None
    search_s: float | None = None
    total_s: float | None = None
    note: str = ""
    url: str = ""


def is_grid(solution: Solution, rows: int, columns: int) -> bool:
    """Whether `solution` is `rows` lists of `columns` integers each (booleans do not count)."""
    return is_ragged_grid(solution, [columns] * rows)


def is_ragged_grid(solution: Solution, lengths: Sequence[int]) -> bool:
    """Whether `solution` is lists of so many integers each."""
    return (
        isinstance(solution, Sequence)
        and len(solution) == len(lengths)
        and all(isinstance(row, list) and len(row) == n for row, n in zip(solution, lengths, strict=True))
        and all(type(value) is int for row in solution for value in row)
    )
