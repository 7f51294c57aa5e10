"""Random filled grids and their clues, for the generator and for random instances."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from models.hooks.puzzle import peels, product_of_first_two, sum_of_first_block
from models.shared.grid import Cell, cells_of, neighbours
from models.shared.partly_filled import EMPTY
from models.shared.puzzle import Solution
from models.shared.sides import Side, line_from

Clue = tuple[str, Any]
"""A field of the puzzle and a place in it."""

Clues = Mapping[Clue, int]
"""The numbers of clues and givens."""


def random_hooks(n: int, rng: Random) -> list[list[Cell]]:
    """The cells of each hook, from the outermost."""
    hooks, corner = [], (0, 0)
    for size in range(n, 0, -1):
        corner, cells = rng.choice(list(peels(*corner, size)))
        hooks.append(cells)
    return hooks


def random_numbers(hooks: Sequence[Sequence[Cell]], by_size: bool, rng: Random) -> dict[Cell, int]:
    """A number for each hook, in random cells of it."""
    value: dict[Cell, int] = {}
    unused = list(range(1, len(hooks) + 1))
    # The innermost hooks, the last ones, have room for the fewest numbers.
    for size, cells in enumerate(reversed(hooks), 1):
        number = size if by_size else rng.choice([v for v in unused if v <= len(cells)])
        unused.remove(number)
        value |= dict.fromkeys(cells, EMPTY) | dict.fromkeys(rng.sample(cells, number), number)
    return value


def true_clues(solution: Solution) -> Iterator[tuple[Clue, int]]:
    """Yields every number as a given, and every clue of each kind but regions."""
    n = len(solution)
    for row, column in cells_of(solution):
        if solution[row][column] != EMPTY:
            yield ("givens", (row, column)), solution[row][column]
        else:
            beside = sum(solution[r][c] for r, c in neighbours((row, column), n))
            yield ("neighbour_sums", (row, column)), beside
    for line in range(n):
        yield ("row_sums", line), sum(solution[line])
        yield ("column_sums", line), sum(row[line] for row in solution)
        for side in Side:
            seen = [solution[row][column] for row, column in line_from(side, line, n, n)]
            for field, number in (
                ("first_two_product", product_of_first_two(seen)),
                ("first_block_sum", sum_of_first_block(seen)),
            ):
                if number is not None:
                    yield (field, (side, line)), number


def as_table(clues: Clues, rules: Mapping[str, Any]) -> dict[str, Any]:
    """The table of an instance with these rules and clues."""
    lines = range(rules["size"])

    def words(field: str, places: Sequence[Any]) -> str:
        width = max(len(str(number)) for (key, _), number in clues.items() if key == field)
        return " ".join(f"{clues.get((field, place), '.'):>{width}}" for place in places)

    table, present = dict(rules), {field for field, _ in clues}
    for field in ("givens", "neighbour_sums"):
        if field in present:
            table[field] = "".join(words(field, [(r, c) for c in lines]) + "\n" for r in lines)
    for field in ("row_sums", "column_sums"):
        if field in present:
            table[field] = words(field, lines)
    for field in ("first_two_product", "first_block_sum"):
        if field in present:
            sides = [side for side in Side if any((field, (side, line)) in clues for line in lines)]
            table[field] = {str(side): words(field, [(side, line) for line in lines]) for side in sides}
    return table
