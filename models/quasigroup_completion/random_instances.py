"""Small random instances of quasigroup completion, and the candidates for their solutions."""

from collections.abc import Iterator
from itertools import permutations, product

from hypothesis import strategies as st

from models.quasigroup_completion.puzzle import QuasigroupCompletion
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in


@st.composite
def quasigroups(draw: st.DrawFn) -> Table:
    """A grid of 1 to 25 cells; the givens are of a Latin square, or one of them is any number."""
    n = draw(st.sampled_from([3, 4, 4, 4, 5, 2, 1]))
    rows, columns, values = (draw(st.permutations(range(n))) for _ in range(3))
    cells = draw(st.permutations([*product(range(n), repeat=2)]))
    # Of a large grid most is given, so that there are few candidates.
    given = draw(st.integers(max(0, n * n - 14), n * n))
    words = [["."] * n for _ in range(n)]
    for row, column in cells[:given]:
        words[row][column] = str(values[(rows[row] + columns[column]) % n] + 1)
    if draw(one_in(3)):
        row, column = cells[-1]
        words[row][column] = str(draw(st.integers(1, n)))
    return header("quasigroup_completion") | {"givens": "\n".join(map(" ".join, words))}


INSTANCES = quasigroups()


def candidates(puzzle: QuasigroupCompletion) -> Iterator[Solution]:
    """Every grid whose rows are permutations that agree with the givens, and whose columns repeat nothing."""
    n = puzzle.height

    def extend(above: list[list[int]]) -> Iterator[Solution]:
        if (row := len(above)) == n:
            yield above
            return
        for line in permutations(range(1, n + 1)):
            if all(
                puzzle.givens.get((row, column), value) == value
                and all(value != other[column] for other in above)
                for column, value in enumerate(line)
            ):
                yield from extend([*above, list(line)])

    return extend([])
