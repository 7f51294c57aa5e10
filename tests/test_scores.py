"""Ratios with intervals, what is compared across puzzles, and the sentences that are made of it."""

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.analysis import findings, scores, tables
from bench.stats import critical_rank, ratio
from tests.synthetic import campaign

TIMES = st.lists(st.floats(1e-4, 1e3), min_size=1, max_size=12)
SAMPLES = st.lists(st.one_of(st.floats(1e-4, 1e3), st.just(np.inf)), min_size=1, max_size=12)


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return tables.cells(campaign(instances=3, repeats=6, failing=0.05))


@given(SAMPLES, SAMPLES)
def test_a_ratio_looks_the_same_from_both_sides(first: list[float], second: list[float]) -> None:
    there, back = ratio(first, second), ratio(second, first)
    assert there.known == back.known == (critical_rank(len(first), len(second)) > 0)
    assert there.differs == back.differs
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
        table = tables.cells(rows)
        assert set(table["sample"].map(len)) == {size}
        for cell in table.to_dict("records"):
            assert np.median(cell["sample"]) == pytest.approx(cell["total_s"])


def test_failures_are_longer_than_anything(table: pd.DataFrame) -> None:
    assert (table["done"] < table["runs"]).any()
    for cell in table.to_dict("records"):
        assert np.isinf(cell["sample"]).sum() == cell["runs"] - cell["done"]
        assert sorted(cell["times"]) == sorted(time for time in cell["sample"] if np.isfinite(time))


def test_the_leading_formulation_solves_most_then_is_fastest(table: pd.DataFrame) -> None:
    led = scores.leading(table)
    assert set(led.loc[led["label"] == "cpsat", "formulation"]) == {"windows"}
    worse = table.copy()
    lost = worse["formulation"] == "windows"
    worse.loc[lost, "sample"] = worse.loc[lost, "sample"].map(lambda sample: [np.inf] * len(sample))
    led = scores.leading(worse)
    assert set(led.loc[led["label"] == "cpsat", "formulation"]) == {"rubin"}
    assert set(led.loc[led["label"] == "milp", "formulation"]) == {"windows"}, "it has no other"


def test_problems_that_not_everyone_tried_are_left_out(table: pd.DataFrame) -> None:
    led = scores.leading(table)
    missing = (led["label"] == "csp") & (led["instance"] == "bug_byte_000")
    rest, left_out = scores.shared(led[~missing])
    assert left_out == 2
    assert set(led["instance"]) - set(rest["instance"]) == {"bug_byte_000"}


def test_what_is_not_installed_neither_loses_nor_leaves_anything_out(table: pd.DataFrame) -> None:
    led = scores.leading(table)
    missing = led["label"] == "csp"
    led.loc[missing, "status"] = "unavailable"
    rest, left_out = scores.shared(led)
    assert left_out == 0 and set(rest["label"]) == {"cpsat", "milp", "backtrack"}
    pairs = scores.pairs(led)
    assert "csp" not in {*pairs["label"], *pairs["other"]}


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
    found = scores.scores(scores.leading(tables.cells(runs))).set_index("label")
    assert found["solved"].to_dict() == {"milp": 1, "csp": 2, "virtual best": 2}
    assert found["par2_s"].to_dict() == pytest.approx({"milp": 60.5, "csp": 3, "virtual best": 2})
    means = {"milp": np.sqrt(1.1 * 60.1) - 0.1, "csp": 3.0, "virtual best": np.sqrt(1.1 * 3.1) - 0.1}
    assert found["mean_s"].to_dict() == pytest.approx(means)


def test_pairs_count_every_problem_and_correct_for_their_number(table: pd.DataFrame) -> None:
    pairs = scores.pairs(scores.leading(table))
    assert (pairs[["wins", "ties", "losses"]].sum(axis=1) == pairs["problems"]).all()
    assert (pairs["p_holm"] >= pairs["p"]).all() and (pairs["p_holm"] <= 1).all()
    assert len(pairs) == 2 * 6
    slow = pairs[(pairs["other"] == "csp") | (pairs["label"] == "csp")]
    assert (slow["p_holm"] < 0.05).all(), "eight times as slow on each of 15 problems"


def test_holm_by_hand() -> None:
    assert scores.holm(pd.Series([0.01, 0.04, 0.03, 0.005])).tolist() == pytest.approx(
        [0.03, 0.06, 0.06, 0.02]
    )


def test_a_profile_is_of_those_that_are_compared(table: pd.DataFrame) -> None:
    matrix = scores.times(scores.leading(table), "first")
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
    cells: list[Any] = [
        {
            "puzzle": "p", "instance": "i", "task": "first", "label": label, "status": "solved", "runs": 5,
            "done": 5, "sample": times, "branches": 0,
            "time_s": np.median(times), "total_s": np.median(times),
        }
        for label, times in (("a", first), ("b", second))
    ]  # fmt: skip
    said = findings.on_times(cells)
    decided = ratio(first, second).differs
    assert ("nothing can be said" in said) != decided
    assert ("times as fast as" in said) == decided
    assert "5 runs each" in said and "neither branched" in said


def test_sentences_name_failures_and_small_samples() -> None:
    runs = campaign(instances=1, repeats=5, failing=0)
    runs = runs[(runs["puzzle"] == "bug_byte") & (runs["task"] == "first")]

    def said(rows: pd.DataFrame) -> str:
        (problem,) = scores.by_problem(scores.leading(tables.cells(rows))).values()
        return findings.on_times(problem)

    assert "2 runs each are too few for a 95% interval, 4 more of each are enough" in said(
        runs[runs["repeat"] <= 2]
    )
    failed = runs.copy()
    failed.loc[failed["backend"] == "csp", ["status", "total_s"]] = ["memout", None]
    assert "not solved by csp (memout)" in said(failed)
    failed = failed.assign(status="timeout", total_s=np.nan)
    assert "nobody solved it" in said(failed)
    once = runs.copy()
    once.loc[(once["backend"] == "backtrack") & (once["repeat"] == 1), ["status", "total_s"]] = [
        "crashed",
        None,
    ]
    assert "backtrack failed in 1 of 5 runs (crashed)" in said(once)


@given(SAMPLES, SAMPLES)
def test_whoever_is_named_first_the_same_one_wins(first: list[float], second: list[float]) -> None:
    """A few short times may pull a median below another that is faster in most pairs of runs."""
    cells: list[Any] = [
        {
            "label": label, "status": "timeout", "runs": len(times), "done": int(np.isfinite(times).sum()),
            "sample": times, "total_s": 1.0, "branches": np.nan,
        }
        for label, times in (("a", first), ("b", second))
    ]  # fmt: skip
    said = [findings.compared(*cells), findings.compared(*reversed(cells))]
    if not said[0].startswith(("nothing can be said", "inconclusive")):
        assert said[0].split(" (")[0] == said[1].split(" (")[0]


def test_few_problems_are_said_to_prove_nothing() -> None:
    table = tables.cells(campaign(instances=1, repeats=5, failing=0))
    said = findings.on_pairs(scores.pairs(scores.leading(table)), "first")
    assert "no backend is shown to be faster" in said and "the smallest p possible is 0.38" in said
