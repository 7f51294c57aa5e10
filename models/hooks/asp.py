"""Hooks for clingo; asp.lp states the rules; the formulations differ in their facts.

Constraints: cardinality, sum, clause, connected by recursion
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from models.hooks.cuts import possible_sizes
from models.hooks.line_clues import sums
from models.hooks.puzzle import Hooks
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name, from_atoms
from models.shared.sides import line_from

RULES = Path(__file__).with_name("asp.lp")


def reachable(puzzle: Hooks) -> Model:
    """A number takes hooks that have room for it only."""
    return _model(puzzle, possible_sizes(puzzle))


def textbook(puzzle: Hooks) -> Model:
    """It takes any hook, or the one of its size."""
    sizes = range(1, puzzle.n + 1)
    return _model(puzzle, {v: [v] if puzzle.by_size else sizes for v in sizes})


def _model(puzzle: Hooks, possible: Mapping[int, Sequence[int]]) -> Model:
    n, cells = puzzle.n, puzzle.cells
    facts = [
        *(fact("size", k) for k in range(1, n + 1)),
        *(fact("value", i, v) for i in cells for v in puzzle.domains[i]),
        *(fact("possible", v, k) for v, sizes in possible.items() for k in sizes),
    ]
    if puzzle.hooks is not None:
        facts += [fact("printed", i, k) for i, k in puzzle.hooks.items()]
    else:
        facts += [fact("axis", "row", (r, c), r) for r, c in cells]
        facts += [fact("axis", "column", (r, c), c) for r, c in cells]
    facts += [fact("block", number, i) for number, block in enumerate(puzzle.blocks) for i in block]
    if puzzle.connected:
        facts += [fact("near", i, k) for i in cells for k in puzzle.near[i]]
    for number, (group, total) in enumerate(sums(puzzle)):
        facts += [fact("total", number, total), *(fact("among", number, i) for i in group)]
    for kind, clues in (("product", puzzle.first_two_product), ("run", puzzle.first_block_sum)):
        for (side, line), number in clues.items():
            clue = (kind, str(side), line)
            facts.append(fact(kind, clue, number))
            facts += [fact("seen", clue, place, i) for place, i in enumerate(line_from(side, line, n, n))]
    return Model(LogicProgram(RULES, facts), from_atoms(puzzle))


FORMULATIONS = by_name(reachable, textbook)
