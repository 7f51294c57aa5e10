"""What a puzzle promises to the harness, and what the sources reported about it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Solution = Any
"""A solution as the instance format writes it: lists, strings, numbers, dictionaries (JSON)."""


class Puzzle(Protocol):
    """One instance's rules, checker and picture; knows nothing of models or measuring.

    Each `models/<puzzle>/puzzle.py` has a function `parse(table)` that makes one from the table of a TOML
    file, or raises InstanceError, and a sequence `REPORTED` of the figures that the sources published.
    """

    @property
    def size(self) -> int:
        """The number of unknowns as a person would count them (cells, edges)."""
        ...

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words; empty if `solution` solves the puzzle. Never raises."""
        ...

    def answer(self, solution: Solution) -> int | str:
        """What the setter asks for, of a solution that passed `check`."""
        ...

    def text(self, solution: Solution | None) -> str:
        """The instance, and the solution if there is one, for a terminal."""
        ...

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The instance, and the solution if there is one, on matplotlib axes."""
        ...


@runtime_checkable
class WithGivens(Protocol):
    """A puzzle of which some cells may be filled in from the start."""

    @property
    def givens(self) -> Mapping[Any, int]:
        """The values of those cells."""
        ...


@runtime_checkable
class WithCandidates(Protocol):
    """A puzzle whose small instances can be counted by trying everything."""

    def candidates(self) -> Iterator[Solution]:
        """Every filling that is worth a look: all solutions are among them, and most of them are none.

        `validate` counts those that `check` accepts, and so knows what each model must count.
        """
        ...


@dataclass(frozen=True)
class Reported:
    """Figures that a source published for one system on one instance; None where it gives none.

    Attributes:
        source: who published it, for people.
        url: the address of the page.
        formulation: the name of ours that repeats the published model, if there is one.
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
    return (
        isinstance(solution, Sequence)
        and len(solution) == rows
        and all(isinstance(row, list) and len(row) == columns for row in solution)
        and all(type(value) is int for row in solution for value in row)
    )
