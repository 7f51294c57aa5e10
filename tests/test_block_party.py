"""The rules of Block Party: parsing, checking, picturing."""

import random
import subprocess
import sys
from itertools import pairwise

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from bench import catalogue
from bench.catalogue import ROOT
from models.block_party import neighbourhoods
from models.block_party.puzzle import BlockParty, parse
from models.block_party.random_instances import block_parties
from models.shared.document import InstanceError
from models.shared.maximal_boxes import maximal_boxes

REAL = catalogue.load(ROOT / "instances/block_party/june_2022.toml").puzzle
assert isinstance(REAL, BlockParty)
SOLUTION = [
    [4, 3, 6, 5, 3, 7, 4, 9, 6, 5],
    [8, 10, 2, 4, 1, 1, 2, 3, 8, 2],
    [9, 2, 3, 2, 1, 2, 5, 1, 2, 4],
    [5, 7, 2, 1, 2, 6, 3, 1, 1, 3],
    [6, 3, 1, 1, 3, 2, 1, 4, 2, 7],
    [1, 1, 4, 5, 1, 1, 1, 3, 5, 6],
    [3, 1, 2, 3, 2, 4, 2, 1, 2, 3],
    [4, 2, 1, 1, 1, 1, 3, 1, 4, 9],
    [5, 8, 3, 4, 2, 1, 6, 2, 3, 8],
    [7, 6, 9, 10, 5, 3, 4, 7, 2, 5],
]


def test_the_published_solution_passes() -> None:
    assert REAL.check(SOLUTION) == []
    assert REAL.answer(SOLUTION) == 24405360


@given(st.integers(0, 99), st.integers(-1, 12))
def test_any_other_value_in_a_cell_is_refused(cell: int, value: int) -> None:
    """Block Party 4 has one solution, so every change breaks a rule; the words name a place."""
    changed = [row.copy() for row in SOLUTION]
    row, column = divmod(cell, 10)
    changed[row][column] = value
    broken = REAL.check(changed)
    assert bool(broken) == (changed != SOLUTION)
    assert all(rule.startswith(("row ", "region ")) for rule in broken)


@given(st.randoms(use_true_random=False), st.integers(0, 22))
def test_any_other_order_in_a_region_is_refused(rng: random.Random, number: int) -> None:
    changed = [row.copy() for row in SOLUTION]
    region = REAL.regions[number]
    values = [SOLUTION[row][column] for row, column in region]
    rng.shuffle(values)
    for (row, column), value in zip(region, values, strict=True):
        changed[row][column] = value
    assert bool(REAL.check(changed)) == (changed != SOLUTION)


@pytest.mark.parametrize(
    "shape",
    [
        *(None, 3, "abc", {}, [], [[]], SOLUTION[:9], ["4365374965"] * 10),
        [row[:9] for row in SOLUTION],
        [[str(value) for value in row] for row in SOLUTION],
        *([[True] * 10] * 10, [[None] * 10] * 10),
    ],
)
def test_a_solution_of_the_wrong_shape_is_refused_in_words(shape: object) -> None:
    assert REAL.check(shape) == ["the solution is not 10 rows of 10 whole numbers each"]


def table(**changes: object) -> dict[str, object]:
    """The table of a good 2x2 instance, changed."""
    good = {
        "puzzle": "block_party",
        "title": "t",
        "source": "s",
        "distance": "taxicab",
        "regions": "AB\nAC",
        "givens": ". .\n. .",
    }
    return good | changes


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"distance": "chess"}, "distance: "),
        ({"regions": "AB\nA"}, "regions, row 2: 1 cells; every row needs 2"),
        ({"regions": ""}, "regions: the grid is empty"),
        ({"regions": "AB\nBA"}, "region A is not connected"),
        ({"regions": 3}, "regions: "),
        ({"givens": ". .\n. x"}, "givens, row 2, column 2: 'x' is not a whole number"),
        ({"givens": ". .\n. 2"}, "givens, row 2, column 2: 2 is outside 1..1"),
        ({"givens": "1 .\n1 ."}, "givens, row 2, column 1: a second 1 in its region"),
        ({"givens": ". ."}, "givens: 1 rows; the grid has 2"),
        ({"givens": ". . .\n. ."}, "givens, row 1: 3 cells; every row needs 2"),
        ({"colour": "red"}, "colour: unknown key; known are puzzle"),
        ({"expected": {"solutions": -1}}, "expected.solutions: "),
        ({"expected": {"answers": 1}}, "expected.answers: unknown key"),
        ({"title": ""}, "title: "),
    ],
)
def test_a_malformed_table_is_refused_with_the_place(changes: dict[str, object], says: str) -> None:
    with pytest.raises(InstanceError) as refused:
        parse(table(**changes))
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("key", ["regions", "givens", "distance", "title", "source"])
def test_a_missing_key_is_named(key: str) -> None:
    with pytest.raises(InstanceError, match=f"{key}: this key is missing"):
        parse({name: value for name, value in table().items() if name != key})


