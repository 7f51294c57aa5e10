"""Small random instances of the magic hexagon, and the candidates for their solutions."""

from collections.abc import Iterator
from itertools import pairwise, permutations

from hypothesis import strategies as st

from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header

ARISTOTLE = [[3, 17, 18], [19, 7, 1, 11], [16, 2, 5, 6, 9], [12, 4, 8, 14], [10, 13, 15]]


def aristotles() -> Iterator[list[list[int]]]:
    """The 12 images of the one solution of order 3, by turning and mirroring its rows as a picture."""
    rows = ARISTOTLE
    for _ in range(6):
        yield rows
        yield [row[::-1] for row in rows]
        # Turned by 60 degrees, the rows are what were the diagonals that fall to the left.
        rows = [
            [rows[r][n - max(0, r - 2)] for r in range(4, -1, -1) if 0 <= n - max(0, r - 2) < len(rows[r])]
            for n in range(5)
        ]


@st.composite
def magic_hexagons(draw: st.DrawFn) -> Table:
    """Order 3 with some givens from a solution, one perhaps spoilt; or a small order."""
    order = draw(st.sampled_from([1, 2, 3, 3, 3, 3]))
    if order < 3:
        return header("magic_hexagon") | {"order": order, "start": draw(st.integers(-3, 3))}
    words = [[str(value) for value in row] for row in draw(st.sampled_from(list(aristotles())))]
    cells = draw(st.permutations([(r, c) for r, row in enumerate(words) for c in range(len(row))]))
    for r, c in cells[draw(st.integers(7, 12)) :]:
        words[r][c] = "."
    if draw(st.integers(0, 3)) == 0:
        (r, c), (s, d) = cells[:2]
        words[r][c], words[s][d] = words[s][d], words[r][c]
    return header("magic_hexagon") | {
        "order": 3,
        "start": 1,
        "givens": "\n".join(" ".join(row) for row in words),
    }


INSTANCES = magic_hexagons()


def candidates(puzzle: MagicHexagon) -> Iterator[Solution]:
    """The 12 solutions of order 3, or every order of the numbers."""
    if puzzle.order == 3:
        yield from aristotles()
        return
    for values in permutations(puzzle.values):
        yield puzzle.solution(dict(zip(puzzle.cells, values, strict=True)).__getitem__)


assert all(sum(a) == 38 for a in ARISTOTLE) and all(a != b for a, b in pairwise(aristotles()))
