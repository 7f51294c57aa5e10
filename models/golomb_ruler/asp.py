"""Golomb ruler for clingo; asp.lp states the rules.

Constraints: cardinality
"""

from pathlib import Path

from models.golomb_ruler.puzzle import GolombRuler
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name

RULES = Path(__file__).with_name("asp.lp")


def textbook(puzzle: GolombRuler) -> Model:
    """An atom for each place that has a mark."""
    facts = [
        fact("marks", puzzle.size),
        fact("longest", puzzle.longest),
        *(fact("forbidden", distance) for distance in sorted(puzzle.forbidden)),
    ]
    return Model(LogicProgram(RULES, facts), lambda value: sorted(place for (place,) in value("mark")))


FORMULATIONS = by_name(textbook)
