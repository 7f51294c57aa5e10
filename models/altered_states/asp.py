"""Altered States for clingo; asp.lp states the rules.

Constraints: choice of letters
"""

from pathlib import Path

from models.altered_states.puzzle import AlteredStates
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name

RULES = Path(__file__).with_name("asp.lp")


def textbook(puzzle: AlteredStates) -> Model:
    """Atoms for the letter of each cell; where walks can end follows from them."""
    facts = [fact("most", puzzle.replaced), *(fact("cell", i) for i in puzzle.cells)]
    facts += [fact("move", i, j) for i, cells in puzzle.moves.items() for j in cells]
    facts += [fact("letter", a.lower()) for a in puzzle.letters]
    for w, (word, points) in enumerate(puzzle.points.items()):
        facts += [fact("spelt", w, k, a.lower()) for k, a in enumerate(word)]
        facts += [fact("last", w, len(word) - 1), fact("points", w, points)]
    program = LogicProgram(RULES, facts)
    return Model(program, lambda value: puzzle.solution(lambda i: dict(value("holds"))[i].upper()))


FORMULATIONS = by_name(textbook)
