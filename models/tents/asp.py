"""Tents for clingo; asp.lp states the rules.

Constraints: cardinality, clause
"""

from pathlib import Path

from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name, from_atoms
from models.tents.puzzle import Tents


def textbook(puzzle: Tents) -> Model:
    """Each tree chooses its tent from the cells next to it."""
    facts = [*(fact("tree", i) for i in sorted(puzzle.trees)), *(fact("empty", i) for i in puzzle.empty)]
    for number, (cells, count) in enumerate(puzzle.lines):
        facts += [fact("line", number, count), *(fact("in", number, i) for i in cells)]
    return Model(LogicProgram(Path(__file__).with_name("asp.lp"), facts), from_atoms(puzzle))


FORMULATIONS = by_name(textbook)
