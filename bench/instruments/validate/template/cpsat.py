"""Latin sums for CP-SAT.

`integers`: x[i] in D(i) for each cell i; D(i) is 1..n, or the given number alone.
    all different x[i], i in L                               for each row and each column L
    sum of x[i] over i in C  = s                             for each cage C with the sum s

Constraints: all different, linear
"""

from ortools.sat.python import cp_model

from models.shared.model import Model, by_name, from_integers

from .puzzle import LatinSums


def integers(puzzle: LatinSums) -> Model:
    """One integer variable a cell."""
    model = cp_model.CpModel()

    # A cell holds one of 1..n, or what is given.
    x = {}
    for i in puzzle.cells:
        x[i] = model.new_int_var_from_domain(cp_model.Domain.from_values(puzzle.domain(i)), f"x{i}")

    # Each row and each column holds each of 1..n once.
    for line in puzzle.rows_and_columns:
        model.add_all_different(x[i] for i in line)

    # The cells of a cage add up to its sum.
    for cells, total in puzzle.cages:
        model.add(sum(x[i] for i in cells) == total)

    # Decoding turns the values of the variables into the form that `check` reads.
    return Model(model, from_integers(puzzle, x))


# Each formulation has the name of its function; the first is the default.
FORMULATIONS = by_name(integers)
