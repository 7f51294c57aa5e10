"""Cross Sums: the checker, malformed files, and the multisets that fit an entry."""

from itertools import combinations_with_replacement
from math import prod
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bench import catalogue
from bench.catalogue import ROOT
from bench.contract import Task
from bench.instruments.generate.instance_file import as_toml
from models.cross_sums import csp, generate
from models.cross_sums.entries import (
    entry_multisets,
    exponent,
    has_unlisted_sums,
    powers,
    values,
    values_by_cell,
)
from models.cross_sums.puzzle import CrossSums, Rule, parse
from models.shared.document import InstanceError
from models.shared.generator import document
from models.shared.random_instances import header
from tests.conftest import Lab

SOLUTIONS = {
    "august_2015": """
        9 1 1 1 0 9 8 9 9
        5 1 2 1 0 9 9 3 9
        0 2 3 1 1 0 1 1 8
        6 9 8 8 1 4 6 0 0
        3 7 0 9 8 8 0 3 5
        0 0 5 1 1 1 2 3 4
        5 5 1 0 1 1 7 5 0
        7 6 6 2 0 1 1 1 9
        2 1 1 1 0 1 2 1 4
        """,
    "july_2016": """
        7 8 9 0 0 0 5 4 6 -1
        1 2 7 0 3 4 6 -5 8 9
        4 -9 5 0 1 3 2 6 7 0
        3 1 6 -2 4 5 7 8 9 0
        2 4 8 9 0 7 -1 0 0 0
        0 0 0 1 -9 0 4 3 2 5
        0 5 2 7 6 8 9 1 -3 4
        0 3 1 8 5 -2 0 7 4 6
        6 7 -3 4 2 1 0 9 5 8
        -5 6 4 3 0 0 0 2 1 7
        """,
}


def grid(text: str) -> list[list[int]]:
    return [[int(word) for word in line.split()] for line in text.strip().splitlines()]


def published(name: str) -> CrossSums:
    puzzle = catalogue.load(ROOT / f"instances/cross_sums/{name}.toml").puzzle
    assert isinstance(puzzle, CrossSums)
    return puzzle


def small(cells: str = ". . #\n. . .\n", rule: str = "sum_or_product", **keys: str) -> dict[str, Any]:
    """A table of a grid with five open cells, without entries."""
    return header("cross_sums") | {"cells": cells, "rule": rule} | keys


@pytest.mark.parametrize(("name", "answer"), [("august_2015", 276), ("july_2016", 148)])
def test_the_published_solution_passes(name: str, answer: int) -> None:
    puzzle, solution = published(name), grid(SOLUTIONS[name])
    assert puzzle.check(solution) == []
    assert puzzle.answer(solution) == answer


@pytest.mark.parametrize("name", SOLUTIONS)
@settings(max_examples=30)
@given(data=st.data())
def test_any_other_value_in_a_cell_is_refused(name: str, data: st.DataObject) -> None:
    puzzle, changed = published(name), grid(SOLUTIONS[name])
    row, column = data.draw(st.integers(0, puzzle.height - 1)), data.draw(st.integers(0, puzzle.width - 1))
    changed[row][column] = data.draw(st.integers(-10, 10))
    assert bool(puzzle.check(changed)) == (changed != grid(SOLUTIONS[name]))


@pytest.mark.parametrize("shape", [None, 3, [], [[1, 2, 0]], [["1"] * 3] * 2, [[True] * 3] * 2])
def test_a_solution_of_the_wrong_shape_is_refused_in_words(shape: object) -> None:
    assert parse(small()).check(shape) == ["the solution is not 2 rows of 3 whole numbers each"]


def test_a_clue_is_a_sum_or_a_product() -> None:
    puzzle = parse(small(across="7 1 0 3 6\n"))
    for row in ([1, 2, 3], [1, 1, 4], [1, 1, 6]):
        assert puzzle.check([[1, 1, 0], row]) == []
    assert puzzle.check([[1, 1, 0], [2, 2, 3]]) == [
        "7 across, from row 2, column 1, sums to 7 and has the product 12, not 6"
    ]
    assert puzzle.check([[-1, 1, 5], [1, 2, 3]]) == [
        "row 1, column 1 holds -1, not 1 to 9",
        "row 1, column 3 holds 5, but it is blocked",
    ]


