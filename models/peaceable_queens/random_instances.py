"""Small random instances of Peaceable Queens, and the candidates for their solutions."""

from collections.abc import Iterator
from itertools import product

from hypothesis import strategies as st

from models.peaceable_queens.puzzle import BLACK, EMPTY, WHITE, PeaceableQueens
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header

SHAPES = ((3, 3), (1, 1), (1, 2), (1, 6), (6, 1), (2, 3), (3, 4), (4, 3), (4, 4), (5, 2), (5, 5), (4, 6))


@st.composite
def boards(draw: st.DrawFn) -> Table:
    """Up to 9 squares of a rectangle, of which some are the same upside down or with rows as columns."""
    height, width = draw(st.sampled_from(SHAPES))
    cells = list(product(range(height), range(width)))
    kept = set(draw(st.permutations(cells))[: draw(st.integers(1, 9))])
    for turned in ({(height - 1 - r, c) for r, c in kept}, {(c, r) for r, c in kept}):
        if draw(st.booleans()) and turned <= {*cells} and len(kept | turned) <= 9:
            kept |= turned
    rows = ("".join(".#"[(r, c) not in kept] for c in range(width)) for r in range(height))
    return header("peaceable_queens") | {"board": "\n".join(rows)}


INSTANCES = boards()


def candidates(puzzle: PeaceableQueens) -> Iterator[Solution]:
    """Every two armies of equal size, whoever attacks whom."""
    for colours in product((EMPTY, WHITE, BLACK), repeat=puzzle.size):
        if colours.count(WHITE) == colours.count(BLACK):
            yield puzzle.solution(dict(zip(puzzle.squares, colours, strict=True)).__getitem__)
