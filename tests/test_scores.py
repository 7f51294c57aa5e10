"""Ratios with intervals, comparisons across puzzles, and the sentences that state them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t, wilcoxon

from bench.analysis import scores
from bench.analysis.compare import compare
from bench.analysis.measurements import Figures, Measurement, measurements
from bench.contract import Status, Task
from bench.report import findings, tables
from bench.stats import Interval, Ratio, critical_rank, holm, paired_ratio, ratio, signed_critical_rank
from tests.synthetic import campaign

TIMES = st.lists(st.floats(1e-4, 1e3), min_size=1, max_size=12)
SAMPLES = st.lists(st.one_of(st.floats(1e-4, 1e3), st.just(np.inf)), min_size=1, max_size=12)


@pytest.fixture(scope="module")
def measured() -> list[Measurement]:
    return measurements(campaign(instances=3, repeats=6, failing=0.05))


def measurement(label: str, sample: Sequence[float], status: Status, branches: float | None) -> Measurement:
    """A measurement of one backend by hand."""
    times = tuple(time for time in sample if np.isfinite(time))
    middle = float(np.median(times)) if times else np.nan
    return Measurement(
        "p", "i", label, label, "", Task.FIRST, 1, label, size=1, time_limit_s=60.0, runs=len(sample),
        conclusive=len(times), status=status, error="", times=times, sample=tuple(sample),
        total=Interval(middle, middle, middle) if times else None, figures=Figures(branches=branches),
    )  # fmt: skip


@given(SAMPLES, SAMPLES)
def test_a_ratio_looks_the_same_from_both_sides(first: list[float], second: list[float]) -> None:
    there, back = ratio(first, second), ratio(second, first)
    assert there.known == back.known == (critical_rank(len(first), len(second)) > 0)
    if there.known:
        assert there.low <= there.value <= there.high
        with np.errstate(divide="ignore"):
            assert [there.low, there.high] == pytest.approx(
                [1 / np.float64(back.high), 1 / np.float64(back.low)]
            )


@given(TIMES, st.floats(0.1, 10))
def test_a_sample_that_takes_k_times_as_long_has_ratio_k(times: list[float], factor: float) -> None:
    assert ratio([factor * time for time in times], times).value == pytest.approx(factor)


@pytest.mark.parametrize(("first", "second"), [(3, 3), (4, 4), (5, 5), (3, 8), (6, 7)])
def test_the_critical_rank_is_that_of_all_orders(first: int, second: int) -> None:
    """Counted by brute force: U is how many places the first sample lies above its lowest ones."""
    us = Counter(
        sum(place - number for number, place in enumerate(places))
        for places in combinations(range(first + second), first)
    )
    below = np.cumsum([us[u] for u in range(first * second + 1)]) / us.total()
    assert critical_rank(first, second) == np.count_nonzero(below <= 0.025)


@given(st.lists(st.one_of(st.floats(-5, 5), st.sampled_from([-np.inf, 0.0, np.inf])), max_size=12))
def test_a_ratio_of_pairs_looks_the_same_from_both_sides(logs: list[float]) -> None:
    """With failures and without; six pairs have an interval, five have none."""
    there, back = paired_ratio(logs), paired_ratio([-log for log in logs])
    assert there.known == back.known == (len(logs) >= 6)
    with np.errstate(divide="ignore"):
        turned = [1 / np.float64(end) for end in (back.value, back.high, back.low)]
    assert [there.value, there.low, there.high] == pytest.approx(turned, nan_ok=True)
    if there.known:
        assert there.low <= there.value <= there.high


def test_a_ratio_of_pairs_by_hand() -> None:
    """A failure against a success is beyond all others, and an end among such pairs is open."""
    found = paired_ratio([0.0, 0.1, 0.2, 0.3, 0.4, np.inf])
    assert found == Ratio(np.exp(0.25), 1.0, np.inf)
    assert paired_ratio([-np.inf, np.inf]).value == 1.0, "each failed once"
    assert paired_ratio([0.1, 0.2, 0.4]).value == pytest.approx(np.exp(0.225)), "of 0.1 0.15 0.2 0.25 0.3 0.4"


@pytest.mark.parametrize("size", [3, 5, 6, 7, 12, 40, 200])
def test_the_critical_rank_of_pairs_is_that_of_scipy(size: int) -> None:
    def p(total: int) -> float:
        """The probability that the ranks of the positive values add up to so much or less."""
        signs = -np.ones(size)
        for rank in range(size, 0, -1):
            if rank <= total:
                signs[rank - 1], total = 1, total - rank
        sample = signs * np.arange(1, size + 1)
        return float(wilcoxon(sample, alternative="less", method="exact").pvalue)

    rank = signed_critical_rank(size)
    assert p(rank) > 0.025 and (rank == 0 or p(rank - 1) <= 0.025)


@pytest.mark.parametrize("size", [6, 7, 12, 40])
@pytest.mark.parametrize("failing", [0.0, 0.1])
def test_the_interval_of_pairs_covers_the_ratio_as_often_as_it_says(size: int, failing: float) -> None:
    rng = np.random.default_rng(size)
    logs = np.log(1.5) + 0.2 * rng.standard_t(3, (2000, size))
    logs[rng.random(logs.shape) < failing] = np.inf
    true = 1.5 * np.exp(0.2 * t.ppf(0.5 / (1 - failing), 3))
    covered = [found.low <= true <= found.high for found in map(paired_ratio, logs)]
    assert 0.94 <= np.mean(covered) <= 0.99


@pytest.mark.parametrize("size", [4, 5, 12, 40])
def test_the_interval_of_a_ratio_covers_it_as_often_as_it_says(size: int) -> None:
    rng = np.random.default_rng(size)
    samples = np.exp(0.2 * rng.standard_t(3, (1000, 2, size)))
    covered = [
        found.low <= 1.5 <= found.high for found in (ratio(1.5 * first, second) for first, second in samples)
    ]
    assert 0.93 <= np.mean(covered) <= 0.99


def test_repeats_of_one_seed_count_once() -> None:
    """Two seeds, five repeats each, tell two values; one seed tells five."""
    runs = campaign(instances=1, repeats=10, failing=0)
    runs["seed"] = 1 + (runs["repeat"] > 5)
    for rows, size in ((runs, 2), (runs[runs["seed"] == 1], 5)):
        found = measurements(rows)
        assert {len(each.sample) for each in found} == {size}
        for each in found:
            assert np.median(each.sample) == pytest.approx(each.total_s)


def test_failures_are_longer_than_anything(measured: list[Measurement]) -> None:
    assert any(each.conclusive < each.runs for each in measured)
    for each in measured:
        assert np.isinf(each.sample).sum() == each.runs - each.conclusive == each.inconclusive
        assert sorted(each.times) == sorted(time for time in each.sample if np.isfinite(time))


def formulations(best: Sequence[Measurement], label: str) -> set[str]:
    """The formulations of a backend."""
    return {each.formulation for each in best if each.label == label}


def test_the_best_formulation_solves_most_then_is_fastest(measured: list[Measurement]) -> None:
    always = measurements(campaign(instances=3, repeats=6, failing=0))
    assert formulations(scores.best_formulations(always), "cpsat") == {"windows"}
    worse = [
        replace(each, sample=(np.inf,) * len(each.sample)) if each.formulation == "windows" else each
        for each in measured
    ]
    best = scores.best_formulations(worse)
    assert formulations(best, "cpsat") == {"textbook"}
    assert formulations(best, "milp") == {"windows"}, "it has no other"


def test_a_formulation_that_reasons_is_best_only_where_no_other_is_there(measured: list[Measurement]) -> None:
    reasoned = [
        replace(each, figures=replace(each.figures, reasoning_s=0.1))
        if each.formulation == "windows"
        else each
        for each in measured
    ]
    best = scores.best_formulations(reasoned)
    assert formulations(best, "cpsat") == {"textbook"} and formulations(best, "milp") == {"windows"}


def test_problems_that_not_everyone_tried_are_left_out(measured: list[Measurement]) -> None:
    best = scores.best_formulations(measured)
    rest, left_out = scores.shared(
        [each for each in best if (each.label, each.instance) != ("csp", "bug_byte_000")]
    )
    assert left_out == 2
    assert {each.instance for each in best} - {each.instance for each in rest} == {"bug_byte_000"}


def test_what_is_not_installed_neither_loses_nor_leaves_anything_out(measured: list[Measurement]) -> None:
    best = [
        replace(each, status=Status.UNAVAILABLE) if each.label == "csp" else each
        for each in scores.best_formulations(measured)
    ]
    rest, left_out = scores.shared(best)
    assert left_out == 0 and {each.label for each in rest} == {"cpsat", "milp", "backtrack"}
    pairs = scores.pairs(best)
    assert pairs and "csp" not in {name for pair in pairs for name in (pair.label, pair.other)}


def test_scores_by_hand() -> None:
    """One problem takes 1 s and one fails with a limit of 60 s; somebody else takes 3 s for each."""
    runs = campaign(instances=2, repeats=1, failing=0)
    runs = runs[
        (runs["puzzle"] == "bug_byte") & (runs["task"] == "first") & runs["backend"].isin(["csp", "milp"])
    ]
    runs.loc[runs["backend"] == "csp", "total_s"] = 3.0
    runs.loc[runs["backend"] == "milp", "total_s"] = 1.0
    failed = (runs["backend"] == "milp") & (runs["instance"] == "bug_byte_001")
    runs.loc[failed, ["status", "total_s"]] = ["timeout", None]
    found = scores.scores(scores.best_formulations(measurements(runs)))
    assert {score.label: score.solved for score in found} == {"milp": 1, "csp": 2, "virtual best": 2}
    par2 = {"milp": 60.5, "csp": 3, "virtual best": 2}
    assert {score.label: score.par2_s for score in found} == pytest.approx(par2)
    means = {"milp": np.sqrt(1.1 * 60.1) - 0.1, "csp": 3.0, "virtual best": np.sqrt(1.1 * 3.1) - 0.1}
    assert {score.label: score.mean_s for score in found} == pytest.approx(means)


def test_a_line_of_the_square_is_of_what_all_its_solvers_tried() -> None:
    """HiGHS can be given one of three models of CP-SAT; csp is no part of it."""
    measured = measurements(campaign(instances=3, repeats=1, failing=0))
    ours = [each for each in measured if each.task == Task.FIRST and each.puzzle == "die_agony"]
    assert not tables.square(ours).rows, "each model has one solver"
    linear = [each for each in ours if each.model == "cpsat windows"]
    crossed = [
        replace(each, solver="highs", label="cpsat:highs", status=status)
        for each, status in zip(linear, (Status.SOLVED, Status.UNSUPPORTED, Status.UNSUPPORTED), strict=True)
    ]
    square = tables.square([*ours, *crossed])
    assert square.columns == ["model", "task", "cpsat", "highs"]
    ((name, _, ours_said, theirs_said),) = square.rows
    assert name == "cpsat best" and ours_said == theirs_said and ours_said.startswith("1 of 1, ")


def test_pairs_count_every_problem_and_correct_for_their_number(measured: list[Measurement]) -> None:
    pairs = scores.pairs(scores.best_formulations(measured))
    assert all(pair.wins + pair.ties + pair.losses == pair.problems for pair in pairs)
    assert all(pair.p <= pair.p_holm <= 1 for pair in pairs)
    assert len(pairs) == 2 * 6
    slow = [pair for pair in pairs if "csp" in (pair.label, pair.other)]
    assert slow and all(pair.p_holm < 0.05 for pair in slow), "eight times as slow on each of 15 problems"


def test_holm_by_hand() -> None:
    assert holm(pd.Series([0.01, 0.04, 0.03, 0.005])).tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_a_profile_is_of_those_that_are_compared(measured: list[Measurement]) -> None:
    matrix = scores.times(scores.best_formulations(measured), "first")
    profile = scores.profile(matrix)
    assert all(ratios == sorted(ratios) and ratios[0] >= 1 for ratios in profile.values())
    best = sum(ratios.count(1.0) for ratios in profile.values())
    assert best >= len(matrix), "somebody is the best of each problem"
    without = scores.profile(matrix.drop(columns="backtrack"))
    assert any(ratios != profile[label] for label, ratios in without.items()), "compared with another best"
    alone = scores.profile(matrix[["csp"]])
    assert set(alone["csp"]) == {1.0}


@given(
    st.lists(st.floats(0.01, 10), min_size=5, max_size=5),
    st.lists(st.floats(0.01, 10), min_size=5, max_size=5),
)
def test_a_sentence_claims_a_winner_only_if_the_interval_does(
    first: list[float], second: list[float]
) -> None:
    said = findings.on_times(
        [measurement(label, times, Status.SOLVED, 0) for label, times in (("a", first), ("b", second))]
    )
    found = ratio(first, second)
    decided = found.low > 1 or found.high < 1
    assert ("no significant difference between" in said) != decided
    assert ("times as fast as" in said or "was faster in most pairs of runs" in said) == decided


@pytest.mark.parametrize(
    ("short", "long", "known"),
    [
        ([0.9, 0.9, 1.0, 1.0, 1.0], [6.0], True),
        ([0.9, 1.0], [2.0, 9.0], True),
        ([1.0], [2.0, 2.1, np.inf], True),
        ([0.9, 1.0], [1.9, 9.0], False),
        ([1.0], [6.0], False),
        ([0.9, 1.0, 1.0, 1.0], [6.0, 6.1, 6.2, 6.3], False),
    ],
)
def test_few_runs_suffice_for_what_is_far_slower(short: list[float], long: list[float], known: bool) -> None:
    """If each lasted twice as long as any of the other; not of a single run each. Four have an interval."""
    fast = measurement("fast", short, Status.SOLVED, 0)
    slow = measurement("slow", long, Status.SOLVED, 0)
    assert compare(slow, fast).far == known
    winner, why = findings.winner(scores.slowdowns([slow, fast]))
    if known or len(long) > 3:
        assert winner == "fast" and "times as fast as slow" in why and ("far apart" in why) == known
        assert compare(fast, slow).verdict == 1 and compare(slow, fast).verdict == -1
    else:
        assert winner == "" and "too few runs to compare fast with slow" in why
        assert compare(fast, slow).verdict == compare(slow, fast).verdict == 0


def test_disturbed_runs_decide_what_is_far_apart() -> None:
    runs = campaign(instances=1, repeats=2, failing=0).assign(disturbed=1)
    slow = runs["backend"] == "csp"
    runs.loc[slow, "total_s"] *= 10
    best = scores.best_formulations(measurements(runs[slow | (runs["backend"] == "backtrack")]))
    for problem in scores.by_problem(best).values():
        assert findings.winner(scores.slowdowns(problem))[0] == "backtrack"


def test_sentences_name_small_samples_and_what_is_unsolved() -> None:
    runs = campaign(instances=1, repeats=5, failing=0)
    runs = runs[(runs["puzzle"] == "bug_byte") & (runs["task"] == "first")]

    def said(rows: pd.DataFrame) -> str:
        (problem,) = scores.by_problem(scores.best_formulations(measurements(rows))).values()
        return findings.on_times(problem)

    assert "inconclusive: too few runs to compare" in said(runs[runs["repeat"] <= 2])
    failed = runs.assign(status="timeout", total_s=np.nan)
    assert said(failed).endswith("one solution: unsolved.")


@pytest.mark.parametrize(("instances", "said"), [(1, "(too few problems to test)"), (2, "(p = ")])
def test_few_problems_are_said_to_prove_nothing(instances: int, said: str) -> None:
    measured = measurements(campaign(instances, repeats=5, failing=0))
    assert all(said in line for line in findings.conclusion(scores.best_formulations(measured)))


def test_of_two_backends_one_of_which_solves_nothing_the_other_is_faster() -> None:
    runs = campaign(instances=3, repeats=1, failing=0)
    of_two = runs[runs["backend"].isin(["cpsat", "milp"])]
    for stopped in ("cpsat", "milp"):
        mine = of_two["backend"] == stopped
        measured = measurements(of_two.assign(status=of_two["status"].mask(mine, "timeout")))
        for pair in scores.pairs(scores.best_formulations(measured)):
            lost, won = (pair.wins, pair.losses) if stopped == pair.label else (pair.losses, pair.wins)
            assert lost < won and pair.p_holm < 0.05 and pair.ratio != pair.ratio
