"""One driver per backend: solves a built model and reads the statistics of its solver."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # So that drivers are checked against the contract.
    from collections.abc import Callable, Iterator

    from bench.contract import Driver, Exports
    from bench.drivers import asp, backtrack, cpmpy, cpsat, csp, milp
    from models.shared.model import Model
    from models.shared.puzzle import Puzzle, Solution
    from models.shared.search import Tally

    MODELS: tuple[Driver[Callable[[Puzzle], Model], Model], ...] = (cpmpy, cpsat, csp, milp)
    SEARCH: Driver[Callable[[Puzzle, Tally], Iterator[Solution]], backtrack.Search] = backtrack
    WRITERS: tuple[Exports, ...] = (asp, cpmpy, cpsat, milp)
