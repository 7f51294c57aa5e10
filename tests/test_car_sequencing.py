"""Car sequencing: malformed files, the checker, collections, counts and automata, the generator."""

from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.car_sequencing.adapter import adapt
from models.car_sequencing.backtrack import Search
from models.car_sequencing.counts import bounds, transitions
from models.car_sequencing.generate import UTILISATION, fitted, plant
from models.car_sequencing.puzzle import parse
from models.car_sequencing.random_instances import INSTANCES
from models.shared.document import InstanceError
from models.shared.generator import document
from models.shared.random_instances import header
from models.shared.search import Tally


def small(**keys: Any) -> dict[str, Any]:
    """A table of four cars, of which two have an option that any other may have."""
    table = {"max_in_window": [1], "window": [2], "demand": [2, 2], "requires": "0\n1"}
    return header("car_sequencing") | table | keys


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"requires": ""}, "requires: the grid is empty"),
        ({"requires": "0 1\n1 0"}, "max_in_window: 1 for 2 options; write one for each"),
        ({"window": [2, 3]}, "window: 2 for 1 options; write one for each"),
        ({"window": [0]}, "window, entry 1: should be 1..1000, not 0"),
        ({"max_in_window": [3]}, "max_in_window, entry 1: 3 of any 2 cars; at most 2"),
        ({"max_in_window": [-1]}, "max_in_window, entry 1: should be 0..1000, not -1"),
        ({"demand": [4]}, "demand: 1 for 2 rows of requires; write one for each"),
        ({"demand": [0, 0]}, "demand: 0 cars in all; it should be 1..1000"),
        ({"demand": [1000, 1]}, "demand: 1001 cars in all; it should be 1..1000"),
        ({"cars": 5}, "cars: 5, but demand has 4 in all; leave it out"),
        ({"requires": "0\n2"}, "requires, row 2, column 1: '2'; write 0 or 1"),
        ({"requires": "0\n."}, "requires, row 2, column 1: '.'; write 0 or 1"),
        ({"options": 1}, "options: unknown key"),
    ],
)
def test_a_malformed_table_is_refused_with_the_place(keys: dict[str, Any], says: str) -> None:
    with pytest.raises(InstanceError) as refused:
        parse(small(**keys))
    assert says in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("solution", "broken"),
    [
        ([0, 1, 0, 1], []),
        ([1, 1, 0, 0], ["of cars 1 to 2, 2 have option 1, not 1 at most"]),
        ([0, 1, 0, 0], ["3 cars are of class 0, not 2", "1 cars are of class 1, not 2"]),
        ([0, 1, 0, 2], ["there is no class 2; classes are 0..1"]),
        ([0, 1, 0, -1], ["there is no class -1; classes are 0..1"]),
        ([0, 1, 0, True], ["the solution is not a list of 4 whole numbers"]),
        ([[0], 1, 0, 1], ["the solution is not a list of 4 whole numbers"]),
        (None, ["the solution is not a list of 4 whole numbers"]),
    ],
)
def test_the_checker_says_what_is_broken(solution: Any, broken: list[str]) -> None:
    assert parse(small()).check(solution) == broken


def test_a_window_beyond_the_line_limits_nothing() -> None:
    assert parse(small(window=[5])).check([1, 1, 0, 0]) == []


def test_an_instance_of_a_collection_as_texts_or_lists() -> None:
    fields = {"max_in_window": "1", "window": "2", "demand": "2 2", "requires": ["0", "1"], "cars": 4}
    table, solution = adapt(fields | {"solution": [1, 0, 1, 0]})
    assert parse(document(table)).check(solution) == []
    assert adapt(fields | {"demand": [2, 2]}) == (table, None)


@pytest.mark.parametrize("fields", [{"window": "2 x"}, {"window": None}, {"cars": "4"}, {"requires": "0 1"}])
def test_malformed_lines_of_a_collection_are_refused(fields: dict[str, Any]) -> None:
    line = {"max_in_window": "1", "window": "2", "demand": "2 2", "requires": ["0", "1"]}
    with pytest.raises(InstanceError):
        parse(document(adapt(line | fields)[0]))


@settings(max_examples=40)
@given(INSTANCES)
def test_counts_and_automata_by_definition(table: dict[str, Any]) -> None:
    puzzle = parse(table)
    for o, (p, q) in enumerate(zip(puzzle.max_in_window, puzzle.window, strict=True)):
        after = {(state, symbol): to for state, symbol, to in transitions(p, q)[0]}
        demand, words = sum(puzzle.demand[c] for c in puzzle.having(o)), []
        for word in product((0, 1), repeat=puzzle.size):
            fits = all(sum(word[i : i + q]) <= p for i in range(puzzle.size - q + 1))
            state: int | None = 0
            for symbol in word:
                state = None if state is None else after.get((state, symbol))
            assert q > puzzle.size or fits == (state is not None)
            words += [word] * (fits and sum(word) == demand)
        for i, limits in enumerate(bounds(puzzle, o) if words else []):
            counts = {sum(word[:i]) for word in words}
            assert limits == (min(counts), max(counts))
        if q <= puzzle.size:
            search = Search(puzzle, Tally())
            k = search.options.index(o)
            assert bool(words) == (search.most(k, 0, puzzle.size) >= demand)


@settings(max_examples=20)
@given(st.integers(1, 40), st.integers(1, 5), st.integers(0, 5), st.integers(0, 99))
def test_a_drawn_line_keeps_its_windows(size: int, most: int, more: int, seed: int) -> None:
    line = fitted(size, most, most + more, Random(seed))
    assert all(sum(line[i : i + most + more]) <= most for i in range(size))
    assert sum(line) == round(UTILISATION * sum(i % (most + more) < most for i in range(size)))
    planted = plant(size, Random(seed))
    assert parse(document(planted.table([]))).check(planted.solution) == []
