"""Car Sequencing for clingo; asp.lp states the rules.

Constraints: cardinality; clauses (`counters`)
"""

from pathlib import Path

from models.car_sequencing.counts import bounds
from models.car_sequencing.puzzle import CarSequencing
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name, from_atoms

RULES = Path(__file__).with_name("asp.lp")


def counters(puzzle: CarSequencing) -> Model:
    """For each option, that the first i cars have it j times or more (Artigues et al., 2013)."""
    limits = [(o, i, *b) for o in puzzle.options for i, b in enumerate(bounds(puzzle, o))]
    facts = [*instance(puzzle), *(fact("bounds", *each) for each in limits)]
    return Model(LogicProgram(RULES, facts, ["counters"]), from_atoms(puzzle))


def textbook(puzzle: CarSequencing) -> Model:
    """Cardinalities of windows."""
    return Model(LogicProgram(RULES, instance(puzzle), ["textbook"]), from_atoms(puzzle))


def instance(puzzle: CarSequencing) -> list[str]:
    """The facts of an instance."""
    cars, classes = [fact("car", i) for i in puzzle.cars], enumerate(puzzle.demand)
    requires = [fact("requires", c, o) for o in puzzle.options for c in puzzle.having(o)]
    windows = zip(puzzle.options, puzzle.max_in_window, puzzle.window, strict=True)
    demands = [fact("demand", *each) for each in classes]
    return cars + demands + requires + [fact("window", *window) for window in windows]


FORMULATIONS = by_name(counters, textbook)
