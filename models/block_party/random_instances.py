"""Small random instances of Block Party, and the candidates for their solutions."""

from collections.abc import Iterator
from itertools import permutations, product

from hypothesis import strategies as st

from models.block_party.puzzle import BlockParty
from models.shared.grid import Cell
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in, partitions

FILLED = (
    *("11", "111 212", "213 111 231", "312 113 212", "311 111 232", "2111 3213", "1121 1211", "2121 1111"),
    *("1213 1111 1231", "2121 1131 3121", "1212 1111 3213", "2112 1111 2112", "1121 1211 3113"),
    *("1121 1311 1123 1111", "1232 1121 3211 1131", "1111 1121 1131 3121"),
)
"""Grids in which the nearest equal number is as far away as the number says, by the taxicab distance."""


@st.composite
def block_parties(draw: st.DrawFn) -> Table:
    """1 to 16 cells: regions at random, or around the numbers of a filled grid, perhaps spoilt."""
    values: dict[Cell, int] = {}
    if draw(st.booleans()):
        rows = draw(st.sampled_from(FILLED)).split()
        height, width = len(rows), len(rows[0])
        values = {(r, c): int(symbol) for r, row in enumerate(rows) for c, symbol in enumerate(row)}
        regions = draw(regions_around(values))
    else:
        shapes = ((1, 1), (1, 2), (2, 2), (1, 4), (2, 3), (5, 1), (2, 4), (3, 3), (3, 4))
        height, width = draw(st.sampled_from(shapes))
        # Regions of few cells, so that some instances have solutions; sometimes as large as the grid.
        fewest = 1 if height * width <= 6 else height * width // 2
        regions = draw(partitions(height, width, draw(st.integers(fewest, height * width))))
    words = [["."] * width for _ in range(height)]
    cells = [(row, column) for row in range(height) for column in range(width)]
    for row, column in sorted(draw(st.sets(st.sampled_from(cells), max_size=3))) if values else ():
        if values[row, column] <= regions.count(regions.split()[row][column]):
            words[row][column] = str(values[row, column])
    if draw(one_in(3)):
        row, column = draw(st.sampled_from(cells))
        label = regions.split()[row][column]
        others = (words[r][c] for r, c in cells if (r, c) != (row, column) and regions.split()[r][c] == label)
        if set(others) <= {"."}:
            words[row][column] = str(draw(st.integers(1, regions.count(label))))
    return header("block_party") | {
        "distance": draw(st.sampled_from(["taxicab", "row-column"])),
        "regions": regions,
        "givens": "\n".join(" ".join(row) for row in words),
    }


@st.composite
def regions_around(draw: st.DrawFn, values: dict[Cell, int]) -> str:
    """Regions of which each holds 1, 2, ... once; a number that fits nowhere starts one, too."""
    regions: list[list[Cell]] = []
    for cell in sorted(values, key=lambda cell: (values[cell], cell)):
        row, column = cell
        beside = {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)}
        fitting = [
            region
            for region in regions
            if len(region) == values[region[-1]] == values[cell] - 1 and beside.intersection(region)
        ]
        if fitting:
            draw(st.sampled_from(fitting)).append(cell)
        else:
            regions.append([cell])
    label = {cell: chr(ord("A") + number) for number, region in enumerate(regions) for cell in region}
    height, width = (last + 1 for last in max(values))
    return "\n".join("".join(label[row, column] for column in range(width)) for row in range(height))


INSTANCES = block_parties()


def candidates(puzzle: BlockParty) -> Iterator[Solution]:
    """Every way to put 1..k into each region in which what is given stands."""
    fillings = (
        [
            dict(zip(region, filling, strict=True))
            for filling in permutations(range(1, len(region) + 1))
            if all(puzzle.givens.get(i, v) == v for i, v in zip(region, filling, strict=True))
        ]
        for region in puzzle.regions
    )
    for choice in product(*fillings):
        values = {cell: value for filling in choice for cell, value in filling.items()}
        yield puzzle.solution(values.__getitem__)
