"""Perfect squares: the rules, notations of collections, images of solutions, what the generator plants."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.perfect_squares.adapter import adapt
from models.perfect_squares.backtrack import images, skyline
from models.perfect_squares.generate import plant, spoil
from models.perfect_squares.puzzle import PerfectSquares, parse
from models.perfect_squares.random_instances import INSTANCES, candidates
from models.shared.document import InstanceError
from models.shared.generator import Table, document
from models.shared.search import Step, Tally

SOLUTION = [[0, 0, 2], [0, 2, 1], [1, 2, 1]]


def puzzle(width: int, height: int, squares: Any) -> PerfectSquares:
    """The puzzle with these data."""
    return parse(document({"width": width, "height": height, "squares": squares}))


@pytest.mark.parametrize(
    ("width", "squares", "says"),
    [
        (0, [1], "width: should be 1..1000, not 0"),
        (3, [], "squares: 0 squares; 1 to 100 are allowed"),
        (3, [1] * 101, "squares: 101 squares; 1 to 100 are allowed"),
        (3, [1, 0], "squares, entry 2: should be 1..1000, not 0"),
        (3, "1 1", "squares"),
    ],
)
def test_a_malformed_table_is_refused_with_the_place(width: int, squares: Any, says: str) -> None:
    with pytest.raises(InstanceError) as refused:
        puzzle(width, 2, squares)
    assert says in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("solution", "broken"),
    [
        (SOLUTION, []),
        (SOLUTION[::-1], ["the squares are not sorted by row and column"]),
        (
            [[0, 0, 2], [0, 1, 1], [1, 2, 1]],
            ["side 2 in row 1, column 1 overlaps the square of side 1 in row 1"],
        ),
        ([[0, 0, 2], [0, 2, 1], [2, 2, 1]], ["the square of side 1 in row 3, column 3 is not inside"]),
        ([[-1, 2, 1], [0, 0, 2], [1, 2, 1]], ["the square of side 1 in row 0, column 3 is not inside"]),
        ([[0, 0, 1], [0, 2, 1], [1, 2, 1]], ["the sides are not those", "have area 3, the rectangle 6"]),
        (SOLUTION[:2], ["the solution is not a list of 3 squares"]),
        ([[0, 0, True], *SOLUTION[1:]], ["the solution is not a list of 3 squares"]),
    ],
)
def test_each_rule_is_checked(solution: Any, broken: list[str]) -> None:
    found = puzzle(3, 2, [1, 1, 2]).check(solution)
    assert len(found) == len(broken) and all(any(words in rule for rule in found) for words in broken)


def test_the_answer_is_the_sum_of_the_corners() -> None:
    assert puzzle(3, 2, [1, 2, 1]).answer(SOLUTION) == 2 + 2 + 1 + 1
    assert puzzle(4, 4, [4]).answer([[0, 0, 4]]) == 16


@pytest.mark.parametrize("squares", [[5, 1], [3, 1], [1] * 5])
def test_squares_that_cannot_fill_the_rectangle_are_allowed(squares: list[int]) -> None:
    """One is too large, or the areas differ."""
    assert list(skyline(puzzle(5, 2, squares), Tally())) == []


@given(INSTANCES)
def test_each_step_of_propagation_finds_what_fits(table: Table) -> None:
    whole = parse(table)
    expected = sorted(each for each in candidates(whole) if not whole.check(each))
    for step in (Step.FULL, Step.ALL_DIFFERENT):
        assert sorted(skyline(whole, Tally(step=step))) == expected


@given(INSTANCES)
def test_images_are_solutions_each_once(table: Table) -> None:
    """Of each of them they are the same, and the first one is."""
    whole = parse(table)
    for solution in skyline(whole, Tally()):
        found = images(whole, solution)
        assert solution in found and not any(whole.check(each) for each in found)
        assert len({str(each) for each in found}) == len(found)
        assert (8 if whole.width == whole.height else 4) % len(found) == 0
        for each in found:
            assert images(whole, each)[0] == found[0] and sorted(images(whole, each)) == sorted(found)


def test_collections_are_read() -> None:
    expected = {"width": 3, "height": 3, "squares": [2, 1, 1, 1, 1, 1]}
    assert adapt({"size": 3, "squares": "2 1 1 1 1 1"}) == (expected, None)
    fields = {"width": 3, "height": 2, "squares": [2, 1, 1], "solution": SOLUTION}
    assert adapt(fields) == ({"width": 3, "height": 2, "squares": [2, 1, 1]}, SOLUTION)


@pytest.mark.parametrize("fields", [{}, {"size": 3}, {"size": 3, "squares": "2 x"}, {"squares": "1"}])
def test_what_cannot_be_read_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(InstanceError):
        parse(document(adapt(fields)[0]))


@given(st.integers(1, 20), st.integers(0, 10**6))
def test_what_is_planted_is_a_solution_that_is_not_spoilt(size: int, seed: int) -> None:
    rng = Random(seed)
    if planted := plant(size, rng):
        whole = parse(document(planted.table([])))
        assert whole.check(planted.solution) == [] and whole.size == size
        if spoilt := spoil(planted, [], rng):
            other = parse(document(planted.table(spoilt)))
            assert other.fills and other.check(planted.solution)
