"""Knight Moves for CP-SAT.

A knight visits T cells of a board, none twice; the t-th gets the number t. Clues tell of the sums of lines,
of regions and lines with equal sums or as many visits, of the set of visited cells, which a quarter turn
leaves as it is, and of the first number that is seen from an end of a line.

Let M(i) be the cells a knight's move away from cell i, and (visits.py)
    N(i)           the numbers that the clues, one at a time, leave to cell i; 0 for no visit
    L              the T that they leave
    sum(G, T)      the sum of the numbers in a line or region G, where it is known, if T cells are visited
    empty(G, T)    the number of cells of G that are not visited, the same way
All formulations have literals length[T], true if T cells are visited, and exactly one T in L with length[T].

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

`circuit`: integers x[i] in N(i), the number of cell i; literals go[i,k], true if k comes after i. A node 0
  comes before the first cell and after the last, and go[i,i] says that cell i is not visited.
    all go[i,k] that are true are one circuit, and loops
    go[i,k] => x[k] = x[i] + 1                                     for each cell i and k in M(i)
    go[0,i] => x[i] = 1,  go[i,0] => x[i] = sum of T * length[T],  go[i,i] <=> x[i] = 0
  The clues are those of `visits`, with x[i] in the sums, go[i,i] for holds[i][0], and literals
  holds[i][t] <=> x[i] = t for the numbers t that an end of a line shows.

Constraints: exactly one, clause, linear; also circuit, half-reified linear (`circuit`)
"""

from collections.abc import Callable, Mapping
from itertools import pairwise

from ortools.sat.python import cp_model

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

    never = model.new_constant(0)
    _add_clues(
        model,
        puzzle,
        length,
        {i: cp_model.LinearExpr.weighted_sum(list(holds[i].values()), list(holds[i])) for i in puzzle.cells},
        lambda i, t: holds[i].get(t, never),
    )
    return Model(model, from_literals(puzzle, holds))


def circuit(puzzle: KnightMoves) -> Model:
    """A circuit through the visited cells, with loops at the others."""
    model = cp_model.CpModel()
    possible, near = possible_visits(puzzle), moves(puzzle.side)
    if not possible.lengths:
        # A variable needs a value, even in a puzzle without solutions.
        model.add_bool_or([])
        return Model(model, puzzle.solution)
    x = {
        i: model.new_int_var_from_domain(cp_model.Domain.from_values(numbers), f"x{i}")
        for i, numbers in possible.numbers.items()
    }

    # T cells are visited.
    length = {T: model.new_bool_var(f"{T} cells") for T in possible.lengths}
    model.add_exactly_one(length.values())
    steps = sum(T * literal for T, literal in length.items())

    # The path is a circuit through a node 0, with a loop at each cell that is not visited.
    node = {i: number for number, i in enumerate(puzzle.cells, 1)}
    arcs = []
    empty = {}
    for i, numbers in possible.numbers.items():
        start, end, empty[i] = (model.new_bool_var(f"{name} {i}") for name in ("start", "end", "empty"))
        arcs += [(0, node[i], start), (node[i], 0, end), (node[i], node[i], empty[i])]
        model.add(x[i] == 1).only_enforce_if(start)
        model.add(x[i] == steps).only_enforce_if(end)
        model.add(x[i] == 0).only_enforce_if(empty[i])
        model.add(x[i] > 0).only_enforce_if(~empty[i])
        for k in near[i]:
            if any(t and t + 1 in possible.numbers[k] for t in numbers):
                go = model.new_bool_var(f"{i} to {k}")
                arcs.append((node[i], node[k], go))
                model.add(x[k] == x[i] + 1).only_enforce_if(go)
    model.add_circuit(arcs)

    def holds(i: Cell, t: int) -> cp_model.IntVar:
        """A literal that is true exactly if cell i has the number t."""
        if t == 0:
            return empty[i]
        literal = model.new_bool_var(f"{i} is {t}")
        model.add(x[i] == t).only_enforce_if(literal)
        model.add(x[i] != t).only_enforce_if(~literal)
        return literal

    _add_clues(model, puzzle, length, x, holds)
    return Model(model, from_integers(puzzle, x))


def _add_clues(
    model: cp_model.CpModel,
    puzzle: KnightMoves,
    length: Mapping[int, cp_model.IntVar],
    x: Mapping[Cell, cp_model.LinearExprT],
    holds: Callable[[Cell, int], cp_model.IntVar],
) -> None:
    """Adds what the clues say of the numbers x and of the literals that a cell holds a number."""
    # Lines and regions have their sums.
    for group, of_length in known_sums(puzzle, length):
        model.add(sum(x[i] for i in group) == sum(number * length[T] for T, number in of_length.items()))

    # Lines and regions have their numbers of visited cells.
    for group, of_length in known_empty(puzzle, length):
        empty = sum(holds(i, 0) for i in group)
        model.add(empty == sum(number * length[T] for T, number in of_length.items()))

    # A quarter turn of the board takes visited cells to visited cells.
    for orbit in orbits(puzzle.side) if puzzle.rotation else []:
        for i, k in pairwise(orbit):
            model.add(holds(i, 0) == holds(k, 0))

    # The first number that is seen from an end of a line is the one that is shown there.
    for view, number in views_from_ends(puzzle):
        there = [holds(i, number) for i in view]
        model.add_exactly_one(there)
        for place, i in enumerate(view, 1):
            model.add_bool_or(holds(i, 0), *there[:place])


FORMULATIONS = by_name(visits, circuit)
