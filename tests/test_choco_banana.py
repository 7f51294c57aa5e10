"""Choco Banana: the checker, malformed files, candidates, and shadings that are drawn."""

import random
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bench import catalogue
from bench.catalogue import ROOT
from models.choco_banana.bitboard import Bitboard
from models.choco_banana.generate import plant, shading, sizes, spoil
from models.choco_banana.puzzle import SHADED, ChocoBanana, parse
from models.choco_banana.random_instances import candidates
from models.shared.document import InstanceError
from models.shared.generator import document
from models.shared.random_instances import header

REAL = catalogue.load(ROOT / "instances/choco_banana/july_2023.toml").puzzle
assert isinstance(REAL, ChocoBanana)
SOLUTION = (
    "...#.....#.......### ..#.####..######.### .#......#.######.... #.#####..#......#### "
    "..#####.#.##...#.... .......#..##.#.#.### ##..###.##..#.#..... ##..###.##..#.#.#### "
    "..#.###.##.#..#.#### ...#......#.#..#.... ##..######...#..#.## ##..######....##..##"
)


def grid(text: str) -> list[list[int]]:
    return [[int(symbol == "#") for symbol in word] for word in text.split()]


def small(cells: str) -> ChocoBanana:
    return parse(header("choco_banana") | {"cells": cells})


def test_the_published_solution_passes() -> None:
    assert REAL.check(grid(SOLUTION)) == []
    assert REAL.answer(grid(SOLUTION)) == 809321103360


@settings(max_examples=40)
@given(st.integers(0, 239), st.integers(-1, 2))
def test_any_other_shade_of_a_cell_is_refused(cell: int, value: int) -> None:
    """The puzzle has one solution, so every change breaks a rule."""
    changed = grid(SOLUTION)
    changed[cell // 20][cell % 20] = value
    assert bool(REAL.check(changed)) == (changed != grid(SOLUTION))


@pytest.mark.parametrize(
    ("cells", "shades", "broken"),
    [
        (". . .\n. . .", "#.. ...", ""),
        ("1 . .\n5 . 5", "#.. ...", ""),
        (". . .\n. . .", "### ###", ""),
        (". 6 .\n6 . .", "### ###", ""),
        (". . .\n. . .", "... ...", "the unshaded group of row 1, column 1 is a full rectangle"),
        (". . .\n. . .", "##. #..", "the shaded group of row 1, column 1 is no full rectangle"),
        (". . .\n. . .", "##. ...", ""),
        (
            ". 1 .\n. . .",
            "##. ...",
            "the shaded group of row 1, column 1 has 2 cells, not 1 as row 1, column 2 says",
        ),
        (
            ". . .\n. . 5",
            "##. ...",
            "the unshaded group of row 1, column 3 has 4 cells, not 5 as row 2, column 3 says",
        ),
        # Groups that touch at a corner are two.
        ("3 . 1 .\n. 1 . 3", "..#. .#..", ""),
        (
            ". . 2 .\n. . . .",
            "..#. .#..",
            "the shaded group of row 1, column 3 has 1 cell, not 2 as row 1, column 3 says",
        ),
        (
            "6 . . .\n. . . .",
            "..#. .#..",
            "the unshaded group of row 1, column 1 has 3 cells, not 6 as row 1, column 1 says",
        ),
    ],
)
def test_each_rule_is_checked(cells: str, shades: str, broken: str) -> None:
    assert small(cells).check(grid(shades)) == [broken] * bool(broken)


@pytest.mark.parametrize("shape", [None, 3, [], grid(SOLUTION)[:11], [["#"] * 20] * 12, [[True] * 20] * 12])
def test_a_solution_of_the_wrong_shape_is_refused_in_words(shape: object) -> None:
    assert REAL.check(shape) == ["the solution is not 12 rows of 20 whole numbers each"]


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        ("", "cells: the grid is empty"),
        (". .\n.", "cells, row 2: 1 cells; every row needs 2"),
        (". .\n. #", "cells, row 2, column 2: '#' is not a whole number"),
        (". .\n0 .", "cells, row 2, column 1: 0 is not the size of a group in 2x2 cells; write 1 to 4, or ."),
        (". 5\n. .", "cells, row 1, column 2: 5 is not the size of a group in 2x2 cells; write 1 to 4, or ."),
    ],
)
def test_a_malformed_grid_is_refused_with_the_place(cells: str, says: str) -> None:
    with pytest.raises(InstanceError) as refused:
        small(cells)
    assert says in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize("cells", [".", "1", ". 2", ". . .\n. 2 .\n. . .", "1 . . .\n. . . 7"])
def test_the_candidates_have_all_solutions_once(cells: str) -> None:
    puzzle = small(cells)
    shadings = (
        dict(zip(puzzle.cells, shades, strict=True)) for shades in product((0, 1), repeat=puzzle.size)
    )
    every = [
        solution for values in shadings if not puzzle.check(solution := puzzle.solution(values.__getitem__))
    ]
    tried = list(candidates(puzzle))
    assert every == [solution for solution in every if tried.count(solution) == 1]


@settings(max_examples=20)
@given(st.integers(1, 7), st.integers(1, 7), st.integers(0, 10**6))
def test_a_shading_obeys_the_rules(height: int, width: int, seed: int) -> None:
    """With the size of its group in each cell."""
    board = Bitboard(height, width)
    shaded = shading(board, random.Random(seed))
    if shaded is not None:
        puzzle = ChocoBanana(height, width, sizes(board, shaded))
        assert puzzle.check(puzzle.solution(lambda i: SHADED if board.bit[i] & shaded else 0)) == []


@settings(max_examples=20)
@given(st.integers(2, 7), st.randoms(use_true_random=False))
def test_the_clues_of_a_shading_are_true_until_one_is_spoilt(size: int, rng: random.Random) -> None:
    planted = plant(size, random.Random(rng.random()))
    assume(planted)
    assert planted
    (every,) = planted.clues
    clues = rng.sample(every, rng.randint(1, len(every)))
    told = parse(document(planted.table(clues)))
    assert told.numbers == dict(clues) and told.check(planted.solution) == []
    spoilt = spoil(planted, clues, rng)
    assert spoilt and len({*spoilt} - {*clues}) == 1
    assert parse(document(planted.table(spoilt))).check(planted.solution)
