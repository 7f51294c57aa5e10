"""Small random instances of Choco Banana, and the candidates for their solutions."""

import random
from collections.abc import Iterator

from hypothesis import strategies as st

from models.choco_banana.puzzle import SHADED, UNSHADED, ChocoBanana, is_rectangle
from models.shared.grid import Cell, connected_parts
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in

SHAPES = ((1, 1), (1, 3), (2, 1), (2, 2), (2, 3), (3, 2), (3, 3), (2, 5), (5, 2), (3, 4), (4, 3), (4, 4))
"""Rows and columns of the grids; the greater half of them is drawn more often."""


@st.composite
def choco_bananas(draw: st.DrawFn) -> Table:
    """A grid of 1 to 16 cells with few or many numbers of a shading, one of them perhaps spoilt."""
    height, width = draw(st.sampled_from([*SHAPES, *SHAPES[6:-1]]))
    share = draw(st.sampled_from([0.4, 0.25, 0.6, 1]))
    rng = random.Random(draw(st.integers(0, 10**6)))
    sizes = {cell: len(group) for group in groups(height, width, rng) for cell in group}
    shown = {cell: str(size) for cell, size in sizes.items() if rng.random() < share}
    if draw(one_in(3)) and shown:
        shown[rng.choice(list(shown))] = str(rng.randint(1, height * width))
    rows = [[shown.get((row, column), ".") for column in range(width)] for row in range(height)]
    return header("choco_banana") | {"cells": "\n".join(map(" ".join, rows))}


def groups(height: int, width: int, rng: random.Random) -> list[set[Cell]]:
    """The groups of a shading; in rare cases some of those that are unshaded are rectangles."""
    cells = [(row, column) for row in range(height) for column in range(width)]
    for _ in range(100):
        shaded: list[set[Cell]] = []
        free = set(cells)
        for _ in range(rng.randint(1, len(cells))):
            (top, left), (bottom, right) = rng.choice(cells), rng.choice(cells)
            box = {(r, c) for r, c in cells if top <= r <= bottom and left <= c <= right}
            if box and box <= free:
                shaded.append(box)
                free -= {(r + a, c + b) for r, c in box for a in (-1, 0, 1) for b in (-1, 0, 1) if a * b == 0}
        unshaded = connected_parts(set(cells).difference(*shaded))
        if not any(map(is_rectangle, unshaded)):
            break
    return shaded + unshaded


INSTANCES = choco_bananas()


def candidates(puzzle: ChocoBanana) -> Iterator[Solution]:
    """Every shading in which no 2x2 block has three shaded cells: that is in no rectangle."""
    shading: dict[Cell, int] = {}

    def fill(place: int) -> Iterator[Solution]:
        if place == len(puzzle.cells):
            yield puzzle.solution(shading.__getitem__)
            return
        row, column = puzzle.cells[place]
        block = [(row - 1, column - 1), (row - 1, column), (row, column - 1)]
        # A group of one or two cells is a rectangle, so it is shaded.
        sure = puzzle.numbers.get((row, column), 3) <= 2
        for shading[row, column] in [SHADED] if sure else [UNSHADED, SHADED]:
            if not row or not column or shading[row, column] + sum(map(shading.__getitem__, block)) != 3:
                yield from fill(place + 1)

    return fill(0)
