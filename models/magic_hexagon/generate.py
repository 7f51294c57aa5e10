"""Magic hexagons with givens: a known solution, turned and mirrored at random, of which some cells are given.

No backend here finds a hexagon of order 4 or more from nothing, so the solutions are known ones. `hardness`
is the share of the cells that are not given at first.
"""

from random import Random

from models.magic_hexagon.puzzle import row_lengths
from models.shared.draft import Draft
from models.shared.givens import given_in, one_more, with_givens
from models.shared.grid import cells_of
from models.shared.puzzle import Solution

SIZE = "the order, cells on a side"

KNOWN: dict[int, list[list[int]]] = {
    1: [[1]],
    3: [[3, 17, 18], [19, 7, 1, 11], [16, 2, 5, 6, 9], [12, 4, 8, 14], [10, 13, 15]],
}
"""A solution of each order."""


def draft(size: int, hardness: float, rng: Random) -> Draft | None:
    """A known solution, of which some cells are given."""
    if size not in KNOWN:
        raise ValueError(f"solutions are known of the orders {', '.join(map(str, KNOWN))}")
    solution = turned(KNOWN[size], rng.randrange(6), rng.random() < 0.5)
    given = {cell for cell in cells_of(solution) if rng.random() >= hardness}
    table = {"order": size, "start": min(value for row in solution for value in row)}
    return with_givens(Draft(table, solution), given)


def turned(rows: Solution, times: int, mirrored: bool) -> Solution:
    """The hexagon, turned by 60 degrees so many times, and mirrored or not."""
    order = len(rows[0])
    # Cube coordinates q + r + s = 0 turn by a cyclic shift with a change of signs.
    values = {}
    for row, column in ((row, column) for row, line in enumerate(rows) for column in range(len(line))):
        r = row - order + 1
        q = column - min(order - 1, row) if r < 0 else column - order + 1
        for _ in range(times):
            q, r = -r, q + r
        if mirrored:
            q, r = r, q
        values[q, r] = rows[row][column]
    result = []
    for r in range(1 - order, order):
        first = max(1 - order, 1 - order - r)
        result.append([values[first + column, r] for column in range(row_lengths(order)[r + order - 1])])
    return result


def narrow(draft: Draft, other: Solution, rng: Random) -> Draft | None:
    """One cell more is given, in which the other solution differs."""
    return one_more(draft, other, rng)


def spoil(draft: Draft, rng: Random) -> Draft | None:
    """Two givens change places."""
    given = sorted(given_in(draft))
    if len(given) < 2:
        return None
    (r, c), (s, d) = rng.sample(given, 2)
    rows = draft.solution
    return with_givens(draft, set(given), {(r, c): rows[s][d], (s, d): rows[r][c]})
