"""Small random instances of the magic hexagon, and the candidates for their solutions."""

from collections.abc import Iterator, Set

from hypothesis import strategies as st

from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.grid import Cell
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in

FILLED = (
    "3 17 18, 19 7 1 11, 16 2 5 6 9, 12 4 8 14, 10 13 15",
    "11 10 -2, 3 -4 13 7, 5 1 0 -1 14, 12 6 4 -3, 2 9 8",
    "-9 5 4, 6 2 -7 -1, 3 -8 0 8 -3, 1 7 -2 -6, -4 -5 9",
    "-14 -7 2, 3 1 -13 -10, -8 -4 0 4 -11, -9 -6 -1 -3, -2 -12 -5",
    "37 17 34 23, 39 11 14 18 29, 4 26 8 16 19 38, 31 32 5 3 9 10 21, 25 15 7 12 22 30, 35 24 6 13 33, "
    "20 36 28 27",
)
"""Solutions for several least numbers, row by row; the last one is of order 4."""


@st.composite
def magic_hexagons(draw: st.DrawFn) -> Table:
    """Some of the numbers of a solution, two perhaps swapped; or order 1 or 2, from any number on."""
    if draw(one_in(4)):
        start = draw(st.integers(-3, 3) | st.integers(-(10**6), 10**6))
        return header("magic_hexagon") | {"order": draw(st.integers(1, 2)), "start": start}
    rows = [row.split() for row in draw(st.sampled_from(FILLED)).split(", ")]
    start = min(int(word) for row in rows for word in row)
    if draw(st.booleans()):
        rows = [row[::-1] for row in rows]
    cells = draw(st.permutations([(r, c) for r, row in enumerate(rows) for c in range(len(row))]))
    free = cells[: draw(st.integers(2, 15))]
    if draw(one_in(3)):
        # What is given is free on the other side, so that it may still fit.
        (r, c), (s, d) = cells[0], cells[-1]
        rows[r][c], rows[s][d] = rows[s][d], rows[r][c]
    for r, c in free:
        rows[r][c] = "."
    return header("magic_hexagon") | {
        "order": len(rows[0]),
        "start": start,
        "givens": "\n".join(" ".join(row) for row in rows),
    }


INSTANCES = magic_hexagons()


def candidates(puzzle: MagicHexagon) -> Iterator[Solution]:
    """Every filling, row by row, in which each number is used once and lines have the same sum."""
    total, lines = sum(puzzle.values), 2 * puzzle.order - 1
    if total % lines:
        return
    # A line by its cells: those of a row, and those with one place along either diagonal.
    members: dict[tuple[str, int], list[Cell]] = {}
    for row, column in puzzle.cells:
        below = max(0, row - puzzle.order + 1)
        above = max(0, puzzle.order - 1 - row)
        for name, place in (("row", row), ("falling", column + below), ("rising", column + above)):
            members.setdefault((name, place), []).append((row, column))
    complete: dict[Cell, list[list[Cell]]] = {}
    for line in members.values():
        complete.setdefault(line[-1], []).append(line[:-1])

    def fill(values: dict[Cell, int], free: Set[int]) -> Iterator[Solution]:
        if len(values) == len(puzzle.cells):
            yield puzzle.solution(values.__getitem__)
            return
        cell = puzzle.cells[len(values)]
        possible = {puzzle.givens[cell]} if cell in puzzle.givens else free
        for others in complete.get(cell, ()):
            possible = possible & {total // lines - sum(values[i] for i in others)}
        for value in sorted(possible):
            yield from fill(values | {cell: value}, free - {value})

    yield from fill({}, set(puzzle.values) - set(puzzle.givens.values()))
