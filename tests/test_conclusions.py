"""What samples say of kinds of puzzles: exact tests, bounds where runs were stopped, each kind once."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import exp, inf, log
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import wilcoxon

from bench.analysis.measurements import measurements
from bench.analysis.tables import read_runs
from bench.catalogue import ROOT
from bench.catalogue.errors import RequestError
from bench.contract import Task
from bench.instruments.which.page import cp_or_mip, every_pair, slower, which_page, who_is_ahead
from bench.instruments.which.samples import (
    Conclusions,
    Sample,
    across,
    compared,
    detectable,
    flip_interval,
    of_a_further_kind,
    of_samples,
    same_again,
    samples,
    sign_flip,
    strata,
)
from bench.stats import paired_ratio, signed_rank
from tests import synthetic
from tests.synthetic import campaign

LIMIT_S = 10.0

LOGS = st.lists(st.integers(-8, 8), min_size=1, max_size=7)
"""Values with ties and zeros."""

TIMES = st.lists(st.tuples(st.floats(0.01, 100), st.floats(0.01, 100)), min_size=6, max_size=14)
"""Pairs of times, some of them beyond the limit."""

KINDS = ("block_party", "bug_byte", "die_agony", "hooks", "knight_moves", "number_cross", "sudoku")


@given(
    st.lists(st.floats(-5, 5).filter(lambda value: abs(value) > 1e-3), min_size=1, max_size=12, unique_by=abs)
)
def test_the_signed_rank_test_is_that_of_scipy_where_there_are_no_ties(values: list[float]) -> None:
    gaps = np.diff(np.sort(np.abs(values)))
    assume(not len(gaps) or gaps.min() > 1e-6)
    assert signed_rank(values)[0] == pytest.approx(wilcoxon(values, method="exact").pvalue)


@pytest.mark.parametrize("kinds", [9, 11, 14, 19])
def test_eight_of_ten_further_kinds_lie_where_they_are_predicted(kinds: int) -> None:
    """Whatever the distribution, at least about so many; of fewer than 9 kinds nothing is predicted."""
    rng = np.random.default_rng(1)
    for drawn in (rng.standard_cauchy((4000, kinds + 1)), rng.standard_normal((4000, kinds + 1))):
        inside = [low < value[-1] < high for value in drawn for low, high in [of_a_further_kind(value[:-1])]]
        assert 0.78 < np.mean(inside) < 0.86
        assert np.isnan(of_a_further_kind(drawn[0, :8])).all()


@pytest.mark.parametrize("test", [lambda values: signed_rank(values)[0], sign_flip])
@given(values=LOGS)
def test_no_more_than_one_in_twenty_exchanges_is_called_a_difference(test: Any, values: list[int]) -> None:
    """If the two of each pair are exchanged at random, p is at most 5% with a probability of at most 5%."""
    flips = product((-1, 1), repeat=len(values))
    p = [test([sign * value for sign, value in zip(flip, values, strict=True)]) for flip in flips]
    for level in (0.01, 0.05, 0.2, 0.5):
        assert np.mean(np.array(p) <= level) <= level


@given(st.lists(st.floats(-3, 3), min_size=6, max_size=9), st.floats(-3, 3))
def test_the_interval_has_the_centres_that_the_test_does_not_reject(
    values: list[float], centre: float
) -> None:
    low, high = flip_interval(values)
    assume(min(abs(centre - low), abs(centre - high)) > 1e-6)
    assert (sign_flip([value - centre for value in values]) > 0.05) == (low < centre < high)


def test_many_values_have_random_flips_that_say_much_the_same() -> None:
    values = np.random.default_rng(2).normal(0.5, 1, 20)
    assert sign_flip(values) == pytest.approx(signed_rank(values.tolist())[0], abs=0.05)
    low, high = flip_interval(values)
    assert low < np.mean(values) < high and sign_flip(values - high - 0.1) < 0.05 < sign_flip(
        values - high + 0.1
    )


def test_too_few_values_have_no_interval() -> None:
    assert np.isnan(flip_interval([1.0] * 5)).all() and not np.isnan(flip_interval([1.0] * 6)).any()
    # Of 21 intervals each holds with 99.8%, for which 10 values are the least.
    assert np.isnan(flip_interval([1.0] * 9, 21)).all() and not np.isnan(flip_interval([1.0] * 10, 21)).any()


def test_the_power_is_that_of_samples_that_were_not_used_to_find_it() -> None:
    shift = detectable(8, 0.05)
    rng = np.random.default_rng(5)

    def found(mean: float) -> float:
        return float(np.mean([sign_flip(rng.normal(mean, 1, 8)) <= 0.05 for _ in range(400)]))

    assert found(shift) > 0.91 and found(0.6 * shift) < 0.8
    assert detectable(8, 0.01) > shift
    assert detectable(5, 0.05) == inf


def sample(puzzle: str, columns: dict[str, list[float]], task: Task = Task.COUNT) -> Sample:
    return Sample(puzzle, task, LIMIT_S, pd.DataFrame(columns))


def rows(table: pd.DataFrame, *names: str) -> dict[Any, Any]:
    """The rows of a table by the values of these columns; of one column they are no tuples."""
    keys = zip(*(table[name] for name in names), strict=True)
    found = dict(zip(keys, table.itertuples(), strict=True))
    return found if len(names) > 1 else {key: row for (key,), row in found.items()}


def invented(factors: dict[str, float], noise: float = 0.05, problems: int = 20) -> list[Sample]:
    """Samples in which each backend takes a multiple of what the problem needs."""
    rng = np.random.default_rng(3)
    found = []
    for puzzle in KINDS:
        needed = rng.lognormal(-3, 1, problems)
        columns = {
            label: needed * times * rng.lognormal(0, noise, problems) for label, times in factors.items()
        }
        found.append(sample(puzzle, {label: list(times) for label, times in columns.items()}))
    return found


@given(TIMES)
@settings(max_examples=40)
def test_a_ratio_that_is_not_hidden_is_that_of_the_true_times(pairs: list[tuple[float, float]]) -> None:
    """The times beyond the limit are known here."""
    times = pd.DataFrame(pairs, columns=["cpsat", "milp"])
    (known,) = compared([Sample("sudoku", Task.FIRST, LIMIT_S, times)]).itertuples()
    (true,) = compared([Sample("sudoku", Task.FIRST, 100, times)]).itertuples()
    assert known.hidden or known.ratio == pytest.approx(true.ratio)
    assert not true.hidden and true.ratio == pytest.approx(
        paired_ratio([log(one / other) for one, other in pairs]).value
    )


def test_known_factors_are_found_on_each_kind_and_across_kinds() -> None:
    found = Conclusions(invented({"cpsat": 1.0, "milp": 3.0, "csp": 3.0}))
    of_cpsat = found.on_kinds[found.on_kinds["label"] == "cpsat"]
    assert len(of_cpsat) == 2 * len(KINDS) and (of_cpsat["p_holm"] < 0.01).all()
    assert of_cpsat["ratio"].tolist() == pytest.approx([1 / 3] * len(of_cpsat), rel=0.05)
    pairs = rows(found.across, "label", "other")
    assert pairs["cpsat", "milp"].ratio == pytest.approx(1 / 3, rel=0.05)
    assert pairs["cpsat", "milp"].p_holm < 0.05 < pairs["milp", "csp"].p_holm
    slowdowns = {label: one.slowdown for label, one in rows(found.overall, "label").items()}
    assert slowdowns == pytest.approx({"cpsat": 1, "milp": 3, "csp": 3}, rel=0.05)


RATIOS = [(3.0, 2.0, 4.0), (0.25, 0.0, 0.5), (2.0, 0.5, inf), (2.0, np.nan, np.nan)]
TEXTS = [("3.0", "2.0 to 4.0; "), ("4.0", "2.0 or more; "), ("2.0", "0.50 or more; "), ("2.0", "")]


@pytest.mark.parametrize(("ratio", "texts"), list(zip(RATIOS, TEXTS, strict=True)))
@pytest.mark.parametrize(
    ("unsolved", "bound"), [((0, 0), "{}"), ((1, 0), "{}+"), ((0, 1), "at most {}"), ((1, 1), "about {}")]
)
def test_the_slower_of_two_backends_is_the_same_the_other_way_round(
    ratio: tuple[float, float, float], texts: tuple[str, str], unsolved: tuple[int, int], bound: str
) -> None:
    """And where only one leaves problems unsolved, the ratio is a bound on its side."""
    value, low, high = ratio
    inverse = 1 / value, 1 / high, inf if low == 0 else 1 / low
    slow, fast = (ratio, inverse) if value > 1 else (inverse, ratio)

    def said(names: tuple[str, str], unsolved: tuple[int, int], ratio: tuple[float, float, float]) -> str:
        names_of = ["label", "other", "unsolved", "other_unsolved", "ratio", "low", "high", "p_holm"]
        (row,) = pd.DataFrame([(*names, *unsolved, *ratio, 0.01)], columns=names_of).itertuples()
        return slower(row)

    expected = f"**`slow` {bound.format(texts[0])}** ({texts[1]}p = 0.01)"
    assert said(("slow", "fast"), unsolved, slow) == expected == said(("fast", "slow"), unsolved[::-1], fast)


SOLVED_BY_ONE = st.lists(
    st.lists(st.tuples(st.floats(0.01, LIMIT_S), st.floats(0.01, 100)), min_size=6, max_size=6),
    min_size=len(KINDS),
    max_size=len(KINDS),
)
"""For each kind pairs of times, of which the second may be beyond the limit."""


@given(SOLVED_BY_ONE)
@settings(max_examples=15)
def test_whatever_was_stopped_the_interval_across_kinds_holds(kinds: list[list[tuple[float, float]]]) -> None:
    """It contains the interval of the true times, and that of the inverse ratio is its inverse."""

    def pair(limit_s: float, labels: Sequence[str]) -> Any:
        tables = [pd.DataFrame(pairs, columns=["cpsat", "milp"])[list(labels)] for pairs in kinds]
        samples = [Sample(*each) for each in zip(KINDS, [Task.FIRST] * 7, [limit_s] * 7, tables, strict=True)]
        (found,) = across(compared(samples)).itertuples()
        return found

    known, true = (pair(limit_s, ["cpsat", "milp"]) for limit_s in (LIMIT_S, 100))
    back = pair(LIMIT_S, ["milp", "cpsat"])
    assert known.low * (1 - 1e-9) <= true.low <= true.high <= known.high * (1 + 1e-9)
    assert (1 / known.low if known.low else inf) == pytest.approx(back.high)
    assert (1 / known.high if known.high else inf) == pytest.approx(back.low)
    if all(any(other > LIMIT_S for _, other in pairs) for pairs in kinds):
        assert known.low == 0


def test_each_kind_counts_once_however_many_problems_it_has() -> None:
    samples = invented({"cpsat": 1.0, "milp": 2.0}, noise=0.5)
    longer = replace(samples[0], times=pd.concat([samples[0].times] * 5, ignore_index=True))
    once, five_times = Conclusions(samples), Conclusions([longer, *samples[1:]])
    pd.testing.assert_frame_equal(once.across, five_times.across)
    pd.testing.assert_series_equal(once.overall["slowdown"], five_times.overall["slowdown"])


def test_the_direction_is_that_of_the_test() -> None:
    """One problem on which the slower one is much faster turns the mean, and not the order of the others."""
    one = sample("sudoku", {"cpsat": [1.05] * 19 + [0.001], "milp": [1.0] * 19 + [1.0]})
    (pair,) = compared([one]).itertuples()
    assert pair.mean_log < 0 < pair.sign and pair.p_holm < 0.05 and pair.ratio > 1


def test_a_kind_that_neither_solves_does_not_count() -> None:
    *kinds, last = KINDS
    solved = [sample(kind, {"cpsat": [1.0] * 6, "milp": [3.0] * 6, "asp": [1.0] * 6}) for kind in kinds]
    unsolved = sample(last, {"cpsat": [99.0] * 6, "milp": [99.0] * 6, "asp": [1.0] * 6})
    pairs = rows(Conclusions([*solved, unsolved]).across, "label", "other")
    assert pairs["cpsat", "milp"].ratio == pytest.approx(1 / 3) and pairs["cpsat", "milp"].kinds == 6
    assert pairs["cpsat", "asp"].kinds == 7 and pairs["cpsat", "asp"].unsolved == 6
    assert Conclusions([*solved[1:], unsolved]).across["other"].tolist() == ["asp", "asp"], (
        "of five nothing is said"
    )


def test_what_is_stopped_counts_as_the_limit_and_says_so() -> None:
    one = sample("sudoku", {"cpsat": [1.0] * 7, "milp": [2.0] * 4 + [99.0] * 3, "csp": [99.0] * 7})
    found = Conclusions([one])
    by_label = rows(found.standings, "label")
    assert (by_label["milp"].solved, by_label["milp"].problems) == (4, 7)
    assert by_label["milp"].slowdown == pytest.approx(exp((4 * log(2) + 3 * log(10)) / 7))
    assert by_label["csp"].solved == 0 and by_label["csp"].slowdown == pytest.approx(10)
    pair = rows(found.on_kinds, "label", "other")["cpsat", "csp"]
    assert pair.hidden and pair.ratio == pytest.approx(0.1) and pair.other_unsolved == 7


def test_problems_that_nobody_solves_do_not_count() -> None:
    one = sample("sudoku", {"cpsat": [1.0] * 6 + [99.0], "milp": [3.0] * 6 + [99.0]})
    standings = Conclusions([one]).standings
    assert standings.set_index("label")["slowdown"].to_dict() == pytest.approx({"cpsat": 1, "milp": 3})
    nothing = sample("sudoku", {"cpsat": [99.0] * 6, "milp": [99.0] * 6})
    found = Conclusions([nothing])
    assert found.overall.empty and found.across.empty and cp_or_mip(found) is None


def sampled(runs: pd.DataFrame) -> pd.DataFrame:
    """The runs of `synthetic.campaign` as if they had been on samples."""
    names = {
        f"{puzzle}_{at:03}": name for puzzle in synthetic.PUZZLES for at, name in enumerate(strata(puzzle))
    }
    return runs.assign(instance=runs["instance"].map(names))


def test_a_sample_has_what_all_backends_tried_with_the_first_formulation_of_each() -> None:
    runs = sampled(campaign(instances=8, repeats=1, failing=0))
    runs = runs[runs["puzzle"] == "block_party"]
    names = [*strata("block_party")]
    missing = (runs["backend"] == "milp") & (runs["instance"] == names[7])
    hardly = (runs["backend"] == "csp") & (runs["instance"] != names[0])
    (first, _) = samples(of_samples(measurements(runs[~missing & ~hardly])))
    assert len(first.times) == 7 and list(first.times) == ["cpsat", "milp", "backtrack"]
    # Of cpsat there are windows and textbook, which takes twice as long and stands behind it in the file.
    windows = runs[
        (runs["formulation"] == "windows") & (runs["backend"] == "cpsat") & (runs["task"] == "first")
    ]
    of_windows = windows.set_index("instance")["total_s"]
    assert first.times["cpsat"].tolist() == [of_windows[name] for name in first.times.index]


def write_samples(folder: Path, instances: int) -> None:
    """Writes a campaign of invented times on the samples of some kinds, every run twice."""
    synthetic.write(folder, sampled(campaign(instances, repeats=2, failing=0)))


def test_the_page_says_which_backend_to_use(tmp_path: Path, command: Any) -> None:
    write_samples(tmp_path, 20)
    file = tmp_path / "which.md"
    (tmp_path / "caveat.md").write_text("What to know first.\n")
    result = command("which", tmp_path, "--out", file)
    assert (result.returncode, result.stdout) == (0, f"{file}\n"), result
    page = file.read_text()
    expected = (
        "# Which should I use?\n\nWhat to know first.\n\nMeasured on generated instances of 5 kinds",
        "**CP or MIP?**", "**all kinds**", "| one or more | 40 |",
        "| block party | permutation, distance |",
        "5 kinds of puzzles, 20 instances of each", "**A/A**", "nothing is said of fewer than 6 kinds",
        "not today's default: block party with `backtrack`",
        "block party with `cpsat` `windows` (default `narrowed`), ",
        "find 0 of ", "](plots/which.png)",
    )  # fmt: skip
    for part in expected:
        assert part in page, part
    drawn = {path.name for path in (tmp_path / "plots").iterdir()}
    assert drawn == {"which.png", "solved-first.png", "solved-count.png"}


def test_the_page_names_models_that_are_no_longer_the_default(tmp_path: Path) -> None:
    """And those alone: in a folder with today's models all are."""
    runs = sampled(campaign(instances=8, repeats=1, failing=0))
    runs = runs[(runs["puzzle"] == "block_party") & runs["backend"].isin(["cpsat", "milp"])]

    def page(**formulations: str) -> str:
        of_backend = runs["backend"].map(formulations)
        return which_page(runs.assign(formulation=of_backend), tmp_path, tmp_path / "which.md")

    assert "one model for each kind, its default.\n" in page(cpsat="narrowed", milp="narrowed")
    assert (
        "one model for each kind. Those that are not today's default: block party with `milp` `textbook` "
        "(default `narrowed`).\n"
    ) in page(cpsat="narrowed", milp="textbook")


