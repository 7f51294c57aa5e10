"""Nonogram as an integer program without an objective; model.md states the formulations.

Constraints: set partitioning, precedence, linear (`textbook`); precedence, linear (`order`)
"""

from itertools import pairwise

import pulp

from models.nonogram.clue_models import moves, passes, starts
from models.nonogram.puzzle import Nonogram
from models.shared.grid import Cell
from models.shared.milp import program, total
from models.shared.model import Model, by_name, from_integers


def order(puzzle: Nonogram) -> Model:
    """Variables that say of each block whether it is moved by at most so many cells."""
    problem, x = _picture(puzzle)

    for number, (cells, clue) in enumerate(puzzle.lines):
        # A block that is moved by at most k is moved by at most k + 1, and the one before it by at most k.
        of_line = moves(clue, len(cells))
        moved = {(b, k): problem.add_variable(f"moved_{number}_{b}_{k}", 0, 1) for b, k in of_line}
        for b, k in of_line:
            for wider in ((b, k + 1), (b - 1, k)):
                if wider in moved:
                    problem += total([moved[wider]], minus=[moved[b, k]]) >= 0

        # A cell is filled if a block has started there and has not ended before.
        filling = {i: pulp.LpAffineExpression({x[i]: -1}) for i in cells}
        for place, value, started, ended in passes(clue, len(cells)):
            if value:
                filling[cells[place]] += moved[started] if started else 1
                filling[cells[place]] -= moved[ended] if ended else 0
        for terms in filling.values():
            problem += terms == 0

    return Model(problem, from_integers(puzzle, x), decisions=[*x.values()], integral=True)


def textbook(puzzle: Nonogram) -> Model:
    """Variables of where each block starts, after Bosch (2001)."""
    problem, x = _picture(puzzle)

    for number, (cells, clue) in enumerate(puzzle.lines):
        # Each block has one start.
        start = [
            {p: problem.add_variable(f"start_{number}_{b}_{p}", cat=pulp.LpBinary) for p in places}
            for b, places in enumerate(starts(clue, len(cells)))
        ]
        for of_block in start:
            problem += total(of_block.values()) == 1

        # A block starts behind the one before it, and an empty cell.
        for (before, after), length in zip(pairwise(start), clue, strict=False):
            for place in before:
                by_then = [variable for p, variable in before.items() if p <= place]
                behind = [variable for p, variable in after.items() if p <= place + length + 1]
                problem += total(by_then, minus=behind) >= 0

        # A cell is filled if and only if some block of its row lies on it, and some block of its column.
        covering = {i: list[pulp.LpVariable]() for i in cells}
        for of_block, length in zip(start, clue, strict=True):
            for p, variable in of_block.items():
                for i in cells[p : p + length]:
                    covering[i].append(variable)
        for i, variables in covering.items():
            problem += total(variables, minus=[x[i]]) == 0

    return Model(problem, from_integers(puzzle, x), decisions=[*x.values()])


def _picture(puzzle: Nonogram) -> tuple[pulp.LpProblem, dict[Cell, pulp.LpVariable]]:
    problem = program("nonogram")

    # Each cell is filled or empty.
    return problem, {i: problem.add_variable(f"x_{i[0]}_{i[1]}", cat=pulp.LpBinary) for i in puzzle.cells}


FORMULATIONS = by_name(order, textbook)
