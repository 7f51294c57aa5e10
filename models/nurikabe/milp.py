"""Nurikabe as an integer program without an objective; model.md states the formulations.

Constraints: set partitioning, set packing, linear, flow conservation
"""

import pulp

from models.nurikabe.islands import WET, Told, given, largest_island, most_sea, reached
from models.nurikabe.puzzle import Nurikabe
from models.shared.connected import add_flow
from models.shared.milp import literals, program, total
from models.shared.model import Model, Reasoned, chosen


def textbook(puzzle: Nurikabe, told: Told | None = None) -> Model:
    """A flow from each number to all cells of its island, and one from a root to all cells of the sea."""
    problem, (values, candidates) = program("nurikabe"), told or given(puzzle)
    holds = literals(problem, values)
    sea = {i: total([of[WET]] if WET in of else []) for i, of in holds.items()}

    # Each cell is sea or of one island.
    problem.extend(total(of.values()) == 1 for of in holds.values())

    # Islands do not touch.
    for i, k in ((a, b) for a in holds for b in puzzle.near[a]):
        for island in [v for v in holds[i] if v != WET]:
            problem += holds[i][island] <= total(holds[k][v] for v in (WET, island) if v in holds[k])

    # An island has as many cells as its number says.
    for island, n in enumerate(puzzle.numbers.values(), 1):
        if n:
            problem += total(of[island] for of in holds.values() if island in of) == n

    # No 2x2 block is sea.
    problem.extend(pulp.lpSum(sea[i] for i in block) <= 3 for block in puzzle.blocks)

    # Islands are connected with their numbers.
    size = {i: n or problem.add_variable(f"size_{k}", 1) for k, (i, n) in enumerate(puzzle.numbers.items())}
    add_flow(problem, {i: 1 - sea[i] for i in sea}, size, puzzle.near, largest_island(puzzle))

    # The root of the sea is the first cell of some that is sea.
    root = {i: problem.add_variable(f"root_{i[0]}_{i[1]}", cat=pulp.LpBinary) for i in candidates}
    for place, i in enumerate(candidates):
        earlier = [holds[k][WET] for k in candidates[:place]]
        problem += total([root[i], *earlier]) >= sea[i]
        for other in (1 - sea[i], *earlier):
            problem += root[i] + other <= 1

    # The sea is connected.
    most = most_sea(puzzle)
    add_flow(problem, sea, {i: most * root[i] for i in root}, puzzle.near, most, exactly=False)

    decisions = [of[WET] for of in holds.values() if WET in of]
    return Model(
        problem,
        lambda value: puzzle.solution(lambda i: int(chosen(holds[i], value) == WET)),
        decisions,
        integral=True,
    )


FORMULATIONS = {"reach": Reasoned(reached, textbook), "textbook": textbook}
