"""Slitherlink: what parse refuses, what is a loop, notations of collections, propagation, planted loops."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.shared.document import InstanceError
from models.shared.generator import document
from models.shared.grid import Grid
from models.shared.loop import is_one_loop
from models.shared.search import Tally
from models.slitherlink.adapter import adapt
from models.slitherlink.backtrack import Edges
from models.slitherlink.generate import plant, random_inside, refute, with_clues
from models.slitherlink.puzzle import Slitherlink, parse
from models.slitherlink.random_instances import candidates


@pytest.mark.parametrize(
    ("givens", "message"),
    [
        ("", "givens: the grid is empty"),
        (". 5", "givens, row 1, column 2: 5 is outside 0..4"),
        (". x", "givens, row 1, column 2: 'x' is not a whole number"),
    ],
)
def test_what_parse_refuses(givens: str, message: str) -> None:
    with pytest.raises(InstanceError) as error:
        parse(document({"givens": givens}))
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("00\n00", "there is no loop"),
        ("101\n000\n000", "inside are in 2 parts"),
        ("111\n101\n111", "outside are in 2 parts"),
        ("110\n101\n111", "touches itself at the upper left corner of row 2, column 3"),
    ],
)
def test_loops_that_are_none(rows: str, words: str) -> None:
    solution = [[*map(int, row)] for row in rows.split()]
    broken = Slitherlink(len(solution), len(solution[0]), {}).check(solution)
    assert any(words in each for each in broken)


def test_the_loops_in_small_grids() -> None:
    """By both notions of a loop: the numbers of simple cycles in grids of 2x2, 3x3 and 4x4 dots are known."""
    for size, count in enumerate((1, 13, 213), 1):
        puzzle = Slitherlink(size, size, {})
        loops = [grid for grid in candidates(puzzle) if not puzzle.check(grid)]
        assert len(loops) == count
        for loop in loops:
            inside = {(r, c) for r, c in puzzle.cells if loop[r][c]}
            on_loop = [len(inside.intersection(puzzle.beside(e))) % 2 for e in puzzle.edges]
            assert is_one_loop(puzzle.edges, *on_loop) and sum(on_loop) == puzzle.answer(loop)
            assert puzzle.enclosed(dict(zip(puzzle.edges, on_loop, strict=True)).__getitem__) == loop


def test_two_loops_are_not_one() -> None:
    edges = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4)]
    assert is_one_loop(edges, 1, 1, 1, 1, 0, 0, 0, 0)
    assert not any(is_one_loop(edges, *chosen) for chosen in ([1] * 8, [0] * 8, [1] * 3 + [0] * 5))


@pytest.mark.parametrize(
    ("fields", "givens"),
    [
        ({"puzzlink": "3/2/81c"}, "3 . 1\n2 . ."),
        ({"puzzlink": "2/2/.hc"}, ". .\n. 2"),
        ({"sgt": "3x2t0dh:3a12b"}, "3 . 1\n2 . ."),
        ({"givens": ["3 .", ". 1"], "solution": ["0 1", "1 1"]}, "3 .\n. 1"),
    ],
)
def test_notations_of_collections(fields: dict[str, object], givens: str) -> None:
    table, solution = adapt(fields)
    assert table == {"givens": givens}
    assert solution == ([[0, 1], [1, 1]] if "solution" in fields else None)


@pytest.mark.parametrize(
    "fields",
    [{"puzzlink": end} for end in ("2/2/1f1", "2/2/1", "2/2/1111111", "2/2/hh1", "2/2")]
    + [{"sgt": "3x2t1:3a12b"}, {"sgt": "3x2t0:3a12c"}, {"givens": "3"}],
)
def test_what_the_adapter_refuses(fields: dict[str, object]) -> None:
    with pytest.raises(InstanceError):
        adapt(fields)


@settings(max_examples=40, deadline=None)
@given(height=st.integers(1, 4), width=st.integers(1, 4), seed=st.integers(0, 10**6))
def test_propagation_keeps_the_planted_loop_and_is_undone(height: int, width: int, seed: int) -> None:
    """Of decisions that a loop agrees with, only such follow; to undo them restores all counts."""
    rng, grid = Random(seed), Grid(height, width)
    planted = with_clues(grid, random_inside(grid, {rng.choice(grid.cells)}, grid.cells, rng))
    puzzle = parse(document(planted.table([clue for clue in planted.clues[0] if rng.random() < 0.4])))
    assert not puzzle.check(planted.solution)
    inside = {(r, c) for r, c in grid.cells if planted.solution[r][c]}
    state = Edges(puzzle, Tally())
    on_loop = [len(inside.intersection(puzzle.beside(e))) % 2 for e in state.edges]
    before = str(vars(state) | {"labelled": 0, "tally": 0})
    for k in rng.sample(range(len(on_loop)), len(on_loop)):
        assert state.narrow([(k, on_loop[k])] if state.value[k] < 0 else [])
        assert all(value in (-1, on) for value, on in zip(state.value, on_loop, strict=True))
    assert state.closed and state.value == on_loop
    state.undo(0)
    assert str(vars(state) | {"labelled": 0, "tally": 0}) == before


@settings(max_examples=10, deadline=None)
@given(size=st.integers(2, 8), seed=st.integers(0, 10**6))
def test_planted_loops_change_where_another_one_differs(size: int, seed: int) -> None:
    planted = plant(size, Random(seed))
    if changed := refute(planted, plant(size, Random(seed + 1)).solution, Random(seed)):
        puzzle = parse(document(changed.table(changed.clues[0])))
        assert not puzzle.check(changed.solution) and changed.solution != planted.solution
