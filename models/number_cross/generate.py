"""Number Cross: numbers that satisfy random clues, row by row, and the regions that they imply.

Among some numbers that satisfy a row's clue it chooses the one that repeats most digits of the row above,
so that regions grow. Unshaded neighbours belong together exactly if they are equal; a shaded cell joins a
neighbour. A row may have all clues that are true of it; if they are left out, it has the one it was made for,
as it needs one. A row in which another solution differs is replaced.
"""

from collections.abc import Collection, Iterator, Sequence
from math import prod
from random import Random

from models.number_cross.allowed_numbers import root
from models.number_cross.puzzle import SHADED, Clue, clue_text, satisfies
from models.shared.generator import Planted, Table
from models.shared.graph import graph_of, parts_of
from models.shared.grid import Cell, cells_of, labels_text, neighbours
from models.shared.puzzle import Solution

SIZE = "cells on a side"
TRIES = 40  # of numbers for each run of cells, and of shadings for each row
SINGLE = ("square", "cube", "fibonacci", "palindrome", "prime ^ prime")  # the clues without a k

Row = tuple[str, Clue]
"""The symbols of a row, and the clue that it was made for."""

Told = tuple[int, Clue]
"""A row, and a clue of it."""


def plant(size: int, rng: Random) -> Planted | None:
    """Rows of numbers with all their clues; None if no numbers were found for a row."""
    if size < 2:
        raise ValueError("the grid needs 2 cells or more on a side")
    rows: list[Row] = []
    for _ in range(size):
        if (row := random_row(size, [symbols for symbols, _ in rows[-1:]], rng)) is None:
            return None
        rows.append(row)
    return with_clues(rows, rng)


def random_row(size: int, beside: Sequence[str], rng: Random) -> Row | None:
    """A row that may stand beside others, of which it repeats digits of the first; None if none was found."""
    for _ in range(TRIES):
        shading, clue = random_shading(size, beside, rng), random_clue(rng)
        if (row := fill(shading, size, clue, "".join(beside[:1]), rng)) is not None:
            return row, clue
    return None


def with_clues(rows: Sequence[Row], rng: Random) -> Planted:
    """The grid with the regions that its rows imply, and all of their clues."""
    solution = [row for row, _ in rows]
    own = [(number, clue) for number, (_, clue) in enumerate(rows)]
    more = [(number, clue) for number, row in enumerate(solution) for clue in true_clues(row)]
    labels = regions(solution, rng)

    def text(number: int, clues: Collection[Told]) -> str:
        told = [clue for row, clue in clues if row == number] or [rows[number][1]]
        return " & ".join(sorted(map(clue_text, told)))

    def table(clues: Collection[Told]) -> Table:
        return {"regions": labels, "clues": [text(number, clues) for number in range(len(rows))]}

    return Planted(solution, [[clue for clue in more if clue not in own], own], table)


def refute(planted: Planted, other: Solution, rng: Random) -> Planted | None:
    """A row in which the other solution differs is replaced; None if no other row was found."""
    rows = [(row, clue) for row, (_, clue) in zip(planted.solution, planted.clues[1], strict=True)]
    number = rng.choice([n for n, (row, _) in enumerate(rows) if row != other[n]])
    beside = [planted.solution[n] for n in (number - 1, number + 1) if 0 <= n < len(rows)]
    row = random_row(len(rows), beside, rng)
    return with_clues([*rows[:number], row, *rows[number + 1 :]], rng) if row else None


def random_shading(width: int, beside: Sequence[str], rng: Random) -> list[int]:
    """Returns columns to shade in a row: none beside a shaded cell, two cells or more between two."""
    shaded: list[int] = []
    for column in range(width):
        gap = column - (shaded[-1] + 1 if shaded else 0)
        left = width - column - 1
        fits = (gap == 0 and not shaded) or gap >= 2
        free = all(row[column] != SHADED for row in beside)
        if fits and left != 1 and free and rng.random() < 0.25:
            shaded.append(column)
    return shaded


def random_clue(rng: Random) -> Clue:
    """Returns any clue of the vocabulary."""
    clues = [
        *(Clue(name) for name in SINGLE),
        Clue("palindrome + k", rng.randint(1, 30)),
        Clue("palindrome - k", rng.randint(1, 30)),
        *(Clue("multiple of k", rng.randint(7, 99)) for _ in range(4)),
        Clue("power of k", rng.randint(2, 7)),
        *(Clue("digit sum = k", rng.randint(5, 30)) for _ in range(2)),
        *(Clue("digit product ends in k", rng.randint(0, 9)) for _ in range(2)),
    ]
    return rng.choice(clues)


