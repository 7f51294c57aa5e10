"""Small random instances of Domino Tiling, and the candidates for their solutions."""

from collections.abc import Iterator

from hypothesis import strategies as st

from models.domino_tiling.puzzle import DominoTiling
from models.shared.grid import Cell
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in


@st.composite
def domino_tilings(draw: st.DrawFn) -> Table:
    """Boards of up to 30 cells; mostly holes lie in pairs, so that there may be a tiling."""
    height, width = draw(st.sampled_from([(4, 4), (1, 1), (1, 4), (2, 3), (3, 3), (5, 4), (5, 6)]))
    digits = draw(st.sampled_from(["0123456789", "1", "09", "123"]))
    rows = [[draw(st.sampled_from(digits)) for _ in range(width)] for _ in range(height)]
    for _ in range(draw(st.integers(0, 3))):
        row, column = draw(st.integers(0, height - 1)), draw(st.integers(0, width - 1))
        rows[row][column] = rows[row - 1][column] = "."
    rows[0][0] = "." if draw(one_in(3)) else rows[0][0]
    rows[-1][-1] = digits[-1]
    return header("domino_tiling") | {"board": "\n".join(map("".join, rows))}


INSTANCES = domino_tilings()


def candidates(puzzle: DominoTiling) -> Iterator[Solution]:
    """Every way to cover the cells one by one, each with a free one to the right of it or below."""

    def fill(half: dict[Cell, str]) -> Iterator[Solution]:
        free = [cell for cell in puzzle.numbers if cell not in half]
        if not free:
            yield ["".join(half.get((r, c), ".") for c in range(puzzle.width)) for r in range(puzzle.height)]
            return
        row, column = free[0]
        for other, signs in (((row, column + 1), "<>"), ((row + 1, column), "^v")):
            if other in free:
                yield from fill(half | {free[0]: signs[0], other: signs[1]})

    yield from fill({})
