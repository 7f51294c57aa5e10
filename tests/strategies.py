"""Small random instances as the tables of TOML files, and what an exhaustive look with the checker counts."""

import json
import random
from collections.abc import Iterator
from itertools import pairwise, permutations, product
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from models.block_party.puzzle import BlockParty
from models.bug_byte.puzzle import BugByte
from models.die_agony.puzzle import DieAgony
from models.magic_hexagon.puzzle import MagicHexagon
from models.number_cross.puzzle import NumberCross

Table = dict[str, Any]


def as_toml(table: Table) -> str:
    """The table as a file."""
    return "".join(f"{key} = {_toml(value)}\n" for key, value in table.items())


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(item)}" for key, item in value.items()) + "}"
    return json.dumps(value)


def header(puzzle: str) -> Table:
    return {"puzzle": puzzle, "title": "random", "source": "made for this test"}


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


def count_block_party(puzzle: BlockParty) -> int:
    """Over every way to put 1..k into each region."""
    accepted = 0
    for choice in product(*(permutations(range(1, len(region) + 1)) for region in puzzle.regions)):
        values = {
            cell: value
            for region, filling in zip(puzzle.regions, choice, strict=True)
            for cell, value in zip(region, filling, strict=True)
        }
        accepted += not puzzle.check(puzzle.solution(values.__getitem__))
    return accepted


@st.composite
def bug_bytes(draw: st.DrawFn) -> Table:
    """A connected graph of up to 6 edges, sums and paths from a random labelling, perhaps spoilt."""
    nodes = "ABCDE"[: draw(st.integers(3, 5))]
    tree = [(nodes[draw(st.integers(0, number - 1))], nodes[number]) for number in range(1, len(nodes))]
    others = [(u, v) for i, u in enumerate(nodes) for v in nodes[i + 1 :] if (u, v) not in tree]
    edges = tree + draw(st.permutations(others))[: 6 - len(tree)]
    labels = draw(st.permutations(range(1, len(edges) + 1)))
    given = draw(st.integers(0, len(edges)))
    label = dict(zip(edges, labels, strict=True))
    sums = {
        node: sum(number for edge, number in label.items() if node in edge)
        for node in draw(st.sets(st.sampled_from(nodes), max_size=3))
    }
    paths: dict[str, list[int]] = {}
    for node in draw(st.sets(st.sampled_from(nodes), max_size=2)):
        total, here, seen = 0, node, {node}
        for _ in range(draw(st.integers(1, 3))):
            steps = [
                (edge, v) for edge in edges for u, v in (edge, edge[::-1]) if u == here and v not in seen
            ]
            if steps:
                edge, here = draw(st.sampled_from(steps))
                total += label[edge]
                seen.add(here)
        paths[node] = [total + draw(st.sampled_from([0, 0, 0, 1]))]
    return header("bug_byte") | {
        "edges": [[*edge, label[edge]] if n == given else list(edge) for n, edge in enumerate(edges)],
        "endpoints": [nodes[0], nodes[-1]],
        "sums": sums,
        "paths": paths,
    }


def count_bug_byte(puzzle: BugByte) -> int:
    """Over every order of the labels."""
    accepted = 0
    for labels in permutations(puzzle.labels):
        label = dict(zip(puzzle.edges, labels, strict=True))
        accepted += not puzzle.check(puzzle.solution(label.__getitem__))
    return accepted


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
    values = {}
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


def count_die_agony(puzzle: DieAgony) -> int:
    """Over every walk, with the faces that its scores need, by a die of this test's own."""
    from fractions import Fraction

    accepted = 0
    stack: list[Any] = [([puzzle.start], START, 0, {})]
    while stack:
        path, sides, score, faces = stack.pop()
        if path[-1] == puzzle.end:
            accepted += not puzzle.check(puzzle.solution(path, faces))
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
    return accepted


ARISTOTLE = [[3, 17, 18], [19, 7, 1, 11], [16, 2, 5, 6, 9], [12, 4, 8, 14], [10, 13, 15]]


def aristotles() -> Iterator[list[list[int]]]:
    """The 12 images of the one solution of order 3, by turning and mirroring its rows as a picture."""
    rows = ARISTOTLE
    for _ in range(6):
        yield rows
        yield [row[::-1] for row in rows]
        # Turned by 60 degrees, the rows are what were the diagonals that fall to the left.
        rows = [
            [rows[r][n - max(0, r - 2)] for r in range(4, -1, -1) if 0 <= n - max(0, r - 2) < len(rows[r])]
            for n in range(5)
        ]


