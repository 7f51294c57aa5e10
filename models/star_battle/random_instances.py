"""Small random instances of Star Battle, and the candidates for their solutions."""

import random
from collections.abc import Iterator
from itertools import combinations, pairwise

from hypothesis import strategies as st

from models.shared.grid import Grid, cells_of
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in, partitions
from models.star_battle.generate import random_regions, spoil, with_regions
from models.star_battle.puzzle import StarBattle

SHAPES = ((1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (5, 1), (6, 1), (6, 1), (7, 1), (1, 2), (5, 2))


@st.composite
def star_battles(draw: st.DrawFn) -> Table:
    """Any regions, or such as stars fit, of which one may have moved to another region."""
    side, stars = draw(st.sampled_from(SHAPES))
    rng = random.Random(draw(st.integers(0, 10**6)))
    found = [] if draw(one_in(3)) else list(placements(side, stars))
    if found:
        grid = rng.choice(found)
        starred = {(row, column) for row, column in cells_of(grid) if grid[row][column]}
        planted = with_regions(starred, stars, random_regions(Grid(side, side), starred, rng))
        moved = spoil(planted, [], rng) if draw(one_in(3)) else None
        return header("star_battle") | planted.table(moved or [])
    return header("star_battle") | {"stars": stars, "regions": draw(partitions(side, side, side))}


INSTANCES = star_battles()


def candidates(puzzle: StarBattle) -> Iterator[Solution]:
    """Every placement of stars, whatever the regions."""
    return placements(puzzle.side, puzzle.stars)


def placements(side: int, stars: int) -> Iterator[Solution]:
    """Every grid with so many stars in each row and column that do not touch."""
    words = [
        columns
        for columns in combinations(range(side), stars)
        if all(b - a > 1 for a, b in pairwise(columns))
    ]

    def fill(rows: list[tuple[int, ...]]) -> Iterator[Solution]:
        if len(rows) == side:
            held = [sum(column in row for row in rows) for column in range(side)]
            if held == [stars] * side:
                yield [[int(column in row) for column in range(side)] for row in rows]
            return
        for row in words:
            above = rows[-1] if rows else ()
            full = any(sum(column in other for other in rows) == stars for column in row)
            if not full and all(abs(a - b) > 1 for a in row for b in above):
                yield from fill([*rows, row])

    yield from fill([])
