"""Small random instances of Nurikabe, and the candidates for their solutions."""

from collections.abc import Iterator
from itertools import product

from hypothesis import strategies as st

from models.nurikabe.puzzle import Nurikabe
from models.shared.grid import connected_parts
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in

SHAPES = ((1, 1), (1, 2), (2, 2), (1, 6), (6, 1), (2, 3), (3, 3), (4, 3), (3, 4), (2, 7), (4, 4))


@st.composite
def nurikabes(draw: st.DrawFn) -> Table:
    """A grid of 1 to 16 cells with any land, a number for each part of it; one of them perhaps spoilt."""
    height, width = draw(st.sampled_from(SHAPES))
    cells = list(product(range(height), range(width)))
    words = dict.fromkeys(cells, ".")
    for part in connected_parts(draw(st.sets(st.sampled_from(cells)))):
        cell = draw(st.sampled_from(sorted(part)))
        words[cell] = "?" if draw(one_in(4)) else str(len(part))
    if draw(one_in(3)):
        words[draw(st.sampled_from(cells))] = draw(st.sampled_from([".", "?", "1", str(len(cells))]))
    rows = (" ".join(words[r, c] for c in range(width)) for r in range(height))
    return header("nurikabe") | {"givens": "\n".join(rows)}


INSTANCES = nurikabes()


def candidates(puzzle: Nurikabe) -> Iterator[Solution]:
    """Every grid with land at the numbers, and enough of it, whose sea has no 2x2 block."""
    sizes = puzzle.numbers.values()
    least = sum(size or 1 for size in sizes)

    def fill(grid: list[list[int]]) -> Iterator[Solution]:
        row, column = divmod(sum(map(len, grid)), puzzle.width)
        if row == puzzle.height:
            land = sum(line.count(0) for line in grid)
            if land == least or (land > least and None in sizes):
                yield [[*line] for line in grid]
            return
        for value in (0, 1):
            above = grid[row - 1][column - 1 : column + 1] if row and column else [0]
            block = grid[row][-1:] + above == [1, 1, 1]
            if not value or not (block or (row, column) in puzzle.numbers):
                grid[row].append(value)
                yield from fill(grid)
                grid[row].pop()

    yield from fill([[] for _ in range(puzzle.height)])
