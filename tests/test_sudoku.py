"""Sudoku: the rules, and what the models share, compared with the naive definitions in the docstrings."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.shared.document import InstanceError
from models.sudoku.clues import LISTED, divisible_rows, factor_pairs, multiples, remote_cells
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


@given(st.integers(0, 7), st.integers(0, 7), st.integers(0, 8))
def test_remote_cells_are_as_many_steps_away_along_a_line(row: int, column: int, steps: int) -> None:
    expected = [
        (r, c)
        for r in range(8)
        for c in range(8)
        if (r == row or c == column) and abs(r - row) + abs(c - column) == steps
    ]
    assert remote_cells((row, column), steps, 8) == expected


@given(st.sets(st.integers(0, 40)).map(lambda digits: tuple(sorted(digits))), st.integers(0, 400))
def test_factor_pairs_have_the_product(digits: tuple[int, ...], product: int) -> None:
    expected = [(a, b) for a in digits for b in digits if a <= b and a * b == product]
    assert factor_pairs(product, digits) == expected


SMALL = {
    "puzzle": "sudoku",
    "title": "small",
    "source": "made for this test",
    "box": [2, 2],
    "digits": "1 2 3 4",
}
EMPTY = ". . . .\n" * 3


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"box": [2]}, "box: write two numbers"),
        ({"digits": "1 2 3"}, "digits: 3 digits; a row of 4 cells needs at least 4"),
        ({"digits": "1 2 3 3"}, "digits, entry 4: 3 stands there a second time"),
        ({"digits": "1 2 3 x"}, "digits, entry 4: 'x' is not a whole number"),
        ({"givens": "1 2 3 4"}, "givens: 1 rows; the grid has 4"),
        ({"givens": f"5 . . .\n{EMPTY}"}, "givens, row 1, column 1: 5 is not one of the digits"),
        ({"remote": f". 9 . .\n{EMPTY}"}, "remote, row 1, column 2: 9 is not one of the digits"),
        ({"product": f"x . . .\n{EMPTY}"}, "product, row 1, column 1: 'x' is not a whole number"),
        ({"row_divisor": 0}, "row_divisor: "),
        ({"row_divisor": 2, "digits": "1 2 3 14"}, "row_divisor: rows are read as numbers only if"),
    ],
)
def test_a_malformed_table_is_refused_with_the_place(keys: dict[str, object], says: str) -> None:
    with pytest.raises(InstanceError) as refused:
        parse(SMALL | keys)
    assert says in str(refused.value) and "\n" not in str(refused.value)


SOLUTION = [[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]


@pytest.mark.parametrize(
    ("keys", "broken"),
    [
        ({}, []),
        ({"digits": "1 2 3 4 5"}, []),
        ({"digits": "1 2 3 5"}, ["4 is not one of the digits"]),
        ({"givens": f"2 . . .\n{EMPTY}"}, ["row 1, column 1 holds 1, but 2 is given"]),
        ({"remote": f"3 . 1 .\n{EMPTY}"}, ["row 1, column 1 has the clue 3, but no 3 is 3 steps away"]),
        ({"remote": f". 2 . .\n{EMPTY}"}, ["row 1, column 2 has the clue 2, but no 2 is 2 steps away"]),
        ({"product": f"6 . . .\n{EMPTY}"}, []),
        ({"product": f"4 . . .\n{EMPTY}"}, ["row 1, column 1 has the clue 4, but no two cells beside it"]),
        ({"row_divisor": 2}, ["row 3: 2143 is not a multiple of 2", "row 4: 4321 is not a multiple of 2"]),
    ],
)
def test_each_clue_is_checked(keys: dict[str, object], broken: list[str]) -> None:
    found = parse(SMALL | keys).check(SOLUTION)
    assert len(found) == len(broken)
    assert all(rule.startswith(words) for rule, words in zip(found, broken, strict=True))
