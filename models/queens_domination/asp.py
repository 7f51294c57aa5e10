"""Queens Domination for clingo; asp.lp states the rules.

Constraints: clause
"""

from pathlib import Path

from models.queens_domination.puzzle import QueensDomination
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name

RULES = Path(__file__).with_name("asp.lp")


def textbook(puzzle: QueensDomination) -> Model:
    """An atom for each square, a clause for each."""
    facts = [
        *(fact("square", square) for square in puzzle.squares),
        *(fact("line", k, square) for k, line in enumerate(puzzle.lines) for square in line),
    ]
    program = LogicProgram(RULES, facts)
    return Model(program, lambda value: puzzle.placed(square for (square,) in value("queen")))


FORMULATIONS = by_name(textbook)
