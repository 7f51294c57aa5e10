"""Block Party in CPMpy, for any of its solvers; model.md states the constraint program.

Constraints: all different, clause over equalities
"""

import cpmpy

from models.block_party.neighbourhoods import closer, rings
from models.block_party.puzzle import BlockParty
from models.shared.model import Model, by_name, from_integers


def textbook(puzzle: BlockParty) -> Model:
    """Integers, all different, with implications between pairs."""
    model = cpmpy.Model()

    # Each cell holds one value.
    x = {i: cpmpy.intvar(min(values), max(values)) for i, values in puzzle.domains.items()}

    # A region of k cells holds each of 1..k once.
    for region in puzzle.regions:
        model += cpmpy.AllDifferent([x[i] for i in region])

    # Some other K lies at distance exactly K.
    for (i, value), ring in rings(puzzle.distance, puzzle.domains).items():
        model += (x[i] == value).implies(cpmpy.any(x[k] == value for k in ring))

    # No other K lies closer.
    for (i, value), near in closer(puzzle.distance, puzzle.domains).items():
        model += [(x[i] == value).implies(x[k] != value) for k in near]

    return Model(model, from_integers(puzzle, x), decisions=list(x.values()))


FORMULATIONS = by_name(textbook)
