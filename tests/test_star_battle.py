"""Star Battle: what parse refuses, damaged solutions, notations of collections, the generator's regions."""

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.shared.document import InstanceError
from models.shared.generator import document
from models.shared.grid import Cell, Grid, connected_parts
from models.star_battle.adapter import adapt
from models.star_battle.generate import moves, plant, random_half, refute, spoil, with_stars
from models.star_battle.puzzle import StarBattle, parse

ADDRESS = "6/6/1/2u9gn9c9jpmk"
REGIONS = "0 0 0 0 1 1\n0 2 3 0 1 1\n2 2 3 3 3 1\n2 1 1 1 1 1\n2 4 4 1 4 5\n2 2 4 4 4 5"
"""The regions of this address, which is one of the tests of cspuz_rs."""


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"stars": 0}, "stars: should be 1..100, not 0"),
        ({"regions": "A B\nA B\nA B"}, "regions: 3 rows of 2 cells; the grid should be a square"),
        ({"regions": "A A\nA A"}, "regions: 1 labels; a grid with 2 rows has 2 regions"),
        ({"regions": "A B\nB A"}, "regions, row 2, column 2: region A is not connected; give this part"),
        ({"regions": "A B\nB"}, "regions, row 2: 1 cells; every row needs 2"),
    ],
)
def test_what_parse_refuses(more: dict[str, object], message: str) -> None:
    with pytest.raises(InstanceError) as error:
        parse(document({"stars": 1, "regions": "A A\nB B", **more}))
    assert str(error.value).startswith(message)


@settings(max_examples=30)
@given(size=st.sampled_from([1, 4, 5, 6, 8, 9, 10]), seed=st.integers(0, 10**6), draw=st.data())
def test_a_star_more_or_less_or_elsewhere_breaks_a_rule(size: int, seed: int, draw: st.DataObject) -> None:
    """What is planted is a solution; no other with one cell changed, or with a star in another cell."""
    planted = plant(size, Random(seed))
    assert planted
    puzzle = parse(document(planted.table([])))
    assert not puzzle.check(planted.solution)
    row, column = draw.draw(st.sampled_from(puzzle.cells))
    damaged = [[*line] for line in planted.solution]
    damaged[row][column] = draw.draw(st.sampled_from([-1, 2, 1 - damaged[row][column]]))
    assert puzzle.check(damaged)
    damaged = [[*line] for line in planted.solution]
    damaged[row].append(damaged[row].pop(0))
    assert size == 1 or puzzle.check(damaged)


@given(side=st.integers(1, 6))
def test_pairs_that_touch_are_a_step_of_a_king_apart(side: int) -> None:
    puzzle = StarBattle(side, side, 1, (), {})
    pairs = {frozenset(pair) for pair in puzzle.touching}
    assert len(pairs) == len(puzzle.touching)
    assert pairs == {
        frozenset(((r, c), (row, column)))
        for (r, c), (row, column) in product(puzzle.cells, repeat=2)
        if max(abs(r - row), abs(c - column)) == 1
    }
    assert pairs == {frozenset((a, b)) for k in puzzle.blocks for a, b in product(k, repeat=2) if a != b}


def labels(rows: str) -> set[tuple[Cell, ...]]:
    """The regions of a block, whatever their labels are."""
    return {*parse(document({"stars": 1, "regions": rows})).regions.values()}


def test_an_address_has_the_borders_of_its_regions() -> None:
    table, solution = adapt({"puzzlink": ADDRESS})
    assert table["stars"] == 1 and solution is None
    assert labels(table["regions"]) == labels(REGIONS)


def test_a_line_has_the_published_solution() -> None:
    fields = {"stars": 1, "regions": ["1 1", "2 2"], "solution": ["0 1", "1 0"]}
    assert adapt(fields) == ({"stars": 1, "regions": "1 1\n2 2"}, [[0, 1], [1, 0]])


@pytest.mark.parametrize(
    "fields",
    [
        {"puzzlink": "6/6/2u9gn9c9jpmk"},
        {"puzzlink": "6/6/0/2u9gn9c9jpmk"},
        {"puzzlink": "6/5/1/2u9gn9c9jpm"},
        {"puzzlink": ADDRESS[:-1]},
        {"puzzlink": ADDRESS[:-1] + "z"},
        {"stars": "1", "regions": ["1"]},
        {"stars": 1, "regions": "1"},
    ],
)
def test_what_the_adapter_refuses(fields: dict[str, object]) -> None:
    with pytest.raises(InstanceError):
        adapt(fields)


@settings(max_examples=50)
@given(
    cells=st.sets(st.sampled_from(Grid(4, 4).cells), min_size=1), seed=st.integers(0, 10**6), data=st.data()
)
def test_half_of_the_stars_are_in_a_part_that_leaves_the_rest_connected(
    cells: set[Cell], seed: int, data: st.DataObject
) -> None:
    joined = sorted(connected_parts(cells)[0])
    stars = data.draw(st.sets(st.sampled_from(joined)))
    if part := random_half(Grid(4, 4), joined, stars, Random(seed)):
        assert len(part & stars) == len(stars) // 2
        assert len(connected_parts(part)) == 1 and len(connected_parts({*joined} - part)) <= 1


@settings(max_examples=20)
@given(size=st.sampled_from([5, 6, 10]), seed=st.integers(0, 10**6))
def test_a_move_keeps_what_is_planted_or_breaks_it(size: int, seed: int) -> None:
    """Another solution is refuted by a cell in which it alone has a star, if any such can move."""
    planted, elsewhere = plant(size, Random(seed)), plant(size, Random(seed + 1))
    assert planted and elsewhere
    puzzle = parse(document(planted.table([])))
    changed = refute(planted, elsewhere.solution, Random(seed))
    assert changed and not parse(document(changed.table([]))).check(planted.solution)
    only = [(r, c) for r, c in puzzle.cells if elsewhere.solution[r][c] == 1 and planted.solution[r][c] == 0]
    if moves(puzzle, only):
        assert labels(changed.table([])["regions"]) in [
            labels(planted.table([move])["regions"]) for move in moves(puzzle, only)
        ]
    if spoilt := spoil(planted, [], Random(seed)):
        assert parse(document(planted.table(spoilt))).check(planted.solution)


def test_sizes_without_stars_that_do_not_touch() -> None:
    for size in (0, 2, 3):
        with pytest.raises(ValueError, match="the grid needs 4 cells or more on a side, or one"):
            plant(size, Random(1))
    assert with_stars(5, 2, Random(1)) is None
