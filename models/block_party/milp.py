"""Block Party as an integer program without an objective.

Let D(i) be the values that cell i can hold, ring(i, K) and closer(i, K) as in nearest.py; the binary
variable x[i,K] is 1 if cell i holds K.

All formulations:
    sum of x[i,K] over K in D(i)  = 1                        for each cell i
    sum of x[i,K] over i in R  = 1                           for each region R and K = 1..|R|
    x[i,K] <= sum of x[k,K] over k in ring(i, K)             for each variable

`windows`:
    sum of x[i,K] over i in W  <= 1                          for each K and each of its windows W

`narrowed`: the same for the D(i) that the rules leave when they are applied one at a time. Then Block Party 4
  fits into the free edition of CPLEX (1,000 variables and 1,000 constraints).

`rubin`, Paul Rubin's model for CPLEX:
    x[i,K] + x[k,K] <= 1                                     for each k in closer(i, K)
  The pairs are implied by the windows, whose linear relaxation is tighter.
"""

import pulp

from models.block_party.nearest import Domains, closer, narrowed, rings, windows
from models.block_party.puzzle import BlockParty
from models.shared.grid import Cell
from models.shared.milp import total
from models.shared.model import Model


def _common(
    puzzle: BlockParty, domains: Domains
) -> tuple[pulp.LpProblem, dict[tuple[Cell, int], pulp.LpVariable]]:
    problem = pulp.LpProblem("block_party")
    problem += 0
    x = {
        (i, value): problem.add_variable(f"x_{i[0]}_{i[1]}_{value}", cat=pulp.LpBinary)
        for i in puzzle.cells
        for value in domains[i]
    }

    # Each cell holds one value.
    for i in puzzle.cells:
        problem += total(x[i, value] for value in domains[i]) == 1

    # A region of k cells holds each of 1..k once.
    for region in puzzle.regions:
        for value in range(1, len(region) + 1):
            problem += total(x[i, value] for i in region if value in domains[i]) == 1

    # Some other K lies at distance exactly K.
    for (i, value), ring in rings(puzzle.distance, domains).items():
        problem += total((x[k, value] for k in ring), minus=[x[i, value]]) >= 0

    return problem, x


def _model(puzzle: BlockParty, problem: pulp.LpProblem, x: dict[tuple[Cell, int], pulp.LpVariable]) -> Model:
    return Model(
        problem, lambda of: puzzle.rows({i: value for (i, value), v in x.items() if of(v)}.__getitem__)
    )


def windowed(puzzle: BlockParty) -> Model:
    """At most one K in each set of cells that are too close together for two."""
    return _windows(puzzle, puzzle.domains)


def on_narrowed(puzzle: BlockParty) -> Model:
    """The same on what the rules leave of the domains."""
    return _windows(puzzle, narrowed(puzzle))


def _windows(puzzle: BlockParty, domains: Domains) -> Model:
    problem, x = _common(puzzle, domains)
    for value, window in windows(puzzle.distance, domains):
        problem += total(x[i, value] for i in window) <= 1
    return _model(puzzle, problem, x)


def rubin(puzzle: BlockParty) -> Model:
    """No two cells that are too close together both hold K."""
    problem, x = _common(puzzle, puzzle.domains)
    for (i, value), near in closer(puzzle.distance, puzzle.domains).items():
        for k in near:
            if i < k:
                problem += total([x[i, value], x[k, value]]) <= 1
    return _model(puzzle, problem, x)


FORMULATIONS = {"windows": windowed, "narrowed": on_narrowed, "rubin": rubin}
