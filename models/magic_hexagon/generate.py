"""Generates magic hexagons of the numbers -m..m in which opposite cells add up to 0, with some cells given.

filling.py states what they are, and fills them; there are many of every order from 3 on.
`hardness` is the share of the cells that are not given at first.
"""

from random import Random

from models.magic_hexagon.filling import LimitReached, fill
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.generator import Draft
from models.shared.givens import given_in, one_more, swapped, with_givens
from models.shared.puzzle import Solution
from models.shared.search import Tally

SIZE = "the order, cells on a side"

RESTARTS = 200
"""The number of orders of the cells that are tried."""

NODES = 300
"""The number of values tried for each cell, on average, before the next order of the cells is tried."""


def draft(size: int, hardness: float, rng: Random) -> Draft | None:
    """A magic hexagon with some cells given."""
    if size == 2:
        raise ValueError("there is no magic hexagon: two lines of two cells that share one would be alike")
    half = 3 * size * (size - 1) // 2
    puzzle = MagicHexagon(size, -half, {})
    for _ in range(RESTARTS):
        try:
            found = fill(puzzle, rng, NODES * half, Tally())
        except LimitReached:
            continue
        assert found
        break
    else:
        return None
    solution = puzzle.solution(found.__getitem__)
    given = {cell for cell in puzzle.cells if rng.random() >= hardness}
    return with_givens(Draft({"order": size, "start": puzzle.start}, solution), given)


def narrow(draft: Draft, other: Solution, rng: Random) -> Draft | None:
    """The draft with one more cell given, in which the other solution differs."""
    return one_more(draft, other, rng)


def spoil(draft: Draft, rng: Random) -> Draft | None:
    """The draft with two of its givens exchanged."""
    given = sorted(given_in(draft))
    if len(given) < 2:
        return None
    return swapped(draft, *rng.sample(given, 2))