@st.composite
def magic_hexagons(draw: st.DrawFn) -> Table:
    """Order 3 with some givens from a solution, one perhaps spoilt; or a small order."""
    order = draw(st.sampled_from([1, 2, 3, 3, 3, 3]))
    if order < 3:
        return header("magic_hexagon") | {"order": order, "start": draw(st.integers(-3, 3))}
    words = [[str(value) for value in row] for row in draw(st.sampled_from(list(aristotles())))]
    cells = draw(st.permutations([(r, c) for r, row in enumerate(words) for c in range(len(row))]))
    for r, c in cells[draw(st.integers(7, 12)) :]:
        words[r][c] = "."
    if draw(st.integers(0, 3)) == 0:
        (r, c), (s, d) = cells[:2]
        words[r][c], words[s][d] = words[s][d], words[r][c]
    return header("magic_hexagon") | {
        "order": 3,
        "start": 1,
        "givens": "\n".join(" ".join(row) for row in words),
    }


def count_magic_hexagon(puzzle: MagicHexagon) -> int:
    """Over the 12 solutions of order 3, or every order of the numbers."""
    if puzzle.order == 3:
        return sum(not puzzle.check(rows) for rows in aristotles())
    return sum(
        not puzzle.check(puzzle.solution(dict(zip(puzzle.cells, values, strict=True)).__getitem__))
        for values in permutations(puzzle.values)
    )


CLUES = [
    *("square", "cube", "fibonacci", "palindrome", "palindrome + 1", "palindrome - 1", "palindrome + 12"),
    *("palindrome - 9", "multiple of 3", "multiple of 7", "multiple of 11", "power of 2", "power of 3"),
    *(
        "prime ^ prime",
        "digit sum = 7",
        "digit sum = 10",
        "digit product ends in 0",
        "digit product ends in 2",
    ),
    *("palindrome & multiple of 11", "multiple of 2 & multiple of 3", "multiple of 4 & digit sum = 8"),
]


@st.composite
def number_crosses(draw: st.DrawFn) -> Table:
    """Two or three rows of three or four cells."""
    height, width = draw(st.sampled_from([(2, 3), (3, 3), (2, 4)]))
    regions = draw(partitions(height, width, draw(st.integers(2, height * width))))
    clues = [draw(st.sampled_from(CLUES)) for _ in range(height)]
    return header("number_cross") | {"regions": regions, "clues": clues}


def count_number_cross(puzzle: NumberCross) -> int:
    """Row by row, over the words that the checker accepts alone and below the row above."""

    def part(first: int, last: int) -> NumberCross:
        rows = slice(first, last + 1)
        return NumberCross(puzzle.labels[rows], puzzle.clues[rows], ("",) * (last + 1 - first))

    ways: dict[str, int] = {}
    for row, labels in enumerate(puzzle.labels):
        words = [word for word in region_words(labels) if not part(row, row).check([word])]
        if row == 0:
            ways = dict.fromkeys(words, 1)
            continue
        assume(len(ways) * len(words) <= 30_000)
        pair = part(row - 1, row)
        ways = {
            word: sum(count for above, count in ways.items() if not pair.check([above, word]))
            for word in words
        }
        ways = {word: count for word, count in ways.items() if count}
    return sum(ways.values())


def region_words(labels: tuple[str, ...]) -> list[str]:
    """Every word of digits and dots in which neighbours in one region are equal or one is shaded."""
    words = [""]
    for column in range(len(labels)):
        words = [
            word + symbol
            for word in words
            for symbol in ".0123456789"
            if not word
            or "." in (word[-1], symbol)
            or (word[-1] == symbol) == (labels[column - 1] == labels[column])
        ]
    return words


MADE = {
    "block_party": (block_parties(), count_block_party),
    "bug_byte": (bug_bytes(), count_bug_byte),
    "die_agony": (die_agonies(), count_die_agony),
    "magic_hexagon": (magic_hexagons(), count_magic_hexagon),
    "number_cross": (number_crosses(), count_number_cross),
}
"""For each puzzle, random tables and what an exhaustive look counts."""

assert all(sum(a) == 38 for a in ARISTOTLE) and all(a != b for a, b in pairwise(aristotles()))
