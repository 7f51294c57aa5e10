"""Small random instances of ABC End View, and the candidates for their solutions."""

import random
from collections.abc import Iterator
from itertools import permutations

from hypothesis import strategies as st

from models.abc_end_view.generate import random_letters, spoil, with_clues
from models.abc_end_view.puzzle import AbcEndView
from models.shared.givens import givens
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header


@st.composite
def abc_end_views(draw: st.DrawFn) -> Table:
    """Some letters of a grid and at its border, of which one may be false."""
    n, k = draw(st.sampled_from([(1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (3, 3), (4, 2), (4, 3), (4, 4)]))
    rng = random.Random(draw(st.integers(0, 10**6)))
    given, told, false = (
        draw(st.sampled_from(of)) for of in ([0, 0, 0.3], [1, 0.7, 0.3], [False, False, True])
    )
    solution = random_letters(n, k, rng)
    planted = with_clues(solution, [clue for clue in givens(solution) if clue[1]])
    clues = [
        clue for k, group in enumerate(planted.clues) for clue in group if rng.random() < (given, told)[k]
    ]
    return header("abc_end_view") | planted.table((false and spoil(planted, clues, rng)) or clues)


INSTANCES = abc_end_views()


def candidates(puzzle: AbcEndView) -> Iterator[Solution]:
    """Every grid whose rows hold each letter once, as is given, and whose columns repeat none."""
    empty = [0] * (puzzle.width - puzzle.letters)
    words = sorted({*permutations([*range(1, puzzle.letters + 1), *empty])})

    def extend(above: list[list[int]]) -> Iterator[Solution]:
        if len(above) == puzzle.height:
            yield above
            return
        for line in words:
            as_given = all(puzzle.givens.get((len(above), c), v) == v for c, v in enumerate(line))
            if as_given and not any(v and v == other[c] for other in above for c, v in enumerate(line)):
                yield from extend([*above, list(line)])

    return extend([])
