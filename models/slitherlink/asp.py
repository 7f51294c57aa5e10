"""Slitherlink for clingo; asp.lp states the rules.

Constraints: cardinality, logic; connected by recursion
"""

from itertools import pairwise
from pathlib import Path

from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, Values, by_name
from models.shared.puzzle import Solution
from models.slitherlink.puzzle import Slitherlink

RULES = Path(__file__).with_name("asp.lp")


def textbook(puzzle: Slitherlink) -> Model:
    """Edges that lead from the first dot of the loop to all others."""
    facts = [fact("side", cell, e) for cell in puzzle.cells for e in puzzle.around(cell)]
    facts += [fact("clue", cell, clue) for cell, clue in puzzle.clues.items()]
    facts += [fact("next", *pair) for pair in pairwise(puzzle.dots)]

    def decode(value: Values) -> Solution:
        on_loop = {e for (e,) in value("on_loop")}
        return puzzle.enclosed(on_loop.__contains__)

    return Model(LogicProgram(RULES, facts), decode)


FORMULATIONS = by_name(textbook)
