"""Generates Market Splits: random amounts of 0 to 99, and the totals of a random half of the customers.

For n customers there are n / 10 + 1 products, as Cornuejols and Dawande have them: with fewer there are
several splits, with more the equations leave less to search. None of them can be left out.
"""

from collections.abc import Collection, Sequence
from random import Random

from models.market_split.puzzle import MOST_CUSTOMERS
from models.shared.generator import Clue, Planted, Table

SIZE = "customers"
AMOUNTS = range(100)


def plant(size: int, rng: Random) -> Planted:
    """A split with its totals; a clue, which says another total of a product, is only told to spoil it."""
    if size > MOST_CUSTOMERS:
        raise ValueError(f"there are at most {MOST_CUSTOMERS} customers")
    first = rng.sample(range(size), size // 2)
    rows = [rng.choices(AMOUNTS, k=size) for _ in range(-(-size // 10) + 1)]
    totals = [sum(row[i] for i in first) for row in rows]

    def table(clues: Collection[Clue]) -> Table:
        told = dict(clues)
        return {
            "coefficients": "".join(" ".join(f"{amount:2}" for amount in row) + "\n" for row in rows),
            "totals": [told.get(product, total) for product, total in enumerate(totals)],
        }

    return Planted([int(i in first) for i in range(size)], [], table)


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue]:
    """The total of one product is another one, about as large."""
    product, total = rng.choice(list(enumerate(planted.table(clues)["totals"])))
    return [(product, rng.choice([near for near in range(max(0, total - 2), total + 3) if near != total]))]
