"""Knight Moves: sums over numbers in succession, the search in C beside that in Python, the generator."""

from dataclasses import asdict
from itertools import pairwise, product
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench import catalogue
from bench.catalogue import ROOT
from bench.contract import OnSolution, SolveRequest, Task
from bench.drivers import native as driver
from bench.drivers._compiler import compiler
from models.knight_moves import generate, native
from models.knight_moves.backtrack import places, supported
from models.knight_moves.puzzle import parse
from models.knight_moves.random_instances import knight_moves
from models.shared.bits import members
from models.shared.generator import document
from models.shared.search import Tally


@given(
    st.lists(st.sampled_from("io*"), min_size=1, max_size=7), st.booleans(), st.integers(0, 30), st.booleans()
)
def test_numbers_are_supported_by_a_choice_with_the_total(
    sides: list[str], weighted: bool, total: int, apart: bool
) -> None:
    """Against all subsets: a number must be inside (i), outside (o), or may be either (*)."""
    last = len(sides)
    weights = list(range(1, last + 1)) if weighted else [1] * last
    choices = [
        chosen
        for chosen in product((False, True), repeat=last)
        if all(side == "*" or (side == "i") == inside for side, inside in zip(sides, chosen, strict=True))
        and sum(weight for weight, inside in zip(weights, chosen, strict=True) if inside) == total
        and not (apart and any(a and b for a, b in pairwise(chosen)))
    ]
    inside, outside = (
        sum(1 << t for t, side in enumerate(sides, 1) if side in allowed) for allowed in ("i*", "o*")
    )
    enters, stays = supported(inside, outside, weights, total, apart)
    assert set(members(enters)) == {t for t in range(1, last + 1) if any(c[t - 1] for c in choices)}
    assert set(members(stays)) == {t for t in range(1, last + 1) if not all(c[t - 1] for c in choices)}


@pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
@settings(max_examples=20, suppress_health_check=list(HealthCheck), database=None)
@given(knight_moves())
def test_the_search_in_c_takes_the_same_steps(table: dict[str, Any]) -> None:
    """Thus the two compare languages."""
    puzzle = parse(table)
    tally = Tally()
    expected = list(places(puzzle, tally))
    found: list[Any] = []
    keep: OnSolution = lambda solution, stands_for: found.append(solution)  # noqa: E731
    request = SolveRequest(Task.COUNT, time_s=60, threads=1, seed=1, solver="c")
    figures = asdict(driver.solve(native.places(puzzle), request, keep))
    assert found == expected
    assert [figures[name] for name in ("variables", "presolved_variables")] == [
        tally.variables,
        tally.undecided,
    ]
    counters = ("branches", "failures", "propagations")
    assert [figures[name] for name in counters] == [getattr(tally, name) for name in counters]


@given(st.integers(1, 6), st.floats(0, 1), st.integers(0, 10**6))
def test_any_clues_fit_the_planted_path_and_a_wrong_one_does_not(size: int, share: float, seed: int) -> None:
    rng = Random(seed)
    planted = generate.plant(size, rng)
    clues = [clue for group in planted.clues for clue in group if rng.random() < share]
    rng.shuffle(clues)
    assert parse(document(planted.table(clues))).check(planted.solution) == []
    spoilt = generate.spoil(planted, clues, rng)
    assert spoilt is None or parse(document(planted.table(spoilt))).check(planted.solution)


def test_the_published_answer_is_the_least_of_all_solutions() -> None:
    puzzle = catalogue.load(ROOT / "instances/knight_moves/august_2019.toml").puzzle
    solutions = list(places(puzzle, Tally()))
    assert len(solutions) == 138 and min(map(puzzle.answer, solutions)) == 144
