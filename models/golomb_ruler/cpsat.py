"""Golomb ruler for CP-SAT; model.md states the constraint programs.

Constraints: all different, linear
"""

from ortools.sat.python import cp_model

from models.golomb_ruler.bounds import least
from models.golomb_ruler.puzzle import GolombRuler
from models.shared.model import Model, by_name


def implied(puzzle: GolombRuler) -> Model:
    """Besides, what the gaps between two marks and those outside of them span at least."""
    return rulers(puzzle, implied=True)


def textbook(puzzle: GolombRuler) -> Model:
    """An integer for each mark, an expression for each distance."""
    return rulers(puzzle, implied=False)


def rulers(puzzle: GolombRuler, implied: bool) -> Model:
    """Marks in ascending order whose distances differ."""
    model, m = cp_model.CpModel(), puzzle.size

    # The marks ascend from 0. With distances as variables CP-SAT is slower.
    x = [model.new_int_var(0, puzzle.longest if i else 0, f"x{i}") for i in range(m)]
    d = {(i, j): x[j] - x[i] for i, j in puzzle.pairs}
    for i in range(m - 1):
        model.add(d[i, i + 1] >= 1)

    # All distances differ, from each other and from those that are forbidden.
    model.add_all_different([*d.values(), *puzzle.forbidden])

    if implied:
        # So many gaps span so much, those between two marks and those outside of them.
        span = least(puzzle)
        for i, j in puzzle.pairs:
            model.add(d[i, j] >= span[j - i])
            model.add(d[i, j] <= x[-1] - span[m - 1 - (j - i)])

        # The first gap is less than the last one: a ruler may be turned round.
        if m > 2:
            model.add(d[0, 1] < d[m - 2, m - 1])

    model.minimize(x[-1])
    return Model(model, lambda value: [value(mark) for mark in x])


FORMULATIONS = by_name(implied, textbook)