def test_labels_may_be_words() -> None:
    assert parse(table(regions="r1 r2\nr1 r3")).regions == parse(table()).regions


@given(block_parties())
def test_rings_and_windows_are_the_rule(made: dict[str, object]) -> None:
    """rings and closer restate the rule; the windows cover exactly the pairs that closer forbids."""
    puzzle = parse(made)
    rings = neighbourhoods.rings(puzzle.distance, puzzle.domains)
    closer = neighbourhoods.closer(puzzle.distance, puzzle.domains)
    windows = list(neighbourhoods.maximal_windows(puzzle.distance, puzzle.domains))
    assert rings.keys() == closer.keys() == {(i, k) for i in puzzle.cells for k in puzzle.domains[i]}
    for value in {value for values in puzzle.domains.values() for value in values}:
        holders = [i for i in puzzle.cells if value in puzzle.domains[i]]
        far = {
            (i, k): abs(i[0] - k[0]) + abs(i[1] - k[1])
            for i in holders
            for k in holders
            if i != k and (puzzle.distance == "taxicab" or i[0] == k[0] or i[1] == k[1])
        }
        for i in holders:
            assert set(rings[i, value]) == {k for k in holders if far.get((i, k)) == value}
            assert set(closer[i, value]) == {k for k in holders if far.get((i, k), value) < value}
        sets = [set(window) for which, window in windows if which == value]
        covered = {(i, k) for window in sets for i in window for k in window if i != k}
        assert covered == {pair for pair, distance in far.items() if distance < value}
        assert not any(a < b for a in sets for b in sets), "each is maximal"
        graph = networkx.Graph(pair for pair, distance in far.items() if distance < value)
        assert sorted(map(sorted, sets)) == sorted(map(sorted, networkx.find_cliques(graph)))


POINTS = st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=1, max_size=20, unique=True)


@given(POINTS, st.tuples(st.integers(1, 10), st.integers(1, 10)))
def test_maximal_boxes_are_those_of_the_definition(
    points: list[tuple[int, int]], sides: tuple[int, int]
) -> None:
    height, width = sides
    boxes = {
        frozenset(k for k, (r, c) in enumerate(points) if 0 <= r - top < height and 0 <= c - left < width)
        for top, _ in points
        for _, left in points
    }
    expected = {box for box in boxes if len(box) > 1 and not any(box < other for other in boxes)}
    found = [frozenset(box) for box in maximal_boxes(points, sides)]
    assert set(found) == expected
    assert len(found) == len(expected), "each once"


def test_the_text_shows_every_region_border() -> None:
    lines = REAL.text(SOLUTION).splitlines()
    assert len(lines) == 21
    for row, cells in enumerate(SOLUTION):
        assert [int(word) for word in lines[2 * row + 1].replace("│", " ").split()] == cells
        borders = sum(a != b for a, b in pairwise(REAL.labels[row]))
        assert lines[2 * row + 1].count("│") == borders + 2


def test_the_picture_shows_the_givens_in_bold() -> None:
    axes = Figure().subplots()
    REAL.draw(axes, SOLUTION)
    bold = [text.get_text() for text in axes.texts if text.get_fontweight() == "bold"]
    assert sorted(bold) == sorted(str(value) for value in REAL.givens.values())
    assert len([text for text in axes.texts if text.get_text()]) == 100


PLANTED = """
from random import Random
from models.block_party import generate, puzzle
from models.shared.generator import document
generate.WHOLE, generate.TILE = 20, 6  # Tiles that are made at once.
for size in (3, 5, 7, 24):
    rng = Random(size)
    planted = generate.plant(size, rng)
    for share in (0, 0.1, 0.5, 1):
        clues = rng.sample(planted.clues[0], round(share * size * size))
        told = puzzle.parse(document(planted.table(clues)))
        assert told.givens == dict(clues) and told.check(planted.solution) == []
        spoilt = generate.spoil(planted, clues, rng)
        assert bool(spoilt) == bool(clues), "there are no clues to spoil"
        if spoilt:
            assert dict(spoilt).keys() == dict(clues).keys() and len({*spoilt} - {*clues}) in (1, 2)
            assert puzzle.parse(document(planted.table(spoilt))).check(planted.solution)
"""


def test_the_clues_of_a_block_party_are_true_until_one_is_spoilt() -> None:
    """In a process of its own, as the generator imports a solver; the largest grid is made of tiles."""
    subprocess.run([sys.executable, "-c", PLANTED], cwd=ROOT, timeout=120, check=True)
