"""Knight Moves: a random path over about half of the board, and few clues that determine it.

Clues of some kinds are deleted one by one, in random order, as long as the hand search proves within a limit
of branches that there is one solution. `hardness` is the share of the clues whose deletion is tried.

A draft of the hard kind has the sums of all lines, which say little before most of a line is known, and each
number of the path with the probability 1 - `hardness`. Nothing is proved.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

from models.knight_moves.backtrack import places
from models.knight_moves.puzzle import KnightMoves, parse
from models.knight_moves.visits import moves
from models.shared.generator import Draft, document
from models.shared.givens import differing
from models.shared.grid import Cell, cells_of, connected_parts, labels_text, neighbours
from models.shared.puzzle import Solution
from models.shared.second_solution import is_only_solution
from models.shared.sides import Side, line_from

SIZE = "cells on a side"

KINDS = {"sums": ("row_sums", "column_sums"), "first_seen": ("first_seen",), "regions": ()}
"""The kinds of clues, with the fields that have their numbers."""

WALKS = 200
"""How many random walks are tried for one that is long enough."""

PROOF = 200
"""The limit of branches in the proof that there is one solution."""

FIELDS = ("givens", "row_sums", "column_sums", "first_seen")
"""The fields of a puzzle that have numbers."""

Clues = dict[tuple[str, Any], int]
"""The numbers of the clues, by the field and the place in it."""


def draft(size: int, hardness: float, rng: Random) -> Draft:
    """Returns a path with clues that leave no other."""
    path = random_path(size, rng)
    kinds = [kind for kind in KINDS if rng.random() < 0.5] or ["sums"]
    table: dict[str, Any] = {"size": size}
    if "regions" in kinds and len(path) >= size:
        del path[len(path) // size * size :]
        table |= {"regions": random_regions(size, path, rng), "equal_region_visits": True}
    least = most = len(path)
    if "sums" in kinds:
        least, most = max(1, least - rng.randrange(size)), min(size**2, most + rng.randrange(size))
    table["steps"] = [least, most]
    puzzle = parse(document(table))
    solution = puzzle.path(path)
    fields = {"givens", *(field for kind in kinds for field in KINDS[kind])}
    clues = {clue: number for clue, number in true_clues(solution) if clue[0] in fields}
    order = list(clues)
    rng.shuffle(order)
    for clue in order:
        if rng.random() < hardness:
            fewer = {other: number for other, number in clues.items() if other != clue}
            if is_only_solution(partial(places, with_clues(puzzle, fewer)), solution, PROOF):
                clues = fewer
    return Draft(as_table(clues, table), solution)


def hard_draft(size: int, hardness: float, rng: Random) -> Draft:
    """Returns a path with the sums of all lines, and some of its numbers."""
    path = random_path(size, rng)
    table: dict[str, Any] = {"size": size, "steps": [len(path), len(path)]}
    solution = parse(document(table)).path(path)
    kept = {"row_sums": 1.0, "column_sums": 1.0, "givens": 1 - hardness}
    clues = {clue: number for clue, number in true_clues(solution) if rng.random() < kept.get(clue[0], 0.0)}
    return Draft(as_table(clues, table), solution)


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


def clues_of(puzzle: KnightMoves) -> Clues:
    """Returns the clues that have numbers."""
    return {(field, place): number for field in FIELDS for place, number in getattr(puzzle, field).items()}


def with_clues(puzzle: KnightMoves, clues: Clues) -> KnightMoves:
    """Returns the puzzle with these clues instead of its own."""
    numbers: dict[str, Any] = {field: {} for field in FIELDS}
    for (field, place), number in clues.items():
        numbers[field][place] = number
    return replace(puzzle, **numbers)


def as_table(clues: Clues, table: dict[str, Any]) -> dict[str, Any]:
    """Returns the table with these clues, and no other numbers."""
    board, width = range(table["size"]), len(str(table["steps"][1]))

    def line(field: str, places: Iterable[Any]) -> str:
        return " ".join(f"{clues.get((field, place), '.'):>{width}}" for place in places)

    sides = {place[0] for field, place in clues if field == "first_seen"}
    texts = {
        "givens": "".join(line("givens", [(row, k) for k in board]) + "\n" for row in board),
        "row_sums": line("row_sums", board),
        "column_sums": line("column_sums", board),
        "first_seen": {str(s): line("first_seen", [(s, k) for k in board]) for s in Side if s in sides},
    }
    stated = {field for field, _ in clues}
    kept = {key: value for key, value in table.items() if key not in FIELDS}
    return kept | {key: text for key, text in texts.items() if key in stated}


def narrow(draft: Draft, other: Solution, rng: Random) -> Draft | None:
    """Adds a given that the other solution breaks; None if that only goes on where the draft's path ends."""
    missed = [i for i in differing(draft, other) if draft.solution[i[0]][i[1]]]
    if not missed:
        return None
    row, column = rng.choice(missed)
    clues = clues_of(parse(document(draft.table))) | {("givens", (row, column)): draft.solution[row][column]}
    return Draft(as_table(clues, draft.table), draft.solution)


def spoil(draft: Draft, rng: Random) -> Draft | None:
    """Makes the number of a clue one more, or gives a number that no cell has; None if that fails."""
    puzzle = parse(document(draft.table))
    clues = clues_of(puzzle)
    if not clues:
        return None
    clue = rng.choice(list(clues))
    number = clues[clue] + 1
    if clue[0] == "givens":
        free = set(range(1, puzzle.steps[1] + 1)) - set(puzzle.givens.values())
        if not free:
            return None
        number = rng.choice(sorted(free))
    return Draft(as_table(clues | {clue: number}, draft.table), draft.solution)
