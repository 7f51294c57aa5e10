"""Knight Moves as an integer program without an objective.

A knight visits T cells of a board, none twice; the t-th gets the number t. Clues tell of the sums of lines,
of regions and lines with equal sums or as many visits, of the set of visited cells, which a quarter turn
leaves as it is, and of the first number that is seen from an end of a line.

Let M(i) be the cells a knight's move away from cell i, and (visits.py)
    N(i)           the numbers that the clues, one at a time, leave to cell i; 0 for no visit
    L              the T that they leave
    sum(G, T)      the sum of the numbers in a line or region G, where it is known, if T cells are visited
    empty(G, T)    the number of cells of G that are not visited, the same way
The binary variable holds[i][t] is 1 if cell i has the number t in N(i), length[T] is 1 if T in L cells are
visited.

All formulations:
    sum of holds[i][t] over t  = 1                                 for each cell i
    sum of length[T]  = 1
    sum of holds[i][t] over i + sum of length[T] over T < t  = 1   for each t = 1, 2, ..., max L
    sum of t * holds[i][t], i in G  = sum of sum(G, T) * length[T]    for each G with a sum
    sum of holds[i][0], i in G  = sum of empty(G, T) * length[T]      for each G with a number of visits
    holds[i][0] = holds[k][0]                                      if a quarter turn takes i to k
    sum of holds[i][t] over i in G  = 1                            for each end of a line G that shows t
    holds[i][0] + sum of holds[k][t] over k up to i  >= 1          for each i in G, in order from that end

`visits`:
    holds[i][t] <= sum of holds[k][t-1] over k in M(i)             for each cell i and t > 1
    holds[i][t] <= length[t] + sum of holds[k][t+1] over k in M(i)    for each cell i and t > 0

`flow`: a unit of flow through the pairs (i,t): go[i,t,k] >= 0 from (i,t) to (k,t+1), end[i,t] >= 0 out of it.
    holds[i][t] = sum of go[k,t-1,i] over k in M(i)                for each cell i and t > 1
    holds[i][t] = end[i,t] + sum of go[i,t,k] over k in M(i)       for each cell i and t > 0
    length[t] = sum of end[i,t] over i                             for each t in L
  The linear relaxation is tighter than that of `visits`, and has up to eight times as many variables.

Constraints: set partitioning, linear; flow conservation (`flow`)
"""

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
                ends = [length[t]] if t in length else []
                ahead = [holds[k][t + 1] for k in near[i] if t + 1 in holds[k]]
                problem += total(ends + ahead, minus=[variable]) >= 0

    return Model(problem, from_literals(puzzle, holds))


def flow(puzzle: KnightMoves) -> Model:
    """A unit of flow through the pairs of a cell and a number."""
    near = moves(puzzle.side)
    problem, holds, length = without_moves(puzzle, possible_visits(puzzle))
    go = {
        (i, t, k): problem.add_variable(f"go_{i[0]}_{i[1]}_{t}_{k[0]}_{k[1]}", 0, 1)
        for i in puzzle.cells
        for t in holds[i]
        for k in near[i]
        if t > 0 and t + 1 in holds[k]
    }
    entering = grouped(go, lambda e: (e[2], e[1] + 1))
    leaving = grouped(go, lambda e: (e[0], e[1]))
    ends: dict[int, list[pulp.LpVariable]] = {T: [] for T in length}

    for i in puzzle.cells:
        for t, variable in holds[i].items():
            # The knight came by a move.
            if t > 1:
                problem += total(entering[i, t], minus=[variable]) == 0
            # The knight goes on by a move, or stays.
            if t in ends:
                ends[t].append(end := problem.add_variable(f"end_{i[0]}_{i[1]}_{t}", 0, 1))
                leaving[i, t].append(end)
            if t > 0:
                problem += total(leaving[i, t], minus=[variable]) == 0

    # The knight stays at T, if T cells are visited.
    for T, variable in length.items():
        problem += total(ends[T], minus=[variable]) == 0

    decisions = [variable for cell in holds.values() for variable in cell.values()]
    return Model(problem, from_literals(puzzle, holds), decisions=decisions, integral=True)


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
            if 0 in holds[i]:  # and then in holds[k], too
                problem += total([holds[i][0]], minus=[holds[k][0]]) == 0

    # The first number that is seen from an end of a line is the one that is shown there.
    for view, number in views_from_ends(puzzle):
        there = []
        for i in view:
            there += [holds[i][number]] if number in holds[i] else []
            unvisited = [holds[i][0]] if 0 in holds[i] else []
            problem += total(there + unvisited) >= 1
        problem += total(there) == 1

    return problem, holds, length


FORMULATIONS = by_name(visits, flow)
