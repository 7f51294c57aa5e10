"""Generates Market Splits: random amounts of 0 to 99, and a random half of the customers.

For m products there are 10 (m - 1) customers, as in the instances of Cornuejols and Dawande: with more there
would be several solutions, with fewer the equations would leave less to search. Each product may be left out.
"""

from collections.abc import Collection, Sequence
from random import Random

from models.shared.generator import Clue, Planted, Table

SIZE = "products"
AMOUNTS = range(100)
FEWEST = 5
"""Customers, where there is one product."""


def plant(size: int, rng: Random) -> Planted:
    """Products with the totals of a split."""
    if not 1 <= size <= 101:
        raise ValueError("there can be 1 to 101 products, as there are at most 1,000 customers")
    customers = max(FEWEST, 10 * (size - 1))
    first = set(rng.sample(range(customers), customers // 2))
    rows = [tuple(rng.choices(AMOUNTS, k=customers)) for _ in range(size)]

    def table(clues: Collection[Clue]) -> Table:
        told = sorted(clues)
        lines = (" ".join(f"{amount:>2}" for amount in rows[product]) + "\n" for product, _ in told)
        return {"customers": customers, "coefficients": "".join(lines), "totals": [n for _, n in told]}

    totals = [(product, sum(row[i] for i in first)) for product, row in enumerate(rows)]
    return Planted([int(i in first) for i in range(customers)], [totals], table)


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue] | None:
    """The total of one product is a little larger or smaller; None if there is no product."""
    if not clues:
        return None
    changed = rng.choice(clues)
    total = max(0, changed[1] + rng.choice((-2, -1, 1, 2)))
    return [(product, total if (product, number) == changed else number) for product, number in clues]
