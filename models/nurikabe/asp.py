"""Nurikabe for clingo; asp.lp states the rules.

Constraints: clause, cardinality, reachability
"""

from pathlib import Path

from models.nurikabe.islands import WET, domains, sea_roots
from models.nurikabe.puzzle import Nurikabe
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name, from_atoms

RULES = Path(__file__).with_name("asp.lp")


def textbook(puzzle: Nurikabe) -> Model:
    """An island grows from its number, and the sea is reached from its root."""
    facts = [fact("cell", i) for i in puzzle.cells]
    facts += [fact("near", i, k) for i in puzzle.cells for k in puzzle.near[i]]
    facts += [fact("block", number, i) for number, block in enumerate(puzzle.blocks) for i in block]
    facts += [fact("reach", v, i) for i, values in domains(puzzle).items() for v in values if v != WET]
    facts += [fact("root", place, i) for place, i in enumerate(sea_roots(puzzle))]
    for island, (cell, size) in enumerate(puzzle.numbers.items(), 1):
        facts.append(fact("island", island, cell, size) if size else fact("unknown", island, cell))

    return Model(LogicProgram(RULES, facts), from_atoms(puzzle))


FORMULATIONS = by_name(textbook)
