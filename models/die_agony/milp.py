"""Die Agony as an integer program without an objective; model.md states the formulations.

Constraints: linear
"""

from collections import defaultdict
from fractions import Fraction

import pulp

from models.die_agony.network import Arc, all_arcs, consistent_arcs, from_arcs, start
from models.die_agony.puzzle import DieAgony
from models.shared.graph import grouped
from models.shared.milp import program, total
from models.shared.model import Model, by_name, reasoned


@reasoned(consistent_arcs)
def pruned(puzzle: DieAgony, arcs: list[Arc]) -> Model:
    """A unit of flow through the consistent arcs; on most instances all of them lie on the solution."""
    return _flow(puzzle, arcs)


def textbook(puzzle: DieAgony) -> Model:
    """A unit of flow through all arcs."""
    return _flow(puzzle, all_arcs(puzzle))


def _flow(puzzle: DieAgony, allowed: list[Arc]) -> Model:
    problem = program("die_agony")
    arc = {e: problem.add_variable(f"arc_{number}", cat=pulp.LpBinary) for number, e in enumerate(allowed)}
    leaving = grouped(arc, lambda e: e.source)
    entering = grouped(arc, lambda e: e.target)

    # One arc leaves the start.
    problem += total(leaving[start(puzzle)]) == 1

    # As many arcs enter a node as leave it.
    for node in {**entering, **leaving}:
        if node.moves > 0 and node.cell != puzzle.end:
            problem += total(leaving[node], minus=entering[node]) == 0

    holds: dict[int, dict[Fraction, pulp.LpVariable]] = defaultdict(dict)
    for (face, value), showing in grouped({e: e for e in allowed}, lambda e: (e.face, e.value)).items():
        name = f"holds_{face}_{value.numerator}_{value.denominator}"
        has = holds[face][value] = problem.add_variable(name, cat=pulp.LpBinary)

        # A face has a value only if the path takes an arc that shows it.
        problem += total((arc[e] for e in showing), minus=[has]) >= 0

        # The path takes an arc only if its face has the value that it shows; it takes one arc per move.
        for move in {e.number for e in showing}:
            problem += total([has], minus=[arc[e] for e in showing if e.number == move]) >= 0

    # Each face has at most one value.
    for values in holds.values():
        problem += total(values.values()) <= 1

    return Model(problem, from_arcs(puzzle, arc), decisions=list(arc.values()))


FORMULATIONS = by_name(pruned, textbook)
