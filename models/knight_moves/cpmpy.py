"""Knight Moves in CPMpy, for any of its solvers; model.md states the constraint program.

Constraints: all different, table, linear, clause over equalities
"""

from itertools import pairwise

import cpmpy

from models.knight_moves.puzzle import KnightMoves
from models.knight_moves.visits import known_empty, known_sums, moves, orbits, views_from_ends
from models.shared.model import Model, Values, by_name
from models.shared.puzzle import Solution


def textbook(puzzle: KnightMoves) -> Model:
    """The cell of each number."""
    model, near = cpmpy.Model(), moves(puzzle.side)
    cells, (least, last) = puzzle.size, puzzle.steps
    index = {i: number for number, i in enumerate(puzzle.cells)}
    place = {t: cpmpy.intvar(0, cells + t if t > least else cells - 1) for t in range(1, last + 1)}
    model += [place[t] == index[i] for i, t in puzzle.givens.items()]

    # T cells are visited: each number up to T is in one cell.
    visited = cpmpy.intvar(least, last)
    model += [(visited >= t) == (place[t] < cells) for t in place if t > least]

    # Each cell has one number, 0 if it is not visited.
    model += cpmpy.AllDifferent(list(place.values()))
    length = {T: visited == T for T in range(least, last + 1)}
    holds = {i: {t: place[t] == index[i] for t in place} for i in puzzle.cells}
    empty = {i: cpmpy.all(place[t] != index[i] for t in place) for i in puzzle.cells}

    # The knight goes on by a move, or stays.
    go = [[index[i], index[k]] for i in near for k in near[i]]
    for t in range(1, last):
        stays = [[i, cells + t + 1] for i in range(cells)] if t >= least else []
        ended = [[cells + t, cells + t + 1]] if t > least else []
        model += cpmpy.Table([place[t], place[t + 1]], go + stays + ended)

    # Lines and regions have their sums.
    for group, of_length in known_sums(puzzle, length):
        numbers = cpmpy.sum(t * literal for i in group for t, literal in holds[i].items())
        model += numbers == cpmpy.sum(total * length[T] for T, total in of_length.items())

    # Lines and regions have their numbers of visited cells.
    for group, of_length in known_empty(puzzle, length):
        count = cpmpy.sum(empty[i] for i in group)
        model += count == cpmpy.sum(total * length[T] for T, total in of_length.items())

    # A quarter turn of the board takes visited cells to visited cells.
    for orbit in orbits(puzzle.side) if puzzle.rotation else []:
        model += [empty[i] == empty[k] for i, k in pairwise(orbit)]

    # The first number that is seen from an end of a line is the one that is shown there.
    for view, number in views_from_ends(puzzle):
        there = [holds[i].get(number, False) for i in view]
        model += cpmpy.any(there)
        model += [cpmpy.any([empty[i], *there[:k]]) for k, i in enumerate(view, 1)]

    def decode(value: Values) -> Solution:
        number = {value(variable): t for t, variable in place.items()}
        return puzzle.solution(lambda i: number.get(index[i], 0))

    return Model(model, decode, decisions=list(place.values()))


FORMULATIONS = by_name(textbook)
