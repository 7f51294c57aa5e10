"""Bug Byte for python-constraint. w[e] is the label of edge e, in 1..m or the given.

`paths`:
    all different w
    sum of w[e] over the edges at a node  = its sum          for each node with a sum, pruning bounds
    some route for t has the sum t (routes.py)               for each t listed at a node
"""

from collections.abc import Mapping, Sequence
from typing import Any

import constraint

from models.bug_byte.puzzle import BugByte, Edge
from models.bug_byte.routes import Watched, all_routes, stars
from models.shared.csp import Total, adds_up, bounds
from models.shared.model import Model


class SomeRoute(constraint.Constraint):  # type: ignore[misc]
    """Some route can still have the sum, as far as bounds of labels tell; prunes the last one that can."""

    def __init__(self, routes: Sequence[tuple[Edge, ...]], target: int):
        self.routes, self.target = Watched(routes), target

    def __call__(
        self,
        variables: Sequence[Edge],
        domains: Mapping[Edge, Any],
        assignment: Mapping[Edge, int],
        forwardcheck: bool = False,
    ) -> bool:
        """False if no route can."""
        limits = bounds(variables, domains, assignment)
        if limits is None:
            return False
        possible = self.routes.possible(self.target, *limits)
        return len(possible) > 1 or (
            len(possible) == 1
            and adds_up(possible[0], self.target, *limits, domains, assignment, forwardcheck)
        )


def paths(puzzle: BugByte) -> Model:
    """One constraint a number, over all the routes that it may have."""
    problem = constraint.Problem()
    for e in puzzle.edges:
        problem.addVariable(e, [puzzle.givens[e]] if e in puzzle.givens else list(puzzle.labels))
    problem.addConstraint(constraint.AllDifferentConstraint(), puzzle.edges)
    for total, edges in stars(puzzle):
        problem.addConstraint(Total(total), edges)
    for target, routes in all_routes(puzzle):
        # Without any route the constraint is false whatever the labels are.
        edges = sorted({e for route in routes for e in route}) or list(puzzle.edges)
        problem.addConstraint(SomeRoute(routes, target), edges)
    return Model(problem, puzzle.solution)


FORMULATIONS = {"paths": paths}
