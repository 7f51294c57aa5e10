"""Yajilin for clingo; asp.lp states the rules.

Constraints: cardinality, logic; connected by recursion
"""

from itertools import pairwise
from pathlib import Path

from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name
from models.yajilin.puzzle import Yajilin


def textbook(puzzle: Yajilin) -> Model:
    """Steps that lead from the first cell of the loop to all others."""
    facts = [fact("free", i) for i in puzzle.free] + [fact("step", e) for e in puzzle.edges]
    facts += [fact("next", *pair) for pair in pairwise(puzzle.free)]
    for k, (number, cells) in enumerate(puzzle.clues):
        facts += [fact("clue", k, number), *(fact("sees", k, i) for i in cells)]
    rules = LogicProgram(Path(__file__).with_name("asp.lp"), facts)
    return Model(rules, lambda value: puzzle.with_loop(e for (e,) in value("on_loop")))


FORMULATIONS = by_name(textbook)
