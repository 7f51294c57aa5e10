"""Small random instances of bin packing, and the candidates for their solutions."""

from collections.abc import Iterator

from hypothesis import strategies as st

from models.bin_packing.puzzle import BinPacking
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in


@st.composite
def bin_packings(draw: st.DrawFn) -> Table:
    """Up to 7 items, one of them perhaps too large for a bin."""
    count, capacity = draw(st.integers(1, 7)), draw(st.sampled_from([10, 1, 7, 100, 100_000]))
    least = draw(st.sampled_from([1, capacity // 4 + 1, capacity]))
    sizes = draw(st.lists(st.integers(least, capacity), min_size=count, max_size=count))
    if capacity < 100_000 and draw(one_in(8)):
        sizes[-1] = capacity + 1
    return header("bin_packing") | {"capacity": capacity, "sizes": sizes}


INSTANCES = bin_packings()


def candidates(puzzle: BinPacking) -> Iterator[Solution]:
    """Every partition of the items, whose parts are numbered in the order of their first items."""
    partitions: list[list[int]] = [[]]
    for _ in puzzle.items:
        partitions = [[*begin, b] for begin in partitions for b in range(max(begin, default=-1) + 2)]
    return iter(partitions)
