"""Small random instances of Die Agony, and the candidates for their solutions."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from models.die_agony.puzzle import DieAgony
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in

TOP = (0, 0, 1)
START = {TOP: 0, (0, 0, -1): 1, (-1, 0, 0): 2, (1, 0, 0): 3, (0, -1, 0): 4, (0, 1, 0): 5}
MOVES = ((-1, 0), (0, 1), (1, 0), (0, -1))


def roll(sides: dict[tuple[int, int, int], int], dr: int, dc: int) -> dict[tuple[int, int, int], int]:
    """Turns the die over an edge: what points up then points to (dr, dc, 0), and so on around."""

    def turn(x: int, y: int, z: int) -> tuple[int, int, int]:
        return (-z * -dr if dr else x, -z * -dc if dc else y, -(x * dr + y * dc))

    return {turn(*direction): face for direction, face in sides.items()}


@st.composite
def die_agonies(draw: st.DrawFn) -> Table:
    """A grid of 2 to 12 cells, filled along a random walk of a random die, the rest at random."""
    shapes = ((1, 2), (2, 1), (2, 2), (1, 4), (2, 3), (3, 2), (3, 3), (2, 5), (3, 4))
    height, width = draw(st.sampled_from(shapes))
    faces = draw(st.lists(draw(st.sampled_from(FACES)), min_size=6, max_size=6))
    cell, score, sides = (height - 1, 0), 0, START
    values: dict[tuple[int, int], int] = {}
    for number in range(1, draw(st.integers(1, 10)) + 1):
        steps = []
        for dr, dc in MOVES:
            there, rolled = (cell[0] + dr, cell[1] + dc), roll(sides, dr, dc)
            then = score + number * faces[rolled[TOP]]
            if 0 <= there[0] < height and 0 <= there[1] < width and values.get(there, then) == then:
                steps.append((there, rolled, then))
        if not steps or cell == (0, width - 1):
            break
        cell, sides, score = draw(st.sampled_from(steps))
        values[cell] = score
    cells = [(row, column) for row in range(height) for column in range(width)]
    for other in cells:
        if other not in values:
            values[other] = draw(st.integers(-6, 12))
    if draw(one_in(4)):
        values[draw(st.sampled_from(cells))] += draw(st.sampled_from([1, -1, 2, 10**6]))
    return header("die_agony") | {
        "grid": "\n".join(" ".join(str(values[r, c]) for c in range(width)) for r in range(height)),
        "faces": draw(st.sampled_from(["integer", "rational"])),
        "max_moves": draw(st.integers(1, 10)),
    }


FACES = (st.integers(0, 1), st.integers(-3, 4), st.integers(-500, 500))
"""Numbers on a die: few of them, so that there are many walks, or many."""

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
        for dr, dc in MOVES:
            row, column = path[-1][0] + dr, path[-1][1] + dc
            if 0 <= row < len(puzzle.grid) and 0 <= column < len(puzzle.grid[0]):
                rolled = roll(sides, dr, dc)
                value = Fraction(puzzle.grid[row][column] - score, len(path))
                face = rolled[TOP]
                if faces.get(face, value) == value and (puzzle.faces == "rational" or value.denominator == 1):
                    grown = ([*path, (row, column)], rolled, puzzle.grid[row][column], faces | {face: value})
                    stack.append(grown)
