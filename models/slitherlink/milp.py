"""Slitherlink as an integer program without an objective; model.md states it.

Constraints: linear; subtour elimination by lazy cuts
"""

import pulp

from models.shared.loop import add_degrees, subtour_cuts
from models.shared.milp import program, total
from models.shared.model import Model, by_name
from models.slitherlink.puzzle import Slitherlink


def textbook(puzzle: Slitherlink) -> Model:
    """A binary variable for each edge; cuts for several loops are added where a solution has them."""
    problem = program("slitherlink")

    # Each edge is on the loop or not; it visits a dot or not.
    x = {e: problem.add_variable(f"x_{k}", cat=pulp.LpBinary) for k, e in enumerate(puzzle.edges)}
    visited = {v: problem.add_variable(f"dot_{v[0]}_{v[1]}", cat=pulp.LpBinary) for v in puzzle.dots}

    # A clue is the number of edges around its cell.
    for cell, clue in puzzle.clues.items():
        problem += total(x[e] for e in puzzle.around(cell)) == clue

    # The edges form one loop.
    add_degrees(problem, x, visited)

    cuts = subtour_cuts(x, visited)
    return Model(problem, lambda value: puzzle.enclosed(lambda e: value(x[e])), list(x.values()), lazy=cuts)


FORMULATIONS = by_name(textbook)
