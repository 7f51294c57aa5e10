"""Small random instances of Latin sums, and the candidates for their solutions."""

from collections.abc import Iterator
from itertools import permutations, product

from hypothesis import strategies as st

from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in, partitions

from .puzzle import LatinSums


@st.composite
def latin_sums(draw: st.DrawFn) -> Table:
    """A grid of 1 to 16 cells with some sums and givens of a Latin square, one sum perhaps spoilt."""
    n = draw(st.integers(1, 4))
    values = draw(st.permutations(range(1, n + 1)))
    solution = [[values[(row + column) % n] for column in range(n)] for row in range(n)]
    cages = draw(partitions(n, n, draw(st.integers(1, n * n))))
    sums = dict.fromkeys(sorted({*cages} - {"\n"}), 0)
    for label, value in zip(cages.replace("\n", ""), (v for row in solution for v in row), strict=True):
        sums[label] += value
    told = draw(st.sets(st.sampled_from(sorted(sums))))
    if draw(one_in(4)):
        sums[draw(st.sampled_from(sorted(sums)))] += draw(st.sampled_from([1, -1, 100]))
    given = draw(st.sets(st.sampled_from([*product(range(n), repeat=2)]), max_size=3))
    words = [[str(solution[r][c]) if (r, c) in given else "." for c in range(n)] for r in range(n)]
    keys = {"cages": cages, "sums": {label: sums[label] for label in sorted(told)}}
    return header("latin_sums") | keys | {"givens": "\n".join(map(" ".join, words))}


INSTANCES = latin_sums()


# The checker finds the solutions among these, and each model must count as many.
def candidates(puzzle: LatinSums) -> Iterator[Solution]:
    """All grids whose rows hold each of 1..n once, and what is given."""
    rows = []
    for r in range(puzzle.n):
        fillings = map(list, permutations(range(1, puzzle.n + 1)))
        given = {c: value for (row, c), value in puzzle.givens.items() if row == r}
        rows.append([row for row in fillings if all(row[c] == value for c, value in given.items())])
    return map(list, product(*rows))
