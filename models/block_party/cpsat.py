"""Block Party for CP-SAT.

Let D(i) be the values that cell i can hold, ring(i, K) and closer(i, K) as in nearest.py.

`windows`: literals b[i,K] mean that cell i holds K.
    exactly one K in D(i) with b[i,K]                        for each cell i
    exactly one i in R with b[i,K]                           for each region R and K = 1..|R|
    b[i,K] => some k in ring(i, K) with b[k,K]               for each literal
    at most one i in W with b[i,K]                           for each K and each of its windows W

`rubin`: integers x[i] in D(i), after Paul Rubin's model for CP Optimizer.
    all different x[i], i in R                               for each region R
    x[i] = K => some k in ring(i, K) with x[k] = K           for each cell i and K in D(i)
    x[i] = K => x[k] != K                                    for each k in closer(i, K)
  CP-SAT has no constraint on x[i] = K inside a clause, so each one is channelled to a literal.
"""

from ortools.sat.python import cp_model

from models.block_party.nearest import closer, rings, windows
from models.block_party.puzzle import BlockParty
from models.shared.model import Model


def windowed(puzzle: BlockParty) -> Model:
    """Literals, and at most one K in each set of cells that are too close together for two."""
    model = cp_model.CpModel()
    domains = puzzle.domains
    holds = {(i, value): model.new_bool_var(f"{i} is {value}") for i in puzzle.cells for value in domains[i]}

    # Each cell holds one value.
    for i in puzzle.cells:
        model.add_exactly_one(holds[i, value] for value in domains[i])

    # A region of k cells holds each of 1..k once.
    for region in puzzle.regions:
        for value in range(1, len(region) + 1):
            model.add_exactly_one(holds[i, value] for i in region if value in domains[i])

    # Some other K lies at distance exactly K.
    for (i, value), ring in rings(puzzle.distance, domains).items():
        model.add_bool_or(~holds[i, value], *(holds[k, value] for k in ring))

    # No two K lie closer than K.
    for value, window in windows(puzzle.distance, domains):
        model.add_at_most_one(holds[i, value] for i in window)

    return Model(
        model,
        lambda of: puzzle.rows(
            {i: value for (i, value), literal in holds.items() if of(literal)}.__getitem__
        ),
    )


def rubin(puzzle: BlockParty) -> Model:
    """Integer variables, all-different, implications."""
    model = cp_model.CpModel()
    domains = puzzle.domains
    x = {
        i: model.new_int_var_from_domain(cp_model.Domain.from_values(domains[i]), f"x{i}")
        for i in puzzle.cells
    }
    is_value = {}
    for i in puzzle.cells:
        for value in domains[i]:
            literal = is_value[i, value] = model.new_bool_var(f"x{i} = {value}")
            model.add(x[i] == value).only_enforce_if(literal)
            model.add(x[i] != value).only_enforce_if(~literal)

    # The values in a region differ; with domains 1..k each value is there once.
    for region in puzzle.regions:
        model.add_all_different(x[i] for i in region)

    ring, near = rings(puzzle.distance, domains), closer(puzzle.distance, domains)
    for (i, value), literal in is_value.items():
        # Some other K lies at distance exactly K.
        model.add_bool_or(~literal, *(is_value[k, value] for k in ring[i, value]))
        # No other K lies closer.
        for k in near[i, value]:
            model.add_implication(literal, ~is_value[k, value])

    return Model(model, lambda of: puzzle.rows(lambda i: of(x[i])))


FORMULATIONS = {"windows": windowed, "rubin": rubin}
