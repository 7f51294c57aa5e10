"""Bug Byte for python-constraint.

The edges of a graph get the labels 1..m, each once, some of which are given. At some nodes the labels add up
to a given sum. From some nodes, for each number listed there, a simple path has labels with that sum.

The variable x[e] is the label of edge e, in 1..m for m edges, or the given label.
    all different x[e]                                       over all edges e
    sum of x[e] over the edges e at a node  = its sum        for each node with a sum
    some route p has  sum of x[e] over p  = t                for each t listed at a node

A number t listed at a node is the sum of some simple path from there; its routes are the simple paths that
the bounds on their sums leave (routes.py).

`propagation`: the rules are one constraint, which prunes until nothing changes, as in backtrack.py. The
library checks each constraint once after an assignment, although what one prunes lets another prune more. Of
edges with as few labels left, those come first that are in a sum of few edges.

`paths`: each rule is a constraint of its own.

Constraints: of `propagation` one that is written for this puzzle (Labelling); of `paths` all different, sum
(Total), disjunction of sums (SomeRoute), of which the last two prune bounds
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import constraint

from models.bug_byte.propagator import Propagator
from models.bug_byte.puzzle import BugByte, Edge
from models.bug_byte.routes import Route, WatchedRoutes, all_routes
from models.shared.bits import members
from models.shared.csp import Total, bounds, prune_sum
from models.shared.model import Model, by_name
from models.shared.search import Tally


class Labelling(constraint.Constraint):  # type: ignore[misc]
    """All rules of the puzzle; what propagation refutes is pruned."""

    def __init__(self, puzzle: BugByte):
        self.propagator = Propagator(puzzle, Tally())
        self.number = {e: number for number, e in enumerate(puzzle.edges)}
        self.bit = [1 << label for label in range(puzzle.size + 1)]

    def propagated(
        self, domains: Mapping[Edge, Any], assignment: Mapping[Edge, int], changed: Iterable[Edge]
    ) -> list[tuple[Edge, int, int]] | None:
        """The edges, each with its labels as a set of bits, before and after; None for a contradiction."""
        bit = self.bit
        before = [
            bit[assignment[e]] if e in assignment else sum(map(bit.__getitem__, domains[e]))
            for e in self.number
        ]
        state = self.propagator.state(before.copy(), [self.number[e] for e in changed])
        consistent = self.propagator.propagate(state)
        return list(zip(self.number, before, state.domains, strict=True)) if consistent else None

    def preProcess(
        self, variables: Sequence[Edge], domains: Mapping[Edge, Any], constraints: Any, vconstraints: Any
    ) -> None:
        """Removes what propagation refutes from the start."""
        propagated = self.propagated(domains, {}, self.number)
        if propagated is None:
            domains[variables[0]].clear()
        for e, _, left in propagated or ():
            domains[e][:] = members(left)

    def __call__(
        self,
        variables: Sequence[Edge],
        domains: Mapping[Edge, Any],
        assignment: Mapping[Edge, int],
        forwardcheck: bool = False,
    ) -> bool:
        """Returns False if propagation refutes the assignment."""
        # A search that checks forward has pruned before its last assignment, so that only this is new.
        changed = [list(assignment)[-1]] if forwardcheck else self.number
        propagated = self.propagated(domains, assignment, changed)
        for e, before, left in (propagated or ()) if forwardcheck else ():
            for label in members(before ^ left) if before != left else ():
                domains[e].hideValue(label)
        return propagated is not None


class SomeRoute(constraint.Constraint):  # type: ignore[misc]
    """Some route adds up to the number, as far as the bounds tell; prunes the bounds of the only one left."""

    def __init__(self, target: int, routes: Sequence[Route]):
        self.target, self.routes = target, WatchedRoutes(target, routes)

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
        possible = self.routes.possible(*limits)
        return len(possible) > 1 or (
            len(possible) == 1
            and prune_sum(possible[0], self.target, *limits, domains, assignment, forwardcheck)
        )


def labels(puzzle: BugByte, edges: Iterable[Edge]) -> constraint.Problem:
    """The problem with a variable for each of the edges, in their order, and no constraints."""
    problem = constraint.Problem()
    for e in edges:
        problem.addVariable(e, [puzzle.givens[e]] if e in puzzle.givens else list(puzzle.labels))
    return problem


def propagation(puzzle: BugByte) -> Model:
    """One constraint over all edges."""

    def tightest(e: Edge) -> int:
        """The fewest edges of those sums that the edge is in."""
        return min([len(puzzle.edges_at(node)) for node in e if node in puzzle.sums], default=puzzle.size)

    problem = labels(puzzle, sorted(puzzle.edges, key=tightest))

    # Each label is on one edge; labels at a node add up to its sum, those of some route to each number.
    problem.addConstraint(Labelling(puzzle), puzzle.edges)

    return Model(problem, puzzle.solution)


def paths(puzzle: BugByte) -> Model:
    """One constraint a listed number, over all its routes."""
    problem = labels(puzzle, puzzle.edges)

    # Each label is on one edge.
    problem.addConstraint(constraint.AllDifferentConstraint(), puzzle.edges)

    # The labels at a node add up to its sum.
    for node, total in puzzle.sums.items():
        problem.addConstraint(Total(total), puzzle.edges_at(node))

    # Some route for the number is taken, and its labels add up to the number.
    for target, routes in all_routes(puzzle):
        # Without any route the constraint is false whatever the labels are.
        edges = sorted({e for route in routes for e in route}) or list(puzzle.edges)
        problem.addConstraint(SomeRoute(target, routes), edges)

    return Model(problem, puzzle.solution)


FORMULATIONS = by_name(propagation, paths)
