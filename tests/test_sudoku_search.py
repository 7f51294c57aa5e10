"""The searches of Sudoku: the remainders of a row by definition, both languages, and what is generated."""

import subprocess
import tomllib
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import catalogue
from bench.contract import Task
from bench.drivers._compiler import compiler, executable
from bench.instruments.generate.instance_file import Order, Wanted, as_toml, generate
from models.shared.search import Tally
from models.sudoku.backtrack import exact_cover, norvig
from models.sudoku.cover import digits_of_multiples
from models.sudoku.native import SEARCH
from models.sudoku.puzzle import parse
from tests.conftest import Lab

HEAD = {"puzzle": "sudoku", "title": "t", "source": "s"}


@given(
    st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=4, unique=True), min_size=1, max_size=5),
    st.integers(1, 200),
)
def test_digits_of_multiples_are_those_of_all_multiples(allowed: list[list[int]], divisor: int) -> None:
    rows = [row for row in product(*allowed) if int("".join(map(str, row))) % divisor == 0]
    expected = [{row[k] for row in rows} for k in range(len(allowed))]
    assert [digits or set() for digits in digits_of_multiples(allowed, divisor)] == expected


def test_a_row_divisor_with_many_multiples() -> None:
    """30 divides no row without a 0, and every row of 3, 6, 9 and a last 0: which comes once in a column."""
    table = HEAD | {"box": [2, 2], "digits": "0 3 6 9"}
    for divisor, solutions in ((3, 288), (30, 0)):
        puzzle = parse(table | {"row_divisor": divisor})
        for search in (norvig, exact_cover):
            assert sum(1 for _ in search(puzzle, Tally())) == solutions


@pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize("name", ["inkala_2012", "april_2019", "january_2018", "january_2025"])
def test_the_searches_in_c_find_what_that_in_python_finds(lab: Lab, name: str) -> None:
    path = catalogue.INSTANCES / "sudoku" / f"{name}.toml"
    searches = (("backtrack", "norvig"), ("native", "locked_candidates"), ("native", "learning"))
    runs = [lab.measure(path, *search, Task.COUNT) for search in searches]
    assert {(run.status, run.solutions) for run in runs} == {(runs[0].status, 1)}


@pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize(("divisor", "task"), [(3, Task.FIRST), (99, Task.COUNT), (101, Task.COUNT)])
def test_both_languages_list_the_same_rows(lab: Lab, tmp_path: Path, divisor: int, task: Task) -> None:
    """Of 40,320 rows of 8 digits 3 divides all, too many to list; 99 and 101 are near the limit."""
    givens = "....8.54\n.....2..\n57......\n2...5.31\n....2...\n.2......\n7..8..2.\n...2....\n"
    table = HEAD | {"box": [2, 4], "digits": "1 2 3 4 5 6 7 8", "givens": givens, "row_divisor": divisor}
    path = tmp_path / "divided.toml"
    path.write_text(as_toml(table))
    searches = (("backtrack", "norvig"), ("native", "locked_candidates"), ("native", "learning"))
    runs = [lab.measure(path, *search, task) for search in searches]
    assert len({(run.status, run.solutions) for run in runs}) == 1


SMALL = "7 1 2 2 4 0 0 1 2 3 4 {givens} {none} {none}"  # 7 solutions are wanted of a 4x4 Sudoku.


@pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
def test_one_process_solves_instances_one_after_the_other() -> None:
    none = " ".join(["-1"] * 16)
    first = SMALL.format(givens=none, none=none)
    second = SMALL.format(givens=none.replace("-1", "1", 2), none=none)
    text = f"{first}\n{second} {first}"
    out = subprocess.run(
        [executable(SEARCH).path], input=text, capture_output=True, text=True, check=True
    ).stdout
    assert [part.count("solution") for part in out.split("variables")[1:]] == [7, 0, 7]


@pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize("name", ["search.c", "learning.c"])
def test_digits_need_two_words(name: str) -> None:
    """Of 66 digits, 2 are used in a grid of 2 rows: the first row decides."""
    program = executable(SEARCH.with_name(name)).path
    text = " ".join(["0 1 1 2 66 0 0", *map(str, range(66)), *["-1"] * 12])
    out = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout
    assert len({line for line in out.splitlines() if line.startswith("solution")}) == 66 * 65
    assert out.count("solution") == 66 * 65


@pytest.mark.parametrize("size", [4, 6, 9])
def test_a_generated_grid_needs_each_of_its_givens(size: int) -> None:
    """With hardness 1, where no proof is undecided."""
    table = tomllib.loads(generate(Order("sudoku", size, size, 1.0, Wanted.ONE), 120))
    puzzle = parse(table)
    assert len(list(norvig(puzzle, Tally()))) == 1
    for cell in puzzle.givens:
        rows = [line.split() for line in table["givens"].splitlines()]
        rows[cell[0]][cell[1]] = "."
        fewer = parse(table | {"givens": "\n".join(map(" ".join, rows))})
        assert len(fewer.domains[cell]) == size
        found = norvig(fewer, Tally())
        assert [next(found), next(found)]
