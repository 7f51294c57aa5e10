"""Small random instances of Die Agony, and the candidates for their solutions."""

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from models.die_agony.puzzle import DieAgony
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header

SIDES = {
    "top": (0, 0, 1),
    "bottom": (0, 0, -1),
    "north": (-1, 0, 0),
    "south": (1, 0, 0),
    "west": (0, -1, 0),
    "east": (0, 1, 0),
}


def roll(sides: dict[tuple[int, int, int], int], dr: int, dc: int) -> dict[tuple[int, int, int], int]:
    """Turns the die over an edge: what points up then points to (dr, dc, 0), and so on around."""

    def turn(x: int, y: int, z: int) -> tuple[int, int, int]:
        return (-z * -dr if dr else x, -z * -dc if dc else y, -(x * dr + y * dc))

    return {turn(*direction): face for direction, face in sides.items()}


START = {direction: face for face, direction in enumerate(SIDES.values())}


@st.composite
def die_agonies(draw: st.DrawFn) -> Table:
    """A grid of 2 to 6 cells, filled along a random walk of a random die, the rest at random."""
    height, width = draw(st.sampled_from([(1, 2), (2, 1), (2, 2), (2, 3), (3, 2)]))
    faces = draw(st.lists(st.integers(-3, 4), min_size=6, max_size=6))
    rng = random.Random(draw(st.integers(0, 10**6)))
    cell, score, sides = (height - 1, 0), 0, START
    values: dict[tuple[int, int], int] = {}
    for number in range(1, 8):
        dr, dc = rng.choice([(-1, 0), (1, 0), (0, -1), (0, 1)])
        row, column = cell[0] + dr, cell[1] + dc
        if not (0 <= row < height and 0 <= column < width):
            break
        sides = roll(sides, dr, dc)
        score += number * faces[sides[SIDES["top"]]]
        if values.setdefault((row, column), score) != score:
            break
        cell = row, column
        if cell == (0, width - 1):
            break
    grid = [[values.get((r, c), rng.randint(-6, 12)) for c in range(width)] for r in range(height)]
    return header("die_agony") | {
        "grid": "\n".join(" ".join(map(str, row)) for row in grid),
        "faces": draw(st.sampled_from(["integer", "rational"])),
        "max_moves": draw(st.integers(1, 7)),
    }


INSTANCES = die_agonies()


def candidates(puzzle: DieAgony) -> Iterator[Solution]:
    """Every walk, with the faces that its scores need, by a die of this file's own."""
    stack: list[Any] = [([puzzle.start], START, 0, {})]
    while stack:
        path, sides, score, faces = stack.pop()
        if path[-1] == puzzle.end:
            yield puzzle.solution(path, faces)
            continue
        if len(path) > puzzle.max_moves:
            continue
        for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            row, column = path[-1][0] + dr, path[-1][1] + dc
            if 0 <= row < len(puzzle.grid) and 0 <= column < len(puzzle.grid[0]):
                rolled = roll(sides, dr, dc)
                value = Fraction(puzzle.grid[row][column] - score, len(path))
                face = rolled[SIDES["top"]]
                if faces.get(face, value) == value and (puzzle.faces == "rational" or value.denominator == 1):
                    grown = ([*path, (row, column)], rolled, puzzle.grid[row][column], faces | {face: value})
                    stack.append(grown)
