"""Small random instances of Tents, and the candidates for their solutions."""

import random
from collections.abc import Iterator
from itertools import combinations

from hypothesis import strategies as st

from models.shared.grid import Cell, Grid
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in
from models.tents.puzzle import Tents


@st.composite
def tents(draw: st.DrawFn) -> Table:
    """Tents beside trees with some of the counts, perhaps false ones; or trees anywhere."""
    height, width = draw(st.sampled_from([(1, 1), (1, 2), (2, 2), (3, 3), (1, 6), (4, 3), (5, 2), (4, 5)]))
    rng = random.Random(draw(st.integers(0, 10**6)))
    told, false = draw(st.sampled_from([1, 0.7, 0])), draw(st.sampled_from([0, 0, 0.1]))
    grid, tree_of = Grid(height, width), dict[Cell, Cell]()
    for r, c in rng.sample(grid.cells, grid.size):
        free = [i for i in grid.near[r, c] if i not in {*tree_of, *tree_of.values()}]
        apart = all(max(abs(r - a), abs(c - b)) > 1 for a, b in tree_of)
        if free and apart and (r, c) not in tree_of.values():
            tree_of[r, c] = rng.choice(free)
    if (height, width) == (3, 3) and draw(one_in(2)):  # A ring, with two ways to pair them.
        tree_of = {(0, 0): (0, 1), (0, 2): (1, 2), (2, 2): (2, 1), (2, 0): (1, 0)}
    trees = rng.sample(grid.cells, rng.randint(0, min(3, grid.size))) if draw(one_in(4)) else tree_of.values()
    rows = grid.solution(lambda i: ".T"[i in trees])
    table = header("tents") | {"trees": "\n".join(" ".join(row) for row in rows)}
    for axis, field in enumerate(("row_counts", "col_counts")):
        counts = (sum(i[axis] == n for i in tree_of) for n in range((height, width)[axis]))
        words = [str(n + (rng.random() < false)) for n in counts]
        table[field] = " ".join(word if rng.random() < told else "?" for word in words)
    return table


INSTANCES = tents()


def candidates(puzzle: Tents) -> Iterator[Solution]:
    """As many tents as trees in any of the cells that hold none."""
    for chosen in combinations(sorted({*puzzle.cells} - puzzle.trees), len(puzzle.trees)):
        yield [[int((r, c) in chosen) for c in range(puzzle.width)] for r in range(puzzle.height)]
