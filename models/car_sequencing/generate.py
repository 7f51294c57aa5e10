"""Generates cars with the five options of the classical instances, each used to 90%.

The cars that have an option are first as close to each other as its windows allow, without some of them; then
they move at random. The options of a car are independent of each other, and say its class.
"""

from collections.abc import Collection, Sequence
from itertools import compress
from random import Random

from models.car_sequencing.puzzle import MOST_CARS
from models.shared.generator import Clue, Planted, Table

SIZE = "cars"

RULES_OF_OPTIONS = ((1, 2), (2, 3), (1, 3), (2, 5), (1, 5))
"""At most so many of any so many consecutive cars."""

UTILISATION = 0.9


def plant(size: int, rng: Random) -> Planted:
    """The cars on the line; a clue, which says another demand, is only told to spoil it."""
    if not 1 <= size <= MOST_CARS:
        raise ValueError(f"there are 1 to {MOST_CARS} cars")
    line = [*zip(*(fitted(size, *rule, rng) for rule in RULES_OF_OPTIONS), strict=True)]
    rows = rng.sample(sorted({*line}), len({*line}))

    def table(clues: Collection[Clue]) -> Table:
        return {
            "max_in_window": [most for most, _ in RULES_OF_OPTIONS],
            "window": [window for _, window in RULES_OF_OPTIONS],
            "demand": [*next(iter(clues), map(line.count, rows))],
            "requires": "\n".join(" ".join(map(str, row)) for row in rows),
        }

    return Planted([rows.index(row) for row in line], [], table)


def fitted(size: int, most: int, window: int, rng: Random) -> list[int]:
    """Which cars have an option, 1 or 0 for each; at most so many in each window."""
    line = [int(i % window < most) for i in range(size)]
    having = [*compress(range(size), line)]
    for i in rng.sample(having, len(having) - round(UTILISATION * len(having))):
        line[i] = 0
    for _ in range(20 * size):
        a, b = rng.randrange(size), rng.randrange(size)
        line[a], line[b] = line[b], line[a]
        # Only windows around these cars change.
        if not all(
            sum(line[i : i + window]) <= most for j in (a, b) for i in range(max(0, j - window + 1), j + 1)
        ):
            line[a], line[b] = line[b], line[a]
    return line


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue]:
    """Some cars, at most a fifth, are of another class."""
    demand = planted.table(clues)["demand"]
    for _ in range(rng.randint(1, 1 + sum(demand) // 5)):
        less = rng.choice([c for c, number in enumerate(demand) if number])
        demand[less] -= 1
        demand[rng.randrange(len(demand))] += 1
    return [tuple(demand)]
