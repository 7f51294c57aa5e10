"""Shikaku: the rules, the rectangles that fit, notations of collections, what the generator plants."""

from itertools import islice, product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.shared.document import InstanceError
from models.shared.generator import Table, document
from models.shared.search import Tally
from models.shikaku.adapter import adapt
from models.shikaku.backtrack import exact_cover
from models.shikaku.generate import plant, random_parts, refute, spoil
from models.shikaku.puzzle import Shikaku, parse
from models.shikaku.random_instances import INSTANCES
from models.shikaku.rectangles import Rectangle, cut, fitting_rectangles

CLUES = ["2 . ?", ". . .", "3 . ."]
SOLUTION = [[1, 1, 2], [2, 2, 2], [3, 3, 3]]
SOLVED = [[1, 2, 2], [1, 2, 2], [3, 3, 3]]


def puzzle(*rows: str) -> Shikaku:
    """The puzzle with these rows of clues."""
    return parse(document({"clues": "\n".join(rows)}))


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([""], "clues: the grid is empty"),
        ([". .", "."], "clues, row 2: 1 cells; every row needs 2"),
        (["x ."], "clues, row 1, column 1: 'x' is not a whole number"),
        ([". 0"], "clues, row 1, column 2: 0 is outside 1..2"),
        ([". .", "5 ."], "clues, row 2, column 1: 5 is outside 1..4"),
    ],
)
def test_a_malformed_table_is_refused_with_the_place(rows: list[str], says: str) -> None:
    with pytest.raises(InstanceError) as refused:
        puzzle(*rows)
    assert says in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("solution", "broken"),
    [
        (SOLVED, []),
        (SOLUTION, ["the cells of the clue in row 1, column 3 are no rectangle"]),
        ([[1, 1, 2], [1, 1, 2], [3, 3, 3]], ["the clue in row 1, column 1 says 2, but its rectangle has 4"]),
        (
            [[1, 2, 1], [1, 2, 2], [3, 3, 3]],
            [
                "says 2, but its rectangle has 3",
                "row 1, column 1 are no",
                "is not in its own",
                "column 3 are no",
            ],
        ),
        ([[1, 2, 2], [1, 4, 4], [3, 3, 3]], ["row 2, column 2 holds 4, but clues are counted from 1 to 3"]),
        ([[1, 2, 2]] * 2, ["the solution is not 3 rows of 3"]),
    ],
)
def test_each_rule_is_checked(solution: Any, broken: list[str]) -> None:
    found = puzzle(*CLUES).check(solution)
    assert len(found) == len(broken) and all(any(words in rule for rule in found) for words in broken)


def test_the_answer_is_the_length_of_the_cuts() -> None:
    assert puzzle(*CLUES).answer(SOLVED) == 2 + 3


@given(INSTANCES)
def test_fitting_rectangles_are_those_with_one_clue_and_its_area(table: Table) -> None:
    """Whatever is beside them."""
    whole = parse(table)
    clues = list(whole.clues)
    expected = set()
    for top, left in whole.cells:
        for height, width in product(range(1, whole.height - top + 1), range(1, whole.width - left + 1)):
            cells = Rectangle(0, top, left, height, width).cells
            held = [cell for cell in clues if cell in cells]
            if len(held) == 1 and whole.clues[held[0]] in (None, len(cells)):
                expected.add(Rectangle(clues.index(held[0]) + 1, top, left, height, width))
    found = fitting_rectangles(whole)
    assert len(found) == len(expected) and {*found} == expected


def test_collections_are_read() -> None:
    """Labels may be any words; lines that are drawn twice, or are no sides of cells, change nothing."""
    table, solution = adapt({"givens": CLUES, "solution": ["7 x x", "7 x x", "0 0 0"]})
    assert table == {"clues": "\n".join(CLUES)} and solution == SOLVED
    lines = ["2,0,2,2", "2,2,2,4", "2,2,2,4", "0,4,2,4", "2,4,4,4", "4,4,6,4", "0,0,0,2", "90,0,90,2"]
    moves = [f"mouse,left,{line}" for line in lines] + ["mouse,right,1,2"]
    assert adapt({"puzzlink": "3/3/2g.i3h&id=5", "moves": moves}) == (table, SOLVED)
    assert adapt({"puzzlink": "3/3/2g.i3h"}) == (table, None)
    assert adapt({"puzzlink": "1/3/-10+1ffg"})[0] == {"clues": "16\n511\n."}
    assert adapt({"sgt": "3x2:2_2c2"}) == ({"clues": "2 2 .\n. . 2"}, None)


@pytest.mark.parametrize(
    "solution", [3, [], ["1 1"], ["1 1 1"] * 3, [[1, 1, 2]] * 3, ["a b c", "", "d"], [None]]
)
def test_a_published_solution_that_is_none_is_refused(solution: Any) -> None:
    table, read = adapt({"givens": CLUES, "solution": solution})
    assert parse(document(table)).check(read)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({}, "givens: should be a list of texts, not None"),
        ({"sgt": "9:a"}, "'9' should be the width and height of the grid"),
        ({"sgt": "3x3:z"}, "has 26 cells; a grid of 3x3 has 9"),
        ({"sgt": f"1x1:{'9' * 5000}"}, "has 556 cells"),
        ({"puzzlink": "3/3/2"}, "has 1 cells"),
        ({"puzzlink": "3/x/2"}, "should end in WIDTH/HEIGHT/CODE"),
    ],
)
def test_what_cannot_be_read_is_named(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(InstanceError, match=says):
        adapt(fields)


@given(st.integers(1, 16), st.integers(0, 10**6))
def test_a_grid_is_cut_into_rectangles_of_several_cells(size: int, seed: int) -> None:
    parts = random_parts(size, Random(seed))
    assert sorted(cell for part in parts for cell in part) == [*product(range(size), repeat=2)]
    for part in parts:
        height, width = (max(line) - min(line) + 1 for line in zip(*part, strict=True))
        assert len({*part}) == len(part) == height * width >= min(size, 2)


@given(st.integers(2, 9), st.integers(0, 10**6))
def test_what_is_planted_is_a_solution_that_is_not_spoilt(size: int, seed: int) -> None:
    """Another solution is none of what is planted in place of this."""
    rng = Random(seed)
    planted = plant(size, rng)
    told = [clue for clue in planted.clues[0] if rng.random() < 0.5]
    for clues in (planted.clues[0], told):
        assert parse(document(planted.table(clues))).check(planted.solution) == []
    if spoilt := spoil(planted, told, rng):
        assert parse(document(planted.table(spoilt))).check(planted.solution)
    whole = parse(document(planted.table(planted.clues[0])))
    for other in islice(exact_cover(whole, Tally()), 2):
        if other != planted.solution:
            changed = refute(planted, other, rng)
            after = parse(document(changed.table(changed.clues[0])))
            number = {other[row][column]: clue for clue, (row, column) in enumerate(after.clues, 1)}
            cut_anew = [[number.get(label, 0) for label in row] for row in other]
            assert after.check(changed.solution) == [] != after.check(cut_anew)


def test_rectangles_make_a_solution() -> None:
    rectangles = [Rectangle(1, 0, 0, 2, 1), Rectangle(2, 0, 1, 2, 2), Rectangle(3, 2, 0, 1, 3)]
    assert cut(puzzle(*CLUES), rectangles) == SOLVED
