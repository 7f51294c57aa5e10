"""Small random instances of Nonogram, and the candidates for their solutions."""

import random
from collections.abc import Iterator
from itertools import product

from hypothesis import strategies as st

from models.nonogram.puzzle import Nonogram
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in


@st.composite
def nonograms(draw: st.DrawFn) -> Table:
    """A picture of 1 to 14 cells with some of its clues, one of them perhaps of another line."""
    height = draw(st.sampled_from([3, 1, 2, 3, 4, 7]))
    width = draw(st.integers(1, 14 // height))
    rng = random.Random(draw(st.integers(0, 10**6)))
    filled = draw(st.sampled_from([0.6, 0.4, 0.8, 0, 1]))
    picture = [[rng.random() < filled for _ in range(width)] for _ in range(height)]
    unknown = draw(st.sampled_from([0, 0, 0.2, 0.5]))
    spoilt = draw(one_in(3))
    table = header("nonogram")
    for field, lines in (("rows", picture), ("columns", [list(line) for line in zip(*picture, strict=True)])):
        clues = []
        for line in lines:
            if spoilt and rng.random() < 0.2:
                spoilt, line = False, rng.sample(line, len(line))
            runs = "".join(" #"[cell] for cell in line).split()
            clue = " ".join(str(len(run)) for run in runs) or "0"
            clues.append("?" if rng.random() < unknown else clue)
        table[field] = clues
    return table


INSTANCES = nonograms()


def candidates(puzzle: Nonogram) -> Iterator[Solution]:
    """Every picture."""
    for values in product((0, 1), repeat=puzzle.size):
        yield [list(values[at : at + puzzle.width]) for at in range(0, puzzle.size, puzzle.width)]
