"""Hooks for clingo; asp.lp states the rules.

`reachability`: what is reached from the cell with 1 is defined by recursion, and all filled cells are.

Constraints: cardinality, sum, clause; connected by recursion
"""

from itertools import count
from pathlib import Path

from models.hooks.layout import blocks, domain, first_pairs, first_runs, possible_sizes, sums
from models.hooks.puzzle import Hooks
from models.shared.asp import LogicProgram, fact
from models.shared.grid import neighbours
from models.shared.model import Model, by_name

RULES = Path(__file__).with_name("asp.lp")


def reachability(puzzle: Hooks) -> Model:
    """Each filled cell is reached from the cell with 1."""
    facts = [
        *(fact("size", k) for k in range(1, puzzle.n + 1)),
        *(fact("value", i, v) for i in puzzle.cells for v in domain(puzzle, i)),
        *(fact("possible", v, k) for v, sizes in possible_sizes(puzzle).items() for k in sizes),
    ]
    if puzzle.hooks is not None:
        facts += [fact("printed", i, k) for i, k in puzzle.hooks.items()]
    else:
        facts += [
            fact("axis", axis, i, line)
            for i in puzzle.cells
            for axis, line in zip(("row", "column"), i, strict=True)
        ]
    if puzzle.no_full_2x2:
        facts += [fact("block", number, i) for number, block in enumerate(blocks(puzzle)) for i in block]
    if puzzle.connected:
        facts += [fact("near", i, k) for i in puzzle.cells for k in neighbours(i, puzzle.n)]
    for number, (cells, total) in enumerate(sums(puzzle)):
        facts += [fact("total", number, total), *(fact("among", number, i) for i in cells)]
    way, clue = count(), count()
    for pairs in first_pairs(puzzle):
        facts.append(fact("clue", number := next(clue)))
        for pair in pairs:
            facts += [
                fact("way", number, w := next(way)),
                *(fact("number", w, i, v) for i, v in pair.numbers),
            ]
            facts += [fact("empty", w, i) for i in pair.empty]
    for total, runs in first_runs(puzzle):
        facts.append(fact("clue", number := next(clue)))
        for run in runs:
            facts += [fact("way", number, w := next(way)), fact("sums", w, total)]
            facts += [fact("full", w, i) for i in run.filled]
            facts += [fact("empty", w, i) for i in run.empty]
    return Model(
        LogicProgram(RULES, facts),
        lambda value: puzzle.solution(dict(value("holds")).__getitem__),
    )


FORMULATIONS = by_name(reachability)
