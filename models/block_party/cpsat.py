"""Block Party for CP-SAT; model.md states the formulations.

Clauses are of literals only, so in `textbook` each x[i] = K is channelled to a literal.

Constraints: all different, clause, reified linear (`textbook`); exactly one, at most one, clause (the others)
"""

from ortools.sat.python import cp_model

from models.block_party.narrowing import narrowed_domains
from models.block_party.neighbourhoods import Domains, closer, maximal_windows, rings
from models.block_party.puzzle import BlockParty
from models.shared.cpsat import BulkModel, equal
from models.shared.model import Model, by_name, from_integers, from_literals, reasoned


@reasoned(narrowed_domains)
def narrowed(puzzle: BlockParty, domains: Domains) -> Model:
    """`windows` for the values that the rules leave."""
    return _windows(puzzle, domains)


def windows(puzzle: BlockParty) -> Model:
    """Literals, with at most one K in each window."""
    return _windows(puzzle, puzzle.domains)


def _windows(puzzle: BlockParty, domains: Domains) -> Model:
    model = BulkModel()
    holds = model.literals({i: domains[i] for i in puzzle.cells})

    # Each cell holds one value.
    for i in puzzle.cells:
        model.add_exactly_one(*holds[i].values())

    # A region of k cells holds each of 1..k once.
    for region in puzzle.regions:
        for value in range(1, len(region) + 1):
            model.add_exactly_one(*[holds[i][value] for i in region if value in domains[i]])

    # Some other K lies at distance exactly K.
    for (i, value), ring in rings(puzzle.distance, domains).items():
        model.add_bool_or(~holds[i][value], *[holds[k][value] for k in ring])

    # No other K lies closer.
    for value, window in maximal_windows(puzzle.distance, domains):
        model.add_at_most_one(*[holds[i][value] for i in window])

    return model.as_model(from_literals(puzzle, holds))


def textbook(puzzle: BlockParty) -> Model:
    """Integers, all different, with implications between pairs."""
    model = cp_model.CpModel()
    domains = puzzle.domains

    # Each cell holds one value.
    of = cp_model.Domain.from_values
    x = {i: model.new_int_var_from_domain(of(domains[i]), f"x{i}") for i in puzzle.cells}
    holds = {i: {v: equal(model, x[i], v, f"x{i} = {v}") for v in domains[i]} for i in puzzle.cells}

    # A region of k cells holds each of 1..k once.
    for region in puzzle.regions:
        model.add_all_different(x[i] for i in region)

    ring, near = rings(puzzle.distance, domains), closer(puzzle.distance, domains)
    for i in puzzle.cells:
        for value, literal in holds[i].items():
            # Some other K lies at distance exactly K.
            model.add_bool_or(~literal, *(holds[k][value] for k in ring[i, value]))
            # No other K lies closer.
            for k in near[i, value]:
                model.add_implication(literal, ~holds[k][value])

    return Model(model, from_integers(puzzle, x))


FORMULATIONS = by_name(narrowed, windows, textbook)
