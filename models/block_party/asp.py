"""Block Party for clingo; asp.lp states the rules.

`nearest`: a cell that holds K has no other K closer.

`windows`: among cells that are pairwise less than K apart, at most one holds K, as in the integer program.
  The constraints are stronger, but clasp needs as many conflicts, and their sets have to be computed.

`narrowed`: `nearest` without the values that the rules remove one at a time (narrowing.py), which decides
  Block Party 4 before clingo sees it.

Constraints: cardinality
"""

from collections.abc import Sequence
from pathlib import Path

from models.block_party.narrowing import narrowed_domains
from models.block_party.neighbourhoods import maximal_windows
from models.block_party.puzzle import BlockParty
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name

RULES = Path(__file__).with_name("asp.lp")


def narrowed(puzzle: BlockParty) -> Model:
    """One constraint for each value that is left of each cell."""
    left = narrowed_domains(puzzle)
    removed = [(*i, k) for i, values in puzzle.domains.items() for k in values if k not in left[i]]
    return _model(puzzle, "nearest", [fact("removed", *each) for each in removed])


def nearest(puzzle: BlockParty) -> Model:
    """One constraint for each value of each cell."""
    return _model(puzzle, "nearest")


def windows(puzzle: BlockParty) -> Model:
    """At most one K in each window."""
    return _model(
        puzzle,
        "windows",
        [
            fact("window", number, value, *cell)
            for number, (value, window) in enumerate(maximal_windows(puzzle.distance, puzzle.domains))
            for cell in window
        ],
    )


def _model(puzzle: BlockParty, part: str, more: Sequence[str] = ()) -> Model:
    facts = [
        *(fact("cell", *cell, number) for number, region in enumerate(puzzle.regions) for cell in region),
        *(fact("given", *cell, value) for cell, value in puzzle.givens.items()),
        fact("distance", puzzle.distance.replace("-", "_")),
        *more,
    ]
    return Model(
        LogicProgram(RULES, facts, [part]),
        lambda value: puzzle.solution({(r, c): k for r, c, k in value("holds")}.__getitem__),
    )


FORMULATIONS = by_name(narrowed, nearest, windows)
