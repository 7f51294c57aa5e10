"""Knight Moves as an integer program without an objective; model.md states the formulations.

Constraints: set partitioning, linear
"""

from itertools import pairwise

import pulp

from models.knight_moves.backtrack import possible_visits
from models.knight_moves.puzzle import KnightMoves
from models.knight_moves.visits import (
    Visits,
    known_empty,
    known_sums,
    moves,
    orbits,
    stated_visits,
    views_from_ends,
)
from models.shared.milp import literals, program, total
from models.shared.model import Model, by_name, from_literals, reasoned


@reasoned(possible_visits)
def visits(puzzle: KnightMoves, possible: Visits) -> Model:
    """Each number has the one before it and the one after it a knight's move away."""
    return _in_succession(puzzle, possible, onward=True)


def textbook(puzzle: KnightMoves) -> Model:
    """Each number has the one before it a knight's move away."""
    return _in_succession(puzzle, stated_visits(puzzle), onward=False)


def _in_succession(puzzle: KnightMoves, possible: Visits, onward: bool) -> Model:
    near = moves(puzzle.side)
    problem = program("knight_moves")
    holds = literals(problem, possible.numbers)
    length = {T: problem.add_variable(f"length_{T}", cat=pulp.LpBinary) for T in possible.lengths}

    # Each cell has one number, 0 if it is not visited.
    for i in puzzle.cells:
        problem += total(holds[i].values()) == 1

    # T cells are visited: each number up to T is in one cell.
    problem += total(length.values()) == 1
    for t in range(1, max(length, default=0) + 1):
        there = [holds[i][t] for i in puzzle.cells if t in holds[i]]
        problem += total([*there, *(length[T] for T in length if t > T)]) == 1

    # Lines and regions have their sums.
    for group, of_length in known_sums(puzzle, length):
        terms = [(variable, t) for i in group for t, variable in holds[i].items()]
        terms += [(length[T], -number) for T, number in of_length.items()]
        problem += pulp.LpAffineExpression(terms) == 0

    # Lines and regions have their numbers of visited cells.
    for group, of_length in known_empty(puzzle, length):
        terms = [(holds[i][0], 1) for i in group if 0 in holds[i]]
        terms += [(length[T], -number) for T, number in of_length.items()]
        problem += pulp.LpAffineExpression(terms) == 0

    # A quarter turn of the board takes visited cells to visited cells.
    for orbit in orbits(puzzle.side) if puzzle.rotation else []:
        for i, k in pairwise(orbit):
            empty, turned = ([holds[cell][0]] if 0 in holds[cell] else [] for cell in (i, k))
            if empty or turned:
                problem += total(empty, minus=turned) == 0

    # The first number that is seen from an end of a line is the one that is shown there.
    for view, number in views_from_ends(puzzle):
        there = []
        for i in view:
            there += [holds[i][number]] if number in holds[i] else []
            unvisited = [holds[i][0]] if 0 in holds[i] else []
            problem += total(there + unvisited) >= 1
        problem += total(there) == 1

    for i in puzzle.cells:
        for t, variable in holds[i].items():
            # The knight came by a move.
            if t > 1:
                behind = [holds[k][t - 1] for k in near[i] if t - 1 in holds[k]]
                problem += total(behind, minus=[variable]) >= 0
            # The knight goes on by a move, or stays.
            if onward and t > 0:
                ends = [length[t]] if t in length else []
                ahead = [holds[k][t + 1] for k in near[i] if t + 1 in holds[k]]
                problem += total(ends + ahead, minus=[variable]) >= 0

    return Model(problem, from_literals(puzzle, holds))


FORMULATIONS = by_name(textbook, visits)
