"""Hooks for clingo; asp.lp states the rules.

`reachable`: what is reached from the cell with 1 is defined by recursion, and all filled cells are.

`ranking`: guesses the number of steps from the cell with 1 to each filled cell, as in the other models.

Constraints: cardinality, sum, clause; connected by recursion (`reachable`)
"""

from pathlib import Path

from models.hooks.layout import (
    blocks,
    domain,
    first_pairs,
    first_runs,
    number_of_filled,
    possible_sizes,
    sums,
)
from models.hooks.puzzle import Hooks
from models.shared.asp import LogicProgram, Term, fact
from models.shared.grid import neighbours
from models.shared.model import Model, by_name

RULES = Path(__file__).with_name("asp.lp")


def reachable(puzzle: Hooks) -> Model:
    """Each filled cell is reached from the cell with 1."""
    return _model(puzzle, "reachable")


def ranking(puzzle: Hooks) -> Model:
    """Each filled cell but the one with 1 has a filled neighbour that is one step nearer to that."""
    return _model(puzzle, "ranking")


def _model(puzzle: Hooks, part: str) -> Model:
    facts = [
        *(fact("size", k) for k in range(1, puzzle.n + 1)),
        *(fact("value", i, v) for i in puzzle.cells for v in domain(puzzle, i)),
        fact("farthest", number_of_filled(puzzle) - 1),
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
    facts += _clues_at_sides(puzzle)
    return Model(
        LogicProgram(RULES, facts, [part]),
        lambda value: puzzle.solution(dict(value("holds")).__getitem__),
    )


def _clues_at_sides(puzzle: Hooks) -> list[str]:
    """The facts of the products of the first two filled cells and the sums of the first runs."""
    facts = []
    for number, pairs in enumerate(first_pairs(puzzle)):
        facts.append(fact("clue", ("product", number)))
        for place, pair in enumerate(pairs):
            way: Term = ("product", number, place)
            facts.append(fact("way", ("product", number), way))
            facts += [fact("number", way, i, v) for i, v in pair.numbers]
            facts += [fact("empty", way, i) for i in pair.empty]
    for number, (total, runs) in enumerate(first_runs(puzzle)):
        facts.append(fact("clue", ("run", number)))
        for place, run in enumerate(runs):
            way = ("run", number, place)
            facts += [fact("way", ("run", number), way), fact("sums", way, total)]
            facts += [fact("full", way, i) for i in run.filled]
            facts += [fact("empty", way, i) for i in run.empty]
    return facts


FORMULATIONS = by_name(reachable, ranking)
