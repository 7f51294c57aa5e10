"""Sudoku for CP-SAT.

A grid of n rows and n columns is cut into boxes of n cells. Of some digits, n are used; each unit (a row, a
column or a box) holds each used digit once.

Let D(i) be the digits that cell i can hold: all of them, or what is given. For the clues let
    away(c)         be the cells exactly N steps from the cell c of a remote clue N
    beside(c)       the edge neighbours of the cell c of a product clue P
    pairs(c)        the pairs (a, b) of digits with a <= b and a b = P
    W(R)            the digits that row R can hold by the row divisor D, if D divides few rows

`all_different`: integers x[i] in D(i), and o[1] < o[2] < ..., the digits that are left out. Where a clue
  speaks of cell i and digit v, the literal holds[i][v] is x[i] = v.
    all different x[i] over i in U, and o                    for each unit U
    some i in away(c) with holds[i][N]                       for each remote clue
    some (a, b) in pairs(c) with found[c][a, b]              for each product clue
    found[c][a, b] <=> holds[i][a] and holds[k][b]           for some i and k != i in beside(c)
    sum of the digits that are not left out  = M m           where M = D / gcd(D, 11...1), implied by D
    (x[i] for i in R) in W(R)                                for each row R, if D divides few rows
    10 r[left of i] + x[i] = D q[i] + r[i], 0 <= r[i] < D    for each cell i, if D divides many rows
    r[i] = 0                                                 for the last cell i of each row
  In this long division r is 0 left of each row.

`exactly_one`: literals holds[i][v], v in D(i): cell i holds v; and out[v]: digit v is left out. x[i] is the
  sum of v holds[i][v] over v.
    exactly one v with holds[i][v]                           for each cell i
    exactly one of out[v] and holds[i][v] over i in U        for each unit U and digit v
    exactly one w in W(R) with is_row[R][w]                  for each row R, if D divides few rows
    is_row[R][w] => holds[i][w[i]]                           for each cell i of row R
  The rest is the same.

Constraints: all different, table, clause, linear; `exactly_one`: exactly one, clause, linear
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise, product

from ortools.sat.python import cp_model

from models.shared.grid import Cell, neighbours
from models.shared.model import Model, by_name, from_integers, from_literals
from models.sudoku.clues import factor_pairs, remote_cells
from models.sudoku.divisible_rows import divisible_rows, sum_divisor
from models.sudoku.puzzle import Sudoku

Holding = Callable[[Iterable[Cell], int], list[cp_model.IntVar]]
"""Returns the literals that say which of some cells hold a digit, of those that can."""


def all_different(puzzle: Sudoku) -> Model:
    """Integers, one for each cell."""
    model = cp_model.CpModel()

    # Each cell holds one digit.
    x = {
        i: model.new_int_var_from_domain(cp_model.Domain.from_values(puzzle.domains[i]), f"x{i}")
        for i in puzzle.cells
    }

    # Each row, column and box holds each digit once that is not left out.
    digits = cp_model.Domain.from_values(puzzle.digits)
    out = [model.new_int_var_from_domain(digits, f"o{k}") for k in range(len(puzzle.digits) - puzzle.side)]
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
                known[i, v] = literal = model.new_bool_var(f"{i} is {v}")
                model.add(x[i] == v).only_enforce_if(literal)
                model.add(x[i] != v).only_enforce_if(~literal)
        return [known[i, v] for i in able]

    _add_clues(model, puzzle, holding, cp_model.LinearExpr.sum(out))

    # Each row is a multiple of the divisor: one of a list, or by long division.
    rows = divisible_rows(puzzle)
    if rows is not None:
        for row, words in enumerate(rows):
            model.add_allowed_assignments([x[row, c] for c in range(puzzle.side)], words)
    elif puzzle.row_divisor is not None:
        _add_long_division(model, puzzle, x, puzzle.row_divisor)

    return Model(model, from_integers(puzzle, x))


def exactly_one(puzzle: Sudoku) -> Model:
    """Literals, one for each digit of each cell."""
    model = cp_model.CpModel()

    # Each cell holds one digit.
    holds = {i: {v: model.new_bool_var(f"{i} is {v}") for v in puzzle.domains[i]} for i in puzzle.cells}
    for i in puzzle.cells:
        model.add_exactly_one(holds[i].values())

    # Each row, column and box holds each digit once that is not left out.
    some_out = len(puzzle.digits) > puzzle.side
    out = {v: [model.new_bool_var(f"{v} is left out")] if some_out else [] for v in puzzle.digits}
    for unit in puzzle.units:
        for v in puzzle.digits:
            model.add_exactly_one(out[v] + [holds[i][v] for i in unit if v in holds[i]])

    left_out = cp_model.LinearExpr.sum([v * literal for v in out for literal in out[v]])
    _add_clues(model, puzzle, lambda cells, v: [holds[i][v] for i in cells if v in holds[i]], left_out)

    # Each row is a multiple of the divisor: one of a list, or by long division.
    rows = divisible_rows(puzzle)
    if rows is not None:
        for row, words in enumerate(rows):
            is_row = [model.new_bool_var(f"row {row} is {word}") for word in words]
            model.add_exactly_one(is_row)
            for word, literal in zip(words, is_row, strict=True):
                model.add_bool_and(holds[row, c][v] for c, v in enumerate(word)).only_enforce_if(literal)
    elif puzzle.row_divisor is not None:
        x = {i: cp_model.LinearExpr.weighted_sum(list(holds[i].values()), list(holds[i])) for i in holds}
        _add_long_division(model, puzzle, x, puzzle.row_divisor)

    return Model(model, from_literals(puzzle, holds))


def _add_clues(
    model: cp_model.CpModel, puzzle: Sudoku, holding: Holding, left_out: cp_model.LinearExprT
) -> None:
    """Adds the remote and product clues, and what the row divisor says of the sum of the digits left out."""
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

    # The divisor divides the sum of all rows, which is a multiple of the sum of the used digits.
    if (modulus := sum_divisor(puzzle)) > 1:
        multiple = model.new_int_var(0, sum(puzzle.digits) // modulus, "m")
        model.add(sum(puzzle.digits) - left_out == modulus * multiple)


def _add_long_division(
    model: cp_model.CpModel, puzzle: Sudoku, x: Mapping[Cell, cp_model.LinearExpr], divisor: int
) -> None:
    """Adds that each row is divided by the row divisor, and no remainder is left."""
    for row in range(puzzle.side):
        before = model.new_constant(0)
        for column in range(puzzle.side):
            is_last = column == puzzle.side - 1
            quotient = model.new_int_var(0, 9, f"q{row, column}")
            remainder = model.new_int_var(0, 0 if is_last else divisor - 1, f"r{row, column}")
            model.add(10 * before + x[row, column] == divisor * quotient + remainder)
            before = remainder


FORMULATIONS = by_name(all_different, exactly_one)
