"""Small random instances as the tables of TOML files."""

from itertools import permutations, product
from typing import Any

from hypothesis import strategies as st

from models.block_party.puzzle import BlockParty


@st.composite
def partitions(draw: st.DrawFn, height: int, width: int, count: int) -> str:
    """A grid cut into connected regions, grown cell by cell from `count` seeds."""
    cells = [(row, column) for row in range(height) for column in range(width)]
    seeds = draw(st.permutations(cells))[:count]
    labels = {cell: "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number] for number, cell in enumerate(seeds)}
    while len(labels) < len(cells):
        border = [
            (other, labels[row, column])
            for row, column in sorted(labels)
            for other in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
            if other in cells and other not in labels
        ]
        cell, label = draw(st.sampled_from(border))
        labels[cell] = label
    return "\n".join("".join(labels[row, column] for column in range(width)) for row in range(height))


@st.composite
def block_parties(draw: st.DrawFn) -> dict[str, Any]:
    """A Block Party of 4 to 12 cells with regions of few cells, so that some have solutions."""
    height, width = draw(st.sampled_from([(2, 2), (1, 4), (2, 3), (2, 4), (3, 3), (3, 4)]))
    count = draw(st.integers(height * width // 2, height * width))
    given = draw(st.sampled_from([0, 0, 1]))
    words = [["."] * width for _ in range(height)]
    if given:
        words[draw(st.integers(0, height - 1))][draw(st.integers(0, width - 1))] = "1"
    return {
        "puzzle": "block_party",
        "title": "random",
        "source": "hypothesis",
        "distance": draw(st.sampled_from(["taxicab", "row-column"])),
        "regions": draw(partitions(height, width, count)),
        "givens": "\n".join(" ".join(row) for row in words),
    }


def fillings(puzzle: BlockParty) -> Any:
    """Every way to put 1..k into each region, rules on distances left aside: what the checker must sieve."""
    for choice in product(*(permutations(range(1, len(region) + 1)) for region in puzzle.regions)):
        values = {
            cell: value
            for region, filling in zip(puzzle.regions, choice, strict=True)
            for cell, value in zip(region, filling, strict=True)
        }
        yield puzzle.rows(values.__getitem__)
