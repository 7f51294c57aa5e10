"""Twenty Four Seven: the checker, malformed files, what models state constraints on, and connected groups."""

from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import catalogue
from bench.catalogue import ROOT
from bench.contract import Task
from bench.instruments.generate.instance_file import as_toml
from models.shared.document import InstanceError
from models.shared.generator import document
from models.shared.grid import Cell
from models.shared.random_instances import Table, header
from models.twenty_four_seven import generate
from models.twenty_four_seven.layout import MULTISETS, lines, most_filled, roots
from models.twenty_four_seven.puzzle import TwentyFourSeven, parse
from models.twenty_four_seven.random_instances import FILLED, candidates
from tests.conftest import LAB, Lab

REAL = catalogue.load(ROOT / "instances/twenty_four_seven/june_2018.toml").puzzle
assert isinstance(REAL, TwentyFourSeven)
SOLUTION = "7430600 0063506 0050555 0364007 4700072 2007470 7606010"
GROUPS = (
    "7400072 0063506 0050555 0304607 4736000 2007470 7660010",
    "0400673 0063506 7300055 0054506 4720070 2077400 7606010",
)
"""Grids that obey all rules but one: the filled cells are two and six groups."""

BLOCKS = 4 * "0440440 "
"""Rows that hold two 2x2 blocks."""

MODELS = LAB.models("twenty_four_seven")

OVERLAP = "70400277 60730406 10066701 60000000 00400000 03005750 00500000"
"""Numbers that are given in two windows, the second one column after the first; little in three rows."""


def grid(text: str) -> list[list[int]]:
    return [[int(symbol) for symbol in word] for word in text.split()]


def table(rows: list[list[int]], windows: list[list[int]], **outside: str) -> Table:
    """The table of an instance in which all numbers of some rows are given."""
    givens = "\n".join(" ".join(str(value or ".") for value in row) for row in rows)
    return header("twenty_four_seven") | {"windows": windows, "givens": givens, "outside": outside}


def overlap() -> Table:
    """Two windows that share six columns, and one clue outside."""
    return table(grid(OVERLAP), [[0, 0], [0, 1]], right=". . . . . . 2")


def test_the_published_solution_passes() -> None:
    assert REAL.check(grid(SOLUTION)) == []
    assert REAL.answer(grid(SOLUTION)) == 240


@given(st.integers(0, 48), st.integers(-1, 9))
def test_any_other_value_in_a_cell_is_refused(cell: int, value: int) -> None:
    changed = grid(SOLUTION)
    changed[cell // 7][cell % 7] = value
    assert bool(REAL.check(changed)) == (changed != grid(SOLUTION))


@pytest.mark.parametrize(("text", "number"), list(zip(GROUPS, (2, 6), strict=True)))
def test_groups_are_refused_in_words(text: str, number: int) -> None:
    assert REAL.check(grid(text)) == [f"the filled cells are {number} groups, not one"]


def test_filled_blocks_are_refused_in_words() -> None:
    blocks = "the 2x2 block with its top left corner in row 1, column 2 is filled"
    assert blocks in REAL.check(grid(BLOCKS + SOLUTION[32:]))


@pytest.mark.parametrize("shape", [None, 3, [], grid(SOLUTION)[:6], [["7"] * 7] * 7, [[True] * 7] * 7])
def test_a_solution_of_the_wrong_shape_is_refused_in_words(shape: object) -> None:
    assert REAL.check(shape) == ["the solution is not 7 rows of 7 whole numbers each"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"givens": "8 . . . . . .\n" + 6 * ". . . . . . .\n"}, "row 1, column 1: 8 is outside 1..7"),
        ({"givens": "1 2\n3 4"}, "windows, entry 1"),
        ({"windows": [[0, 1]]}, "windows, entry 1"),
        ({"windows": [[0]]}, "windows, entry 1"),
        ({"windows": []}, "windows: there are none"),
        ({"outside": {"top": "1 2 3"}}, "outside.top: 3 entries; it needs 7"),
        ({"outside": {"left": "0 . . . . . ."}}, "outside.left, entry 1"),
        ({"outside": {"top": ". . 50 . . . ."}}, "outside.top, entry 3: 50 is more than a column can sum to"),
        ({"outside": {"right": f". {2**64} . . . . ."}}, "outside.right, entry 2"),
    ],
)
def test_malformed_files_are_refused_with_the_place(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InstanceError, match=message):
        parse(table(grid(SOLUTION), [[0, 0]]) | changes)


def test_a_sum_outside_may_be_as_large_as_its_line_allows() -> None:
    """Seven rows and eight columns: a row may sum to 56, a column to 49."""
    rows = [[*row, 0] for row in grid(SOLUTION)]
    puzzle = parse(table(rows, [[0, 0]], left=". 56 . . . . .", top=". . 49 . . . . ."))
    assert puzzle.check(rows) == ["column 3 sums to 20, not 49", "row 2 sums to 20, not 56"]
    with pytest.raises(InstanceError, match="a column can sum to, 7 x 7"):
        parse(table(rows, [[0, 0]], top=". . 50 . . . . ."))