def test_the_digits_of_an_entry_differ() -> None:
    puzzle = parse(small(rule="sum", across="7 1 0 3 6\n", down="1 0 0 2 9"))
    assert puzzle.check([[7, 7, 0], [2, 1, 3]]) == []
    assert puzzle.check([[7, 7, 0], [2, 2, 2]]) == ["7 across, from row 2, column 1, has a digit twice"]
    assert puzzle.check([[-7, 7, 0], [1, 1, 1]]) == [
        "row 1, column 1 holds -7, not 1 to 9",
        "7 across, from row 2, column 1, sums to 3, not 6",
        "7 across, from row 2, column 1, has a digit twice",
        "1 down, from row 1, column 1, sums to -6, not 9",
    ]


@pytest.mark.parametrize(("length", "status"), [(9, "solved"), (10, "infeasible")])
def test_an_entry_of_different_digits_has_at_most_nine(
    lab: Lab, tmp_path: Path, length: int, status: str
) -> None:
    """The first eight are given by entries of one cell; each of the others can only be 9."""
    across = f"1 0 0 {length} {36 + 9 * (length - 8)}"
    down = "\n".join(f"{digit} 0 {digit - 1} 1 {digit}" for digit in range(1, 9))
    path = tmp_path / "row.toml"
    path.write_text(as_toml(small(" ".join("." * length), "sum", across=across, down=down)))
    for backend, formulation in lab.models("cross_sums"):
        assert lab.measure(path, backend, formulation, Task.COUNT).status == status, (backend, formulation)


def test_with_signs_rows_and_columns_have_rules_of_their_own() -> None:
    puzzle = parse(small(". # .\n. . .\n", "signed_sum", down="3 0 2 2 2"))
    assert puzzle.check([[4, 0, -4], [-1, 2, 6]]) == [
        "row 1 has the absolute value 4 2 times",
        "column 2 has 0 negative numbers, not 1",
    ]
    assert puzzle.check([[4, 0, 0], [-1, -2, 3]]) == [
        "row 1, column 3 holds 0, not 1 to 9 or the negative of one",
        "3 down, from row 1, column 3, sums to 3, not 2",
        "row 1 has 0 negative numbers, not 1",
        "row 2 has 2 negative numbers, not 1",
        "column 3 has 0 negative numbers, not 1",
    ]


def test_a_row_without_open_cells_has_no_negative_number() -> None:
    puzzle = parse(small(".\n#\n", "signed_sum"))
    assert puzzle.check([[-3], [0]]) == ["row 2 has 0 negative numbers, not 1"]
    assert csp.textbook(puzzle).problem.getSolutions() == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"cells": ". #\n. x\n"}, "cells, row 2, column 2: 'x' is neither . nor #"),
        ({"cells": "# #\n"}, "cells: all are blocked"),
        ({"rule": "product"}, "rule: "),
        ({"across": "1 0 0 2"}, "across, line 1: 4 words; write number, row, column, length and clue"),
        ({"across": "1 0 0 2 4.5"}, "across, line 1: '4.5' is not a whole number of at most 18 digits"),
        ({"down": f"1 0 0 2 {10**18}"}, "down, line 1: '1000000000000000000' is not a whole number"),
        ({"across": "1 2 0 2 5"}, "across, line 1: row 2, column 0 is outside the grid of 2x3 cells"),
        ({"across": "1 0 0 0 5"}, "across, line 1: a length of 0"),
        ({"across": "1 0 0 3 5"}, "across, line 1: a length of 3, but there are 2 open cells"),
        ({"across": "1 1 0 4 5"}, "across, line 1: a length of 4, but there are 3 open cells"),
        ({"across": "1 1 0 2 5"}, "across, line 1: a length of 2, but there are 3 open cells"),
        ({"across": "1 0 2 1 5"}, "across, line 1: a length of 1, but there are 0 open cells"),
        ({"down": "1 0 0 2 5\n2 1 1 1 5"}, "down, line 2: the cell before row 1, column 1 is open"),
        ({"down": "1 0 0 2 5\n1 0 0 2 6"}, "down, line 2: the entry from row 0, column 0 is listed before"),
    ],
)
def test_malformed_files_are_refused_with_the_place(changes: dict[str, str], message: str) -> None:
    with pytest.raises(InstanceError) as error:
        parse(small() | changes)
    assert str(error.value).startswith(message)


