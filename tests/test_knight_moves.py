"""Knight Moves: which numbers each cell can have."""

import random
from collections.abc import Iterator
from typing import Any

from models.knight_moves.puzzle import KnightMoves, parse
from models.knight_moves.visits import moves, possible_visits
from models.shared.sides import Side, line_from
from tests.strategies import header


def paths(side: int, most: int) -> Iterator[list[tuple[int, int]]]:
    """All paths of a knight that visit at most so many cells."""
    near = moves(side)
    ahead = [[cell] for cell in near]
    while ahead:
        yield (path := ahead.pop())
        if len(path) < most:
            ahead += [[*path, cell] for cell in near[path[-1]] if cell not in path]


def solutions(puzzle: KnightMoves) -> list[list[list[int]]]:
    """Every path that the checker accepts."""
    boards = (puzzle.path(path) for path in paths(puzzle.side, puzzle.steps[1]))
    return [board for board in boards if not puzzle.check(board)]


def random_table(rng: random.Random) -> dict[str, Any]:
    """Some clues of a random path on a small board, of which some may be wrong."""
    side, most = rng.choice([(1, 1), (2, 2), (3, 8), (3, 8), (4, 7), (5, 5)])
    path = rng.choice(list(paths(side, rng.randint(1, most))))
    board = [[0] * side for _ in range(side)]
    for t, (row, column) in enumerate(path, 1):
        board[row][column] = t
    columns = [list(column) for column in zip(*board, strict=True)]
    height, width = rng.randint(1, side), rng.randint(1, side)
    labels = [
        ["ABCDEFGHIJKLMNOPQRSTUVWXY"[row // height * 5 + column // width] for column in range(side)]
        for row in range(side)
    ]
    regions: dict[str, list[int]] = {}
    for row, line in enumerate(labels):
        for column, label in enumerate(line):
            regions.setdefault(label, []).append(board[row][column])

    def some(numbers: list[int], chance: float) -> str:
        return " ".join(
            str(n + (n > 0 and rng.random() < 0.02)) if rng.random() < chance else "." for n in numbers
        )

    def seen(side_: Side) -> list[int]:
        lines = ([board[r][c] for r, c in line_from(side_, line, side, side)] for line in range(side))
        return [next(filter(None, line), 0) for line in lines]

    def equal(numbers: list[int]) -> bool:
        return len(set(numbers)) == 1 or rng.random() < 0.02

    visits_of = [sum(map(bool, line)) for line in [*board, *columns]]
    table = {
        "size": side,
        "steps": [max(1, len(path) - rng.randint(0, 2)), min(most, len(path) + rng.randint(0, 2))],
        "rotation": {(column, side - 1 - row) for row, column in path} == set(path),
        "equal_line_visits": equal(visits_of),
    }
    if rng.random() < 0.4:
        table["givens"] = "\n".join(some(row, 0.3).replace("0", ".") for row in board)
    if rng.random() < 0.3:
        table["row_sums"] = some([sum(line) for line in board], 0.7)
    if rng.random() < 0.3:
        table["column_sums"] = some([sum(line) for line in columns], 0.7)
    if rng.random() < 0.4:
        table["first_seen"] = {
            side_.value: " ".join(word if word != "0" else "." for word in some(seen(side_), 0.5).split())
            for side_ in Side
        }
    if rng.random() < 0.5:
        table |= {
            "regions": "\n".join(map("".join, labels)),
            "equal_region_visits": equal([sum(map(bool, region)) for region in regions.values()]),
            "equal_region_sums": equal([sum(region) for region in regions.values()]),
        }
    return header("knight_moves") | table


def test_no_number_of_a_solution_is_ruled_out() -> None:
    """On small random instances, those without a solution included."""
    left = needed = 0
    for seed in range(100):
        puzzle = parse(random_table(random.Random(seed)))
        possible, found = possible_visits(puzzle), solutions(puzzle)
        used = {cell: {board[cell[0]][cell[1]] for board in found} for cell in puzzle.cells}
        assert all(used[cell] <= set(possible.numbers[cell]) for cell in puzzle.cells), seed
        assert {max(map(max, board)) for board in found} <= set(possible.lengths), seed
        left += sum(map(len, possible.numbers.values()))
        needed += sum(map(len, used.values()))
    assert left < 1.5 * needed