def test_a_number_that_is_there_too_often_is_refused_in_words() -> None:
    changed = grid(SOLUTION)
    changed[0][2] = 4
    assert {"window 1: it has 2 cells with 3, not 3", "window 1: it has 5 cells with 4, not 4"} <= {
        *REAL.check(changed)
    }


def test_the_multisets_are_those_of_all_rows_of_four_numbers() -> None:
    rows = (numbers for numbers in product(range(1, 8), repeat=4) if sum(numbers) == 20)
    assert {tuple(sorted(numbers)) for numbers in rows} == set(MULTISETS)
    assert len(MULTISETS) == 13


@given(st.sampled_from(FILLED), st.sets(st.integers(0, 48)))
def test_a_root_is_filled_whatever_is_given(text: str, shown: set[int]) -> None:
    rows = grid(text)
    given = {(cell // 7, cell % 7): value for cell in shown if (value := rows[cell // 7][cell % 7])}
    puzzle = TwentyFourSeven(7, 7, given, ((0, 0),), {})
    assert any(rows[row][column] for row, column in roots(puzzle))
    assert most_filled(puzzle) == 28


def test_a_line_of_two_windows_is_stated_once() -> None:
    """Two windows one row apart share the rows from the second on, but no column."""
    puzzle = TwentyFourSeven(8, 7, {}, ((0, 0), (1, 0)), {})
    assert len(lines(puzzle)) == 8 + 2 * 7
    assert most_filled(puzzle) == 56


@given(st.integers(7, 9), st.integers(7, 9))
def test_neighbours_share_an_edge(height: int, width: int) -> None:
    puzzle = TwentyFourSeven(height, width, {}, ((0, 0),), {})

    def touch(i: Cell, k: Cell) -> bool:
        return abs(i[0] - k[0]) + abs(i[1] - k[1]) == 1

    assert {i: set(near) for i, near in puzzle.near.items()} == {
        i: {k for k in puzzle.cells if touch(i, k)} for i in puzzle.cells
    }


@pytest.mark.parametrize(("backend", "formulation"), MODELS)
def test_groups_are_no_solution(lab: Lab, tmp_path: Path, backend: str, formulation: str) -> None:
    """All numbers are given, and only the connection fails."""
    for text in GROUPS:
        path = tmp_path / "groups.toml"
        path.write_text(as_toml(table(grid(text), [[0, 0]])))
        assert lab.measure(path, backend, formulation, Task.COUNT).status == "infeasible"


@pytest.mark.parametrize(("backend", "formulation"), MODELS)
def test_a_bridge_between_two_windows(lab: Lab, tmp_path: Path, backend: str, formulation: str) -> None:
    """Two windows, all given, and a column between them of which three cells are free; 5 is seen first."""
    rows = [[*left, 0, *right] for left, right in zip(grid(FILLED[0]), grid(FILLED[1]), strict=True)]
    free = (1, 2, 3)
    left = " ".join("." if row in free else str(sum(rows[row])) for row in range(7))
    top = " ".join("5" if column == 7 else "." for column in range(15))
    written = table(rows, [[0, 0], [0, 8]], left=left, top=top)
    puzzle, expected = parse(written), 0
    for values in product(range(8), repeat=3):
        for row, value in zip(free, values, strict=True):
            rows[row][7] = value
        expected += not puzzle.check(rows)
    path = tmp_path / "bridge.toml"
    path.write_text(as_toml(written))
    assert expected == 9
    row = lab.measure(path, backend, formulation, Task.COUNT)
    assert (row.status, row.solutions) == ("solved", expected), row


@pytest.mark.parametrize(("backend", "formulation"), MODELS)
def test_two_windows_that_overlap(lab: Lab, tmp_path: Path, backend: str, formulation: str) -> None:
    """They share six columns; without the number that is seen first from the right there are 9 solutions."""
    path = tmp_path / "overlap.toml"
    path.write_text(as_toml(overlap()))
    row = lab.measure(path, backend, formulation, Task.COUNT)
    assert (row.status, row.solutions) == ("solved", 5), row


def test_the_windows_that_overlap_have_five_solutions() -> None:
    puzzle = parse(overlap())
    assert sum(not puzzle.check(candidate) for candidate in candidates(puzzle)) == 5


PLANTED = generate.plant(2, Random(1))
"""Two windows, of which all rows are longer than one."""


@given(st.data(), st.integers(0, 10**6))
def test_any_clues_of_a_chain_are_told_and_one_can_be_spoilt(data: st.DataObject, seed: int) -> None:
    assert PLANTED
    told = data.draw(st.lists(st.sampled_from(PLANTED.clues[0]), unique=True))
    puzzle = parse(document(PLANTED.table(told)))
    assert {*puzzle.givens.items(), *puzzle.outside.items()} == {*told}
    assert puzzle.check(PLANTED.solution) == []
    spoilt = generate.spoil(PLANTED, told, Random(seed))
    assert told or spoilt is None
    if spoilt:
        assert parse(document(PLANTED.table(spoilt))).check(PLANTED.solution)
        assert sum(clue not in told for clue in spoilt) == 1