def fill(shaded: list[int], size: int, clue: Clue, above: str, rng: Random) -> str | None:
    """Returns a row of numbers that satisfy a clue; None if none was found for a run of cells."""
    row = ""
    for end in [*shaded, size]:
        start = len(row)
        if end > start:
            found = [number for number in numbers(clue, end - start, rng) if satisfies(int(number), clue)]
            if not found:
                return None
            below = above[start:end]
            row += max(found, key=lambda number: sum(a == b for a, b in zip(number, below, strict=False)))
        row += SHADED if end < size else ""
    return row


def numbers(clue: Clue, digits: int, rng: Random) -> Iterator[str]:
    """Yields random numbers of so many digits, many of which satisfy the clue."""
    low, high = 10 ** (digits - 1), 10**digits - 1
    for _ in range(TRIES):
        number = rng.randint(low, high)
        match clue.name:
            case "square" | "cube" | "prime ^ prime":
                degree = {"square": 2, "cube": 3}.get(clue.name) or rng.choice([2, 3, 5])
                below = root(number, degree)
                # The nearer one in whole numbers: a power of floats may differ between machines.
                number = (below + ((2 * below + 1) ** degree < number << degree)) ** degree
            case "fibonacci":
                a, b = 1, 2
                while a < low or (b <= high and rng.random() < 0.5):
                    a, b = b, a + b
                number = a
            case "palindrome" | "palindrome + k" | "palindrome - k":
                number = mirrored(str(number)[: (digits + 1) // 2], digits)
                number += {"palindrome + k": clue.k, "palindrome - k": -clue.k}.get(clue.name, 0)
            case "multiple of k":
                number -= number % clue.k
            case "power of k":
                number = clue.k
                while number < low:
                    number *= clue.k
        if low <= number <= high:
            yield str(number)


def mirrored(half: str, digits: int) -> int:
    """Returns the palindrome of so many digits that begins with the half, its middle digit included."""
    return int(half + half[: digits // 2][::-1])


def palindromes_beside(number: int) -> tuple[int, int]:
    """Returns the largest palindrome below a number of two digits or more, and the smallest above."""
    digits = len(str(number))
    half = int(str(number)[: (digits + 1) // 2])
    halves = [str(near) for near in (half - 1, half, half + 1) if len(str(near)) == (digits + 1) // 2]
    found = [10 ** (digits - 1) - 1, *(mirrored(near, digits) for near in halves), 10**digits + 1]
    return max(near for near in found if near < number), min(near for near in found if near > number)


def true_clues(row: str) -> list[Clue]:
    """Returns clues that all numbers of a row satisfy."""
    digits = next(number for number in row.split(SHADED) if number)
    below, above = palindromes_beside(int(digits))
    clues = [
        *(Clue(name) for name in SINGLE),
        *(Clue("multiple of k", k) for k in range(2, 100)),
        Clue("palindrome + k", int(digits) - below),
        Clue("palindrome - k", above - int(digits)),
        Clue("digit sum = k", sum(map(int, digits))),
        Clue("digit product ends in k", prod(map(int, digits)) % 10),
    ]
    return [clue for clue in clues if holds(clue, row)]


def holds(clue: Clue, row: str) -> bool:
    """Tells whether all numbers of a row satisfy a clue."""
    return all(satisfies(int(number), clue) for number in row.split(SHADED) if number)


def regions(rows: list[str], rng: Random) -> str:
    """Returns the regions that the digits imply, as a text block of labels."""
    size = len(rows)
    edges: list[tuple[Cell, Cell]] = []
    for row, column in cells_of(rows):
        beside = neighbours((row, column), size)
        alike = [(r, c) for r, c in beside if rows[r][c] == rows[row][column]]
        joined = [rng.choice(beside)] if rows[row][column] == SHADED else alike
        edges += (((row, column), other) for other in joined)
    return labels_text(parts_of(graph_of(edges, cells_of(rows))), size)


def spoil(planted: Planted, clues: Sequence[Told], rng: Random) -> Sequence[Told] | None:
    """A row has another clue instead of its own; None if the random one is true."""
    number, clue = rng.randrange(len(planted.solution)), random_clue(rng)
    spoilt = [*(other for other in clues if other[0] != number), (number, clue)]
    return None if holds(clue, planted.solution[number]) else spoilt
