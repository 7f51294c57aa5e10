"""Nonogram for clingo; asp.lp states the rules of the integer program.

Constraints: cardinality, clause
"""

from pathlib import Path

from models.nonogram.clue_models import starts
from models.nonogram.puzzle import Nonogram
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name, from_atoms

RULES = Path(__file__).with_name("asp.lp")


def textbook(puzzle: Nonogram) -> Model:
    """Each block has a start."""
    facts = [fact("cell", cell) for cell in puzzle.cells]
    for line, (cells, clue) in enumerate(puzzle.lines):
        facts += [fact("in", line, place, cell) for place, cell in enumerate(cells)]
        facts += [fact("block", line, block, length) for block, length in enumerate(clue)]
        for block, places in enumerate(starts(clue, len(cells))):
            facts += [fact("place", line, block, place) for place in places]

    return Model(LogicProgram(RULES, facts), from_atoms(puzzle))


FORMULATIONS = by_name(textbook)
