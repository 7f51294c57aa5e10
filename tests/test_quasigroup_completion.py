"""Quasigroup completion: malformed files, the checker, collections, the search, squares that are drawn."""

from collections import Counter
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.quasigroup_completion.adapter import adapt
from models.quasigroup_completion.backtrack import Search
from models.quasigroup_completion.generate import latin_square, plant, spoil
from models.quasigroup_completion.puzzle import QuasigroupCompletion, parse
from models.shared.document import InstanceError
from models.shared.generator import document
from models.shared.random_instances import header
from models.shared.search import Step, Tally

SQUARE = [[1, 2, 3], [2, 3, 1], [3, 1, 2]]


def small(givens: str = ". 2 .\n. . 1\n. . .\n", **keys: Any) -> dict[str, Any]:
    """A table of a grid of three rows."""
    return header("quasigroup_completion") | {"givens": givens} | keys


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"givens": ""}, "givens: the grid is empty"),
        ({"givens": ". .\n. . .\n. ."}, "givens, row 2: 3 cells; every row needs 2"),
        ({"givens": "1 2 .\n. . 2"}, "givens: 2 rows of 3 cells; write as many rows as a row has cells"),
        ({"givens": ". .\n. 3"}, "givens, row 2, column 2: 3 is outside 1..2"),
        ({"givens": ". 0\n. ."}, "givens, row 1, column 2: 0 is outside 1..2"),
        ({"givens": ". x\n. ."}, "givens, row 1, column 2: 'x' is not a whole number"),
        ({"order": 3}, "order: unknown key"),
    ],
)
def test_a_malformed_table_is_refused_with_the_place(keys: dict[str, Any], says: str) -> None:
    with pytest.raises(InstanceError) as refused:
        parse(small() | keys)
    assert says in str(refused.value) and "\n" not in str(refused.value)


@settings(max_examples=40)
@given(st.integers(0, 2), st.integers(0, 2), st.integers(-1, 5))
def test_one_changed_number_breaks_a_row_and_a_column(row: int, column: int, value: int) -> None:
    solution = [[*line] for line in SQUARE]
    was, solution[row][column] = solution[row][column], value
    broken = [f"row {row + 1} has no {was}", f"column {column + 1} has no {was}"]
    if (row, column) in ((0, 1), (1, 2)):
        broken.append(f"row {row + 1}, column {column + 1} holds {value}, but {was} is given")
    assert parse(small()).check(solution) == ([] if value == was else broken)


@pytest.mark.parametrize("shape", [None, 3, [], SQUARE[:2], [["1"] * 3] * 3, [[True] * 3] * 3])
def test_a_solution_of_the_wrong_shape_is_refused_in_words(shape: object) -> None:
    assert parse(small()).check(shape) == ["the solution is not 3 rows of 3 whole numbers each"]


def test_the_answer_is_the_sum_of_the_diagonal() -> None:
    assert parse(small()).answer(SQUARE) == 1 + 3 + 2


def test_a_grid_of_a_collection_with_its_solution() -> None:
    rows = [" ".join(map(str, row)) for row in SQUARE]
    table, solution = adapt({"givens": [". 2 .", ". . 1", ". . ."], "size": 3, "solution": rows})
    assert parse(document(table)).check(solution) == []
    assert adapt({"givens": [". 2 .", ". . 1", ". . ."]}) == (table, None)


@pytest.mark.parametrize("fields", [{}, {"givens": "1 2"}, {"givens": [1, 2]}, {"givens": ["1\n2"]}])
def test_malformed_lines_of_a_collection_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(InstanceError, match="givens: should be a list of texts"):
        adapt(fields)


def consequences(puzzle: QuasigroupCompletion, full: bool) -> dict[tuple[int, int], set[int]] | None:
    """What is left by definition: what shares a group with the last of one goes; None if a group is empty."""
    n = puzzle.height
    left = {(r, c, v) for (r, c), values in puzzle.domains.items() for v in values}
    kinds = ((0, 1), (0, 2), (1, 2))
    while True:
        groups: dict[Any, set[Any]] = {
            (kind, a, b): set() for kind in kinds for a, b in product(range(n), range(n))
        }
        for each in left:
            for i, j in kinds:
                groups[(i, j), each[i] - (i == 2), each[j] - (j == 2)].add(each)
        if not all(groups.values()):
            return None
        chosen = {
            last for (kind, *_), (last, *more) in groups.items() if not more and (full or kind == (0, 1))
        }
        gone = {
            one for one, last in product(left, chosen) if one != last and sum(map(int.__eq__, one, last)) == 2
        }
        if not gone:
            return {cell: {v for r, c, v in left if (r, c) == cell} for cell in puzzle.cells}
        left -= gone


@settings(max_examples=40)
@given(st.integers(1, 4), st.data())
def test_propagation_by_definition(n: int, data: st.DataObject) -> None:
    word = st.sampled_from([".", ".", *map(str, range(1, n + 1))])
    rows = [[data.draw(word) for _ in range(n)] for _ in range(n)]
    puzzle = parse(small("\n".join(map(" ".join, rows))))
    for step in (Step.FULL, Step.ALL_DIFFERENT):
        search = Search(puzzle, Tally(step=step))
        node, consistent = search.root()
        expected = consequences(puzzle, step == Step.FULL)
        assert consistent == (expected is not None)
        if expected:
            assert {i: {*values} for i, values in search.view(node).left.items()} == expected


@settings(max_examples=25)
@given(st.integers(1, 7), st.integers(0, 1000))
def test_a_drawn_square_is_latin_and_spoiling_breaks_it(n: int, seed: int) -> None:
    square = latin_square(n, Random(seed))
    numbers = [*range(1, n + 1)]
    assert all(sorted(line) == numbers for line in (*square, *zip(*square, strict=True)))
    planted = plant(n, Random(seed))
    clues = planted.clues[0]
    assert planted.solution == square and parse(document(planted.table(clues[::2]))).check(square) == []
    spoilt = spoil(planted, clues, Random(seed))
    assert (n == 1) == (spoilt is None)
    assert spoilt is None or len(parse(document(planted.table(spoilt))).check(square)) == 1


def test_every_square_of_order_3_is_drawn_about_as_often() -> None:
    """There are 12, of which 300 draw each 25 times on average."""
    drawn = Counter(str(latin_square(3, Random(seed))) for seed in range(300))
    assert len(drawn) == 12 and max(drawn.values()) < 55
