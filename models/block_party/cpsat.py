"""Block Party for CP-SAT.

A grid is cut into regions; one of k cells holds each of 1..k once. For every number K in the grid, the
nearest other K lies at distance exactly K: in taxicab distance, or along the same row or column only.

Let D(i) be the values that cell i can hold, and among the cells that can hold K (neighbourhoods.py)
    ring(i, K)      those at distance exactly K from i
    closer(i, K)    those at distance 1..K-1 from i
    windows(K)      the maximal sets of them that are pairwise less than K apart

`windows`: literals holds[i][K], true if cell i holds K.
    exactly one K in D(i) with holds[i][K]                   for each cell i
    exactly one i in R with holds[i][K]                      for each region R and K = 1..|R|
    holds[i][K] => some k in ring(i, K) with holds[k][K]     for each cell i and K in D(i)
    at most one i in W with holds[i][K]                      for each K and W in windows(K)

`narrowed`: the same, for the domains D(i) that are left when the rules have been applied one at a time
  (narrowing.py). This alone solves Block Party 4, and leaves most values where nothing is given.

`rubin`: integers x[i] in D(i), after Paul Rubin's model for CP Optimizer.
    all different x[i], i in R                               for each region R
    x[i] = K => some k in ring(i, K) with x[k] = K           for each cell i and K in D(i)
    x[i] = K => x[k] != K                                    for each k in closer(i, K)
  CP-SAT has clauses of literals only, so each x[i] = K is channelled to a literal holds[i][K].

Constraints: exactly one, at most one, clause (`windows`, `narrowed`); all different, clause, reified linear
(`rubin`)
"""

from ortools.sat.python import cp_model

from models.block_party.narrowing import narrowed_domains
from models.block_party.neighbourhoods import Domains, closer, maximal_windows, rings
from models.block_party.puzzle import BlockParty
from models.shared.model import Model, by_name, from_integers, from_literals


def narrowed(puzzle: BlockParty) -> Model:
    """Literals for narrowed domains, with at most one K in each window."""
    return with_windows(puzzle, narrowed_domains(puzzle))


def windows(puzzle: BlockParty) -> Model:
    """The same for all values."""
    return with_windows(puzzle, puzzle.domains)


def with_windows(puzzle: BlockParty, domains: Domains) -> Model:
    """The model `windows` for these domains."""
    model = cp_model.CpModel()
    holds = {i: {value: model.new_bool_var(f"{i} is {value}") for value in domains[i]} for i in puzzle.cells}

    # Each cell holds one value.
    for i in puzzle.cells:
        model.add_exactly_one(holds[i].values())

    # A region of k cells holds each of 1..k once.
    for region in puzzle.regions:
        for value in range(1, len(region) + 1):
            model.add_exactly_one(holds[i][value] for i in region if value in domains[i])

    # Some other K lies at distance exactly K.
    for (i, value), ring in rings(puzzle.distance, domains).items():
        model.add_bool_or(~holds[i][value], *(holds[k][value] for k in ring))

    # No other K lies closer.
    for value, window in maximal_windows(puzzle.distance, domains):
        model.add_at_most_one(holds[i][value] for i in window)

    return Model(model, from_literals(puzzle, holds))


def rubin(puzzle: BlockParty) -> Model:
    """Integers, all different, with implications between pairs."""
    model = cp_model.CpModel()
    domains = puzzle.domains

    # Each cell holds one value.
    x = {
        i: model.new_int_var_from_domain(cp_model.Domain.from_values(domains[i]), f"x{i}")
        for i in puzzle.cells
    }
    holds = {i: {value: model.new_bool_var(f"x{i} = {value}") for value in domains[i]} for i in puzzle.cells}
    for i in puzzle.cells:
        for value, literal in holds[i].items():
            model.add(x[i] == value).only_enforce_if(literal)
            model.add(x[i] != value).only_enforce_if(~literal)

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


FORMULATIONS = by_name(narrowed, windows, rubin)
