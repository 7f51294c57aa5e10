"""Block Party as an integer program without an objective; model.md states the formulations.

Constraints: set partitioning, linear (rings), set packing (windows, pairs)
"""

import pulp

from models.block_party.narrowing import narrowed_domains
from models.block_party.neighbourhoods import Domains, closer, maximal_windows, rings
from models.block_party.puzzle import BlockParty
from models.shared.milp import Holds, literals, program, total
from models.shared.model import Model, by_name, from_literals, reasoned


@reasoned(narrowed_domains)
def narrowed(puzzle: BlockParty, domains: Domains) -> Model:
    """`windows` for the values that the rules leave."""
    return _windows(puzzle, domains)


def windows(puzzle: BlockParty) -> Model:
    """At most one K in each window."""
    return _windows(puzzle, puzzle.domains)


def _windows(puzzle: BlockParty, domains: Domains) -> Model:
    problem, holds = _without_closer(puzzle, domains)

    # No other K lies closer.
    problem.extend(
        total([holds[i][value] for i in window]) <= 1
        for value, window in maximal_windows(puzzle.distance, domains)
    )

    return Model(problem, from_literals(puzzle, holds))


def textbook(puzzle: BlockParty) -> Model:
    """At most one K in each pair of cells less than K apart."""
    problem, holds = _without_closer(puzzle, puzzle.domains)

    # No other K lies closer.
    problem.extend(
        total([holds[i][value], holds[k][value]]) <= 1
        for (i, value), near in closer(puzzle.distance, puzzle.domains).items()
        for k in near
        if i < k
    )

    return Model(problem, from_literals(puzzle, holds))


def _without_closer(puzzle: BlockParty, domains: Domains) -> tuple[pulp.LpProblem, Holds]:
    """The constraints that all formulations share, and their variables."""
    problem = program("block_party")
    holds = literals(problem, {i: domains[i] for i in puzzle.cells})

    # Each cell holds one value.
    problem.extend(total(holds[i].values()) == 1 for i in puzzle.cells)

    # A region of k cells holds each of 1..k once.
    problem.extend(
        total([holds[i][value] for i in region if value in domains[i]]) == 1
        for region in puzzle.regions
        for value in range(1, len(region) + 1)
    )

    # Some other K lies at distance exactly K.
    problem.extend(
        total([holds[k][value] for k in ring], minus=[holds[i][value]]) >= 0
        for (i, value), ring in rings(puzzle.distance, domains).items()
    )

    return problem, holds


FORMULATIONS = by_name(narrowed, windows, textbook)
