"""Knight Moves as an integer program without an objective."""

from itertools import pairwise

import pulp

from models.knight_moves.puzzle import KnightMoves
from models.knight_moves.visits import (
    Visits,
    known_empty,
    known_sums,
    moves,
    orbits,
    possible_visits,
    views_from_ends,
)
from models.shared.flow import grouped
from models.shared.grid import Cell
from models.shared.milp import total
from models.shared.model import Model, by_name, from_literals

Holds = dict[Cell, dict[int, pulp.LpVariable]]
Lengths = dict[int, pulp.LpVariable]


def visits(puzzle: KnightMoves) -> Model:
    """Each number has the one before it and the one after it a knight's move away."""
    near = moves(puzzle.side)
    problem, holds, length = without_moves(puzzle, possible_visits(puzzle))

    for i in puzzle.cells:
        for t, variable in holds[i].items():
            # The knight came by a move.
            if t > 1:
                behind = [holds[k][t - 1] for k in near[i] if t - 1 in holds[k]]
                problem += total(behind, minus=[variable]) >= 0
            # The knight goes on by a move, or stays.
            if t > 0:
                ahead = [holds[k][t + 1] for k in near[i] if t + 1 in holds[k]]
                problem += total([*ahead, *([length[t]] if t in length else [])], minus=[variable]) >= 0

    return Model(problem, from_literals(puzzle, holds))


def flow(puzzle: KnightMoves) -> Model:
    """A unit of flow goes from cell to cell, a knight's move a number."""
    near = moves(puzzle.side)
    problem, holds, length = without_moves(puzzle, possible_visits(puzzle))
    arc = {
        (i, t, k): problem.add_variable(f"arc_{i[0]}_{i[1]}_{t}_{k[0]}_{k[1]}", 0, 1)
        for i in puzzle.cells
        for t in holds[i]
        for k in near[i]
        if t and t + 1 in holds[k]
    }
    entering = grouped(arc, lambda e: (e[2], e[1] + 1))
    leaving = grouped(arc, lambda e: e[:2])
    stay = {
        (i, t): problem.add_variable(f"stay_{i[0]}_{i[1]}_{t}", 0, 1)
        for i in puzzle.cells
        for t in holds[i]
        if t in length
    }

    for i in puzzle.cells:
        for t, variable in holds[i].items():
            # The knight came by a move.
            if t > 1:
                problem += total(entering[i, t], minus=[variable]) == 0
            # The knight goes on by a move, or stays.
            if t > 0:
                ends = [stay[i, t]] if t in length else []
                problem += total([*leaving[i, t], *ends], minus=[variable]) == 0

    for T, variable in length.items():
        problem += total((stay[i, T] for i in puzzle.cells if T in holds[i]), minus=[variable]) == 0

    decisions = [variable for cell in holds.values() for variable in cell.values()]
    return Model(problem, from_literals(puzzle, holds), decisions=decisions)


def without_moves(puzzle: KnightMoves, possible: Visits) -> tuple[pulp.LpProblem, Holds, Lengths]:
    """The constraints that all formulations share, and their variables."""
    problem = pulp.LpProblem("knight_moves")
    problem += 0
    holds = {
        i: {t: problem.add_variable(f"holds_{i[0]}_{i[1]}_{t}", cat=pulp.LpBinary) for t in numbers}
        for i, numbers in possible.numbers.items()
    }
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
    for cells, of_length in known_sums(puzzle, length):
        terms = [(variable, t) for i in cells for t, variable in holds[i].items()]
        terms += [(length[T], -number) for T, number in of_length.items()]
        problem += pulp.LpAffineExpression(terms) == 0

    # Lines and regions have their numbers of visited cells.
    for cells, of_length in known_empty(puzzle, length):
        terms = [(holds[i][0], 1) for i in cells if 0 in holds[i]]
        terms += [(length[T], -number) for T, number in of_length.items()]
        problem += pulp.LpAffineExpression(terms) == 0

    # A quarter turn of the board takes visited cells to visited cells.
    for cells in orbits(puzzle.side) if puzzle.rotation else []:
        for i, k in pairwise(cells):
            if 0 in holds[i]:
                problem += total([holds[i][0]], minus=[holds[k][0]]) == 0

    # The first number that is seen from an end of a line is the one that is shown there.
    for cells, number in views_from_ends(puzzle):
        there = []
        for i in cells:
            there += [holds[i][number]] if number in holds[i] else []
            problem += total([*there, *([holds[i][0]] if 0 in holds[i] else [])]) >= 1
        problem += total(there) == 1

    return problem, holds, length


FORMULATIONS = by_name(visits, flow)
