"""Bug Byte for clingo; asp.lp states the rules, clingcon.lp those of `paths`.

`flow`: rules grow the path for each listed number.

`half_reified`: the path for each listed number is chosen from its routes, the simple paths that the bounds on
their sums leave (routes.py).

`paths`: `half_reified` with an integer variable for the label of each edge, for clingcon alone.

In all three several paths for one number are several answer sets, but one solution. No number is larger than
the sum of all labels, so that clingo's integers of 32 bits suffice for graphs of up to 40,000 edges.

Constraints: cardinality; recursion (`flow`); all different, half-reified linear (`paths`)
"""

from pathlib import Path

from models.bug_byte.puzzle import BugByte
from models.bug_byte.routes import all_routes
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name
from models.shared.native import numbered

RULES = Path(__file__).with_name("asp.lp")
INTEGER_RULES = Path(__file__).with_name("clingcon.lp")


def flow(puzzle: BugByte) -> Model:
    """One path a listed number, arc by arc."""
    return _model(puzzle, LogicProgram(RULES, _facts(puzzle), ["flow"]))


def half_reified(puzzle: BugByte) -> Model:
    """One path a listed number, of those that can have the sum."""
    return _model(puzzle, LogicProgram(RULES, _facts(puzzle) + _routes(puzzle), ["half_reified"]))


def paths(puzzle: BugByte) -> Model:
    """One path a listed number, of those that can have the sum; labels are integer variables."""
    return _model(puzzle, LogicProgram(INTEGER_RULES, _facts(puzzle) + _routes(puzzle), theory=True))


def _facts(puzzle: BugByte) -> list[str]:
    node, edge = numbered(puzzle.graph), numbered(puzzle.edges)
    free = sorted(set(puzzle.labels) - set(puzzle.givens.values()))
    # Stands for all totals that no labels have, as those may have more than 32 bits.
    unreachable = sum(puzzle.labels) + 1
    listed = [(name, number) for name, numbers in puzzle.paths.items() for number in numbers]
    return [
        *(fact("value", edge[e], v) for e in puzzle.edges if e not in puzzle.givens for v in free),
        *(fact("value", edge[e], v) for e, v in puzzle.givens.items()),
        *(fact("at", node[name], edge[e]) for e in puzzle.edges for name in e),
        *(
            fact("sum", node[name], total if 0 < total < unreachable else unreachable)
            for name, total in puzzle.sums.items()
        ),
        *(fact("listed", k, node[name], min(number, unreachable)) for k, (name, number) in enumerate(listed)),
    ]


def _routes(puzzle: BugByte) -> list[str]:
    edge = numbered(puzzle.edges)
    routes = [(k, route) for k, (_, some) in enumerate(all_routes(puzzle)) for route in some]
    return [
        *(fact("route", k, r) for r, (k, _) in enumerate(routes)),
        *(fact("on", r, edge[e]) for r, (_, route) in enumerate(routes) for e in route),
    ]


def _model(puzzle: BugByte, program: LogicProgram) -> Model:
    return Model(
        program,
        lambda value: puzzle.solution({puzzle.edges[e]: v for e, v in value("holds")}.__getitem__),
    )


FORMULATIONS = by_name(flow, half_reified, paths)
