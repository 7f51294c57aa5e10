"""Hall of Mirrors for python-constraint; model.md states the constraint program.

Constraints: functions, tracing of the light
"""

from typing import Any

import constraint

from models.hall_of_mirrors.light import EMPTY, FALLING, RISING, Path, State, following, start
from models.hall_of_mirrors.puzzle import SIGNS, HallOfMirrors
from models.shared.csp import written
from models.shared.model import Model, by_name


def textbook(puzzle: HallOfMirrors) -> Model:
    """The content of each cell, and a constraint of all cells for each laser."""
    problem = constraint.Problem()

    # Each cell has a mirror, on one of two diagonals, or none.
    problem.addVariables(puzzle.cells, [EMPTY, RISING, FALLING])

    # Mirrors do not stand side by side.
    for pair in puzzle.beside:
        problem.addConstraint(lambda a, b: EMPTY in (a, b), pair)

    # The light of a laser goes on from cell to cell, until it has given the number.
    for clue in puzzle.clues:
        problem.addConstraint(_Laser(puzzle.height, start(puzzle, clue)), puzzle.cells)

    return Model(problem, puzzle.solution, view=written(dict(enumerate(SIGNS))))


class _Laser(constraint.Constraint):  # type: ignore[misc]
    """Holds where the light may still give the number, as far as the cells are assigned."""

    def __init__(self, n: int, first: State) -> None:
        self.n, self.first = n, first

    def __call__(self, variables: Any, domains: Any, assigned: Path, *_: Any, **__: Any) -> bool:
        """Whether each segment that is known has a length that the number allows."""
        state: State | None = self.first
        while state and state.cell in assigned:
            ways = following(self.n, state)
            if assigned[state.cell] not in ways:
                return False
            state = ways[assigned[state.cell]]
        return True


FORMULATIONS = by_name(textbook)