def test_the_page_of_the_documents_is_that_of_the_recorded_campaign() -> None:
    """Written by hand, or by an earlier campaign, it would say something else."""
    page, folder = ROOT / "docs" / "which.md", ROOT / "results" / "sample"
    runs = read_runs(folder)
    text = which_page(runs, folder, page, others=ROOT / "results" / "collections")
    assert text == page.read_text(encoding="utf-8"), (
        "python -m bench which results/sample --others results/collections --out docs/which.md"
    )
    # The same backend under two names is told apart nowhere.
    assert (again := same_again(runs)) and again["found"] == 0 and again["kinds"] > 50


def test_pairs_on_few_kinds_are_not_compared_across_kinds() -> None:
    """A backend with models of some kinds alone has no row in the table, and no standing over all."""
    found = invented({"cpsat": 1.0, "milp": 3.0, "csp": 9.0})
    some = [replace(each, times=each.times.drop(columns="csp")) for each in found[3:]]
    concluded = Conclusions([*found[:3], *some])
    assert concluded.overall["label"].tolist() == ["cpsat", "milp"]
    (row,) = every_pair(concluded).rows
    assert row[:2] == ["`cpsat`", "`milp`"]
    assert row[2].startswith("**`milp` 3.0** (3.0 to 3.0; p = 0.016)")


