"""Small random instances of ABC End View, and the candidates for their solutions."""

import random
from collections.abc import Iterator
from itertools import permutations

from hypothesis import strategies as st

from models.abc_end_view.puzzle import AbcEndView
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header


@st.composite
def abc_end_views(draw: st.DrawFn) -> Table:
    """Clues at the border of a Latin square of which some numbers are empty, perhaps false ones."""
    n, k = draw(st.sampled_from([(1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (3, 3), (4, 2), (4, 3), (4, 4)]))
    rng = random.Random(draw(st.integers(0, 10**6)))
    told, false, given = (draw(st.sampled_from(of)) for of in ([1, 0.7, 0.3], [0, 0, 0.1], [0, 0, 0.3]))
    names = "abcd"[:k] + "." * (n - k)
    rows, columns, values = (rng.sample(range(n), n) for _ in range(3))
    words = [[names[values[(r + c) % n]] for c in columns] for r in rows]
    turned = [list(line) for line in zip(*words, strict=True)]
    table = header("abc_end_view") | {"size": n, "letters": k}
    sides = [("left", words, 1), ("right", words, -1), ("top", turned, 1), ("bottom", turned, -1)]
    for name, lines, step in sides:
        seen = ["".join(line[::step]).strip(".")[0] for line in lines]
        seen = [rng.choice(names[:k]) if rng.random() < false else letter for letter in seen]
        table[name] = " ".join(letter if rng.random() < told else "." for letter in seen)
    shown = [[word if rng.random() < given else "." for word in row] for row in words]
    table["givens"] = "\n".join(map("".join, shown))
    return table


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
