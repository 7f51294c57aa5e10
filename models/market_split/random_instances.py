"""Small random instances of Market Split, and the candidates for their solutions."""

from collections.abc import Iterator
from itertools import product
from operator import mul

from hypothesis import strategies as st

from models.market_split.puzzle import MarketSplit
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in


@st.composite
def market_splits(draw: st.DrawFn) -> Table:
    """Up to 3 products and 8 customers, with the totals of a split, one perhaps spoilt."""
    customers, products = draw(st.integers(1, 8)), draw(st.sampled_from([2, 1, 3]))
    most = draw(st.sampled_from([99, 1, 5, 9999]))
    amounts = st.lists(st.integers(0, most), min_size=customers, max_size=customers)
    rows = [draw(amounts) for _ in range(products)]
    first = draw(st.lists(st.integers(0, 1), min_size=customers, max_size=customers))
    totals = [sum(map(mul, row, first)) for row in rows]
    if draw(one_in(3)):
        spoilt = draw(st.integers(0, products - 1))
        totals[spoilt] = max(0, totals[spoilt] + draw(st.sampled_from([1, -1, 2, 9_000_000])))
    return header("market_split") | {
        "coefficients": "".join(" ".join(map(str, row)) + "\n" for row in rows),
        "totals": totals,
    }


INSTANCES = market_splits()


def candidates(puzzle: MarketSplit) -> Iterator[Solution]:
    """Every split."""
    return (list(split) for split in product((0, 1), repeat=puzzle.size))
