"""Small random instances of Star Battle, and the candidates for their solutions."""

import random
from collections.abc import Iterator
from itertools import combinations, pairwise

from hypothesis import strategies as st

from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in, partitions
from models.star_battle.generate import spoil, with_stars
from models.star_battle.puzzle import StarBattle

SHAPES = ((1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (5, 1), (6, 1), (6, 1), (7, 1), (1, 2), (5, 2))


@st.composite
def star_battles(draw: st.DrawFn) -> Table:
    """Any regions, or such as stars fit, of which one may have moved to another region."""
    side, stars = draw(st.sampled_from(SHAPES))
    rng = random.Random(draw(st.integers(0, 10**6)))
    planted = None if draw(one_in(3)) else with_stars(side, stars, rng)
    if planted:
        moved = spoil(planted, [], rng) if draw(one_in(3)) else None
        return header("star_battle") | planted.table(moved or [])
    return header("star_battle") | {"stars": stars, "regions": draw(partitions(side, side, side))}


INSTANCES = star_battles()


def candidates(puzzle: StarBattle) -> Iterator[Solution]:
    """Every grid with the right number of stars in each row and column that do not touch."""
    side, stars = puzzle.side, puzzle.stars
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
