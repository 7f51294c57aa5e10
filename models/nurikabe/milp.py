"""Nurikabe as an integer program without an objective; model.md states the formulations.

Constraints: set partitioning, set packing, linear, flow conservation
"""

import pulp

from models.nurikabe.islands import WET, domains, largest_island, most_sea, sea_roots
from models.nurikabe.puzzle import Nurikabe
from models.shared.connected import add_flow
from models.shared.milp import literals, program, total
from models.shared.model import Model, by_name, chosen


def textbook(puzzle: Nurikabe) -> Model:
    """A flow from each number to all cells of its island, and one from a root to all cells of the sea."""
    problem = program("nurikabe")
    holds = literals(problem, domains(puzzle))
    sea = {i: total([of[WET]] if WET in of else []) for i, of in holds.items()}

    # Each cell is sea or of one island.
    for i in puzzle.cells:
        problem += total(holds[i].values()) == 1

    # Islands do not touch.
    for i, k in ((a, b) for a in holds for b in puzzle.near[a]):
        for island in [v for v in holds[i] if v != WET]:
            problem += holds[i][island] <= total(holds[k][v] for v in (WET, island) if v in holds[k])

    # An island has as many cells as its number says.
    for island, n in enumerate(puzzle.numbers.values(), 1):
        if n:
            problem += total(of[island] for of in holds.values() if island in of) == n

    # No 2x2 block is sea.
    for block in puzzle.blocks:
        problem += pulp.lpSum(sea[i] for i in block) <= 3

    # Islands are connected with their numbers.
    size = {i: n or problem.add_variable(f"size_{k}", 1) for k, (i, n) in enumerate(puzzle.numbers.items())}
    add_flow(problem, {i: 1 - sea[i] for i in sea}, size, puzzle.near, largest_island(puzzle))

    # The root of the sea is the first cell of some that is sea.
    candidates = sea_roots(puzzle)
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


FORMULATIONS = by_name(textbook)
