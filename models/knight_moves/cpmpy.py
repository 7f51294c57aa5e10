"""Knight Moves in CPMpy, for any of its solvers.

A knight visits T cells of a board, none twice; the t-th gets the number t. Clues tell of the sums of lines,
of regions and lines with equal sums or as many visits, of the set of visited cells, which a quarter turn
leaves as it is, and of the first number that is seen from an end of a line.

Let M(i) be the cells a knight's move away from cell i, and (visits.py)
    N(i)           the numbers that the clues, one at a time, leave to cell i; 0 for no visit
    L              the T that they leave
    sum(G, T)      the sum of the numbers in a line or region G, where it is known, if T cells are visited
    empty(G, T)    the number of cells of G that are not visited, the same way
Both formulations have literals length[T], true if T cells are visited, and exactly one T in L with length[T].

`visits`: literals holds[i][t], true if cell i has the number t.
    exactly one t in N(i) with holds[i][t]                         for each cell i
    exactly one of holds[i][t] over i, length[T] over T < t        for each t = 1, 2, ..., max L
    holds[i][t] => some k in M(i) with holds[k][t-1]               for each cell i and t > 1
    holds[i][t] => length[t] or some k in M(i) with holds[k][t+1]  for each cell i and t > 0
    sum of t * holds[i][t], i in G  = sum of sum(G, T) * length[T]    for each G with a sum
    sum of holds[i][0], i in G  = sum of empty(G, T) * length[T]      for each G with a number of visits
    holds[i][0] = holds[k][0]                                      if a quarter turn takes i to k
    exactly one i in G with holds[i][t]                            for each end of a line G that shows t
    holds[i][0], or holds[k][t] for some k up to i                 for each i in G, in order from that end

`positions`: integers place[t], the cell with the number t, for t = 1, 2, ..., max L. Cells are numbered from
  0; the number of cells + t stands for no cell, if t > T.
    all different place[t]
    (place[t], place[t+1]) is a move, the end of the path, or after it     for each t < max L
    length[T] => place[T] is a cell, and place[T+1] is none                for each T in L
  The clues are those of `visits`, with place[t] = i for holds[i][t], and all place[t] != i for holds[i][0].

Constraints: linear, clause (`visits`); all different, table, linear, clause over equalities (`positions`)
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import cpmpy

from models.knight_moves.puzzle import KnightMoves
from models.knight_moves.visits import (
    known_empty,
    known_sums,
    moves,
    orbits,
    possible_visits,
    views_from_ends,
)
from models.shared.grid import Cell
from models.shared.model import Model, Values, by_name, from_literals
from models.shared.puzzle import Solution


def positions(puzzle: KnightMoves) -> Model:
    """The cell of each number."""
    model = cpmpy.Model()
    possible, near = possible_visits(puzzle), moves(puzzle.side)
    if not possible.lengths:
        # A variable needs a value, even in a puzzle without solutions.
        return Model(cpmpy.Model(cpmpy.BoolVal(False)), puzzle.solution)
    cells, last = len(puzzle.cells), possible.lengths[-1]
    place = {t: cpmpy.intvar(0, cells + last) for t in range(1, last + 1)}
    holds: dict[Cell, dict[int, Any]] = {}
    index = {i: number for number, i in enumerate(puzzle.cells)}
    for i, numbers in possible.numbers.items():
        holds[i] = {t: place[t] == index[i] for t in numbers if t}
        holds[i][0] = cpmpy.all(place[t] != index[i] for t in numbers if t)

    # T cells are visited.
    length = {T: cpmpy.boolvar() for T in possible.lengths}
    model += cpmpy.sum(length.values()) == 1
    for T, literal in length.items():
        model += literal.implies(place[T] < cells)
        if T + 1 in place:
            model += literal.implies(place[T + 1] >= cells)

    # Each cell has one number, 0 if it is not visited.
    model += cpmpy.AllDifferent(list(place.values()))
    places = {t: [index[i] for i in puzzle.cells if t in possible.numbers[i]] for t in place}
    for t, variable in place.items():
        nowhere = [cells + t] if t > possible.lengths[0] else []
        model += cpmpy.InDomain(variable, places[t] + nowhere)

    # The knight goes on by a move, or stays.
    near_index = {index[i]: [index[k] for k in near[i]] for i in puzzle.cells}
    for t in range(1, last):
        pairs = [[i, k] for i in places[t] for k in near_index[i] if k in places[t + 1]]
        if t in length:
            pairs += [[i, cells + t + 1] for i in places[t]]
        if t > possible.lengths[0]:
            pairs.append([cells + t, cells + t + 1])
        model += cpmpy.Table([place[t], place[t + 1]], pairs)

    _add_clues(model, puzzle, length, holds)

    def decode(value: Values) -> Solution:
        number = {value(variable): t for t, variable in place.items()}
        return puzzle.solution(lambda i: number.get(index[i], 0))

    return Model(model, decode, decisions=list(place.values()))


def visits(puzzle: KnightMoves) -> Model:
    """A literal for each number of each cell."""
    model = cpmpy.Model()
    possible, near = possible_visits(puzzle), moves(puzzle.side)
    holds = {i: {t: cpmpy.boolvar() for t in numbers} for i, numbers in possible.numbers.items()}
    length = {T: cpmpy.boolvar() for T in possible.lengths}

    # Each cell has one number, 0 if it is not visited.
    for i in puzzle.cells:
        model += cpmpy.sum(holds[i].values()) == 1

    # T cells are visited: each number up to T is in one cell.
    model += cpmpy.sum(length.values()) == 1
    for t in range(1, max(length, default=0) + 1):
        there = [holds[i][t] for i in puzzle.cells if t in holds[i]]
        model += cpmpy.sum([*there, *(length[T] for T in length if t > T)]) == 1

    for i in puzzle.cells:
        for t, literal in holds[i].items():
            # The knight came by a move.
            if t > 1:
                behind = [holds[k][t - 1] for k in near[i] if t - 1 in holds[k]]
                model += literal.implies(cpmpy.any(behind))
            # The knight goes on by a move, or stays.
            if t > 0:
                ends = [length[t]] if t in length else []
                ahead = [holds[k][t + 1] for k in near[i] if t + 1 in holds[k]]
                model += literal.implies(cpmpy.any(ends + ahead))

    _add_clues(model, puzzle, length, holds)
    literals = [literal for of_cell in holds.values() for literal in of_cell.values()]
    return Model(model, from_literals(puzzle, holds), decisions=literals)


def _add_clues(
    model: cpmpy.Model,
    puzzle: KnightMoves,
    length: Mapping[int, Any],
    holds: Mapping[Cell, Mapping[int, Any]],
) -> None:
    """Adds what the clues say."""
    # Lines and regions have their sums.
    for group, of_length in known_sums(puzzle, length):
        model += cpmpy.sum(t * literal for i in group for t, literal in holds[i].items() if t) == cpmpy.sum(
            number * length[T] for T, number in of_length.items()
        )

    # Lines and regions have their numbers of visited cells.
    for group, of_length in known_empty(puzzle, length):
        empty = cpmpy.sum(holds[i][0] for i in group if 0 in holds[i])
        model += empty == cpmpy.sum(number * length[T] for T, number in of_length.items())

    # A quarter turn of the board takes visited cells to visited cells.
    for orbit in orbits(puzzle.side) if puzzle.rotation else []:
        for i, k in pairwise(orbit):
            if 0 in holds[i]:  # and then in holds[k], too
                model += holds[i][0] == holds[k][0]

    # The first number that is seen from an end of a line is the one that is shown there.
    for view, number in views_from_ends(puzzle):
        there: list[Any] = []
        for i in view:
            there += [holds[i][number]] if number in holds[i] else []
            unvisited = [holds[i][0]] if 0 in holds[i] else []
            model += cpmpy.any(there + unvisited)
        model += cpmpy.sum(there) == 1


FORMULATIONS = by_name(positions, visits)
