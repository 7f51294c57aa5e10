"""Whether an instance has another solution than the known one, by the puzzle's hand search.

A solver library is of no use here: which solution it finds first depends on more than its input. CP-SAT's
presolve, for one, leaves other models in other processes.
"""

from collections.abc import Callable, Iterator, Sequence

from models.shared.model import Tally
from models.shared.puzzle import Solution


class Undecided(Exception):
    """The branches that were allowed did not suffice."""


class Limited(Tally):
    """A tally that ends the search with Undecided after so many branches, the same ones on any machine."""

    def __init__(self, seed: int, limit: int) -> None:
        """The counters at 0."""
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
        limits: how many branches it may have, with seed 1, 2, ...: in another order it may be quick.

    Raises:
        Undecided: if that is not enough to tell.
    """
    for seed, limit in enumerate(limits, 1):
        try:
            return next((found for found in search(Limited(seed, limit)) if found != known), None)
        except Undecided:
            continue
    raise Undecided
