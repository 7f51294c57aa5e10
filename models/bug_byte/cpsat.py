"""Bug Byte for CP-SAT; model.md states the formulations.

Clauses are of literals only, so in `textbook` the sum of each path is channelled to a literal. Several routes
for one number are several solutions of `half_reified`, but one of the puzzle.

Constraints: all different, linear, reified linear, clause (`textbook`); all different, linear, exactly one,
half-reified linear, clause (`half_reified`)
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ortools.sat.python import cp_model

from models.bug_byte.bounds import Bounds, few_routes
from models.bug_byte.puzzle import BugByte, Edge, Listed
from models.bug_byte.routes import Route, missed, simple_paths
from models.shared.cpsat import equal
from models.shared.model import Model, Values, by_name, from_integers, reasoned

Labels = Mapping[Edge, cp_model.IntVar]


@reasoned(few_routes)
def half_reified(puzzle: BugByte, known: tuple[Bounds, Mapping[Listed, Sequence[Route]]]) -> Model:
    """One literal for each route, which implies its sum; numbers with many are looked at in solutions."""
    bounds, routes_of = known
    model = cp_model.CpModel()
    x = {e: model.new_int_var(*bounds.labels[e], f"x{e}") for e in puzzle.edges}
    add_labels_and_sums(model, puzzle, x)

    for (_, number), routes in routes_of.items():
        # One route for the number is taken.
        taken = [model.new_bool_var("") for _ in routes]
        model.add_exactly_one(taken)

        # The labels of a route that is taken add up to the number.
        for route, literal in zip(routes, taken, strict=True):
            model.add(total(x, route) == number).only_enforce_if(literal)

    left_out = [number for number in puzzle.listed if number not in routes_of]
    if not left_out:
        return Model(model, from_integers(puzzle, x), decisions=list(x.values()))

    # Each edge has one label.
    holds = {e: {v: model.new_bool_var("") for v in bounds.possible(e)} for e in puzzle.edges}
    for e, literals in holds.items():
        model.add_exactly_one(literals.values())
        model.add(cp_model.LinearExpr.weighted_sum(list(literals.values()), list(literals)) == x[e])

    # Each label is on one edge.
    for v in puzzle.labels:
        model.add_exactly_one(literals[v] for literals in holds.values() if v in literals)

    def broken(value: Values) -> Sequence[Any]:
        # Some edge gets a label with which a path may add up to the number.
        ways = missed(puzzle, left_out, lambda e: value(x[e]), holds)
        return [cp_model.LinearExpr.sum(literals) >= 1 for literals in ways]

    return Model(model, from_integers(puzzle, x), decisions=list(x.values()), lazy=broken)


def textbook(puzzle: BugByte) -> Model:
    """Integers, all different, with a disjunction of equations for each listed number."""
    model = cp_model.CpModel()

    # Each edge has one label.
    x = {
        e: model.new_int_var_from_domain(cp_model.Domain.from_values(puzzle.domains[e]), f"x{e}")
        for e in puzzle.edges
    }
    add_labels_and_sums(model, puzzle, x)

    # Some simple path from the node adds up to each number that is listed there.
    for node, number in puzzle.listed:
        target, paths = puzzle.capped(number), simple_paths(puzzle, node)
        adds_up = [equal(model, total(x, p), target, f"a path adds up to {number}") for p in paths]
        model.add_bool_or(adds_up)

    return Model(model, from_integers(puzzle, x))


def add_labels_and_sums(model: cp_model.CpModel, puzzle: BugByte, x: Labels) -> None:
    """States the rules on labels and on the sums at nodes."""
    # Each label is on one edge.
    model.add_all_different(x.values())

    # The labels at a node add up to its sum.
    for node, required in puzzle.sums.items():
        model.add(total(x, puzzle.edges_at(node)) == puzzle.capped(required))


def total(x: Labels, edges: Sequence[Edge]) -> cp_model.LinearExpr:
    """The sum of the labels of some edges."""
    return cp_model.LinearExpr.sum([x[e] for e in edges])


FORMULATIONS = by_name(half_reified, textbook)
