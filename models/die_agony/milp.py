"""Die Agony as an integer program without an objective, on the time-expanded network of rolls.py.

The binary variable a[e] is 1 if the path takes arc e, a move that shows a face f with a value v; y[f,v] is 1
if face f has the value v.

`pruned`, over the arcs that stay consistent on sets of values, and `network`, over all that lie on a path:
    sum of a[e] over the arcs that leave the start  = 1
    sum of a[e] that enter a node  = sum of those that leave it    for each node but the start and the end
    a[e] summed over the arcs of one move that show v on f  <= y[f,v]    for each move, face and value
    y[f,v] <= sum of the arcs that show v on f
    sum of y[f,v] over v  <= 1                                for each face f
"""

from collections import defaultdict

import pulp

from models.die_agony.puzzle import DieAgony
from models.die_agony.rolls import Arc, consistent, network, path_of, start
from models.shared.milp import total
from models.shared.model import Model


def pruned(puzzle: DieAgony) -> Model:
    """A unit of flow through the consistent arcs."""
    return _flow(puzzle, consistent(puzzle))


def whole_network(puzzle: DieAgony) -> Model:
    """A unit of flow through all arcs."""
    return _flow(puzzle, network(puzzle))


def _flow(puzzle: DieAgony, allowed: list[Arc]) -> Model:
    problem = pulp.LpProblem("die_agony")
    problem += 0
    arcs = {arc: problem.add_variable(f"a{number}", cat=pulp.LpBinary) for number, arc in enumerate(allowed)}
    leaving, entering = defaultdict(list), defaultdict(list)
    showing = defaultdict(list)
    for arc, variable in arcs.items():
        leaving[arc.source].append(variable)
        entering[arc.target].append(variable)
        showing[arc.face, arc.value].append((arc.number, variable))

    problem += total(leaving[start(puzzle)]) == 1
    for node, variables in entering.items():
        if node[1] != puzzle.end:
            problem += total(leaving[node], minus=variables) == 0

    values = defaultdict(list)
    for (face, value), shown in showing.items():
        has = problem.add_variable(f"y_{face}_{value.numerator}_{value.denominator}", cat=pulp.LpBinary)
        values[face].append(has)
        problem += total((variable for _, variable in shown), minus=[has]) >= 0
        for move in {number for number, _ in shown}:
            problem += total([has], minus=[variable for number, variable in shown if number == move]) >= 0
    for alternatives in values.values():
        problem += total(alternatives) <= 1

    return Model(
        problem,
        lambda of: puzzle.solution(*path_of(puzzle, [arc for arc, variable in arcs.items() if of(variable)])),
        decisions=list(arcs.values()),
    )


FORMULATIONS = {"pruned": pruned, "network": whole_network}
