"""Die Agony for python-constraint, on the time-expanded network of rolls.py.

`pruned`, over the arcs that stay consistent on sets of values, and `network`, over all that lie on a path:
m[n] in the arcs for the nth move, and STOP, for n = 1..max_moves.
    m[n+1] leaves the node that m[n] enters; it is STOP exactly if m[n] enters the end or is STOP
    no two of the m[n] show different values on one face     over all moves
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import constraint

from models.die_agony.puzzle import DieAgony
from models.die_agony.rolls import Arc, consistent, network, path_of
from models.shared.model import Model

STOP = -1
"""The die has reached the end already. The other values are positions in the list of arcs."""


class Follows(constraint.Constraint):  # type: ignore[misc]
    """The second move goes on where the first one ends; forward-checks the second."""

    def __init__(self, following: Mapping[int, set[int]]):
        self.following = following

    def __call__(
        self,
        variables: Sequence[int],
        domains: Mapping[int, Any],
        assignment: Mapping[int, int],
        forwardcheck: bool = False,
    ) -> bool:
        """False if the second move cannot follow."""
        first, second = variables
        if first not in assignment:
            return True
        following = self.following[assignment[first]]
        if second in assignment:
            return assignment[second] in following
        if forwardcheck:
            for move in domains[second][:]:
                if move not in following:
                    domains[second].hideValue(move)
        return bool(domains[second])


class OneValueAFace(constraint.Constraint):  # type: ignore[misc]
    """No face shows two values."""

    def __init__(self, arcs: Sequence[Arc]):
        self.shows = [(arc.face, arc.value) for arc in arcs]

    def __call__(
        self,
        variables: Sequence[int],
        domains: Mapping[int, Any],
        assignment: Mapping[int, int],
        forwardcheck: bool = False,
    ) -> bool:
        """False if two moves contradict each other."""
        values: dict[int, Any] = {}
        return all(
            values.setdefault(face, value) == value
            for face, value in (self.shows[move] for move in assignment.values() if move != STOP)
        )


def pruned(puzzle: DieAgony) -> Model:
    """A variable a move, over the consistent arcs."""
    return _moves(puzzle, consistent(puzzle))


def whole_network(puzzle: DieAgony) -> Model:
    """A variable a move, over all arcs."""
    return _moves(puzzle, network(puzzle))


def _moves(puzzle: DieAgony, arcs: list[Arc]) -> Model:
    problem = constraint.Problem()
    if not arcs:
        problem.addVariable(1, [STOP])
        problem.addConstraint(lambda _: False, [1])
        return Model(problem, lambda of: None)

    by_number, by_source = defaultdict(list), defaultdict(set)
    for position, arc in enumerate(arcs):
        by_number[arc.number].append(position)
        by_source[arc.source].add(position)
    following = {
        position: {STOP} if arc.target[1] == puzzle.end else by_source[arc.target]
        for position, arc in enumerate(arcs)
    } | {STOP: {STOP}}

    # The first move leaves the start: the network has no other arcs there.
    numbers = range(1, max(by_number) + 1)
    for number in numbers:
        problem.addVariable(number, by_number[number] + ([STOP] if number > 1 else []))
    for number in numbers[1:]:
        problem.addConstraint(Follows(following), [number - 1, number])
    problem.addConstraint(OneValueAFace(arcs), list(numbers))
    return Model(
        problem,
        lambda of: puzzle.solution(*path_of(puzzle, [arcs[of(n)] for n in numbers if of(n) != STOP])),
    )


FORMULATIONS = {"pruned": pruned, "network": whole_network}
