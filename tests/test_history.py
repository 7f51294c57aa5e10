"""The history of solvers over releases: what is a step, what is wrong, and what is shown of it."""

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.analysis import tables
from bench.analysis.compare import textbook_pairs
from bench.analysis.measurements import Measurement, measurements, one_release
from bench.analysis.releases import SolverHistory, histories
from bench.report.page import publish
from bench.stats import mean_ratio
from tests.synthetic import campaign, rows, write

HIGHS = "highspy==1.12.0", "highspy==1.13.0", "highspy==1.16.1"


def with_releases(factors: Mapping[str, float], puzzle: str = "", noise: int = 0) -> pd.DataFrame:
    """The runs of `milp` with each release, all whose times, or those of a puzzle, are so many times as long.

    Each release has noise of its own.
    """
    parts = []
    for seed, (release, factor) in enumerate(factors.items()):
        runs = campaign(instances=3, repeats=4, failing=0.0, seed=100 * noise + seed)
        runs = runs[runs["backend"] == "milp"].assign(release=release)
        slower = runs["puzzle"].eq(puzzle) | (puzzle == "")
        longer = {name: runs[name].where(~slower, runs[name] * factor) for name in ("total_s", "build_s")}
        parts.append(runs.assign(**longer))
    return pd.concat(parts)


def measured_of(runs: pd.DataFrame) -> list[Measurement]:
    return measurements(tables.current_runs(rows(runs)))


def history_of(runs: pd.DataFrame) -> SolverHistory:
    (history,) = histories(measured_of(runs))
    return history


@pytest.mark.parametrize("noise", range(5))
def test_releases_that_are_equal_have_no_steps(noise: int) -> None:
    runs = with_releases(dict.fromkeys([f"highspy==1.9.{number}" for number in range(5)], 1.0), noise=noise)
    history = history_of(runs)
    assert len(history.releases) == 5 and not history.steps
    assert all(each.time.low <= each.time.value <= each.time.high for each in history.releases)
    assert all(each.time.value == pytest.approx(1, abs=0.1) for each in history.releases)


def test_a_release_that_doubles_all_times_is_a_step() -> None:
    history = history_of(with_releases(dict(zip(HIGHS, (1.0, 2.0, 2.0), strict=True))))
    (step,) = history.steps
    assert step.startswith("milp (highspy 1.13.0): times as long: everything ")
    first, second, last = history.releases
    assert first.time.value == pytest.approx(0.5, rel=0.1) and first.time.high < 0.6
    assert second.time.value == pytest.approx(1, rel=0.1) and last.time == (1, 1, 1)


def test_the_puzzle_that_became_slower_is_named() -> None:
    (step,) = history_of(with_releases(dict(zip(HIGHS, (1, 1, 1.5), strict=True)), "die_agony")).steps
    assert step.startswith("milp (highspy 1.16.1): ") and re.search(r"die_agony 1\.[3-7]", step)
    assert not any(other in step for other in ("bug_byte", "number_cross", "block_party"))


def test_wrong_answers_and_what_is_no_longer_solved_are_steps() -> None:
    runs = with_releases(dict.fromkeys(HIGHS, 1.0)).reset_index(drop=True)
    middle = (runs["release"] == HIGHS[1]) & (runs["task"] == "count")
    runs.loc[middle & (runs["instance"] == "bug_byte_001"), "status"] = "wrong"
    runs.loc[middle & (runs["instance"] == "die_agony_000"), "status"] = "timeout"
    history = history_of(runs)
    assert [each.wrong for each in history.releases] == [0, 1, 0]
    assert [each.tried - each.solved for each in history.releases] == [0, 2, 0]
    assert [each.known_wrong for each in history.releases] == [False, True, False]
    worse, better = history.steps
    assert worse == (
        "milp (highspy 1.13.0): 1 wrong (bug_byte_001 count); 1 no longer solved (die_agony_000 count)."
    )
    assert "1 solved that were not (die_agony_000 count); 1 no longer wrong (bug_byte_001 count)" in better


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=40))
def test_a_mean_lies_within_its_interval_and_inverts(logs: list[float]) -> None:
    there, back = mean_ratio(logs), mean_ratio([-log for log in logs])
    assert there.low <= there.value * (1 + 1e-9) and there.value <= there.high * (1 + 1e-9)
    assert [1 / back.value, 1 / back.high, 1 / back.low] == pytest.approx(there)
    assert math.isnan(mean_ratio([]).value)


def test_of_several_releases_the_one_installed_stands_for_the_solver_else_the_newest() -> None:
    whole = campaign(1, 4).assign(release="")
    released = with_releases(dict.fromkeys(HIGHS, 1.0))
    measured = measured_of(pd.concat([released, whole]))
    assert {each.release for each in one_release(measured)} == {""}
    others = whole[whole["formulation"] == "textbook"].assign(task="first")
    measured = measured_of(pd.concat([released.assign(formulation="textbook", task="first"), others]))
    assert {each.release for each in one_release(measured) if each.backend == "milp"} == {HIGHS[-1]}
    pairs = textbook_pairs(measured)
    assert pairs and {(ip.release, cp.release) for ip, cp in pairs} == {(HIGHS[-1], "")}


def test_the_command_and_the_report_show_the_history(command: Any, tmp_path: Path) -> None:
    runs = with_releases(dict(zip(HIGHS, (1.0, 2.0, 2.0), strict=True)))
    write(tmp_path / "some", runs)
    files = {option: tmp_path / f"history.{option}" for option in ("csv", "markdown")}
    words = [word for option, path in files.items() for word in (f"--{option}", path)]
    result = command("history", tmp_path / "some", *words, "--plot", tmp_path / "history.svg")
    assert result.returncode == 0 and "known" in result.stdout, result.stderr
    assert len(files["csv"].read_text().splitlines()) == 1 + len(HIGHS)
    assert "milp (highspy 1.13.0): times as long" in files["markdown"].read_text()
    assert "1.16.1" in (tmp_path / "history.svg").read_text()
    publish(tmp_path / "some", plots=False, page=tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert 'id="releases"' in page and 'data-picture="releases"' in page
    write(tmp_path / "one", runs[runs["release"] == HIGHS[0]])
    publish(tmp_path / "one", plots=False, page=tmp_path / "report.html")
    assert 'id="releases"' not in (tmp_path / "report.html").read_text()
