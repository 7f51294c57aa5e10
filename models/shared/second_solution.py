"""A second solution of an instance, found or ruled out by the puzzle's hand search.

A solver library would not do: which solution it finds first depends on more than its input. CP-SAT's
presolve, for example, may leave different models in different processes.
"""

from collections.abc import Callable, Iterator, Sequence

from models.shared.puzzle import Solution
from models.shared.search import Tally


class Undecided(Exception):
    """The search reached its limit of branches without a result."""


class LimitedTally(Tally):
    """A tally that raises Undecided after `limit` branches: at the same place on any machine."""

    def __init__(self, seed: int, limit: int) -> None:
        """Starts all counters at 0."""
        self.limit = limit
        super().__init__(seed)

    @property
    def branches(self) -> int:
        """The nodes so far."""
        return self.counted

    @branches.setter
    def branches(self, count: int) -> None:
        if count > self.limit:
            raise Undecided
        self.counted = count


def second_solution(
    search: Callable[[Tally], Iterator[Solution]], known: Solution | None, limits: Sequence[int]
) -> Solution | None:
    """A solution that differs from `known`; None if there is none.

    Args:
        search: yields every solution, and counts its branches.
        limits: the limit of branches with seed 1, 2, ...: another order may be quicker.

    Raises:
        Undecided: if every search reached its limit.
    """
    for seed, limit in enumerate(limits, 1):
        try:
            return next((found for found in search(LimitedTally(seed, limit)) if found != known), None)
        except Undecided:
            continue
    raise Undecided


def is_only_solution(search: Callable[[Tally], Iterator[Solution]], known: Solution, limit: int) -> bool:
    """Whether a search proves, within a limit of branches, that no solution differs from `known`."""
    try:
        return second_solution(search, known, [limit]) is None
    except Undecided:
        return False
