"""Knight Moves for CP-SAT.

A knight visits T cells of a board, none twice; the t-th gets the number t. Clues tell of the sums of lines,
of regions and lines with equal sums or as many visits, of the set of visited cells, which a quarter turn
leaves as it is, and of the first number that is seen from an end of a line.

Let N(i) be the numbers that the clues, one at a time, leave to cell i, 0 for no visit, L the possible T
(visits.py), M(i) the cells a knight's move away from i, and total(G, T) the sum of the numbers, or the number
of visits, that a line or region G has if T cells are visited.

`visits`: literals holds[i][t], true if cell i has the number t, and length[T], true if T cells are visited.
    exactly one t in N(i) with holds[i][t]                       for each cell i
    exactly one T in L with length[T]
    exactly one of holds[i][t] over i, length[T] over T < t      for each t = 1, 2, ..., max L
    holds[i][t] => some k in M(i) with holds[k][t-1]             for each cell i and t > 1 in N(i)
    holds[i][t] => length[t] or some k in M(i) with holds[k][t+1]    for each cell i and t > 0 in N(i)
    sum of t * holds[i][t] over i in G and t in N(i)  = sum of total(G, T) * length[T]     for a sum
    sum of not holds[i][0] over i in G  = sum of total(G, T) * length[T]                   for a number of visits
    holds[i][0] = holds[k][0]                                    for cells i, k that quarter turns exchange
    exactly one i in G with holds[i][t]                          for a line G that shows t at an end
    holds[i][0] or some k up to i with holds[k][t]               for each i in G, in order from that end

`circuit`: integers x[i] in N(i) and steps in L; literals arc[i, k], true if k comes after i, with k = i for
  no visit, and with an additional node 0 before the first cell and after the last.
    the true arc[i, k] form a circuit and loops
    arc[i, k] => x[k] = x[i] + 1                                 for each cell i and k in M(i)
    arc[0, i] => x[i] = 1,  arc[i, 0] => x[i] = steps,  arc[i, i] <=> x[i] = 0     for each cell i
  The clues are as in `visits`, with x[i] in sums, arc[i, i] for holds[i][0], and holds[i][t] <=> x[i] = t for
  the numbers t that are seen from an end. Where total(G, T) depends on T, steps is channelled to length[T].

Constraints: exactly one, clause, linear (`visits`); circuit, half-reified linear, exactly one, clause (`circuit`)
"""

from itertools import pairwise

from ortools.sat.python import cp_model

from models.knight_moves.puzzle import KnightMoves
from models.knight_moves.visits import (
    moves,
    orbits,
    possible_visits,
    known_empty,
    known_sums,
    views_from_ends,
)
from models.shared.grid import Cell
from models.shared.model import Model, by_name, from_integers, from_literals


def visits(puzzle: KnightMoves) -> Model:
    """A literal for each number of each cell."""
    model = cp_model.CpModel()
    possible, near = possible_visits(puzzle), moves(puzzle.side)
    holds = {
        i: {t: model.new_bool_var(f"{i} is {t}") for t in numbers} for i, numbers in possible.numbers.items()
    }
    length = {T: model.new_bool_var(f"{T} cells") for T in possible.lengths}

    # Each cell has one number, 0 if it is not visited.
    for i in puzzle.cells:
        model.add_exactly_one(holds[i].values())

    # T cells are visited: each number up to T is in one cell.
    model.add_exactly_one(length.values())
    for t in range(1, max(length, default=0) + 1):
        there = [holds[i][t] for i in puzzle.cells if t in holds[i]]
        model.add_exactly_one([*there, *(length[T] for T in length if T < t)])

    for i in puzzle.cells:
        for t, literal in holds[i].items():
            # The knight came by a move.
            if t > 1:
                model.add_bool_or(~literal, *(holds[k][t - 1] for k in near[i] if t - 1 in holds[k]))
            # The knight goes on by a move, or stays.
            if t > 0 and possible.lengths != [t]:
                ahead = [holds[k][t + 1] for k in near[i] if t + 1 in holds[k]]
                model.add_bool_or(~literal, *ahead, *([length[t]] if t in length else []))

    # Lines and regions have their sums.
    for cells, of_length in known_sums(puzzle, length):
        model.add(
            sum(t * holds[i][t] for i in cells for t in holds[i] if t)
            == sum(number * length[T] for T, number in of_length.items())
        )

    # Lines and regions have their numbers of visited cells.
    for cells, of_length in known_empty(puzzle, length):
        model.add(
            sum(holds[i][0] for i in cells if 0 in holds[i])
            == sum(number * length[T] for T, number in of_length.items())
        )

    # A quarter turn of the board takes visited cells to visited cells.
    for cells in orbits(puzzle.side) if puzzle.rotation else []:
        for i, k in pairwise(cells):
            model.add(holds[i].get(0, 0) == holds[k].get(0, 0))

    # The first number that is seen from an end of a line is the one that is shown there.
    for cells, number in views_from_ends(puzzle):
        there: list[cp_model.IntVar] = []
        for i in cells:
            if number in holds[i]:
                there.append(holds[i][number])
            model.add_bool_or(*there, *([holds[i][0]] if 0 in holds[i] else []))
        model.add_exactly_one(there)

    return Model(model, from_literals(puzzle, holds))


FORMULATIONS = by_name(visits)
