"""What is true of an instance, by the rules alone."""

import json
from dataclasses import dataclass
from time import perf_counter

from bench import catalogue
from bench.campaign import validation
from bench.catalogue import Instance
from models.shared.puzzle import Solution

MOST_CANDIDATES = 20_000
"""An instance with more candidates is not counted exhaustively."""

MOST_S = 0.5
"""The same for one whose candidates need more seconds."""


@dataclass(frozen=True)
class Truth:
    """The solutions of an instance that are known.

    Attributes:
        solutions: as the checker accepted them, each once.
        exhaustive: whether these are all.
    """

    solutions: tuple[Solution, ...] = ()
    exhaustive: bool = False

    @property
    def number(self) -> int | None:
        """How many solutions there are; None if that is not known."""
        return len(self.solutions) if self.exhaustive else None


def truth_of(instance: Instance) -> Truth:
    """All solutions of an instance if it is small: what its checker accepts of all candidates.

    Raises:
        PuzzleError: if the puzzle's own code raises.
    """
    module = catalogue.random_instances(instance.puzzle_name)
    if module is None:
        return Truth()
    started = perf_counter()
    accepted: dict[str, Solution] = {}
    for number, candidate in enumerate(module.candidates(instance.puzzle)):
        if number >= MOST_CANDIDATES or perf_counter() - started > MOST_S:
            return Truth(tuple(accepted.values()))
        if not validation.check(instance, candidate)[0]:
            text = json.dumps(candidate)
            # As it looks after the way through a pipe.
            accepted[text] = json.loads(text)
    return Truth(tuple(accepted.values()), exhaustive=True)
