"""Small random instances of Hidato, and the candidates for their solutions."""

from collections.abc import Iterator
from random import Random

from hypothesis import strategies as st

from models.hidato.generate import planted_path, spoil
from models.hidato.puzzle import Hidato
from models.shared.grid import Cell
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in

SHAPES = ((3, 3), (3, 3), (3, 4), (4, 3), (4, 4), (2, 5), (2, 3), (2, 2), (1, 1), (1, 2), (5, 1), (1, 12))


@st.composite
def hidatos(draw: st.DrawFn) -> Table:
    """A grid of 1 to 16 cells; the givens are of a path, or one of them is another number."""
    puzzle, rng = Hidato(*draw(st.sampled_from(SHAPES)), {}), Random(draw(st.integers(0, 10**6)))
    planted, false = planted_path(puzzle, rng), draw(one_in(3))
    # Of a large grid some is given, so that there are few candidates.
    told = rng.sample(planted.clues[0], draw(st.integers(max(0, puzzle.size - 9), puzzle.size)))
    return header("hidato") | planted.table((false and spoil(planted, told, rng)) or told)


INSTANCES = hidatos()


def candidates(puzzle: Hidato) -> Iterator[Solution]:
    """Every walk through the grid that visits no cell twice and agrees with the givens."""

    def walk(path: list[Cell]) -> Iterator[Solution]:
        t = len(path) + 1
        if t > puzzle.size:
            yield puzzle.solution(lambda cell: path.index(cell) + 1)
        for r, c in puzzle.cells:
            near = not path or max(abs(r - path[-1][0]), abs(c - path[-1][1])) <= 1
            if near and (r, c) not in path and puzzle.givens.get((r, c), t) == t:
                yield from walk([*path, (r, c)])

    return walk([])
