"""ABC End View for clingo; asp.lp states the rules.

Constraints: cardinality, clause
"""

from pathlib import Path

from models.abc_end_view.puzzle import AbcEndView
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name, from_atoms


def textbook(puzzle: AbcEndView) -> Model:
    """Exactly one value for each cell, exactly one cell of a line for each letter."""
    facts = [fact("value", i, v) for i, values in puzzle.domains.items() for v in values]
    facts += [fact("letter", v) for v in range(1, puzzle.letters + 1)]
    for number, (cells, letter) in enumerate(puzzle.seen):
        facts += [fact("first", number, letter), *(fact("seen", number, *at) for at in enumerate(cells))]
    return Model(LogicProgram(Path(__file__).with_name("asp.lp"), facts), from_atoms(puzzle))


FORMULATIONS = by_name(textbook)
