"""Sudoku in CPMpy, for any of its solvers.

A grid of n rows and n columns is cut into boxes of n cells. Of some digits, n are used; each unit (a row, a
column or a box) holds each used digit once.

Let D(i) be the digits that cell i can hold: all of them, or what is given. For the clues let
    away(c)         be the cells exactly N steps from the cell c of a remote clue N
    beside(c)       the edge neighbours of the cell c of a product clue P
    pairs(c)        the pairs (a, b) of digits with a <= b and a b = P
    W(R)            the digits that row R can hold by the row divisor D, if D divides few rows

`all_different`: integers x[i] in D(i), and o[1] < o[2] < ..., the digits that are left out.
    all different x[i] over i in U, and o                    for each unit U
    x[i] = N for some i in away(c)                           for each remote clue
    x[i] = a and x[k] = b for some (a, b) in pairs(c)
      and some i and k != i in beside(c)                     for each product clue
    (x[i] for i in R) in W(R)                                for each row R, if D divides few rows
    sum of the digits that are not left out  = M m           where M = D / gcd(D, 11...1), implied by D
    10 r[left of i] + x[i] = D q[i] + r[i], 0 <= r[i] < D    for each cell i, if D divides many rows
    r[i] = 0                                                 for the last cell i of each row
  In this long division r is 0 left of each row.

`exactly_one`: literals holds[i][v], v in D(i): cell i holds v; and out[v]: digit v is left out.
    exactly one v with holds[i][v]                           for each cell i
    exactly one of out[v] and holds[i][v] over i in U        for each unit U and digit v
  The rest is the same, with holds[i][v] in place of x[i] = v, but for
    exactly one w in W(R) with is_row[R][w]                  for each row R, if D divides few rows
    is_row[R][w] => holds[i][w[i]]                           for each cell i of row R

Constraints: all different, table, clause over equalities, linear; `exactly_one`: linear, clause
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any

import cpmpy

from models.shared.grid import Cell, neighbours
from models.shared.model import Model, by_name, from_integers, from_literals
from models.sudoku.clues import factor_pairs, remote_cells
from models.sudoku.divisible_rows import divisible_rows, sum_divisor
from models.sudoku.puzzle import Sudoku

Holding = Callable[[Iterable[Cell], int], list[Any]]
"""Returns what says which of some cells hold a digit, of those that can."""


def all_different(puzzle: Sudoku) -> Model:
    """Integers, one for each cell."""
    model = cpmpy.Model()

    # Each cell holds one digit.
    x = {i: cpmpy.intvar(min(domain), max(domain)) for i, domain in puzzle.domains.items()}
    out = [cpmpy.intvar(puzzle.digits[0], puzzle.digits[-1]) for _ in range(len(puzzle.digits) - puzzle.side)]
    if len(puzzle.digits) <= puzzle.digits[-1] - puzzle.digits[0]:
        model += [cpmpy.InDomain(digit, puzzle.digits) for digit in [*x.values(), *out]]

    # Each row, column and box holds each digit once that is not left out.
    model += [lesser < greater for lesser, greater in pairwise(out)]
    for unit in puzzle.units:
        model += cpmpy.AllDifferent([x[i] for i in unit] + out)

    _add_clues(model, puzzle, lambda cells, v: [x[i] == v for i in cells if v in puzzle.domains[i]], sum(out))

    # Each row is a multiple of the divisor: one of a list, or by long division.
    rows = divisible_rows(puzzle)
    if rows is not None:
        for row, words in enumerate(rows):
            model += (
                cpmpy.Table([x[row, c] for c in range(puzzle.side)], words) if words else cpmpy.BoolVal(False)
            )
    elif puzzle.row_divisor is not None:
        _add_long_division(model, puzzle, x, puzzle.row_divisor)

    return Model(model, from_integers(puzzle, x), decisions=list(x.values()))


def exactly_one(puzzle: Sudoku) -> Model:
    """Literals, one for each digit of each cell."""
    model = cpmpy.Model()

    # Each cell holds one digit.
    holds = {i: {v: cpmpy.boolvar() for v in puzzle.domains[i]} for i in puzzle.cells}
    for i in puzzle.cells:
        model += cpmpy.sum(holds[i].values()) == 1

    # Each row, column and box holds each digit once that is not left out.
    some_out = len(puzzle.digits) > puzzle.side
    out = {v: [cpmpy.boolvar()] if some_out else [] for v in puzzle.digits}
    for unit in puzzle.units:
        for v in puzzle.digits:
            model += cpmpy.sum(out[v] + [holds[i][v] for i in unit if v in holds[i]]) == 1

    left_out = sum(v * literal for v in out for literal in out[v])
    _add_clues(model, puzzle, lambda cells, v: [holds[i][v] for i in cells if v in holds[i]], left_out)

    # Each row is a multiple of the divisor: one of a list, or by long division.
    rows = divisible_rows(puzzle)
    if rows is not None:
        for row, words in enumerate(rows):
            is_row = [cpmpy.boolvar() for _ in words]
            model += cpmpy.sum(is_row) == 1
            for word, literal in zip(words, is_row, strict=True):
                model += literal.implies(cpmpy.all(holds[row, c][v] for c, v in enumerate(word)))
    elif puzzle.row_divisor is not None:
        x = {i: cpmpy.sum(v * literal for v, literal in holds[i].items()) for i in puzzle.cells}
        _add_long_division(model, puzzle, x, puzzle.row_divisor)

    literals = [literal for of_cell in holds.values() for literal in of_cell.values()]
    return Model(model, from_literals(puzzle, holds), decisions=literals)


def _add_clues(model: cpmpy.Model, puzzle: Sudoku, holding: Holding, left_out: Any) -> None:
    """Adds the remote and product clues, and what the row divisor says of the sum of the digits left out."""
    # Some cell N steps away holds N.
    for cell, steps in puzzle.remote.items():
        model += cpmpy.any(holding(remote_cells(cell, steps, puzzle.side), steps))

    # Two cells beside the clue hold a pair of digits with its product.
    for cell, clue in puzzle.product.items():
        beside = neighbours(cell, puzzle.side)
        model += cpmpy.any(
            cpmpy.sum(holding(beside, a)) >= 2
            if a == b
            else cpmpy.any(holding(beside, a)) & cpmpy.any(holding(beside, b))
            for a, b in factor_pairs(clue, puzzle.digits)
        )

    # The divisor divides the sum of all rows, which is a multiple of the sum of the used digits.
    if (modulus := sum_divisor(puzzle)) > 1:
        multiple = cpmpy.intvar(0, sum(puzzle.digits) // modulus)
        model += sum(puzzle.digits) - left_out == modulus * multiple


def _add_long_division(model: cpmpy.Model, puzzle: Sudoku, x: Mapping[Cell, Any], divisor: int) -> None:
    """Adds that each row is divided by the row divisor, and no remainder is left."""
    for row in range(puzzle.side):
        before: Any = 0
        for column in range(puzzle.side):
            is_last = column == puzzle.side - 1
            quotient = cpmpy.intvar(0, 9)
            remainder = 0 if is_last or divisor == 1 else cpmpy.intvar(0, divisor - 1)
            model += 10 * before + x[row, column] == divisor * quotient + remainder
            before = remainder


FORMULATIONS = by_name(all_different, exactly_one)
