"""What the models of Sudoku share, each function compared with the naive definition in its docstring."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.shared.grid import Cell
from models.sudoku.clues import factor_pairs, product_pairs, remote_cells
from models.sudoku.divisible_rows import LISTED, divisible_rows, multiples, sum_divisor
from models.sudoku.puzzle import Sudoku, parse


def number(row: tuple[int, ...]) -> int:
    """The digits of a row read as a number."""
    return int("".join(map(str, row)))


def plain(side: int, divisor: int, **more: str) -> Sudoku:
    """A puzzle whose boxes are its rows."""
    head = {"puzzle": "sudoku", "title": "t", "source": "s", "digits": "0 1 2 3 4 5 6 7 8 9"}
    return parse({**head, "box": [1, side], "row_divisor": divisor, **more})


def rows_of(side: int, divisor: int, **more: str) -> list[list[tuple[int, ...]]] | None:
    """What the rows of such a puzzle can hold."""
    return divisible_rows(plain(side, divisor, **more))


@settings(deadline=None)
@given(
    st.sets(st.integers(0, 9), min_size=1).map(lambda digits: tuple(sorted(digits))),
    st.integers(1, 6),
    st.one_of(st.integers(1, 50), st.integers(1, 10**7)),
)
def test_multiples_are_the_permutations_that_the_divisor_divides(
    digits: tuple[int, ...], length: int, divisor: int
) -> None:
    expected = [row for row in permutations(digits, length) if number(row) % divisor == 0]
    assert sorted(multiples(digits, length, divisor)) == expected


@pytest.mark.parametrize("divisor", [12345679, 109739369, 10**9 + 7, 10**30])
def test_a_large_divisor_leaves_few_rows(divisor: int) -> None:
    every = [tuple(map(int, f"{n:09}")) for n in range(0, 10**9, divisor)]
    different = [row for row in every if len(set(row)) == 9]
    rows = rows_of(9, divisor)
    assert rows is not None and [sorted(row) for row in rows] == [different] * 9


def test_rows_agree_with_what_is_given() -> None:
    """With the digits 1, 2 and 4 the multiples of 7 are 14, 21 and 42."""
    assert rows_of(2, 7, digits="1 2 4", givens=". .\n. .") == [[(1, 4), (2, 1), (4, 2)]] * 2
    assert rows_of(2, 7, digits="1 2 4", givens="1 .\n. 2") == [[(1, 4)], [(4, 2)]]
    assert rows_of(2, 7, digits="1 2 4", givens="1 2\n4 .") == [[], [(4, 2)]]


def test_many_rows_are_not_listed() -> None:
    """10 digits have 3628800 permutations of 9; 1 to 9 have 362880, all of which 9 divides."""
    assert 3628800 // 1483 < LISTED < 3628800 // 1423
    assert rows_of(9, 1423) is None
    assert rows_of(9, 1483) is not None
    assert rows_of(9, 27 * 11, digits="1 2 3 4 5 6 7 8 9") is None
    assert rows_of(9, 1) is None


@given(st.integers(1, 10), st.one_of(st.integers(1, 500), st.integers(1, 10**11)))
def test_the_sum_of_the_used_digits_is_a_multiple(side: int, divisor: int) -> None:
    modulus = sum_divisor(plain(side, divisor))
    for digit_sum in range(46):
        assert (digit_sum % modulus == 0) == (int("1" * side) * digit_sum % divisor == 0)


@given(st.integers(0, 7), st.integers(0, 7), st.integers(0, 8))
def test_remote_cells_are_as_many_steps_away_along_a_line(row: int, column: int, steps: int) -> None:
    expected = [
        (r, c)
        for r in range(8)
        for c in range(8)
        if (r == row or c == column) and abs(r - row) + abs(c - column) == steps
    ]
    assert remote_cells((row, column), steps, 8) == expected


@pytest.mark.parametrize(
    ("cell", "side", "count"), [((0, 0), 1, 0), ((0, 0), 5, 1), ((0, 2), 5, 3), ((2, 2), 5, 6)]
)
def test_product_pairs_are_all_pairs_of_neighbours(cell: Cell, side: int, count: int) -> None:
    pairs = product_pairs(cell, side)
    assert len({frozenset(pair) for pair in pairs}) == len(pairs) == count
    assert all(abs(r - cell[0]) + abs(c - cell[1]) == 1 for pair in pairs for r, c in pair)


@given(st.sets(st.integers(0, 40)).map(lambda digits: tuple(sorted(digits))), st.integers(0, 400))
def test_factor_pairs_have_the_product(digits: tuple[int, ...], product: int) -> None:
    expected = [(a, b) for a in digits for b in digits if a <= b and a * b == product]
    assert factor_pairs(product, digits) == expected
