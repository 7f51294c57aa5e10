"""Small random instances of Tents, and the candidates for their solutions."""

import random
from collections.abc import Iterator
from itertools import combinations

from hypothesis import strategies as st

from models.shared.grid import Grid
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in
from models.tents.generate import filled, spoil
from models.tents.puzzle import Tents

SHAPES = ((1, 1), (1, 2), (2, 2), (3, 3), (1, 6), (4, 3), (5, 2), (4, 5))
RING = {(0, 0), (0, 2), (2, 2), (2, 0)}, {(0, 1), (1, 2), (2, 1), (1, 0)}  # It has two ways to pair them.


@st.composite
def tents(draw: st.DrawFn) -> Table:
    """Tents beside trees with some of the counts, of which one may be false; or trees anywhere."""
    grid, rng = Grid(*draw(st.sampled_from(SHAPES))), random.Random(draw(st.integers(0, 10**6)))
    share, false = draw(st.sampled_from([1, 0.7, 0])), draw(one_in(3))
    ring = (grid.height, grid.width) == (3, 3) and draw(one_in(2))
    planted = filled(grid, *(RING if ring else (set(), set())), rng)
    told = [clue for clue in planted.clues[0] if rng.random() < share]
    table = planted.table((false and spoil(planted, told, rng)) or told)
    if draw(one_in(4)):
        trees = rng.sample(grid.cells, rng.randint(0, min(3, grid.size)))
        table["trees"] = "\n".join(map(" ".join, grid.solution(lambda i: ".T"[i in trees])))
    return header("tents") | table


INSTANCES = tents()


def candidates(puzzle: Tents) -> Iterator[Solution]:
    """As many tents as trees in any of the cells that hold none."""
    for chosen in combinations(sorted({*puzzle.cells} - puzzle.trees), len(puzzle.trees)):
        yield [[int((r, c) in chosen) for c in range(puzzle.width)] for r in range(puzzle.height)]