def test_the_clues_stand_before_their_entries() -> None:
    puzzle = parse(small("# .\n. .\n", across="1 1 0 2 3", down="1 1 0 1 1\n2 0 1 2 -4"))
    assert "1\\" in puzzle.text(None).splitlines()[3]
    assert puzzle.text([[0, 7], [8, 9]]).splitlines()[5].split() == ["│", "\\3", "│", "8", "9", "│"]


@settings(max_examples=60)
@given(st.sampled_from(Rule), st.integers(1, 4), st.integers(-9, 50), st.sampled_from([1, 1, 12]))
def test_multisets_and_sums_are_those_of_all_values(rule: Rule, length: int, low: int, factor: int) -> None:
    puzzle = parse(small(" ".join("." * length), rule.value, across=f"1 0 0 {length} {low * factor}"))
    (entry,) = puzzle.across
    every = list(combinations_with_replacement(sorted(values(rule)), length))
    sums = {m for m in every if sum(m) == entry.clue}
    if rule == Rule.SUM_OR_PRODUCT:
        fit = {m for m in every if prod(m) == entry.clue} - sums
        assert has_unlisted_sums(rule, entry) == bool(sums)
    else:
        most = int(rule == Rule.SIGNED_SUM)
        fit = {m for m in sums if len({*map(abs, m)}) == length and sum(value < 0 for value in m) <= most}
        sums = set()
    assert sorted(tuple(sorted(m)) for m in entry_multisets(rule, entry)) == sorted(fit)
    assert {value for m in fit | sums for value in m} == {*values_by_cell(puzzle)[0, 0]}


def test_exponents_are_those_of_the_factors() -> None:
    assert [exponent(p, 2**5 * 3 * 7**2) for p in (2, 3, 5, 7)] == [5, 1, 0, 2]


def test_a_product_of_digits_has_no_other_prime() -> None:
    clues = {-4: [], 0: [], 1: [0, 0, 0, 0], 22: [], 2**5 * 3 * 7**2: [5, 1, 0, 2]}
    for clue, exponents in clues.items():
        for rule in Rule:
            (entry,) = parse(small(". .", rule.value, across=f"1 0 0 2 {clue}")).across
            expected = exponents if rule == Rule.SUM_OR_PRODUCT else []
            assert [*powers(rule, entry).values()] == expected


@given(st.sampled_from(generate.RULES), st.integers(3, 12), st.integers(0, 10**6), st.data())
def test_a_frame_obeys_its_sums_before_and_after_digits_change(
    rule: Rule, size: int, seed: int, data: st.DataObject
) -> None:
    """Any of them may be told; what changes includes the one cell in which another solution differs."""
    planted = generate.plant(size, Random(seed), rule)
    assume(planted)
    assert planted
    for _ in range(2):
        told = data.draw(st.lists(st.sampled_from(planted.clues[0]), unique=True))
        puzzle = parse(document(planted.table(told)))
        assert puzzle.rule == rule and puzzle.check(planted.solution) == []
        assert len(puzzle.across + puzzle.down) == len(told)
        spoilt = generate.spoil(planted, told, Random(seed))
        assert bool(spoilt) == bool(told)
        if spoilt:
            assert len(parse(document(planted.table(spoilt))).check(planted.solution)) == 1
        before = planted.solution
        row, column = data.draw(st.sampled_from(puzzle.cells))
        other = [line.copy() for line in before]
        other[row][column] = 0
        planted = generate.refute(planted, other, Random(seed))
        assert planted.solution[row][column] not in (0, before[row][column])
