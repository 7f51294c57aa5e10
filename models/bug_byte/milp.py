"""Bug Byte as an integer program without an objective; model.md states the formulations.

Solutions are told apart by the binary variables of the labels: several paths for one number are one solution.

Constraints: set partitioning, linear; flow, big-M (`textbook`); big-M, set covering (`half_reified`)
"""

from collections.abc import Collection, Mapping, Sequence

import pulp

from models.bug_byte.bounds import Bounds, Interval, few_routes
from models.bug_byte.puzzle import BugByte, Edge, Listed
from models.bug_byte.routes import Route, missed
from models.shared.graph import grouped
from models.shared.milp import all_literals, program, total
from models.shared.model import Model, Values, by_name, from_literals, reasoned

Holds = Mapping[Edge, Mapping[int, pulp.LpVariable]]
Labels = Mapping[Edge, pulp.LpVariable]


@reasoned(few_routes)
def half_reified(puzzle: BugByte, known: tuple[Bounds, Mapping[Listed, Sequence[Route]]]) -> Model:
    """One binary variable for each route implies its sum; numbers with many are looked at in solutions."""
    bounds, routes_of = known
    problem, holds, x = labelled(puzzle, {e: bounds.possible(e) for e in puzzle.edges}, bounds.labels)
    left_out = []
    for k, (node, number) in enumerate(puzzle.listed):
        if (node, number) not in routes_of:
            left_out.append((node, number))
            continue
        routes = routes_of[node, number]

        # One route for the number is taken.
        taken = [problem.add_variable(f"taken_{k}_{n}", cat=pulp.LpBinary) for n in range(len(routes))]
        problem += total(taken) == 1

        # The labels of a route that is taken add up to the number.
        for route, literal in zip(routes, taken, strict=True):
            below = number - sum(bounds.labels[e][0] for e in route)
            above = sum(bounds.labels[e][1] for e in route) - number
            labels = [(x[e], 1) for e in route]
            problem += pulp.LpAffineExpression([*labels, (literal, -below)]) >= number - below
            problem += pulp.LpAffineExpression([*labels, (literal, above)]) <= number + above

    def broken(value: Values) -> Sequence[pulp.LpConstraint]:
        # Some edge gets a label with which a path may add up to the number.
        return [total(ways) >= 1 for ways in missed(puzzle, left_out, lambda e: value(x[e]), holds)]

    lazy = broken if left_out else None
    return Model(problem, from_literals(puzzle, holds), all_literals(holds), lazy=lazy)


def textbook(puzzle: BugByte) -> Model:
    """One unit of flow for each listed number."""
    most = len(puzzle.edges)
    problem, holds, x = labelled(puzzle, puzzle.domains, dict.fromkeys(puzzle.edges, (1, most)))
    nodes = {node: position for position, node in enumerate(puzzle.graph)}

    # Some simple path from the node adds up to each number that is listed there.
    for k, (start, number) in enumerate(puzzle.listed):
        arc = {
            (u, v): problem.add_variable(f"arc_{k}_{nodes[u]}_{nodes[v]}", cat=pulp.LpBinary)
            for u in nodes
            for v in puzzle.graph[u]
            if v != start
        }
        position = {v: problem.add_variable(f"position_{k}_{nodes[v]}", 0, len(nodes) - 1) for v in nodes}
        part = {e: problem.add_variable(f"part_{k}_{n}", 0, most) for n, e in enumerate(puzzle.edges)}
        leaving, entering = grouped(arc, lambda a: a[0]), grouped(arc, lambda a: a[1])

        # It leaves the node, and comes to each other at most once, which it may leave then.
        problem += total(leaving[start]) == 1
        for v in nodes:
            if v != start:
                problem += total(entering[v]) <= 1
                problem += total(leaving[v], minus=entering[v]) <= 0

        # Positions ascend along it, so that it has no cycles.
        for (u, v), taken in arc.items():
            problem += position[v] - position[u] - len(nodes) * taken >= 1 - len(nodes)

        # The labels on it add up to the number.
        problem += total(part.values()) == puzzle.capped(number)
        for u, v in puzzle.edges:
            taken = total(arc[a] for a in ((u, v), (v, u)) if a in arc)
            problem += part[u, v] <= most * taken
            problem += part[u, v] <= x[u, v]
            problem += part[u, v] >= x[u, v] - most * (1 - taken)

    return Model(problem, from_literals(puzzle, holds), all_literals(holds))


def labelled(
    puzzle: BugByte, possible: Mapping[Edge, Collection[int]], limits: Mapping[Edge, Interval]
) -> tuple[pulp.LpProblem, Holds, Labels]:
    """The rules on labels and on the sums at nodes, and their variables."""
    problem = program("bug_byte")
    holds = {
        e: {v: problem.add_variable(f"x_is_{number}_{v}", cat=pulp.LpBinary) for v in possible[e]}
        for number, e in enumerate(puzzle.edges)
    }
    x = {
        e: problem.add_variable(f"x_{number}", *limits[e], cat=pulp.LpInteger)
        for number, e in enumerate(puzzle.edges)
    }

    # Each edge has one label.
    for e in puzzle.edges:
        problem += total(holds[e].values()) == 1
        labels = [(variable, label) for label, variable in holds[e].items()]
        problem += pulp.LpAffineExpression([*labels, (x[e], -1)]) == 0

    # Each label is on one edge.
    for label in puzzle.labels:
        problem += total(holds[e][label] for e in puzzle.edges if label in holds[e]) == 1

    # The labels at a node add up to its sum.
    for node, required in puzzle.sums.items():
        problem += total(x[e] for e in puzzle.edges_at(node)) == puzzle.capped(required)

    return problem, holds, x


FORMULATIONS = by_name(half_reified, textbook)
