"""Die Agony for python-constraint: a path in a network. For `pruned`, preprocessing solves most instances.

A die with an unknown value on each face starts with score 0 and rolls over a grid to the end cell. Its nth
move adds n times the value of the face that is then on top to the score, which must then equal the value of
the cell. So a move from cell i to cell k shows a face of the value (value of k - value of i) / n, where i
counts as 0 if it is the start of the first move.

A node (n, cell, die) says that after n moves the die is in the cell and lies in this way. An arc is a move
from node to node; it shows a face f, named by its place in the starting position, with a value v. A solution
is a path from the start to any node of the end cell on which no face shows two values.

The variable x[n] is the arc of the nth move, by its position in the list of arcs, or STOP once the die has
reached the end.

`pruned`, over the arcs on paths from the start to the end that agree with the values that each face may show
before and after them (consistent_arcs in network.py), and `network`, over all arcs on such paths:
    x[1] is an arc that leaves the start
    x[n + 1] leaves the node that x[n] enters, or is STOP if x[n] enters the end or is STOP    for each n
    no face shows two values                                 over all x[n]

Constraints: binary (Follows, which checks forward), a check over all variables (OneValueAFace)
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import constraint

from models.die_agony.network import Arc, arcs_on_paths, consistent_arcs, solution_of
from models.die_agony.puzzle import DieAgony, written
from models.shared.grid import Cell
from models.shared.model import Left, Model, Values, by_name
from models.shared.puzzle import Solution
from models.shared.search import View

FACES = ("top", "bottom", "north", "south", "west", "east")
"""The faces by their places in the starting position."""

STOP = -1
"""The die has reached the end already. The other values are positions in the list of arcs."""


class Follows(constraint.Constraint):  # type: ignore[misc]
    """The second move can follow the first one; prunes the second."""

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
        values: dict[int, Fraction] = {}
        return all(
            values.setdefault(face, value) == value
            for face, value in (self.shows[move] for move in assignment.values() if move != STOP)
        )


def pruned(puzzle: DieAgony) -> Model:
    """A variable a move, over the consistent arcs; on most instances all of them lie on the solution."""
    return _moves(puzzle, consistent_arcs(puzzle))


def network(puzzle: DieAgony) -> Model:
    """A variable a move, over all arcs that lie on a path."""
    return _moves(puzzle, arcs_on_paths(puzzle))


def _moves(puzzle: DieAgony, arcs: list[Arc]) -> Model:
    problem = constraint.Problem()
    if not arcs:
        problem.addVariable(1, [STOP])
        problem.addConstraint(lambda _: False, [1])
        return Model(problem, lambda value: None, view=partial(view, arcs))

    by_number, by_source = defaultdict(list), defaultdict(set)
    for position, arc in enumerate(arcs):
        by_number[arc.number].append(position)
        by_source[arc.source].add(position)
    following = {
        position: {STOP} if arc.target.cell == puzzle.end else by_source[arc.target]
        for position, arc in enumerate(arcs)
    } | {STOP: {STOP}}

    # One arc leaves the start: the first move has no other arcs.
    numbers = range(1, max(by_number) + 1)
    for n in numbers:
        problem.addVariable(n, by_number[n] + ([STOP] if n > 1 else []))

    # Each arc leaves the node that the arc before it enters.
    for n in numbers[1:]:
        problem.addConstraint(Follows(following), [n - 1, n])

    # Each face has at most one value.
    problem.addConstraint(OneValueAFace(arcs), list(numbers))

    def decode(value: Values) -> Solution:
        return solution_of(puzzle, (arcs[value(n)] for n in numbers if value(n) != STOP))

    return Model(problem, decode, view=partial(view, arcs))


def view(arcs: Sequence[Arc], left: Left) -> View:
    """The walk until the first move that is not decided, and what the faces show on it."""
    path: list[Cell] = []
    shown: dict[str, int | str] = {}
    notes: list[str] = []
    for n in sorted(left):
        if len(left[n]) != 1:
            break
        if list(left[n]) == [STOP]:
            notes.append(f"no move {n}")
            break
        arc = arcs[left[n][0]]
        path += [arc.source.cell] * (not path) + [arc.target.cell]
        shown[FACES[arc.face]] = written(arc.value)
    notes += [f"face {face}: {value}" for face, value in shown.items()]
    return View({}, path, notes)


FORMULATIONS = by_name(pruned, network)
