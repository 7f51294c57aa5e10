"""Hall of Mirrors: the rules, the paths of light, what the generator plants."""

from itertools import islice, pairwise, product
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from models.hall_of_mirrors.backtrack import paths as search
from models.hall_of_mirrors.generate import plant, refute, spoil
from models.hall_of_mirrors.light import all_paths
from models.hall_of_mirrors.puzzle import SIGNS, HallOfMirrors, numbers, parse, trace
from models.hall_of_mirrors.random_instances import INSTANCES, candidates
from models.shared.document import InstanceError
from models.shared.generator import Table, document
from models.shared.search import Tally
from models.shared.sides import Side

SOLVED = ["..\\", "...", "./."]


def puzzle(**table: Any) -> HallOfMirrors:
    """The puzzle with these keys."""
    return parse(document({"size": 3} | table))


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({"size": 0}, "size: should be 1..50, not 0"),
        ({"top": "1 2"}, "top: 2 entries; it needs 3"),
        ({"left": "1 . x"}, "left, entry 3: 'x' is neither . nor a whole number"),
        ({"right": ". 0 ."}, "right, entry 2: '0' is neither"),
        ({"middle": ". . ."}, "middle: unknown key"),
    ],
)
def test_a_malformed_table_is_refused_with_the_place(table: Table, says: str) -> None:
    with pytest.raises(InstanceError) as refused:
        puzzle(**table)
    assert says in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("solution", "broken"),
    [
        (SOLVED, []),
        (["...", "...", "./."], ["the laser at the left of row 1 has the number 4, but 9 is given"]),
        (["./\\", "...", "./."], ["side by side in row 1, column 2 and row 1, column 3", "left of row 1"]),
        (["..\\", "...", "./"], ["the solution is not 3 rows of 3"]),
        (["..\\", "...", "./x"], ["the solution is not 3 rows of 3"]),
        (3, ["the solution is not 3 rows of 3"]),
    ],
)
def test_each_rule_is_checked(solution: Any, broken: list[str]) -> None:
    found = puzzle(left="9 . .").check(solution)
    assert len(found) == len(broken) and all(words in rule for words, rule in zip(broken, found, strict=True))


def test_light_is_traced_to_both_sides() -> None:
    assert trace(SOLVED, Side.LEFT, 0) == [(0, -1), (0, 2), (3, 2)]
    assert trace(SOLVED, Side.BOTTOM, 2) == [(3, 2), (0, 2), (0, -1)]
    assert numbers(SOLVED)[Side.TOP, 1] == 6 == numbers(SOLVED)[Side.LEFT, 2]


def test_the_answer_multiplies_the_sums_of_what_is_not_given() -> None:
    told = {side: sum(numbers(SOLVED)[side, k] for k in range(3)) for side in Side}
    whole = told[Side.TOP] * told[Side.BOTTOM] * told[Side.LEFT] * told[Side.RIGHT]
    assert puzzle().answer(SOLVED) == whole
    assert puzzle(left="9 . .").answer(SOLVED) == whole // told[Side.LEFT] * (told[Side.LEFT] - 9)
    assert puzzle(top=" ".join(str(numbers(SOLVED)[Side.TOP, k]) for k in range(3))).answer(SOLVED) == 0


@settings(max_examples=10)
@given(INSTANCES)
def test_paths_are_the_ways_of_light_with_the_number(table: Table) -> None:
    """Those of all ways to place mirrors, with the cells that the light meets."""
    whole = parse(table)
    assume(whole.height <= 3)
    expected: dict[Any, set[Any]] = {clue: set() for clue in whole.clues}
    for rows in candidates(whole):
        for clue, number in numbers(rows).items():
            if whole.clues.get(clue) == number:
                cells = set()
                for (r, c), (y, x) in pairwise(trace(rows, *clue)):
                    ends = range(min(r, y), max(r, y) + 1), range(min(c, x), max(c, x) + 1)
                    cells |= {*product(*ends)} & {*whole.cells}
                expected[clue].add(frozenset(((r, c), SIGNS.index(rows[r][c])) for r, c in cells))
    for clue, found in all_paths(whole).items():
        assert len(found) == len(expected[clue])
        assert {frozenset(path.items()) for path in found} == expected[clue]


@settings(max_examples=25)
@given(st.integers(2, 6), st.integers(0, 10**6))
def test_what_is_planted_is_a_solution_that_is_not_spoilt(size: int, seed: int) -> None:
    rng = Random(seed)
    planted = plant(size, rng)
    told = [clue for clue in planted.clues[0] if rng.random() < 0.5]
    for clues in (planted.clues[0], told):
        assert parse(document(planted.table(clues))).check(planted.solution) == []
    if spoilt := spoil(planted, told, rng):
        assert parse(document(planted.table(spoilt))).check(planted.solution)
    whole = parse(document(planted.table(planted.clues[0])))
    for other in islice(search(whole, Tally()), 2):
        if other != planted.solution:
            changed = refute(planted, other, rng)
            after = parse(document(changed.table(changed.clues[0])))
            assert after.check(changed.solution) == [] and changed.solution != planted.solution
