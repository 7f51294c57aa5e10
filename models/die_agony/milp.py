"""Die Agony as an integer program: a path in a network. For `pruned`, preprocessing solves most instances.

A die with an unknown value on each face starts with score 0 and rolls over a grid to the end cell. Its nth
move adds n times the value of the face that is then on top to the score, which must then equal the value of
the cell. So a move from cell i to cell k shows a face of the value (value of k - value of i) / n, where the
first move counts from 0, whatever the start cell says.

A node (n, cell, die) says that after n moves the die is in the cell, in the orientation `die`. An arc is a
move from node to node; it shows a face f, named by its place in the starting position, with a value v. A
solution is a path from the start to a node of the end cell, where it ends, on which no face shows two values;
a face that is never shown has none.

The binary variable arc[e] is 1 if the path takes the arc e, holds[f][v] is 1 if face f has the value v.

`pruned`, over the arcs on paths from the start to the end that agree with the values that each face may show
before and after them (consistent_arcs in network.py), and `network`, over all arcs on such paths:
    sum of arc[e] over the arcs that leave the start  = 1
    sum of arc[e] over the arcs that enter a node
      = sum of arc[e] over the arcs that leave it            for each other node, not in the end cell
    holds[f][v] <= sum of arc[e], e shows v on f             for each face f and value v
    sum of arc[e], e is an nth move, shows v on f  <= holds[f][v]    for each n, f and v
    sum of holds[f][v] over v  <= 1                          for each face f

Constraints: linear
"""

from collections import defaultdict
from fractions import Fraction

import pulp

from models.die_agony.network import Arc, arcs_on_paths, consistent_arcs, from_arcs, start
from models.die_agony.puzzle import DieAgony
from models.shared.flow import grouped
from models.shared.milp import total
from models.shared.model import Model, by_name


def pruned(puzzle: DieAgony) -> Model:
    """A unit of flow through the consistent arcs; on most instances all of them lie on the solution."""
    return _flow(puzzle, consistent_arcs(puzzle))


def network(puzzle: DieAgony) -> Model:
    """A unit of flow through all arcs that lie on a path."""
    return _flow(puzzle, arcs_on_paths(puzzle))


def _flow(puzzle: DieAgony, allowed: list[Arc]) -> Model:
    problem = pulp.LpProblem("die_agony")
    problem += 0
    arc = {e: problem.add_variable(f"arc_{number}", cat=pulp.LpBinary) for number, e in enumerate(allowed)}
    leaving = grouped(arc, lambda e: e.source)
    entering = grouped(arc, lambda e: e.target)

    # One arc leaves the start.
    problem += total(leaving[start(puzzle)]) == 1

    # As many arcs enter a node as leave it.
    for node, arcs in entering.items():
        if node.cell != puzzle.end:
            problem += total(leaving[node], minus=arcs) == 0

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


FORMULATIONS = by_name(pruned, network)
