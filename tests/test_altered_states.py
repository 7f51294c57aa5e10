"""Altered States: the checker, malformed files, published grids, bounds, and the searches."""

from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings

from bench import catalogue
from bench.contract import SolveRequest, Task
from bench.drivers import native
from models.altered_states import backtrack as search
from models.altered_states import native as program
from models.altered_states.local import local
from models.altered_states.puzzle import AlteredStates, parse
from models.altered_states.random_instances import INSTANCES, candidates
from models.altered_states.walks import Walks
from models.shared.document import InstanceError
from models.shared.random_instances import header
from models.shared.search import Tally
from tests.languages import found_alike, needs_compiler

PUZZLES = INSTANCES.map(parse)
JUNE: Any = catalogue.load(catalogue.find_instance("june_2024")).puzzle
MARCH: Any = catalogue.load(catalogue.find_instance("march_2014")).puzzle


def puzzle(n: int, *words: str, replaced: int = 0) -> AlteredStates:
    """Words that score their lengths."""
    table = {"n": n, "replaced": replaced, "words": {word: len(word) for word in words}}
    return parse(header("altered_states") | table)


def grid(text: str) -> list[list[str]]:
    return [*map(list, text.split())]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"n": 1}, "n: should be 2..7, not 1"),
        ({"replaced": 2}, "replaced: should be 0..1, not 2"),
        ({"words": {}}, "words: they score 0 together; this should be 1..2147483647"),
        (
            {"words": {"AB": 2**31 - 1, "A": 1}},
            "words: they score 2147483648 together; this should be 1..2147483647",
        ),
        ({"words": {"NEW YORK": 1}}, "words: 'NEW YORK' should be capital letters"),
        ({"words": {"A": 0}}, "words.A: should be 1 or more, not 0"),
    ],
)
def test_a_malformed_file_is_refused_in_words(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(InstanceError) as error:
        parse(header("altered_states") | {"n": 2, "words": {"A": 1}} | wrong)
    assert str(error.value) == says


def test_grids_of_another_shape_are_refused() -> None:
    rules = puzzle(2, "AB")
    assert rules.check(grid("AB ZZ")) == []
    for shape in (
        None,
        "ABCD",
        ["AB", "CD"],
        grid("AB"),
        grid("ABC DEF"),
        [["A", "B"], ["C", 1]],
        grid("Ab CD"),
    ):
        assert rules.check(shape) == ["the solution is not 2 rows of 2 capital letters each"], shape


def test_the_published_grids_score_what_is_published() -> None:
    example = AlteredStates(3, 3, JUNE.points, 1)
    found = ["IDAHO", "ILLINOIS", "IOWA", "OHIO", "UTAH"]
    assert example.found(grid("THO AIN ESL")) == found and example.answer(grid("THO AIN ESL")) == 32_913_047
    assert sum(JUNE.points.values()) == 2 * 165_379_868 and len(JUNE.points) == len(MARCH.points) == 50
    assert puzzle(3, "NEWYORK", replaced=1).answer(grid("NEW PRY OPO")) == 7
    assert puzzle(3, "NEWYORK").answer(grid("NEW PRY OPO")) == 0


def test_a_cell_is_not_read_twice_in_succession() -> None:
    assert puzzle(2, "HAWAII").answer(grid("HA WI")) == 0
    assert puzzle(3, "HAWAII").answer(grid("HAX WII XXX")) == 6


def test_the_best_known_grids_score_what_is_said() -> None:
    for rules, best, points in (
        (MARCH, "RODHC KATAW SNURI AIOSI LLCMS", 127),
        (JUNE, "HMLFS OAIOU TSNRC REGAH OYWIN", 265_326_530),
    ):
        assert rules.check(grid(best)) == [] and rules.answer(grid(best)) == points


@settings(max_examples=20)
@given(PUZZLES)
def test_walks_in_bits_read_what_the_rules_read(rules: AlteredStates) -> None:
    walks = Walks(rules)
    for filled in islice(candidates(rules), 0, None, 7):
        holds = walks.holds({(r, c): filled[r][c] for r, c in rules.cells})
        most = rules.replaced
        assert rules.found(filled) == [w for w in rules.points if walks.replaced(w, holds, most) <= most]


@settings(max_examples=20)
@given(PUZZLES)
def test_branch_and_bound_improves_until_nothing_is_better(rules: AlteredStates) -> None:
    tally, bounds = Tally(), list[float]()
    tally.on_bound = bounds.append
    values = [rules.answer(found) for found in search.branch_and_bound(rules, tally)]
    assert values == sorted({*values}) and values[-1] == max(map(rules.answer, candidates(rules)))
    assert bounds[0] >= values[-1]


def test_a_local_search_improves_and_its_solutions_are_right() -> None:
    values = []
    for found in local(JUNE, Tally(3)):
        assert JUNE.check(found) == []
        values.append(JUNE.answer(found))
        if values[-1] > 100_000_000:
            break
    assert values == sorted({*values})


@needs_compiler
def test_the_searches_in_c_and_python_branch_alike() -> None:
    for rules in (
        puzzle(2, "OHIO", "IOWA", "UTAH", "IDAHO", replaced=1),
        puzzle(3, "ABBA", "BAC", "CCA", "DAD"),
        puzzle(3, "A", "BABE", "CAB", "ACE", replaced=1),
    ):
        python, c = found_alike(rules, search.branch_and_bound, program.branch_and_bound(rules))
        assert python == c


@pytest.mark.extra
@needs_compiler
def test_the_local_search_in_c_qualifies_at_once() -> None:
    found: list[Any] = []
    native.solve(
        program.local(JUNE), SolveRequest(Task.BEST, 3.0, 1, 1, "c"), lambda one, _: found.append(one)
    )
    assert JUNE.check(found[-1]) == [] and JUNE.answer(found[-1]) > 230_000_000
