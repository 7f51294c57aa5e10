"""Shikaku for clingo; asp.lp states the rules.

Constraints: cardinality
"""

from pathlib import Path

from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name
from models.shikaku.puzzle import Shikaku
from models.shikaku.rectangles import cut, fitting_rectangles

RULES = Path(__file__).with_name("asp.lp")


def textbook(puzzle: Shikaku) -> Model:
    """Exactly one rectangle for each cell, of those that fit their clues."""
    fitting = fitting_rectangles(puzzle)
    facts = [fact("grid", puzzle.height, puzzle.width)]
    facts += [fact("rectangle", number, *each[1:]) for number, each in enumerate(fitting)]
    return Model(
        LogicProgram(RULES, facts),
        lambda value: cut(puzzle, [fitting[number] for (number,) in value("chosen")]),
    )


FORMULATIONS = by_name(textbook)
