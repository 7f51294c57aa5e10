"""Small random instances of Perfect Squares, and the candidates for their solutions."""

from collections.abc import Iterator
from itertools import product

from hypothesis import strategies as st

from models.perfect_squares.puzzle import PerfectSquares
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in

SHAPES = ((1, 1), (2, 2), (1, 4), (3, 2), (3, 3), (4, 4), (4, 3), (5, 5), (5, 6), (7, 3), (6, 7))


@st.composite
def perfect_squares(draw: st.DrawFn) -> Table:
    """A rectangle of up to 42 cells, filled with up to 9 squares; one of these perhaps another one."""
    height, width = draw(st.sampled_from(SHAPES))
    free = set(product(range(height), range(width)))
    sides: list[int] = []
    while free and len(sides) < 9:
        row, column = min(free)
        fitting = [
            side
            for side in range(1, min(height, width) + 1)
            if free.issuperset(product(range(row, row + side), range(column, column + side)))
        ]
        side = draw(st.sampled_from([fitting[-1], *fitting[::-1]]))
        free -= set(product(range(row, row + side), range(column, column + side)))
        sides.append(side)
    if draw(one_in(4)):
        sides[0] = draw(st.integers(1, 8))
    return header("perfect_squares") | {
        "width": width,
        "height": height,
        "squares": draw(st.permutations(sides)),
    }


INSTANCES = perfect_squares()


def candidates(puzzle: PerfectSquares) -> Iterator[Solution]:
    """Every way to put a square into the first free cell, until there is none left; they may overlap."""

    def fill(free: set[tuple[int, int]], sides: list[int], placed: Solution) -> Iterator[Solution]:
        if not sides:
            yield placed
        elif free:
            row, column = min(free)
            for side in sorted({*sides}):
                left = sides.copy()
                left.remove(side)
                covered = set(product(range(row, row + side), range(column, column + side)))
                yield from fill(free - covered, left, [*placed, [row, column, side]])

    return fill(set(product(range(puzzle.height), range(puzzle.width))), [*puzzle.sides], [])
