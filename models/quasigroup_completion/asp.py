"""Quasigroup completion for clingo; asp.lp states the rules.

Constraints: cardinality
"""

from pathlib import Path

from models.quasigroup_completion.puzzle import QuasigroupCompletion
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name, from_atoms

RULES = Path(__file__).with_name("asp.lp")


def textbook(puzzle: QuasigroupCompletion) -> Model:
    """Exactly one number for each cell, exactly one cell of a line for each number."""
    facts = [fact("value", i, v) for i, values in puzzle.domains.items() for v in values]
    return Model(LogicProgram(RULES, facts), from_atoms(puzzle))


FORMULATIONS = by_name(textbook)
