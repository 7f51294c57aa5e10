"""Yajilin as an integer program without an objective; model.md states it.

Constraints: linear; subtour elimination by lazy cuts
"""

import pulp

from models.shared.loop import add_degrees, subtour_cuts
from models.shared.milp import program, total
from models.shared.model import Model, by_name
from models.yajilin.puzzle import Yajilin


def textbook(puzzle: Yajilin) -> Model:
    """A binary variable for each step; cuts for several loops are added where a solution has them."""
    problem = program("yajilin")

    # Each step is on the loop or not; each cell is black or not.
    x = {e: problem.add_variable(f"x_{k}", cat=pulp.LpBinary) for k, e in enumerate(puzzle.edges)}
    black = {i: problem.add_variable(f"black_{i[0]}_{i[1]}", cat=pulp.LpBinary) for i in puzzle.free}

    # A clue is the number of black cells in its direction.
    for number, cells in puzzle.clues:
        problem += total(black[i] for i in cells) == number

    # Black cells share no edge.
    for i, k in puzzle.edges:
        problem += black[i] + black[k] <= 1

    # The steps form one loop through all cells that are not black.
    visited = {i: 1 - black[i] for i in puzzle.free}
    add_degrees(problem, x, visited)

    cuts = subtour_cuts(x, visited)
    return Model(problem, lambda v: puzzle.with_loop(e for e in x if v(x[e])), list(x.values()), lazy=cuts)


FORMULATIONS = by_name(textbook)
