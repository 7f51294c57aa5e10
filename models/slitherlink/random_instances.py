"""Small random instances of Slitherlink, and the candidates for their solutions."""

import random
from collections.abc import Iterator
from itertools import product

from hypothesis import strategies as st

from models.shared.grid import Grid
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in
from models.slitherlink.generate import random_inside, spoil, with_clues
from models.slitherlink.puzzle import Slitherlink

SHAPES = ((1, 1), (1, 2), (2, 1), (2, 2), (1, 5), (3, 2), (3, 3), (2, 5), (4, 3), (3, 4))


@st.composite
def slitherlinks(draw: st.DrawFn) -> Table:
    """Some clues of a random loop, of which one may be wrong, or any clues."""
    grid = Grid(*draw(st.sampled_from(SHAPES)))
    if draw(one_in(4)):
        clues = draw(st.dictionaries(st.sampled_from(grid.cells), st.integers(0, 4), max_size=5))
        return header("slitherlink") | with_clues(grid, ()).table(list(clues.items()))
    rng = random.Random(draw(st.integers(0, 10**6)))
    planted = with_clues(grid, random_inside(grid, {rng.choice(grid.cells)}, grid.cells, rng))
    told = [clue for clue in planted.clues[0] if rng.random() < 0.6]
    spoilt = spoil(planted, told, rng) if draw(one_in(3)) else None
    return header("slitherlink") | planted.table(spoilt or told)


INSTANCES = slitherlinks()


def candidates(puzzle: Slitherlink) -> Iterator[Solution]:
    """Every grid of 0 and 1."""
    for values in product((0, 1), repeat=puzzle.size):
        yield [list(values[at : at + puzzle.width]) for at in range(0, puzzle.size, puzzle.width)]
