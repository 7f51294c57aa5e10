"""Market Split: the checker, malformed files, the four lists, and the lattice of the equations."""

from itertools import product
from operator import mul
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.contract import Task
from models.market_split import backtrack as search
from models.market_split import native as program
from models.market_split.adapter import adapt
from models.market_split.generate import plant, spoil
from models.market_split.lattice import integer_solutions, lll
from models.market_split.puzzle import MarketSplit, parse
from models.market_split.random_instances import INSTANCES, candidates
from models.shared.document import InstanceError
from models.shared.generator import document
from models.shared.random_instances import header
from models.shared.search import Tally
from tests.languages import found_alike, needs_compiler

PUZZLES = INSTANCES.map(parse)


def table(coefficients: str, *totals: int) -> dict[str, Any]:
    return header("market_split") | {"coefficients": coefficients, "totals": list(totals)}


def solutions(puzzle: MarketSplit) -> list[Any]:
    """Those that the checker accepts."""
    return [split for split in candidates(puzzle) if not puzzle.check(split)]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (table("", 1), "coefficients: the grid is empty; write one row a line"),
        (table("1 2\n3", 1, 1), "coefficients, row 2: 1 cells; every row needs 2"),
        (table("1 x", 1), "coefficients, row 1, column 2: 'x' is not a whole number"),
        (table("1 -2", 1), "coefficients, row 1, column 2: -2 is outside 0..9999"),
        (table("1 10000", 1), "coefficients, row 1, column 2: 10000 is outside 0..9999"),
        (table("1 " * 1001, 1), "coefficients: 1001 customers; at most 1000 are allowed"),
        (table("1 2", 1, 2), "totals: 2 for 1 rows of coefficients; write one for each"),
        (table("1 2", -1), "totals, entry 1: should be 0..9999999, not -1"),
    ],
)
def test_a_malformed_file_is_refused_in_words(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(InstanceError) as error:
        parse(wrong)
    assert str(error.value) == says


def test_broken_rules_are_told() -> None:
    puzzle = parse(table("7 . 2\n1 5 3", 9, 4))
    assert puzzle.check([1, 0, 1]) == []
    assert puzzle.check([1, 1, 0]) == [
        "product 1: the first division sells 7, not 9",
        "product 2: the first division sells 6, not 4",
    ]
    assert puzzle.check([1, 0, -1])[0] == "customer 3 has -1, not 0 or 1"
    for shape in (None, 1, "101", [], [1, 0], [1, 0, True], [1, 0, 1.0], [[1, 0, 1]]):
        assert puzzle.check(shape) == ["the solution is not a list of 3 whole numbers"]
    assert puzzle.answer([1, 0, 1]) == "1 3" and puzzle.answer([0, 0, 0]) == "none"


@given(PUZZLES, st.data())
def test_a_customer_who_changes_the_division_breaks_what_is_sold(
    puzzle: MarketSplit, data: st.DataObject
) -> None:
    i = data.draw(st.sampled_from(puzzle.customers))
    for split in solutions(puzzle):
        split[i] = 1 - split[i]
        assert len(puzzle.check(split)) == sum(row[i] > 0 for row in puzzle.rows)


@given(PUZZLES, st.integers(0, 9), st.integers(1, 3))
def test_any_number_of_customers_can_be_in_the_lists(puzzle: MarketSplit, listed: int, seed: int) -> None:
    found = list(search.splits(puzzle, Tally(seed), listed))
    assert sorted(found) == solutions(puzzle)


def test_customers_who_are_alike_need_no_more_room() -> None:
    """Of 64 there are 2^64 splits, the first of which are found at once."""
    found = search.splits(parse(table("0 " * 64, 0)), Tally(), 64)
    assert len({str(next(found)) for _ in range(100)}) == 100


@settings(max_examples=50)
@given(st.data(), st.integers(1, 5))
def test_a_reduced_basis_is_one_of_the_same_lattice(data: st.DataObject, size: int) -> None:
    """The reductions are unimodular, and no vector is much longer than what is orthogonal of it."""
    numbers = st.lists(st.integers(-50, 50), min_size=size, max_size=size)
    basis = [[int(i == k) for i in range(size)] + data.draw(numbers) for k in range(size)]
    reduced = np.array(lll(basis), dtype=float)
    factors = reduced[:, :size]
    assert (factors @ np.array(basis) == reduced).all() and round(abs(np.linalg.det(factors))) == 1
    lengths = np.abs(np.diag(np.linalg.qr(reduced.T)[1])) ** 2
    assert (lengths[1:] >= 0.73 * lengths[:-1]).all()


@settings(max_examples=50)
@given(PUZZLES)
def test_all_splits_are_in_the_lattice_and_its_bounds(puzzle: MarketSplit) -> None:
    known, expected = integer_solutions(puzzle), solutions(puzzle)
    if max(known.start) < 2 or expected:
        assert [sum(map(mul, row, known.start)) for row in puzzle.rows] == list(puzzle.totals)
    assert all(sum(map(mul, row, vector)) == 0 for row in puzzle.rows for vector in known.basis)
    found = []
    basis = np.array(known.basis).reshape(-1, puzzle.size)
    spaces = [range(least, most + 1) for least, most in known.bounds]
    if np.prod([len(space) for space in spaces]) <= 20_000:
        for y in product(*spaces):
            x = (known.start + np.array(y, dtype=int) @ basis).tolist()
            found += [x] * ({*x} <= {0, 1})
        assert sorted(found) == expected


@given(st.integers(1, 60), st.integers(0, 9))
def test_what_is_planted_is_a_split_until_it_is_spoilt(size: int, seed: int) -> None:
    planted, rng = plant(size, Random(seed)), Random(seed)
    puzzle = parse(document(planted.table([])))
    assert puzzle.size == size and 10 * (len(puzzle.rows) - 2) < size <= 10 * (len(puzzle.rows) - 1)
    assert puzzle.check(planted.solution) == []
    broken = parse(document(planted.table(spoil(planted, [], rng)))).check(planted.solution)
    assert len(broken) == 1


def test_an_instance_of_a_collection_is_read() -> None:
    fields = {"name": "small", "vars": 3, "coefficients": ["7 0 2", "1  5 3"], "rhs": "9 4", "known": "sat"}
    own, solution = adapt(fields)
    assert solution is None and parse(document(own)) == parse(table("7 0 2\n1 5 3", 9, 4))
    for key, value in (
        ("rhs", None),
        ("rhs", "9 -4"),
        ("rhs", ["9"]),
        ("rhs", "9"),
        ("coefficients", "7 0 2"),
    ):
        with pytest.raises(InstanceError):
            parse(document(adapt(fields | {key: value})[0]))
    with pytest.raises(InstanceError, match="rhs: should be a text of whole numbers, not '1e3'"):
        adapt(fields | {"rhs": "1e3"})


@needs_compiler
def test_the_searches_in_c_and_python_branch_alike() -> None:
    """Also where sums need more than 64 bits; beyond 64 customers only a first solution is near."""
    rng = Random(1)
    for products, size in ((1, 12), (7, 18), (2, 21), (1, 70), (2, 90)):
        most, task = (9_999, Task.COUNT) if size < 64 else (0, Task.FIRST)
        rows = [rng.choices((0, 1, most // 2, most), k=size) for _ in range(products)]
        puzzle = MarketSplit(tuple(map(tuple, rows)), tuple(sum(row[::2]) if most else 0 for row in rows))
        found = found_alike(puzzle, search.four_lists, program.four_lists(puzzle), task)
        python, c = ([str(split) for split in each] for each in found)
        assert len({*python}) == len(python) == len({*c}) == len(c) > 0
