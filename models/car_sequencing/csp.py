"""Car Sequencing for python-constraint; model.md states the constraint program.

Constraints: at most so many have values of a set (`AtMost`)
"""

from collections.abc import Collection, Sequence
from typing import Any

import constraint

from models.car_sequencing.puzzle import CarSequencing
from models.shared.csp import Assigned, Domains
from models.shared.model import Model, by_name


class AtMost(constraint.Constraint):  # type: ignore[misc]
    """At most `most` variables have values of a set."""

    def __init__(self, values: Collection[int], most: int) -> None:
        self.values, self.most = values, most

    def __call__(
        self, variables: Sequence[Any], domains: Domains, assignments: Assigned, *_: Any, **__: Any
    ) -> bool:
        """Whether that holds of the variables that are assigned."""
        return sum(assignments.get(variable) in self.values for variable in variables) <= self.most

    def preProcess(self, *arguments: Any) -> None:
        """Removes nothing: the library would remove a constraint of one variable, which may be broken."""


def textbook(puzzle: CarSequencing) -> Model:
    """An integer for each car: its class."""
    problem = constraint.Problem()

    # Each car is of one class.
    problem.addVariables(puzzle.cars, puzzle.classes)

    # Each class has as many cars as demanded: no more, as they are as many as places.
    for c in puzzle.classes:
        problem.addConstraint(AtMost({c}, puzzle.demand[c]), puzzle.cars)

    # Of any so many consecutive cars, at most so many have an option.
    for o, cars in puzzle.windows:
        problem.addConstraint(AtMost({*puzzle.having(o)}, puzzle.max_in_window[o]), cars)

    return Model(problem, puzzle.solution)


FORMULATIONS = by_name(textbook)
