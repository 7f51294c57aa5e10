"""Small random instances of Peaceable Queens, and the candidates for their solutions."""

from collections.abc import Iterator
from itertools import combinations, product

from hypothesis import strategies as st

from models.peaceable_queens.puzzle import PeaceableQueens
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
    squares = [(r, c) for r, row in enumerate(puzzle.board) for c, sign in enumerate(row) if sign == "."]
    for size in range(len(squares) // 2 + 1):
        for white in combinations(squares, size):
            for black in combinations([i for i in squares if i not in white], size):
                sign = dict.fromkeys(white, "W") | dict.fromkeys(black, "B")
                columns = range(len(puzzle.board[0]))
                yield ["".join(sign.get((r, c), ".") for c in columns) for r in range(len(puzzle.board))]
