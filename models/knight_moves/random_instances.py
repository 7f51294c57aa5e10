"""Small random instances of Knight Moves, and the candidates for their solutions."""

import random
from collections.abc import Iterator

from hypothesis import strategies as st

from models.knight_moves.generate import as_table, true_clues
from models.knight_moves.puzzle import KnightMoves
from models.shared.grid import Cell
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in, partitions

SIZES = ((1, 1), (2, 2), (3, 9), (4, 6), (5, 4))
"""The cells on a side of a board, and how many of them are visited at most."""


@st.composite
def knight_moves(draw: st.DrawFn) -> Table:
    """A board of 1 to 25 cells with clues of each kind from a path, one of them perhaps spoilt."""
    size, most = draw(st.sampled_from([*SIZES, *SIZES[2:]]))
    regions = draw(partitions(size, size, draw(st.integers(1, min(4, size * size)))))
    rng = random.Random(draw(st.integers(0, 10**6)))
    path = walk(size, rng.randint(1, most), rng)
    rows = [[path.index((r, c)) + 1 if (r, c) in path else 0 for c in range(size)] for r in range(size)]
    columns = [list(column) for column in zip(*rows, strict=True)]

    steps = [rng.randint(1, len(path)), rng.randint(len(path), most)]
    if draw(st.booleans()):
        steps = [len(path)] * 2
    table = header("knight_moves") | {"size": size, "steps": steps}
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
    shares = {"givens": 0.3 * draw(st.booleans()), "first_seen": 0.5 * draw(st.booleans())}
    shares["row_sums"] = shares["column_sums"] = 0.8 * draw(st.booleans())
    clues = {clue: number for clue, number in true_clues(rows) if rng.random() < shares[clue[0]]}
    stated = [clue for clue in clues if clue[0] == "row_sums"]
    if draw(one_in(3)) and stated:
        clue = draw(st.sampled_from(stated))
        clues[clue] = max(0, clues[clue] + draw(st.sampled_from([1, -1, 2, 999])))
    return as_table(clues, table)


def walk(size: int, length: int, rng: random.Random) -> list[Cell]:
    """The path of a knight that visits so many cells, or fewer if it gets stuck."""
    path = [(rng.randrange(size), rng.randrange(size))]
    while len(path) < length and (steps := [cell for cell in beside(path[-1], size) if cell not in path]):
        path.append(rng.choice(steps))
    return path


def beside(cell: Cell, size: int) -> list[Cell]:
    """The cells that a knight can move to."""
    row, column = cell
    board = range(size)
    return [(r, c) for r in board for c in board if (r - row) ** 2 + (c - column) ** 2 == 5]


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
