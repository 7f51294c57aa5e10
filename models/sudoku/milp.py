"""Sudoku as an integer program without an objective; model.md states it.

Constraints: set partitioning, linear
"""

import pulp

from models.shared.grid import Cell, neighbours
from models.shared.milp import Holds, all_literals, literals, program, total
from models.shared.model import Model, by_name, from_literals
from models.sudoku.clues import Row, divisible_rows, factor_pairs, remote_cells
from models.sudoku.puzzle import Sudoku


def textbook(puzzle: Sudoku) -> Model:
    """One binary variable for each digit of each cell."""
    problem = program("sudoku")

    # Each cell holds one digit.
    holds = literals(problem, puzzle.domains)
    for i in puzzle.cells:
        problem += total(holds[i].values()) == 1

    # Each row, column and box holds each digit once that is not left out.
    some_out = len(puzzle.digits) > puzzle.side
    out = {
        v: [problem.add_variable(f"out_{v}", cat=pulp.LpBinary)] if some_out else [] for v in puzzle.digits
    }
    for unit in puzzle.units:
        for v in puzzle.digits:
            problem += total(out[v] + [holds[i][v] for i in unit if v in holds[i]]) == 1

    # Some cell N steps away holds N.
    for cell, steps in puzzle.remote.items():
        problem += total(holding(holds, remote_cells(cell, steps, puzzle.side), steps)) >= 1

    # Two cells beside the clue hold a pair of digits with its product.
    for cell, clue in puzzle.product.items():
        beside = neighbours(cell, puzzle.side)
        found = []
        for a, b in factor_pairs(clue, puzzle.digits):
            pair = problem.add_variable(f"found_{cell[0]}_{cell[1]}_{a}_{b}", cat=pulp.LpBinary)
            found.append(pair)
            for v in {a, b}:
                problem += total(holding(holds, beside, v)) - (2 if a == b else 1) * pair >= 0
        problem += total(found) >= 1

    # Each row is a multiple of the divisor: one of a list, or by long division.
    rows = divisible_rows(puzzle)
    if rows is not None:
        _add_rows(problem, puzzle, holds, rows)
    elif puzzle.row_divisor is not None:
        _add_long_division(problem, puzzle, holds, puzzle.row_divisor)

    return Model(problem, from_literals(puzzle, holds), all_literals(holds))


def holding(holds: Holds, cells: list[Cell], v: int) -> list[pulp.LpVariable]:
    """The variables that say which of some cells hold a digit, of those that can."""
    return [holds[i][v] for i in cells if v in holds[i]]


def _add_rows(problem: pulp.LpProblem, puzzle: Sudoku, holds: Holds, rows: list[list[Row]]) -> None:
    """Adds that each row is one of those in its list."""
    for row, words in enumerate(rows):
        is_row = [
            problem.add_variable(f"row_{row}_{number}", cat=pulp.LpBinary) for number in range(len(words))
        ]
        problem += total(is_row) == 1
        for column in range(puzzle.side):
            for v, variable in holds[row, column].items():
                with_digit = [
                    literal for word, literal in zip(words, is_row, strict=True) if word[column] == v
                ]
                problem += total(with_digit, minus=[variable]) == 0


def _add_long_division(problem: pulp.LpProblem, puzzle: Sudoku, holds: Holds, divisor: int) -> None:
    """Adds that each row is divided by the row divisor, and no remainder is left."""
    for row in range(puzzle.side):
        before = None
        for column in range(puzzle.side):
            place = f"{row}_{column}"
            most = 0 if column == puzzle.side - 1 else divisor - 1
            quotient = problem.add_variable(f"q_{place}", 0, 9, cat=pulp.LpInteger)
            remainder = problem.add_variable(f"r_{place}", 0, most, cat=pulp.LpInteger)
            terms = [(variable, v) for v, variable in holds[row, column].items()]
            terms += [(quotient, -divisor), (remainder, -1)] + ([(before, 10)] if before is not None else [])
            problem += pulp.LpAffineExpression(terms) == 0
            before = remainder


FORMULATIONS = by_name(textbook)
