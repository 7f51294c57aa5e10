"""Domino Tiling: malformed boards, the checker, matchings and their prices, local search, what is planted."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.domino_tiling.backtrack import matching
from models.domino_tiling.generate import plant
from models.domino_tiling.local import cycles
from models.domino_tiling.matching import Matching, partners
from models.domino_tiling.puzzle import DominoTiling, parse
from models.domino_tiling.random_instances import INSTANCES, candidates
from models.shared.document import InstanceError
from models.shared.generator import document
from models.shared.search import Tally

PUZZLES = INSTANCES.map(parse)


def puzzle(*rows: str) -> DominoTiling:
    """The puzzle with this board."""
    return parse(document({"board": "\n".join(rows)}))


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([""], "board: the grid is empty; write one row a line"),
        (["12", "1"], "board, row 2: 1 cells; every row needs 2"),
        (["1x"], "board, row 1, column 2: 'x' is not a whole number"),
        (["..", ".."], "board: all cells are holes; write a number in some"),
    ],
)
def test_a_malformed_board_is_refused_with_the_place(rows: list[str], says: str) -> None:
    with pytest.raises(InstanceError) as refused:
        puzzle(*rows)
    assert str(refused.value) == says


@pytest.mark.parametrize(
    ("solution", "broken"),
    [
        (["<>", "<>"], []),
        (["<>", "<x"], ["row 2, column 1 has '<', but no '>'", "row 2, column 2 has 'x', which is no half"]),
        (["<>", ".."], ["row 2, column 1 has '.', which is no half", "row 2, column 2 has '.'"]),
        (["><", "<>"], ["row 1, column 1 has '>', but no '<'", "row 1, column 2 has '<'"]),
        (["v^", "^v"], ["row 1, column 1 has 'v', but no '^'", "row 2, column 1 has '^', but no 'v'"]),
    ],
)
def test_each_rule_is_checked(solution: Any, broken: list[str]) -> None:
    found = puzzle("12", "34").check(solution)
    assert len(found) == len(broken) and all(map(str.startswith, found, broken))


def test_no_shape_and_no_hole_is_missed() -> None:
    assert puzzle("12.").check(["<>>"]) == ["row 1, column 3 is a hole, but has '>'"]
    for shape in (None, "<>", [], ["<"], ["<>", "<>"], [["<", ">"]], [1]):
        assert puzzle("12").check(shape) == ["the solution is not 1 texts of 2 characters each"]


def test_the_answer_is_the_score() -> None:
    assert puzzle("12", "34").answer(["<>", "<>"]) == 1 * 2 + 3 * 4
    assert puzzle("12", "34").answer(["^^", "vv"]) == 1 * 3 + 2 * 4


@settings(max_examples=50)
@given(PUZZLES, st.integers(1, 3))
def test_the_matching_is_the_best_tiling(it: DominoTiling, seed: int) -> None:
    """And no bound that was told before is below it."""
    tally, bounds = Tally(seed), list[float]()
    tally.on_bound = bounds.append
    best = max(map(it.answer, candidates(it)), default=None)
    found = list(matching(it, tally))
    assert [it.answer(tiling) for tiling in found] == ([] if best is None else [best])
    assert bounds == sorted(bounds, reverse=True)
    if found:
        assert it.check(found[0]) == [] and bounds[-1] == best


@settings(max_examples=50)
@given(PUZZLES)
def test_no_domino_scores_more_than_its_prices(it: DominoTiling) -> None:
    """At any time; those that are laid score just that."""
    found = Matching(it, it.scores)
    for start in it.colour:
        if not found.cover(start):
            break
        assert found.bound == sum(found.price.values())
        for (i, j), score in it.scores.items():
            assert score <= found.price[i] + found.price[j]
            assert found.partner.get(i) != j or score == found.price[i] + found.price[j]


@given(st.integers(2, 9))
def test_a_board_without_two_opposite_corners_has_no_tiling(size: int) -> None:
    board = [["1"] * size for _ in range(size)]
    board[0][0] = board[-1][-1] = "."
    it = puzzle(*map("".join, board))
    assert partners(it, it.colour) is None
    assert list(matching(it, Tally())) == list(cycles(it, Tally())) == []


@settings(max_examples=50)
@given(st.integers(2, 9), st.integers(0, 10**6))
def test_a_tiling_is_planted(size: int, seed: int) -> None:
    if planted := plant(size, Random(seed)):
        assert parse(document(planted.table([]))).check(planted.solution) == []


@pytest.mark.parametrize(("rows", "best"), [(["991", "1.1", "111"], 84), (["12", "34"], 14), (["1234"], 14)])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_annealing_finds_better_and_better_tilings(rows: list[str], best: int, seed: int) -> None:
    """Around the hole, too, where no 2x2 block can turn."""
    it, scores = puzzle(*rows), list[int]()
    for tiling in cycles(it, Tally(seed)):
        assert it.check(tiling) == []
        scores.append(it.answer(tiling))
        if scores[-1] == best:
            break
    assert scores == sorted({*scores})
