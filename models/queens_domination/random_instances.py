"""Small random instances of Queens Domination, and the candidates for their solutions."""

from collections.abc import Iterator
from itertools import combinations, count

from hypothesis import strategies as st

from models.queens_domination.puzzle import QueensDomination
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in


@st.composite
def boards(draw: st.DrawFn) -> Table:
    """Up to 6 rows and 4 columns, with few holes or with many, but for one square."""
    height, width = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    hole = one_in(draw(st.sampled_from([9, 2, 4])))
    rows = [["#" if draw(hole) else "." for _ in range(width)] for _ in range(height)]
    rows[draw(st.integers(0, height - 1))][draw(st.integers(0, width - 1))] = "."
    return header("queens_domination") | {"board": "\n".join(map("".join, rows))}


INSTANCES = boards()


def candidates(puzzle: QueensDomination) -> Iterator[Solution]:
    """Every placement of one queen, of two, and so on, until some of so many are solutions."""
    for number in count(1):
        solved = False
        for queens in combinations(puzzle.squares, number):
            placed = puzzle.placed(queens)
            solved |= not puzzle.check(placed)
            yield placed
        if solved:
            return
