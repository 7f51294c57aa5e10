"""Knight Moves for CP-SAT; model.md states the formulations.

Clauses and sums are of literals, so in `textbook` each place[t] = i is channelled to one.

Constraints: exactly one, clause, linear (`visits`); also all different, table, half-reified linear
(`textbook`)
"""

from collections.abc import Mapping
from itertools import pairwise

from ortools.sat.python import cp_model

from models.knight_moves.backtrack import possible_visits
from models.knight_moves.puzzle import KnightMoves
from models.knight_moves.visits import Visits, known_empty, known_sums, moves, orbits, views_from_ends
from models.shared.cpsat import literals
from models.shared.grid import Cell
from models.shared.model import Model, by_name, from_literals, reasoned


@reasoned(possible_visits)
def visits(puzzle: KnightMoves, possible: Visits) -> Model:
    """A literal for each number of each cell."""
    model, near = cp_model.CpModel(), moves(puzzle.side)
    holds = literals(model, possible.numbers)
    length = {T: model.new_bool_var(f"{T} cells") for T in possible.lengths}

    # Each cell has one number, 0 if it is not visited.
    for i in puzzle.cells:
        model.add_exactly_one(holds[i].values())

    # T cells are visited: each number up to T is in one cell.
    model.add_exactly_one(length.values())
    for t in range(1, max(length, default=0) + 1):
        there = [holds[i][t] for i in puzzle.cells if t in holds[i]]
        model.add_exactly_one([*there, *(length[T] for T in length if t > T)])

    for i in puzzle.cells:
        for t, literal in holds[i].items():
            # The knight came by a move.
            if t > 1:
                model.add_bool_or(~literal, *(holds[k][t - 1] for k in near[i] if t - 1 in holds[k]))
            # The knight goes on by a move, or stays.
            if t > 0:
                ends = [length[t]] if t in length else []
                model.add_bool_or(~literal, *ends, *(holds[k][t + 1] for k in near[i] if t + 1 in holds[k]))

    return _with_clues(model, puzzle, length, holds)


def textbook(puzzle: KnightMoves) -> Model:
    """The cell of each number."""
    model, near = cp_model.CpModel(), moves(puzzle.side)
    cells, (least, last) = puzzle.size, puzzle.steps
    index = {i: number for number, i in enumerate(puzzle.cells)}
    place = {
        t: model.new_int_var(0, cells + t if t > least else cells - 1, f"{t}") for t in range(1, last + 1)
    }
    for i, t in puzzle.givens.items():
        model.add(place[t] == index[i])

    # T cells are visited: each number up to T is in one cell.
    length = {T: model.new_bool_var(f"{T} cells") for T in range(least, last + 1)}
    model.add_exactly_one(length.values())
    for T, literal in length.items():
        model.add(place[T] < cells).only_enforce_if(literal)
        if last > T:
            model.add(place[T + 1] >= cells).only_enforce_if(literal)

    # Each cell has one number, 0 if it is not visited.
    model.add_all_different(place.values())
    holds = literals(model, dict.fromkeys(puzzle.cells, range(last + 1)))
    for i in puzzle.cells:
        model.add_exactly_one(holds[i].values())
        for t, variable in place.items():
            model.add(variable == index[i]).only_enforce_if(holds[i][t])
            model.add(variable != index[i]).only_enforce_if(~holds[i][t])

    # The knight goes on by a move, or stays.
    go = [(index[i], index[k]) for i in near for k in near[i]]
    for t in range(1, last):
        stays = [(i, cells + t + 1) for i in range(cells)] if t >= least else []
        ended = [(cells + t, cells + t + 1)] if t > least else []
        model.add_allowed_assignments([place[t], place[t + 1]], go + stays + ended)

    return _with_clues(model, puzzle, length, holds)


def _with_clues(
    model: cp_model.CpModel,
    puzzle: KnightMoves,
    length: Mapping[int, cp_model.IntVar],
    holds: Mapping[Cell, Mapping[int, cp_model.IntVar]],
) -> Model:
    """Returns the model, with its clues, whose literals say what each cell holds."""
    never = model.new_constant(0)
    empty = {i: holds[i].get(0, never) for i in puzzle.cells}
    x = {i: cp_model.LinearExpr.weighted_sum(list(holds[i].values()), list(holds[i])) for i in puzzle.cells}

    # Lines and regions have their sums.
    for group, of_length in known_sums(puzzle, length):
        model.add(sum(x[i] for i in group) == sum(number * length[T] for T, number in of_length.items()))

    # Lines and regions have their numbers of visited cells.
    for group, of_length in known_empty(puzzle, length):
        model.add(sum(empty[i] for i in group) == sum(number * length[T] for T, number in of_length.items()))

    # A quarter turn of the board takes visited cells to visited cells.
    for orbit in orbits(puzzle.side) if puzzle.rotation else []:
        for i, k in pairwise(orbit):
            model.add(empty[i] == empty[k])

    # The first number that is seen from an end of a line is the one that is shown there.
    for view, number in views_from_ends(puzzle):
        there = [holds[i].get(number, never) for i in view]
        model.add_exactly_one(there)
        for place, i in enumerate(view, 1):
            model.add_bool_or(empty[i], *there[:place])

    return Model(model, from_literals(puzzle, holds))


FORMULATIONS = by_name(visits, textbook)
