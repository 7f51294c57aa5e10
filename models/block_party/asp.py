"""Block Party for clingo; asp.lp states `textbook`, model.md what `narrowed` removes first.

Constraints: cardinality
"""

from collections.abc import Sequence
from pathlib import Path

from models.block_party.narrowing import narrowed_domains
from models.block_party.neighbourhoods import Domains
from models.block_party.puzzle import BlockParty
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name, reasoned

RULES = Path(__file__).with_name("asp.lp")


@reasoned(narrowed_domains)
def narrowed(puzzle: BlockParty, domains: Domains) -> Model:
    """One constraint for each value that is left of each cell."""
    removed = [(*i, k) for i, values in puzzle.domains.items() for k in values if k not in domains[i]]
    return _model(puzzle, [fact("removed", *each) for each in removed])


def textbook(puzzle: BlockParty) -> Model:
    """One constraint for each value of each cell."""
    return _model(puzzle)


def _model(puzzle: BlockParty, more: Sequence[str] = ()) -> Model:
    facts = [
        *(fact("cell", *cell, number) for number, region in enumerate(puzzle.regions) for cell in region),
        *(fact("given", *cell, value) for cell, value in puzzle.givens.items()),
        fact("distance", puzzle.distance.replace("-", "_")),
        *more,
    ]
    return Model(
        LogicProgram(RULES, facts),
        lambda value: puzzle.solution({(r, c): k for r, c, k in value("holds")}.__getitem__),
    )


FORMULATIONS = by_name(narrowed, textbook)
