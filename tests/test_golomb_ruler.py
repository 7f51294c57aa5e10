"""Golomb ruler: the checker, malformed files, bounds, the search by shifts, and local search."""

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from models.golomb_ruler import backtrack as search
from models.golomb_ruler import native as program
from models.golomb_ruler.bounds import greedy_ruler, least
from models.golomb_ruler.generate import plant
from models.golomb_ruler.local import tabu
from models.golomb_ruler.puzzle import GolombRuler, parse
from models.golomb_ruler.random_instances import INSTANCES, candidates
from models.shared.document import InstanceError
from models.shared.generator import document
from models.shared.random_instances import header
from models.shared.search import Tally
from tests.languages import found_alike, needs_compiler

PUZZLES = INSTANCES.map(parse)

SHORTEST = {2: 1, 3: 3, 4: 6, 5: 11, 6: 17, 7: 25, 8: 34, 9: 44}
"""OEIS A003022."""


def rulers(puzzle: GolombRuler) -> list[Any]:
    """Those that the checker accepts."""
    return [ruler for ruler in candidates(puzzle) if not puzzle.check(ruler)]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"marks": 4}, "longest: this key is missing; add it"),
        ({"marks": 1, "longest": 9}, "marks: should be 2..30, not 1"),
        ({"marks": 4, "longest": 0}, "longest: should be 1..1000, not 0"),
        ({"marks": 4, "longest": 9, "forbidden": [2, 0]}, "forbidden, entry 2: should be 1..1000, not 0"),
    ],
)
def test_a_malformed_file_is_refused_in_words(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(InstanceError) as error:
        parse(header("golomb_ruler") | wrong)
    assert str(error.value) == says


def test_broken_rules_are_told() -> None:
    puzzle = GolombRuler(4, 7, frozenset({6}))
    assert puzzle.check([0, 2, 3, 7]) == [] and puzzle.answer([0, 2, 3, 7]) == 7
    assert puzzle.check([0, 1, 4, 6]) == ["the forbidden distance 6 is between 0 and 6"]
    assert puzzle.check([0, 1, 3, 4]) == [
        "the distance 1 is between 0 and 1, 3 and 4",
        "the distance 3 is between 0 and 3, 1 and 4",
    ]
    assert puzzle.check([0, 3, 5, 4])[0] == "4 does not come after 5"
    assert puzzle.check([1, 3, 4, 8]) == ["the first mark is at 1, not 0", "the ruler is longer than 7"]
    for shape in (None, 1, "0137", [], [0, 1, 3], [0, 1, 3, True], [0, 1, 3, 7.0], [[0, 1, 3, 7]]):
        assert puzzle.check(shape) == ["the solution is not a list of 4 whole numbers"]


def test_the_greedy_ruler_is_that_of_mian_and_chowla() -> None:
    """OEIS A005282, less 1."""
    assert greedy_ruler(10, set()) == [0, 1, 3, 7, 12, 20, 30, 44, 65, 80]


@settings(max_examples=30)
@given(PUZZLES)
def test_bounds_hold_and_a_mirror_image_is_a_ruler(puzzle: GolombRuler) -> None:
    span, m = least(puzzle), puzzle.size
    for ruler in rulers(puzzle):
        assert all(ruler[j] - ruler[i] >= span[j - i] for i, j in puzzle.pairs)
        assert puzzle.check([ruler[-1] - mark for mark in reversed(ruler)]) == []
    assert len(span) == m and greedy_ruler(m, puzzle.forbidden)[-1] >= span[-1]


@settings(max_examples=30)
@given(PUZZLES)
def test_the_search_by_shifts_ends_with_a_shortest_ruler(puzzle: GolombRuler) -> None:
    """Rulers get shorter, and no proven bound exceeds the shortest."""
    tally, known, bounds = Tally(2), rulers(puzzle), list[float]()
    tally.on_bound = bounds.append
    found = list(search.shift(puzzle, tally))
    assert not any(map(puzzle.check, found)) and all(a[-1] > b[-1] for a, b in pairwise(found))
    assert min((ruler[-1] for ruler in found), default=None) == min((r[-1] for r in known), default=None)
    assert not known or max(bounds) <= found[-1][-1]


@pytest.mark.parametrize(("marks", "length"), SHORTEST.items())
def test_shortest_rulers_are_as_published(marks: int, length: int) -> None:
    puzzle = GolombRuler(marks, greedy_ruler(marks, set())[-1])
    assert list(search.shift(puzzle, Tally()))[-1][-1] == length


def test_local_search_finds_shorter_and_shorter_rulers() -> None:
    puzzle = GolombRuler(7, 40, frozenset({1, 10}))
    shortest = [ruler[-1] for ruler in search.shift(puzzle, Tally())][-1]
    last = puzzle.longest + 1
    for ruler in tabu(puzzle, Tally(3)):
        assert puzzle.check(ruler) == [] and ruler[-1] < last
        last = ruler[-1]
        if last == shortest:
            break


@needs_compiler
@settings(max_examples=15)
@given(PUZZLES)
def test_the_searches_in_c_and_python_branch_alike(puzzle: GolombRuler) -> None:
    python, c = found_alike(puzzle, search.shift, program.shift(puzzle))
    assert python == c


@needs_compiler
def test_long_rulers_need_several_words() -> None:
    for puzzle in (GolombRuler(7, 300, frozenset(range(1, 30)) | {63, 64, 65, 128}), GolombRuler(8, 44)):
        python, c = found_alike(puzzle, search.shift, program.shift(puzzle))
        assert python == c


def test_what_is_planted_is_a_ruler() -> None:
    for size in range(2, 21):
        planted = plant(size, Random(size))
        assert parse(document(planted.table([]))).check(planted.solution) == []
