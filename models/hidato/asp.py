"""Hidato for clingo; asp.lp states the rules.

Constraints: cardinality, clause
"""

from pathlib import Path

from models.hidato.puzzle import Hidato
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name, from_atoms


def textbook(puzzle: Hidato) -> Model:
    """A number for each cell; the one before it touches it."""
    facts = [fact("value", i, v) for i, values in puzzle.domains.items() for v in values]
    return Model(LogicProgram(Path(__file__).with_name("asp.lp"), facts), from_atoms(puzzle))


FORMULATIONS = by_name(textbook)