def test_what_has_no_samples_is_told_so(tmp_path: Path, command: Any) -> None:
    synthetic.write(tmp_path, campaign(instances=2, repeats=1))
    result = command("which", tmp_path)
    assert result.returncode == 2 and "of no kind two backends tried 6 problems" in result.stderr, result
    result = command("which", tmp_path, "--out", tmp_path / "no" / "which.md")
    assert result.returncode == 2 and "there is no such folder" in result.stderr, result


def test_the_samples_are_run_with_default_formulations_alone(command: Any) -> None:
    result = command("run", "block_party", "--sample", "--backend", "cpsat", "--repeat", 1, "--dry-run")
    assert result.returncode == 0, result
    assert "narrowed" in result.stdout and "textbook" not in result.stdout
    assert "24" in result.stdout, "8 instances of each of three families, one task"
    named = command(
        "run", "block_party", "--sample", "--backend", "cpsat", "--formulation", "textbook", "--dry-run"
    )
    assert "textbook" in named.stdout and "narrowed" not in named.stdout


def test_hand_searches_are_compared_with_the_fastest_solver() -> None:
    """So their slowdowns may be below 1."""
    factors = {"cpsat": 1.0, "milp": 3.0, "native": 0.1}
    found = Conclusions(invented(factors))
    assert found.overall.set_index("label")["slowdown"].to_dict() == pytest.approx(factors, rel=0.05)
    assert len(found.across) == 3


