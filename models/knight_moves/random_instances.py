"""Small random instances of Knight Moves, and the candidates for their solutions."""

import random
from collections.abc import Iterator

from hypothesis import strategies as st

from models.knight_moves.puzzle import KnightMoves
from models.shared.grid import Cell
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, partitions
from models.shared.sides import Side, line_from

JUMPS = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]


def paths(size: int, least: int, greatest: int) -> Iterator[list[Cell]]:
    """Yields every path of a knight that visits so many cells."""
    stack = [[(row, column)] for row in range(size) for column in range(size)]
    while stack:
        path = stack.pop()
        if len(path) >= least:
            yield path
        if len(path) < greatest:
            row, column = path[-1]
            beside = [(row + a, column + b) for a, b in JUMPS]
            stack += [
                [*path, (r, c)] for r, c in beside if 0 <= r < size and 0 <= c < size and (r, c) not in path
            ]


@st.composite
def knight_moves(draw: st.DrawFn) -> Table:
    """A board of 1 to 25 cells with clues of each kind, most of them from a path."""
    size, most = draw(st.sampled_from([(1, 1), (2, 2), (3, 9), (3, 9), (4, 6), (4, 6), (5, 4)]))
    rng = random.Random(draw(st.integers(0, 10**6)))
    regions = draw(partitions(size, size, draw(st.integers(1, min(4, size * size)))))
    length = rng.randint(1, most)
    path = rng.choice(list(paths(size, length, length)) or [[(0, 0)]])
    number = {cell: t for t, cell in enumerate(path, 1)}
    rows = [[number.get((row, column), 0) for column in range(size)] for row in range(size)]
    columns = [list(column) for column in zip(*rows, strict=True)]

    def some(numbers: list[int], share: float) -> str:
        return " ".join(str(n) if n and rng.random() < share else "." for n in numbers)

    def sums_of(lines: list[list[int]]) -> str:
        return " ".join(str(sum(line)) if rng.random() < 0.8 else "." for line in lines)

    steps = (
        [rng.randint(1, len(path)), rng.randint(len(path), most)] if rng.random() < 0.5 else [len(path)] * 2
    )
    table = header("knight_moves") | {"size": size, "steps": steps}
    if rng.random() < 0.6:
        table["givens"] = "\n".join(some(row, 0.3) for row in rows)
    if rng.random() < 0.4:
        table |= {"row_sums": sums_of(rows), "column_sums": sums_of(columns)}
    if {(column, size - 1 - row) for row, column in path} == {*path} or rng.random() < 0.05:
        table["rotation"] = rng.random() < 0.8
    if rng.random() < 0.5:
        table["regions"] = regions
        values: dict[str, list[int]] = {}
        for line, labels in zip(rows, regions.split(), strict=True):
            for value, label in zip(line, labels, strict=True):
                values.setdefault(label, []).append(value)
        sums, visits = ({sum(map(f, v)) for v in values.values()} for f in (int, bool))
        table["equal_region_sums"] = len(sums) == 1 or rng.random() < 0.1
        table["equal_region_visits"] = len(visits) == 1 or rng.random() < 0.1
    table["equal_line_visits"] = len({sum(map(bool, line)) for line in [*rows, *columns]}) == 1
    if rng.random() < 0.4:
        firsts = {
            side: [
                next((rows[r][c] for r, c in line_from(side, line, size, size) if rows[r][c]), 0)
                for line in range(size)
            ]
            for side in Side
        }
        table["first_seen"] = {side.value: some(numbers, 0.5) for side, numbers in firsts.items()}
    if rng.random() < 0.1:
        wrong = ["."] * size
        wrong[rng.randrange(size)] = str(rng.randint(0, 9))
        table["row_sums"] = " ".join(wrong)
    return table


INSTANCES = knight_moves()


def candidates(puzzle: KnightMoves) -> Iterator[Solution]:
    """Every path."""
    return map(puzzle.path, paths(puzzle.side, *puzzle.steps))
