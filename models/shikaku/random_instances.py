"""Small random instances of Shikaku, and the candidates for their solutions."""

from collections.abc import Iterator
from itertools import product

from hypothesis import strategies as st

from models.shared.grid import Cell
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in
from models.shikaku.puzzle import Shikaku

SHAPES = ((1, 1), (1, 2), (2, 2), (1, 5), (5, 1), (2, 3), (3, 3), (4, 3), (3, 4), (4, 4), (2, 7))


@st.composite
def shikakus(draw: st.DrawFn) -> Table:
    """A grid of 1 to 16 cells, cut at random, with a clue for each part; one of them perhaps spoilt."""
    height, width = draw(st.sampled_from(SHAPES))
    words = dict.fromkeys(product(range(height), range(width)), ".")
    parts = [[*words]]
    # A part is halved, across or along.
    for _ in range(draw(st.integers(0, 6))):
        part = parts.pop(0)
        axis = draw(st.integers(0, 1))
        middle = draw(st.sampled_from(part))[axis]
        halves = [[c for c in part if (c[axis] < middle) == first] for first in (True, False)]
        parts += [half for half in halves if half]
    for part in parts:
        words[draw(st.sampled_from(part))] = "?" if draw(st.booleans()) else str(len(part))
    if draw(one_in(3)):
        words[draw(st.sampled_from([*words]))] = draw(st.sampled_from([".", "?", "1", str(len(words))]))
    rows = (" ".join(words[r, c] for c in range(width)) for r in range(height))
    return header("shikaku") | {"clues": "\n".join(rows)}


INSTANCES = shikakus()


def candidates(puzzle: Shikaku) -> Iterator[Solution]:
    """Every cut of the grid into rectangles with one clue each, whatever their areas."""
    clues = list(puzzle.clues)

    def fill(label: dict[Cell, int]) -> Iterator[Solution]:
        free = [cell for cell in product(range(puzzle.height), range(puzzle.width)) if cell not in label]
        if not free:
            yield [[label[r, c] for c in range(puzzle.width)] for r in range(puzzle.height)]
            return
        top, left = free[0]
        for bottom, right in free:
            cells = [*product(range(top, bottom + 1), range(left, right + 1))]
            inside = [number for number, clue in enumerate(clues, 1) if clue in cells]
            if len(inside) == 1 and not any(cell in label for cell in cells):
                yield from fill(label | dict.fromkeys(cells, inside[0]))

    yield from fill({})
