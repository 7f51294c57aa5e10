"""Sudoku for clingo; asp.lp states the rules.

`exactly_one`: chooses one digit for each cell; of the cells of a unit, exactly one holds each used digit.

`pairwise`: chooses any digits; integrity constraints forbid two digits in a cell, and a digit in two cells of
  a unit.

Constraints: cardinality; `pairwise`: integrity constraints on pairs
"""

from pathlib import Path

from models.shared.asp import LogicProgram, fact
from models.shared.grid import neighbours
from models.shared.model import Model, by_name
from models.sudoku.clues import factor_pairs, remote_cells
from models.sudoku.divisible_rows import divisible_rows, sum_divisor
from models.sudoku.puzzle import Sudoku

RULES = Path(__file__).with_name("asp.lp")


def exactly_one(puzzle: Sudoku) -> Model:
    """Exactly one digit for each cell, exactly one cell of a unit for each digit."""
    return _model(puzzle, "exactly_one")


def pairwise(puzzle: Sudoku) -> Model:
    """No two digits for a cell, no two cells of a unit for a digit."""
    return _model(puzzle, "pairwise")


def _model(puzzle: Sudoku, part: str) -> Model:
    facts = [
        fact("side", puzzle.side),
        *(fact("digit", v) for v in puzzle.digits),
        *(fact("value", i, v) for i in puzzle.cells for v in puzzle.domains[i]),
        *(fact("in", number, i) for number, unit in enumerate(puzzle.units) for i in unit),
        *([fact("sum_divisor", modulus)] if (modulus := sum_divisor(puzzle)) > 1 else []),
        *_divisor_facts(puzzle),
    ]
    for cell, steps in puzzle.remote.items():
        facts.append(fact("remote", cell, steps))
        facts += [fact("away", cell, k) for k in remote_cells(cell, steps, puzzle.side)]
    for cell, clue in puzzle.product.items():
        facts.append(fact("product", cell))
        facts += [fact("pair", cell, a, b) for a, b in factor_pairs(clue, puzzle.digits)]
        facts += [fact("beside", cell, k) for k in neighbours(cell, puzzle.side)]
    return Model(
        LogicProgram(RULES, facts, [part]),
        lambda value: puzzle.solution(dict(value("holds")).__getitem__),
    )


def _divisor_facts(puzzle: Sudoku) -> list[str]:
    """The facts of the row divisor: a list of words for each row, or the long division."""
    rows = divisible_rows(puzzle)
    if rows is not None:
        return [fact("row", row) for row in range(puzzle.side)] + [
            fact("word", row, number, (row, column), v)
            for row, words in enumerate(rows)
            for number, word in enumerate(words)
            for column, v in enumerate(word)
        ]
    if puzzle.row_divisor is None:
        return []
    return [
        fact("divisor", puzzle.row_divisor),
        *(fact("first", (row, 0)) for row in range(puzzle.side)),
        *(fact("last", (row, puzzle.side - 1)) for row in range(puzzle.side)),
        *(fact("left", (row, c), (row, c - 1)) for row in range(puzzle.side) for c in range(1, puzzle.side)),
    ]


FORMULATIONS = by_name(exactly_one, pairwise)
