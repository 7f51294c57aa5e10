"""Block Party in CPMpy, for any of its solvers.

Let D(i) be the values that cell i can hold, ring(i, K) and closer(i, K) as in nearest.py.

`rubin`: integers x[i] in D(i), after Paul Rubin's model for CP Optimizer.
    all different x[i], i in R                               for each region R
    x[i] = K => some k in ring(i, K) with x[k] = K           for each cell i and K in D(i)
    x[i] = K => x[k] != K                                    for each k in closer(i, K)

`windows`: literals b[i,K] mean that cell i holds K.
    exactly one K in D(i) with b[i,K]                        for each cell i
    exactly one i in R with b[i,K]                           for each region R and K = 1..|R|
    b[i,K] => some k in ring(i, K) with b[k,K]               for each literal
    at most one i in W with b[i,K]                           for each K and each of its windows W

`narrowed`: the same for the D(i) that the rules leave when they are applied one at a time. Then Block Party 4
  fits into the free edition of CPLEX (1,000 variables and 1,000 constraints).
"""

import cpmpy

from models.block_party.nearest import Domains, closer, narrowed, rings, windows
from models.block_party.puzzle import BlockParty
from models.shared.model import Model, chosen


def rubin(puzzle: BlockParty) -> Model:
    """Integer variables, all-different, implications."""
    model = cpmpy.Model()
    domains = puzzle.domains
    x = {i: cpmpy.intvar(min(domains[i]), max(domains[i])) for i in puzzle.cells}
    for i in puzzle.cells:
        model += [
            x[i] != value for value in range(min(domains[i]), max(domains[i])) if value not in domains[i]
        ]

    # The values in a region differ; with domains 1..k each value is there once.
    for region in puzzle.regions:
        model += cpmpy.AllDifferent([x[i] for i in region])

    # Some other K lies at distance exactly K, and none closer.
    ring, near = rings(puzzle.distance, domains), closer(puzzle.distance, domains)
    for i in puzzle.cells:
        for value in domains[i]:
            model += (x[i] == value).implies(cpmpy.any(x[k] == value for k in ring[i, value]))
            model += [(x[i] == value).implies(x[k] != value) for k in near[i, value]]

    return Model(model, lambda of: puzzle.rows(lambda i: of(x[i])), decisions=list(x.values()))


def windowed(puzzle: BlockParty) -> Model:
    """Literals, and at most one K in each set of cells that are too close together for two."""
    return _windows(puzzle, puzzle.domains)


def on_narrowed(puzzle: BlockParty) -> Model:
    """The same on what the rules leave of the domains."""
    return _windows(puzzle, narrowed(puzzle))


def _windows(puzzle: BlockParty, domains: Domains) -> Model:
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

    # No two K lie closer than K.
    for value, window in windows(puzzle.distance, domains):
        model += cpmpy.sum(holds[i][value] for i in window) <= 1

    return Model(
        model,
        lambda of: puzzle.rows(lambda i: chosen(holds[i], of)),
        decisions=[literal for literals in holds.values() for literal in literals.values()],
    )


FORMULATIONS = {"windows": windowed, "narrowed": on_narrowed, "rubin": rubin}
