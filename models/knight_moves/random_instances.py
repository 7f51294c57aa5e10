"""Small random instances of Knight Moves, and the candidates for their solutions."""

import random
from collections.abc import Iterator

from hypothesis import strategies as st

from models.knight_moves.puzzle import KnightMoves
from models.shared.grid import Cell
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in, partitions
from models.shared.sides import Side, line_from

JUMPS = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
SIZES = ((1, 1), (2, 2), (3, 9), (4, 6), (5, 4))
"""The cells on a side of a board, and how many of them are visited at most."""


@st.composite
def knight_moves(draw: st.DrawFn) -> Table:
    """A board of 1 to 25 cells with clues of each kind from a path, one of them perhaps spoilt."""
    size, most = draw(st.sampled_from([*SIZES, *SIZES[2:]]))
    regions = draw(partitions(size, size, draw(st.integers(1, min(4, size * size)))))
    rng = random.Random(draw(st.integers(0, 10**6)))
    path = walk(size, rng.randint(1, most), rng)
    number = {cell: t for t, cell in enumerate(path, 1)}
    rows = [[number.get((row, column), 0) for column in range(size)] for row in range(size)]
    columns = [list(column) for column in zip(*rows, strict=True)]

    def some(numbers: list[int], share: float) -> str:
        return " ".join(str(n) if n and rng.random() < share else "." for n in numbers)

    def sums_of(lines: list[list[int]]) -> str:
        return " ".join(str(sum(line)) if rng.random() < 0.8 else "." for line in lines)

    steps = [rng.randint(1, len(path)), rng.randint(len(path), most)]
    if draw(st.booleans()):
        steps = [len(path)] * 2
    table = header("knight_moves") | {"size": size, "steps": steps}
    if draw(st.booleans()):
        table["givens"] = "\n".join(some(row, 0.3) for row in rows)
    if draw(one_in(2)):
        table |= {"row_sums": sums_of(rows), "column_sums": sums_of(columns)}
    if {(column, size - 1 - row) for row, column in path} == {*path} or draw(one_in(20)):
        table["rotation"] = draw(st.booleans())
    if draw(one_in(2)):
        table["regions"] = regions
        values: dict[str, list[int]] = {}
        for line, labels in zip(rows, regions.split(), strict=True):
            for value, label in zip(line, labels, strict=True):
                values.setdefault(label, []).append(value)
        sums, visits = ({sum(map(f, v)) for v in values.values()} for f in (int, bool))
        table["equal_region_sums"] = len(sums) == 1 or draw(one_in(10))
        table["equal_region_visits"] = len(visits) == 1 or draw(one_in(10))
    table["equal_line_visits"] = len({sum(map(bool, line)) for line in [*rows, *columns]}) == 1
    if draw(one_in(2)):
        firsts = {
            side: [
                next((rows[r][c] for r, c in line_from(side, line, size, size) if rows[r][c]), 0)
                for line in range(size)
            ]
            for side in Side
        }
        table["first_seen"] = {side.value: some(numbers, 0.5) for side, numbers in firsts.items()}
    if draw(one_in(3)) and "row_sums" in table:
        words = table["row_sums"].split()
        row = draw(st.integers(0, size - 1))
        words[row] = str(max(0, sum(rows[row]) + draw(st.sampled_from([1, -1, 2, 999]))))
        table["row_sums"] = " ".join(words)
    return table


def walk(size: int, length: int, rng: random.Random) -> list[Cell]:
    """The path of a knight that visits so many cells, or fewer if it gets stuck."""
    path = [(rng.randrange(size), rng.randrange(size))]
    while len(path) < length and (steps := [cell for cell in beside(path[-1], size) if cell not in path]):
        path.append(rng.choice(steps))
    return path


def beside(cell: Cell, size: int) -> list[Cell]:
    """The cells that a knight can move to."""
    moved = ((cell[0] + a, cell[1] + b) for a, b in JUMPS)
    return [(row, column) for row, column in moved if 0 <= row < size and 0 <= column < size]


INSTANCES = knight_moves()


def candidates(puzzle: KnightMoves) -> Iterator[Solution]:
    """Every path on which the numbers that are given stand."""
    at = {number: cell for cell, number in puzzle.givens.items()}
    least, greatest = puzzle.steps
    stack = [[cell] for cell in puzzle.cells]
    while stack:
        path = stack.pop()
        # A number that is given stands in its cell, and no other in that.
        if at.get(len(path), path[-1]) != path[-1] or puzzle.givens.get(path[-1], len(path)) != len(path):
            continue
        if len(path) >= least:
            yield puzzle.path(path)
        if len(path) < greatest:
            stack += [[*path, cell] for cell in beside(path[-1], puzzle.side) if cell not in path]
