"""Knight Moves: a random path over about half of the board, with all its numbers and clues of some kinds.

Regions that are visited equally often are no clue: they stay.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from models.knight_moves.puzzle import parse
from models.knight_moves.visits import moves
from models.shared.generator import Clue, Planted, Table, document, one_changed
from models.shared.grid import Cell, cells_of, connected_parts, labels_text, neighbours
from models.shared.puzzle import Solution
from models.shared.sides import Side, line_from

SIZE = "cells on a side"

KINDS = {"sums": ("row_sums", "column_sums"), "first_seen": ("first_seen",), "regions": ()}
"""The kinds of clues, with the fields that have their numbers."""

WALKS = 200
"""How many random walks are tried for one that is long enough."""

Clues = Mapping[tuple[str, Any], int]
"""The numbers of the clues, by the field and the place in it."""


def plant(size: int, rng: Random) -> Planted:
    """A path; its length is given, or bounds of it if there are sums."""
    path = random_path(size, rng)
    kinds = [kind for kind in KINDS if rng.random() < 0.5] or ["sums"]
    rules: Table = {"size": size}
    if "regions" in kinds and len(path) >= size:
        del path[len(path) // size * size :]
        rules |= {"regions": random_regions(size, path, rng), "equal_region_visits": True}
    least = most = len(path)
    if "sums" in kinds:
        least, most = max(1, least - rng.randrange(size)), min(size**2, most + rng.randrange(size))
    rules["steps"] = [least, most]
    solution = parse(document(rules)).path(path)

    def table(clues: Collection[Clue]) -> Table:
        return as_table(dict(clues), rules)

    fields = ["givens", *(field for kind in kinds for field in KINDS[kind])]
    return Planted(solution, [[clue for clue in true_clues(solution) if clue[0][0] in fields]], table)


def random_path(size: int, rng: Random) -> list[Cell]:
    """A knight's path over half of the board, or the longest found; raises ValueError if there is no cell."""
    if size < 1:
        raise ValueError("the board needs a cell")
    near = moves(size)
    longest: list[Cell] = []
    for _ in range(WALKS):
        path = [rng.choice(list(near))]
        while len(path) < size**2 // 2 and (onward := [i for i in near[path[-1]] if i not in path]):
            path.append(rng.choice(onward))
        longest = max(longest, path, key=len)
    return longest


def random_regions(size: int, path: list[Cell], rng: Random) -> str:
    """Returns as many regions as rows, each with equally many cells of the path, as a block of labels."""
    snake = [(row, column if row % 2 else size - 1 - column) for row in range(size) for column in range(size)]
    label, seen = {}, 0
    for cell in snake:
        label[cell] = min(seen * size // len(path), size - 1)
        seen += cell in path
    # Cells that are not visited move to a neighbouring region, if that leaves theirs connected.
    for _ in range(4 * size**2):
        cell = rng.choice(snake)
        rest = [other for other in snake if label[other] == label[cell] and other != cell]
        if cell not in path and len(connected_parts(rest)) == 1:
            label[cell] = label[rng.choice(neighbours(cell, size))]
    parts = [[cell for cell in snake if label[cell] == region] for region in range(size)]
    return labels_text(parts, size)


def true_clues(solution: Solution) -> Iterator[tuple[tuple[str, Any], int]]:
    """Yields every given, every sum of a line, and what is seen first from each end of a line."""
    size = len(solution)
    for row, column in cells_of(solution):
        if solution[row][column]:
            yield ("givens", (row, column)), solution[row][column]
    for line in range(size):
        yield ("row_sums", line), sum(solution[line])
        yield ("column_sums", line), sum(row[line] for row in solution)
        for side in Side:
            numbers = [solution[row][column] for row, column in line_from(side, line, size, size)]
            if any(numbers):
                yield ("first_seen", (side, line)), next(filter(None, numbers))


def as_table(clues: Clues, rules: Table) -> Table:
    """Returns the table with these rules and clues."""
    board, width = range(rules["size"]), len(str(rules["steps"][1]))

    def line(field: str, places: Iterable[Any]) -> str:
        return " ".join(f"{clues.get((field, place), '.'):>{width}}" for place in places)

    stated = {field for field, _ in clues}
    sides = {place[0] for field, place in clues if field == "first_seen"}
    texts = {
        "givens": "".join(line("givens", [(row, k) for k in board]) + "\n" for row in board),
        "row_sums": line("row_sums", board),
        "column_sums": line("column_sums", board),
        "first_seen": {str(s): line("first_seen", [(s, k) for k in board]) for s in Side if s in sides},
    }
    return rules | {key: text for key, text in texts.items() if key in stated}


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue] | None:
    """One clue has another number, a given one that none of them has."""
    given = {number for (field, _), number in clues if field == "givens"}
    return one_changed(
        clues, [t for t in range(1, max(map(max, planted.solution)) + 1) if t not in given], rng
    )
