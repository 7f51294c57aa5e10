"""Queens Domination for CP-SAT; model.md states the formulations.

Constraints: linear (`counts`); clause (`textbook`)
"""

from ortools.sat.python import cp_model

from models.queens_domination.puzzle import QueensDomination
from models.shared.grid import Cell
from models.shared.model import Model, by_name, from_integers


def counts(puzzle: QueensDomination) -> Model:
    """Integers too, the queens in each line: sums that the linear relaxation has, unlike long clauses."""
    model = cp_model.CpModel()
    x = {(r, c): model.new_bool_var(f"x{r},{c}") for r, c in puzzle.squares}

    # Of each line its queens are counted.
    through: dict[Cell, list[cp_model.IntVar]] = {square: [] for square in puzzle.squares}
    for k, line in enumerate(puzzle.lines):
        count = model.new_int_var(0, len(line), f"queens in line {k}")
        model.add(cp_model.LinearExpr.sum([x[square] for square in line]) == count)
        for square in line:
            through[square].append(count)

    # Each square is occupied or attacked; a queen on it is in four lines and counts once.
    for square, counted in through.items():
        model.add(sum(counted) - 3 * x[square] >= 1)

    # There are as few queens as possible.
    model.minimize(sum(x.values()))

    return Model(model, from_integers(puzzle, x))


def textbook(puzzle: QueensDomination) -> Model:
    """A literal for each square, a clause for each."""
    model = cp_model.CpModel()
    x = {(r, c): model.new_bool_var(f"x{r},{c}") for r, c in puzzle.squares}

    # Each square is occupied or attacked.
    for attackers in puzzle.attackers.values():
        model.add_bool_or([x[square] for square in attackers])

    # There are as few queens as possible.
    model.minimize(sum(x.values()))

    return Model(model, from_integers(puzzle, x))


FORMULATIONS = by_name(counts, textbook)
