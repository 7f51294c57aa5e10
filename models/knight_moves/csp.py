"""Knight Moves for python-constraint; model.md states the constraint program.

A number t that is in no cell has the value -t; the clues are functions of all numbers.

Constraints: all different, functions (of two variables: moves; of all: clues)
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import partial

import constraint

from models.knight_moves.puzzle import KnightMoves
from models.knight_moves.visits import known_empty, known_sums, moves, orbits, views_from_ends
from models.shared.grid import Cell
from models.shared.model import Left, Model, Values, by_name
from models.shared.puzzle import Solution
from models.shared.search import View

Place = Cell | int

T = "T"


def textbook(puzzle: KnightMoves) -> Model:
    """The cell of each number."""
    problem = constraint.Problem()
    least, last = puzzle.steps
    numbers, lengths = range(1, last + 1), range(least, last + 1)
    near = moves(puzzle.side)
    given = {t: i for i, t in puzzle.givens.items()}
    problem.addVariable(T, list(lengths))
    for t in numbers:
        problem.addVariable(t, [given[t]] if t in given else puzzle.cells + [-t] * (t > least))

    # T cells are visited: each number up to T is in one cell.
    for t in range(least + 1, last + 1):
        problem.addConstraint(partial(_ends, t), [T, t])

    # Each cell has one number, 0 if it is not visited.
    problem.addConstraint(constraint.AllDifferentConstraint(), numbers)

    # The knight goes on by a move, or stays.
    for t in numbers[1:]:
        problem.addConstraint(partial(_goes_on, near, t), [t - 1, t])

    # Lines and regions have their sums.
    for group, sums in known_sums(puzzle, lengths):
        problem.addConstraint(partial(_adds_up, group, sums), [T, *numbers])

    # Lines and regions have their numbers of visited cells.
    for group, empty in known_empty(puzzle, lengths):
        problem.addConstraint(partial(_leaves, group, empty), [T, *numbers])

    # A quarter turn of the board takes visited cells to visited cells.
    if puzzle.rotation:
        problem.addConstraint(partial(_is_turned, orbits(puzzle.side)), numbers)

    # The first number that is seen from an end of a line is the one that is shown there.
    for line, number in views_from_ends(puzzle):
        problem.addConstraint(partial(_shows, line, number), numbers)

    def decode(value: Values) -> Solution:
        number = {value(t): t for t in numbers}
        return puzzle.solution(lambda i: number.get(i, 0))

    return Model(problem, decode, view=_view)


def _ends(t: int, last: int, place: Place) -> bool:
    """Whether number t is in a cell if t <= T = last, and in none otherwise."""
    return (place == -t) == (t > last)


def _goes_on(near: Mapping[Cell, Collection[Cell]], t: int, before: Place, place: Place) -> bool:
    """Whether number t is a knight's move away from the one before it, or in no cell."""
    return place == -t or (not isinstance(before, int) and place in near[before])


def _adds_up(group: Collection[Cell], totals: Mapping[int, int], last: int, *places: Place) -> bool:
    """Whether the numbers in a group have the sum that belongs to T = last."""
    return sum(t for t, place in enumerate(places, 1) if place in group) == totals[last]


def _leaves(group: Collection[Cell], empty: Mapping[int, int], last: int, *places: Place) -> bool:
    """Whether as many cells of a group are not visited as belong to T = last."""
    return len(set(group).difference(places)) == empty[last]


def _is_turned(orbits: Sequence[Collection[Cell]], *places: Place) -> bool:
    """Whether of the cells that quarter turns take to each other all or none are visited."""
    return all(len(set(orbit).difference(places)) in (0, len(orbit)) for orbit in orbits)


def _shows(line: Sequence[Cell], number: int, *places: Place) -> bool:
    """Whether the first visited cell of a line has a number."""
    first = next((i for i in line if i in places), None)
    return first is not None and places.index(first) + 1 == number


def _view(left: Left) -> View:
    """The numbers that each cell can have, those that are in none, and what is known of T."""
    possible = defaultdict(list)
    numbers = sorted(set(left) - {T})
    for t in numbers:
        for place in left[t]:
            if not isinstance(place, int):
                possible[place].append(t)
    notes = [f"no number {t}" for t in numbers if list(left[t]) == [-t]]
    if left.get(T):
        notes.append(f"T is {min(left[T])} to {max(left[T])}")
    return View(possible, notes=notes)


FORMULATIONS = by_name(textbook)
