"""Small random instances of Block Party, and the candidates for their solutions."""

from collections.abc import Iterator
from itertools import permutations, product

from hypothesis import strategies as st

from models.block_party.puzzle import BlockParty
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, partitions


@st.composite
def block_parties(draw: st.DrawFn) -> Table:
    """4 to 12 cells in regions of few cells, so that some have solutions."""
    height, width = draw(st.sampled_from([(2, 2), (1, 4), (2, 3), (2, 4), (3, 3), (3, 4)]))
    count = draw(st.integers(height * width // 2, height * width))
    words = [["."] * width for _ in range(height)]
    if draw(st.integers(0, 2)) == 0:
        words[draw(st.integers(0, height - 1))][draw(st.integers(0, width - 1))] = "1"
    return header("block_party") | {
        "distance": draw(st.sampled_from(["taxicab", "row-column"])),
        "regions": draw(partitions(height, width, count)),
        "givens": "\n".join(" ".join(row) for row in words),
    }


INSTANCES = block_parties()


def candidates(puzzle: BlockParty) -> Iterator[Solution]:
    """Every way to put 1..k into each region."""
    for choice in product(*(permutations(range(1, len(region) + 1)) for region in puzzle.regions)):
        values = {
            cell: value
            for region, filling in zip(puzzle.regions, choice, strict=True)
            for cell, value in zip(region, filling, strict=True)
        }
        yield puzzle.solution(values.__getitem__)
