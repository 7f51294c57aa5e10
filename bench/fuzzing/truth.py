"""What is true of an instance, by the rules alone."""

import json
from dataclasses import dataclass

from bench import catalogue
from bench.alarm import alarm
from bench.campaign import validation
from bench.catalogue import Instance
from bench.contract import TimeLimit
from models.shared.puzzle import Solution

MOST_CANDIDATES = 20_000
"""An instance with more candidates is not counted exhaustively."""

MOST_S = 0.5
"""The same for one whose candidates need more seconds."""


@dataclass(frozen=True)
class Truth:
    """The solutions of an instance, if it was counted exhaustively.

    Attributes:
        solutions: as the checker accepted them, each once.
        exhaustive: whether these are all; else there are none here.
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
    accepted: dict[str, Solution] = {}
    try:
        with alarm(MOST_S):
            for number, candidate in enumerate(module.candidates(instance.puzzle)):
                if number >= MOST_CANDIDATES:
                    return Truth()
                if not validation.check(instance, candidate)[0]:
                    # As it looks after the way through a pipe.
                    text = json.dumps(candidate)
                    accepted[text] = json.loads(text)
    except TimeLimit:
        return Truth()
    return Truth(tuple(accepted.values()), exhaustive=True)
