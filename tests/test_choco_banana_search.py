"""Choco Banana: sets of cells by their definition, a search deeper than recursion allows, and that in C."""

import random
from dataclasses import asdict
from itertools import islice, product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from bench.contract import OnSolution, SolveRequest, Task
from bench.drivers import native as driver
from bench.drivers._compiler import compiler
from models.choco_banana import native
from models.choco_banana.backtrack import propagation
from models.choco_banana.bitboard import Bitboard
from models.choco_banana.puzzle import ChocoBanana, is_rectangle, parse
from models.choco_banana.random_instances import choco_bananas
from models.shared.grid import connected_parts
from models.shared.search import Step, Tally


def test_groups_and_rectangles_of_random_sets_of_cells() -> None:
    rng = random.Random(1)
    seen = set()
    for _ in range(60):
        grid = Bitboard(rng.randint(1, 6), rng.randint(1, 6))
        cells = {cell for cell in grid.bit if rng.random() < 0.7}
        for group in connected_parts(cells):
            some = grid.bit[min(group)]
            found = grid.connected(some, sum(grid.bit[cell] for cell in cells))
            assert found == sum(grid.bit[cell] for cell in group)
            assert grid.is_rectangle(found) == is_rectangle(group)
            seen.add(is_rectangle(group))
    assert seen == {False, True}


def test_a_block_that_has_three_shaded_cells_is_completed() -> None:
    """All that is known of one block: what all completions of it have in common."""
    grid = Bitboard(2, 2)
    bits = list(grid.bit.values())
    for known in product((None, 0, 1), repeat=4):
        shaded, unshaded = (
            sum(bit for bit, value in zip(bits, known, strict=True) if value == shade) for shade in (1, 0)
        )
        fillings = [
            filling
            for filling in product((0, 1), repeat=4)
            if sum(filling) != 3
            and all(value in (None, shade) for value, shade in zip(known, filling, strict=True))
        ]
        more, less = grid.completed(shaded, unshaded)
        assert bool(more & less) == (not fillings)
        if fillings:
            common = [set(shades) for shades in zip(*fillings, strict=True)]
            assert more == sum(bit for bit, shades in zip(bits, common, strict=True) if shades == {1})
            assert less == sum(bit for bit, shades in zip(bits, common, strict=True) if shades == {0})


def test_rectangles_of_a_size_are_those_that_hold_the_cell() -> None:
    grid = Bitboard(3, 4)
    boxes = [
        sum(grid.bit[row, column] for row in range(top, bottom) for column in range(left, right))
        for top, bottom in product(range(4), repeat=2)
        for left, right in product(range(5), repeat=2)
        if top < bottom and left < right
    ]
    for cell, size in product(grid.bit, range(1, 14)):
        expected = [box for box in boxes if box & grid.bit[cell] and box.bit_count() == size]
        assert sorted(grid.rectangles(cell, size)) == sorted(expected)


def test_a_large_grid_without_numbers_needs_no_recursion() -> None:
    """Its first solution is more than a thousand branches deep."""
    tally = Tally(step=Step.FULL)
    puzzle = ChocoBanana(34, 34, {})
    (solution,) = islice(propagation(puzzle, tally), 1)
    assert not puzzle.check(solution) and tally.branches > 1000


@pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
@settings(max_examples=10, suppress_health_check=list(HealthCheck), database=None)
@given(choco_bananas())
def test_the_search_in_c_takes_the_same_steps(table: dict[str, Any]) -> None:
    """Thus the two compare languages."""
    puzzle = parse(table)
    tally = Tally(step=Step.SHAVING)
    expected = list(propagation(puzzle, tally))
    found: list[Any] = []
    keep: OnSolution = lambda solution, stands_for: found.append(solution)  # noqa: E731
    request = SolveRequest(Task.COUNT, time_s=60, threads=1, seed=1, solver="c")
    figures = asdict(driver.solve(native.propagation(puzzle), request, keep))
    assert found == expected
    assert [figures[name] for name in ("variables", "presolved_variables")] == [
        tally.variables,
        tally.undecided,
    ]
    counters = ("branches", "failures", "propagations")
    assert [figures[name] for name in counters] == [getattr(tally, name) for name in counters]
