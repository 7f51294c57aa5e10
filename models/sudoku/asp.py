"""Sudoku for clingo; asp.lp states the rules.

Constraints: cardinality
"""

from pathlib import Path

from models.shared.asp import LogicProgram, fact
from models.shared.grid import neighbours
from models.shared.model import Model, by_name, from_atoms
from models.sudoku.clues import divisible_rows, factor_pairs, remote_cells
from models.sudoku.puzzle import Sudoku

RULES = Path(__file__).with_name("asp.lp")


def textbook(puzzle: Sudoku) -> Model:
    """Exactly one digit for each cell, exactly one cell of a unit for each digit."""
    facts = [
        fact("side", puzzle.side),
        *(fact("digit", v) for v in puzzle.digits),
        *(fact("value", i, v) for i in puzzle.cells for v in puzzle.domains[i]),
        *(fact("in", number, i) for number, unit in enumerate(puzzle.units) for i in unit),
    ]
    for cell, steps in puzzle.remote.items():
        facts.append(fact("remote", cell, steps))
        facts += [fact("away", cell, k) for k in remote_cells(cell, steps, puzzle.side)]
    for cell, clue in puzzle.product.items():
        facts.append(fact("product", cell))
        facts += [fact("pair", cell, a, b) for a, b in factor_pairs(clue, puzzle.digits)]
        facts += [fact("beside", cell, k) for k in neighbours(cell, puzzle.side)]
    rows = divisible_rows(puzzle)
    if rows is None and puzzle.row_divisor is not None:
        facts.append(fact("divisor", puzzle.row_divisor))
    for row, words in enumerate(rows or ()):
        facts.append(fact("row", row))
        facts += [
            fact("word", row, number, (row, column), v)
            for number, word in enumerate(words)
            for column, v in enumerate(word)
        ]
    return Model(LogicProgram(RULES, facts), from_atoms(puzzle))


FORMULATIONS = by_name(textbook)
