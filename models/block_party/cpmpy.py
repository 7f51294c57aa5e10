"""Block Party in CPMpy, for any of its solvers.

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
  (narrowing.py). This alone solves Block Party 4, so it fits into the free edition of CPLEX.

`rubin`: integers x[i] in D(i), after Paul Rubin's model for CP Optimizer.
    all different x[i], i in R                               for each region R
    x[i] = K => some k in ring(i, K) with x[k] = K           for each cell i and K in D(i)
    x[i] = K => x[k] != K                                    for each k in closer(i, K)

Constraints: linear, clause (`windows`, `narrowed`); all different, clause over equalities (`rubin`)
"""

import cpmpy

from models.block_party.narrowing import narrowed_domains
from models.block_party.neighbourhoods import Domains, closer, maximal_windows, rings
from models.block_party.puzzle import BlockParty
from models.shared.model import Model, by_name, from_integers, from_literals


def narrowed(puzzle: BlockParty) -> Model:
    """Literals for narrowed domains, with at most one K in each window."""
    return with_literals(puzzle, narrowed_domains(puzzle))


def windows(puzzle: BlockParty) -> Model:
    """The same for all values."""
    return with_literals(puzzle, puzzle.domains)


def with_literals(puzzle: BlockParty, domains: Domains) -> Model:
    """The model `windows` for these domains."""
    model = cpmpy.Model()
    holds = {i: {value: cpmpy.boolvar() for value in domains[i]} for i in puzzle.cells}

    # Each cell holds one value.
    for i in puzzle.cells:
        model += cpmpy.sum(holds[i].values()) == 1

    # A region of k cells holds each of 1..k once.
    for region in puzzle.regions:
        for value in range(1, len(region) + 1):
            model += cpmpy.sum(holds[i][value] for i in region if value in domains[i]) == 1

    # Some other K lies at distance exactly K.
    for (i, value), ring in rings(puzzle.distance, domains).items():
        model += holds[i][value].implies(cpmpy.any(holds[k][value] for k in ring))

    # No other K lies closer.
    for value, window in maximal_windows(puzzle.distance, domains):
        model += cpmpy.sum(holds[i][value] for i in window) <= 1

    literals = [literal for of_cell in holds.values() for literal in of_cell.values()]
    return Model(model, from_literals(puzzle, holds), decisions=literals)


def rubin(puzzle: BlockParty) -> Model:
    """Integers, all different, with implications between pairs."""
    model = cpmpy.Model()
    domains = puzzle.domains

    # Each cell holds one value.
    x = {i: cpmpy.intvar(min(domains[i]), max(domains[i])) for i in puzzle.cells}
    for i in puzzle.cells:
        model += [
            x[i] != value for value in range(min(domains[i]), max(domains[i])) if value not in domains[i]
        ]

    # A region of k cells holds each of 1..k once.
    for region in puzzle.regions:
        model += cpmpy.AllDifferent([x[i] for i in region])

    ring, near = rings(puzzle.distance, domains), closer(puzzle.distance, domains)
    for i in puzzle.cells:
        for value in domains[i]:
            # Some other K lies at distance exactly K.
            model += (x[i] == value).implies(cpmpy.any(x[k] == value for k in ring[i, value]))
            # No other K lies closer.
            model += [(x[i] == value).implies(x[k] != value) for k in near[i, value]]

    return Model(model, from_integers(puzzle, x), decisions=list(x.values()))


FORMULATIONS = by_name(narrowed, windows, rubin)
