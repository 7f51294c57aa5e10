"""Domino Tiling for clingo; asp.lp states the rules.

Constraints: cardinality
"""

from pathlib import Path

from models.domino_tiling.puzzle import DominoTiling
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name

RULES = Path(__file__).with_name("asp.lp")


def textbook(puzzle: DominoTiling) -> Model:
    """Exactly one domino for each cell."""
    facts = [fact("domino", i, j, score) for (i, j), score in puzzle.scores.items()]
    facts += [fact("cell", cell) for cell in puzzle.numbers]
    return Model(LogicProgram(RULES, facts), lambda value: puzzle.tiling(value("laid")))


FORMULATIONS = by_name(textbook)
