"""Bin packing for clingo; asp.lp states the rules.

Constraints: exactly one, weighted sum
"""

from pathlib import Path

from models.bin_packing.puzzle import BinPacking
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name, from_atoms

RULES = Path(__file__).with_name("asp.lp")


def textbook(puzzle: BinPacking) -> Model:
    """An atom for each item in each bin, a sum for each bin; as many bins as items."""
    facts = [
        fact("capacity", puzzle.capacity),
        *(fact("size", i, size) for i, size in enumerate(puzzle.sizes)),
        *(fact("bin", b) for b in puzzle.items),
    ]
    return Model(LogicProgram(RULES, facts), from_atoms(puzzle))


FORMULATIONS = by_name(textbook)
