"""Small random instances of Hidato, and the candidates for their solutions."""

from collections.abc import Iterator
from itertools import product
from random import Random

from hypothesis import strategies as st

from models.hidato.puzzle import Hidato
from models.shared.grid import Cell
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in

SHAPES = ((3, 3), (3, 3), (3, 4), (4, 3), (4, 4), (2, 5), (2, 3), (2, 2), (1, 1), (1, 2), (5, 1), (1, 12))


@st.composite
def hidatos(draw: st.DrawFn) -> Table:
    """A grid of 1 to 16 cells; the givens are of a path, or two of them have changed places."""
    height, width = draw(st.sampled_from(SHAPES))
    rng = Random(draw(st.integers(0, 10**6)))
    path = random_path(Hidato(height, width, {}), rng)
    # Of a large grid some is given, so that there are few candidates.
    given = rng.sample(range(len(path)), draw(st.integers(max(0, len(path) - 9), len(path))))
    clues = {path[t]: t + 1 for t in given}
    if len(clues) > 1 and draw(one_in(3)):
        one, other = rng.sample(list(clues), 2)
        clues[one], clues[other] = clues[other], clues[one]
    rows = (" ".join(str(clues.get((r, c), ".")) for c in range(width)) for r in range(height))
    return header("hidato") | {"givens": "\n".join(rows)}


INSTANCES = hidatos()


def random_path(puzzle: Hidato, rng: Random) -> list[Cell]:
    """A path of a king: one through row by row, whose ends are joined again and again to other cells."""
    path = [(r, c if r % 2 == 0 else puzzle.width - 1 - c) for r, c in puzzle.cells]
    for _ in range(10 * puzzle.size if puzzle.size > 1 else 0):
        if rng.randrange(2):
            path.reverse()
        cut = path.index(rng.choice(puzzle.touching[path[0]]))
        path[:cut] = path[:cut][::-1]
    return path


def candidates(puzzle: Hidato) -> Iterator[Solution]:
    """Every walk through the grid that visits no cell twice and agrees with the givens."""
    height, width = puzzle.height, puzzle.width

    def walk(number: dict[Cell, int]) -> Iterator[Solution]:
        if len(number) == height * width:
            yield [[number[r, c] for c in range(width)] for r in range(height)]
            return
        last = next(reversed(number), None)
        for r, c in product(range(height), range(width)):
            near = last is None or (abs(r - last[0]) <= 1 and abs(c - last[1]) <= 1)
            t = len(number) + 1
            if near and (r, c) not in number and puzzle.givens.get((r, c), t) == t:
                yield from walk({**number, (r, c): t})

    return walk({})
