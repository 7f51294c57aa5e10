"""Hall of Mirrors for clingo; asp.lp states the rules.

Constraints: cardinality, recursion over the light, clause
"""

from pathlib import Path

from models.hall_of_mirrors.light import start
from models.hall_of_mirrors.puzzle import HallOfMirrors
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name, from_atoms


def textbook(puzzle: HallOfMirrors) -> Model:
    """The light of each laser, cell by cell."""
    facts = [fact("size", puzzle.height)]
    for laser, clue in enumerate(puzzle.clues):
        cell, step, _, number = start(puzzle, clue)
        facts.append(fact("laser", laser, cell, step, number))
    return Model(LogicProgram(Path(__file__).with_name("asp.lp"), facts), from_atoms(puzzle))


FORMULATIONS = by_name(textbook)