def answers(found: Conclusions) -> dict[str, str]:
    """The rows of the table of CP and MIP, for a single task."""
    table = cp_or_mip(found)
    assert table and table.columns == ["", "all solutions"]
    return {row[0]: row[1] for row in table.rows}


def test_what_presolve_decides_is_told_from_the_rest() -> None:
    one = sample("sudoku", {"cpsat": [1.0] * 8, "milp": [2.0] * 4 + [6.0] * 4})
    assert list(answers(Conclusions([replace(one, decided={0, 1, 2, 3})])).values())[2:] == [
        "50%",
        "2.0",
        "6.0",
    ]
    assert len(answers(Conclusions([one]))) == 2


def test_the_answer_says_which_is_faster_and_on_how_many_kinds() -> None:
    factors = {"cpsat": 1.0, "milp": 3.0}
    assert answers(Conclusions(invented(factors))) == {
        "`cpsat` is significantly faster on": "7 of 7 kinds",
        "`milp` is significantly faster on": "0 of 7 kinds",
        "the slower one across kinds": "**`milp` 3.0** (3.0 to 3.1; p = 0.016)",
    }
    few = answers(Conclusions(invented(factors)[:3]))
    assert list(few.values()) == ["3 of 3 kinds", "0 of 3 kinds"]


@pytest.mark.parametrize(
    ("milp", "kinds", "said"),
    [
        (3.0, 7, "`cpsat` is ahead, across kinds by an estimated factor of 3.0 for all solutions."),
        (1 / 3, 7, "`milp` is ahead, across kinds by an estimated factor of 3.0 for all solutions."),
        (3.0, 3, ""),
        (1.0, 7, ""),
    ],
)
def test_a_sentence_says_who_is_ahead_where_the_test_decides_it(milp: float, kinds: int, said: str) -> None:
    assert who_is_ahead(Conclusions(invented({"cpsat": 1.0, "milp": milp})[:kinds])) == said


def test_a_campaign_of_collections_is_drawn_from_and_stands_beside(tmp_path: Path) -> None:
    runs = campaign(instances=8, repeats=1, failing=0)
    with pytest.raises(RequestError, match="of no kind"):
        which_page(runs, tmp_path, None)
    theirs = runs.assign(collection="letters")
    assert "\nMeasured on instances of letters.\n" in which_page(theirs, tmp_path, None)
    synthetic.write(tmp_path, theirs)
    page = which_page(sampled(runs), tmp_path, None, others=tmp_path)
    assert "instances that others made" in page and page.count("| block party | permutation, distance |") == 2
