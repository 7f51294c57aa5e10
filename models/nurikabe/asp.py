"""Nurikabe for clingo; asp.lp states the rules.

Constraints: clause, cardinality, reachability
"""

from pathlib import Path

from models.nurikabe.islands import WET, Told, given, reached
from models.nurikabe.puzzle import Nurikabe
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, Reasoned, from_atoms

RULES = Path(__file__).with_name("asp.lp")


def textbook(puzzle: Nurikabe, told: Told | None = None) -> Model:
    """An island grows from its number, and the sea is reached from its root."""
    values, candidates = told or given(puzzle)
    facts = [fact("cell", i) for i in puzzle.cells]
    facts += [fact("near", i, k) for i in puzzle.cells for k in puzzle.near[i]]
    facts += [fact("block", number, i) for number, block in enumerate(puzzle.blocks) for i in block]
    facts += [fact("reach", v, i) for i, each in values.items() for v in each if v != WET]
    facts += [fact("root", place, i) for place, i in enumerate(candidates)]
    for island, (cell, size) in enumerate(puzzle.numbers.items(), 1):
        facts.append(fact("island", island, cell, size) if size else fact("unknown", island, cell))

    return Model(LogicProgram(RULES, facts), from_atoms(puzzle))


FORMULATIONS = {"reach": Reasoned(reached, textbook), "textbook": textbook}
