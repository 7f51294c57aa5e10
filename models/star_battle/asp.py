"""Star Battle for clingo; asp.lp states the rules.

Constraints: cardinality, clause
"""

from pathlib import Path

from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name, from_atoms
from models.star_battle.puzzle import StarBattle

RULES = Path(__file__).with_name("asp.lp")


def textbook(puzzle: StarBattle) -> Model:
    """Stars that do not touch, stated for each pair of cells."""
    return _model(puzzle, "textbook")


def blocks(puzzle: StarBattle) -> Model:
    """Stars that do not touch, stated for each 2x2 block."""
    return _model(puzzle, "blocks")


def _model(puzzle: StarBattle, part: str) -> Model:
    facts = [
        fact("stars", puzzle.stars),
        *(fact("in", number, i) for number, unit in enumerate(puzzle.units) for i in unit),
    ]
    return Model(LogicProgram(RULES, facts, [part]), from_atoms(puzzle))


FORMULATIONS = by_name(textbook, blocks)
