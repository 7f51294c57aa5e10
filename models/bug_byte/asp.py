"""Bug Byte for clingo; textbook.lp and asp.lp state the rules, clingcon.lp those of `integers`.

Several paths for one number are several answer sets, but one solution. No number is larger than the sum of
all labels, so that clingo's integers of 32 bits suffice for graphs of up to 40,000 edges.

Constraints: cardinality, recursion (`flow`, `textbook`); sum (`textbook`); all different, half-reified linear
(`integers`)
"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from models.bug_byte.bounds import Bounds, all_routes
from models.bug_byte.puzzle import BugByte, Edge, Listed
from models.bug_byte.routes import Route
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name, reasoned
from models.shared.native import numbered

RULES = Path(__file__).with_name("asp.lp")
INTEGER_RULES = Path(__file__).with_name("clingcon.lp")
TEXTBOOK_RULES = Path(__file__).with_name("textbook.lp")

Known = tuple[Bounds, Mapping[Listed, Sequence[Route]]]


def flow(puzzle: BugByte) -> Model:
    """One path for each listed number, arc by arc."""
    return _model(puzzle, LogicProgram(RULES, _facts(puzzle, puzzle.domains)))


@reasoned(all_routes)
def integers(puzzle: BugByte, known: Known) -> Model:
    """One path for each listed number, of those that can have the sum; integers for the labels."""
    return _model(puzzle, LogicProgram(INTEGER_RULES, _routes(puzzle, known), theory=True))


def textbook(puzzle: BugByte) -> Model:
    """One path for each listed number, arc by arc; sums of labels."""
    return _model(puzzle, LogicProgram(TEXTBOOK_RULES, _facts(puzzle, puzzle.domains)))


def _facts(puzzle: BugByte, domains: Mapping[Edge, Collection[int]]) -> list[str]:
    node, edge = numbered(puzzle.graph), numbered(puzzle.edges)
    return [
        *(fact("value", edge[e], v) for e in puzzle.edges for v in domains[e]),
        *(fact("at", node[name], edge[e]) for e in puzzle.edges for name in e),
        *(fact("sum", node[name], puzzle.capped(total)) for name, total in puzzle.sums.items()),
        *(fact("listed", k, node[name], puzzle.capped(n)) for k, (name, n) in enumerate(puzzle.listed)),
    ]


def _routes(puzzle: BugByte, known: Known) -> list[str]:
    bounds, routes_of = known
    edge = numbered(puzzle.edges)
    routes = [(k, route) for k, some in enumerate(routes_of.values()) for route in some]
    return [
        *_facts(puzzle, {e: bounds.possible(e) for e in puzzle.edges}),
        *(fact("route", k, r) for r, (k, _) in enumerate(routes)),
        *(fact("on", r, edge[e]) for r, (_, route) in enumerate(routes) for e in route),
    ]


def _model(puzzle: BugByte, program: LogicProgram) -> Model:
    return Model(
        program, lambda value: puzzle.solution({puzzle.edges[e]: v for e, v in value("holds")}.__getitem__)
    )


FORMULATIONS = by_name(flow, textbook, integers)
