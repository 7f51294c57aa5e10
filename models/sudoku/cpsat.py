"""Sudoku for CP-SAT; model.md states the constraint program.

x[i] = v is channelled to a literal where a clue speaks of it.

Constraints: all different, table, clause, linear
"""

from collections.abc import Iterable
from functools import cache
from itertools import pairwise, product

from ortools.sat.python import cp_model

from models.shared.cpsat import equal
from models.shared.grid import Cell, neighbours
from models.shared.model import Model, by_name, from_integers
from models.sudoku.clues import divisible_rows, factor_pairs, remote_cells
from models.sudoku.puzzle import Sudoku


def textbook(puzzle: Sudoku) -> Model:
    """Integers, one for each cell."""
    model = cp_model.CpModel()

    # Each cell holds one digit.
    of = cache(cp_model.Domain.from_values)
    x = {i: model.new_int_var_from_domain(of(puzzle.domains[i]), f"x{i}") for i in puzzle.cells}

    # Each row, column and box holds each digit once that is not left out.
    outs = range(len(puzzle.digits) - puzzle.side)
    out = [model.new_int_var_from_domain(of(puzzle.digits), f"o{k}") for k in outs]
    for lesser, greater in pairwise(out):
        model.add(lesser < greater)
    for unit in puzzle.units:
        model.add_all_different([x[i] for i in unit] + out)

    known: dict[tuple[Cell, int], cp_model.IntVar] = {}

    def holding(cells: Iterable[Cell], v: int) -> list[cp_model.IntVar]:
        """Returns literals, made when a clue needs them first."""
        able = [i for i in cells if v in puzzle.domains[i]]
        for i in able:
            if (i, v) not in known:
                known[i, v] = equal(model, x[i], v, f"{i} is {v}")
        return [known[i, v] for i in able]

    # Some cell N steps away holds N.
    for cell, steps in puzzle.remote.items():
        model.add_bool_or(holding(remote_cells(cell, steps, puzzle.side), steps))

    # Two cells beside the clue hold a pair of digits with its product.
    for cell, clue in puzzle.product.items():
        beside = neighbours(cell, puzzle.side)
        found = []
        for a, b in factor_pairs(clue, puzzle.digits):
            found.append(pair := model.new_bool_var(f"{a} and {b} beside {cell}"))
            one, other = holding(beside, a), holding(beside, b)
            if a == b:
                model.add(sum(one) >= 2).only_enforce_if(pair)
                model.add(sum(one) <= 1).only_enforce_if(~pair)
            else:
                model.add_bool_or(one).only_enforce_if(pair)
                model.add_bool_or(other).only_enforce_if(pair)
                for first, second in product(one, other):
                    model.add_bool_or(~first, ~second, pair)
        model.add_bool_or(found)

    # Each row is a multiple of the divisor: one of a list, or by long division.
    rows = divisible_rows(puzzle)
    if rows is not None:
        for row, words in enumerate(rows):
            model.add_allowed_assignments([x[row, c] for c in range(puzzle.side)], words)
    elif divisor := puzzle.row_divisor:
        for row in range(puzzle.side):
            before = model.new_constant(0)
            for column in range(puzzle.side):
                is_last = column == puzzle.side - 1
                quotient = model.new_int_var(0, 9, f"q{row, column}")
                remainder = model.new_int_var(0, 0 if is_last else divisor - 1, f"r{row, column}")
                model.add(10 * before + x[row, column] == divisor * quotient + remainder)
                before = remainder

    return Model(model, from_integers(puzzle, x))


FORMULATIONS = by_name(textbook)
