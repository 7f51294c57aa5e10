"""Choco Banana for clingo; asp.lp states the rules: `textbook` by recursion, `reachable` with rectangles.

Constraints: cardinality, logic; connected by recursion
"""

from pathlib import Path

from models.choco_banana.puzzle import SHADED, UNSHADED, ChocoBanana
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, Values, by_name
from models.shared.puzzle import Solution

RULES = Path(__file__).with_name("asp.lp")


def reachable(puzzle: ChocoBanana) -> Model:
    """A shaded group with a number is one of the rectangles of its area."""
    return _model(puzzle, "reachable")


def textbook(puzzle: ChocoBanana) -> Model:
    """A group with a number is reached from it."""
    return _model(puzzle, "textbook")


def _model(puzzle: ChocoBanana, part: str) -> Model:
    facts = [fact("cell", i) for i in puzzle.cells]
    facts += [fact("number", i, n) for i, n in puzzle.numbers.items()]

    def decode(value: Values) -> Solution:
        shaded = {i for (i,) in value("shaded")}
        return puzzle.solution(lambda i: SHADED if i in shaded else UNSHADED)

    return Model(LogicProgram(RULES, facts, [part]), decode)


FORMULATIONS = by_name(reachable, textbook)
