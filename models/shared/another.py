"""Whether an instance has another solution than the known one, by the puzzle's hand search.

A solver library is of no use here: the solution that it finds first depends on more than its input. CP-SAT's
presolve, for one, goes through hash tables whose order differs from process to process.
"""

from collections.abc import Callable, Iterator

from models.shared.model import Tally
from models.shared.puzzle import Solution


class Undecided(Exception):
    """The branches that were allowed did not suffice."""


class Limited(Tally):
    """A tally that ends the search after so many branches: the same place on any machine.

    Raises:
        Undecided: when the branch after the last one is counted.
    """

    def __init__(self, limit: int) -> None:
        """The order is the one that the search is written in."""
        self.limit = limit
        super().__init__()

    @property
    def branches(self) -> int:
        """The nodes so far."""
        return self.counted

    @branches.setter
    def branches(self, count: int) -> None:
        if count > self.limit:
            raise Undecided
        self.counted = count


def another(
    search: Callable[[Tally], Iterator[Solution]], known: Solution | None, limit: int
) -> Solution | None:
    """The first solution that differs from `known`; None if there is none.

    Args:
        search: yields every solution, and counts its branches.
        limit: how many branches it may have.

    Raises:
        Undecided: if that is not enough to tell.
    """
    return next((solution for solution in search(Limited(limit)) if solution != known), None)
