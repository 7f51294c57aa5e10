"""Perfect squares for clingo; asp.lp states the rules.

Constraints: exactly one, clause
"""

from pathlib import Path

from models.perfect_squares.puzzle import PerfectSquares
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, Values, by_name
from models.shared.puzzle import Solution

RULES = Path(__file__).with_name("asp.lp")


def textbook(puzzle: PerfectSquares) -> Model:
    """An atom for each first row and each first column of a square."""
    facts = [
        fact("rectangle", puzzle.height, puzzle.width),
        *(fact("side", i, side) for i, side in enumerate(puzzle.sides)),
        *(fact("equal", i, j) for i, j in puzzle.equal),
    ]

    def decode(value: Values) -> Solution:
        row, column = dict(value("row")), dict(value("column"))
        return puzzle.solution(lambda i: (row[i], column[i]))

    return Model(LogicProgram(RULES, facts), decode)


FORMULATIONS = by_name(textbook)
