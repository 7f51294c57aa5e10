"""Medians, intervals, and pictures from runs.csv alone."""

import io
import json
import re
import shlex
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from bench.analysis import compare as comparison
from bench.analysis import scores, tables, trust
from bench.analysis.measurements import measurements
from bench.analysis.plots import across, drawing, style
from bench.analysis.plots.across import draw_slowdowns
from bench.analysis.plots.comparison import draw_comparison
from bench.analysis.plots.pictures import pictures
from bench.analysis.trust import hints
from bench.analysis.units import seconds
from bench.campaign import machine_json
from bench.campaign.results import CONTENTS, KEY, current
from bench.campaign.schedule import SMALLEST_SAMPLE
from bench.campaign.selection import TEXTBOOK
from bench.catalogue import ROOT
from bench.catalogue.errors import RequestError
from bench.contract import Status, Task
from bench.instruments.regression import compare
from bench.instruments.regression.report import print_changes
from bench.report import findings, terminal
from bench.report import page as report
from bench.report import tables as made
from bench.stats import median_interval, median_rank
from tests import synthetic
from tests.conftest import LAB, Once
from tests.test_catalogue import make


@pytest.fixture(scope="session")
def campaign(once: Once, command_in: Any) -> Path:
    """A small real campaign, with one backend that times out."""
    return once("campaign", partial(execute, command_in)) / "out"


def execute(command_in: Any, folder: Path) -> None:
    base = ["run", "--instance", "june_2022", "--task", "first", "--repeat", 2, "--out", "out"]
    quick = ["--backend", "cpsat", "--backend", "milp", "--backend", "backtrack", "--no-plots"]
    assert command_in(folder, *base, *quick).returncode == 0
    late = ["--backend", "csp:backtracking", "--formulation", "nearest", "--time-limit", "0.3"]
    assert command_in(folder, *base, *late).returncode == 0


def test_plot_needs_nothing_but_the_table(campaign: Path, command: Any, tmp_path: Path) -> None:
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / "runs.csv").write_bytes((campaign / "runs.csv").read_bytes())
    assert command("plot", alone).returncode == 0
    names = {path.name for path in (alone / "plots").iterdir()}
    of_page = {path.name for path in (campaign / "plots").iterdir()}
    assert {name for name in names if not name.endswith(".png")} == of_page
    assert "ratios.png" in names, "pictures for documents"
    for stem in ("times-block_party", "comparison-block_party-june_2022", "solution-block_party-june_2022"):
        assert {f"{stem}.svg", f"{stem}.png"} <= names
    for path in (campaign / "plots").glob("*.svg"):
        ElementTree.parse(path)
        assert path.read_bytes() == (alone / "plots" / path.name).read_bytes(), "same table, same picture"


def test_the_comparison_has_ours_and_theirs(campaign: Path) -> None:
    measured = measurements(tables.read_runs(campaign))
    models = comparison.compared_models(measured, "block_party", "june_2022")
    ours = {each.system: each for each in models if not each.published}
    theirs = {each.system: each for each in models if each.published}
    assert ours.keys() >= {"cpsat", "milp", "backtrack"}
    assert theirs["CP Optimizer (CP)"].figures.branches == 2678
    assert theirs["CPLEX (IP)"].figures.presolved_variables == 119
    assert all(each.total_s for name, each in ours.items() if name != "csp")


def test_a_timeout_is_shown_as_one(campaign: Path) -> None:
    measured = measurements(tables.read_runs(campaign))
    (late,) = (each for each in measured if each.label == "csp" and each.task == "first")
    assert late.status is Status.TIMEOUT and late.conclusive == 0 and late.total is None
    svg = (campaign / "plots/times-block_party.svg").read_text()
    assert "timeout" in svg


def test_seeds_show_as_a_spread(command: Any, tmp_path: Path) -> None:
    """Aristotle's hexagon by hand takes more or fewer branches, depending on the order of the cells."""
    out = tmp_path / "out"
    command("run", "--puzzle", "magic_hexagon", "--backend", "backtrack", "--task", "first",
            "--seeds", 4, "--repeat", 1, "--no-plots", "--out", out)  # fmt: skip
    (measurement,) = measurements(tables.read_runs(out))
    assert measurement.runs == measurement.conclusive == 4
    assert measurement.branches_range
    least, most = measurement.branches_range
    assert least < most


def test_a_measurement_by_hand() -> None:
    """Two seeds with two runs each, of which one timed out and one crashed."""
    runs = synthetic.campaign(instances=1, repeats=4, failing=0)
    runs = runs[
        (runs["puzzle"] == "bug_byte") & (runs["backend"] == "csp") & (runs["task"] == "first")
    ].copy()
    runs["seed"] = [1, 1, 2, 2]
    runs["status"] = ["solved", "timeout", "crashed", "infeasible"]
    runs["error"] = ["", "too long", "IndexError", ""]
    runs["total_s"] = [1.0, None, None, 0.004]
    runs["branches"] = [10, None, None, 20]
    runs["search_s"], runs["build_s"], runs["presolve_s"] = 0.251, None, [0.1, 0.1, 0.1, None]
    (found,) = measurements(runs)
    assert found.problem == ("bug_byte", "bug_byte_000", "first") and found.model == "csp nearest"
    assert (found.runs, found.conclusive, found.inconclusive) == (4, 2, 2)
    assert (found.status, found.error) == (Status.CRASHED, "IndexError"), "the worst one"
    assert found.times == (1.0, 0.004) and found.sample == (np.inf, np.inf) and not found.solved
    assert found.total == (0.502, 0.004, 1.0) and found.total_s == 0.502 and not found.below_resolution
    assert found.figures.branches == 15 and found.branches_range == (10, 20)
    assert found.figures.phases == {"presolve_s": 0.1, "search_s": 0.251}
    assert found.par2_s == pytest.approx((1.004 + 4 * 60) / 4)
    (short,) = measurements(runs[runs["status"] == "infeasible"])
    assert short.below_resolution and short.solved and short.status is Status.INFEASIBLE
    (none,) = measurements(runs[runs["status"] == "timeout"])
    assert none.total is None and none.total_s is None and none.branches_range is None


def printed(show: Any, *arguments: Any, width: int = 120) -> str:
    console = Console(record=True, width=width, file=io.StringIO())
    show(console, *arguments)
    return console.export_text()


def reliability(runs: pd.DataFrame, folder: Path | None = None) -> str:
    """What a terminal says of how far the times can be trusted."""
    facts = machine_json.read_facts(folder) if folder else machine_json.Facts()
    return " ".join(terminal.on_reliability(runs, facts))


@pytest.mark.parametrize(("spread", "steady"), [(0.001, True), (0.2, False)])
def test_a_machine_that_drifts_is_named(campaign: Path, spread: float, steady: bool) -> None:
    runs = tables.read_runs(campaign)
    runs["reference_s"] = [0.010 * (1 + spread * (number % 2)) for number in range(len(runs))]
    text = reliability(runs)
    assert "The reference load, a fixed computation between the runs, varied by " in text
    assert ("not steady" in text) == (not steady)
    runs["disturbed"] = [1.0, 1.0] + [0.0] * (len(runs) - 2)
    assert f"2 of {len(runs)} runs were disturbed" in reliability(runs)


def test_variation_is_that_of_one_seed(campaign: Path) -> None:
    """Two models: one always takes as long, one varies by half; a second seed that is slower adds nothing."""
    runs = tables.read_runs(campaign).iloc[:12].copy()
    runs[["status", "puzzle", "instance", "backend", "solver", "task"]] = "solved"
    runs["formulation"] = ["steady"] * 6 + ["varies"] * 6
    runs["seed"] = [1, 1, 1, 2, 2, 2] * 2
    runs["total_s"] = [1.0, 1.0, 1.0, 3.0, 3.0, 3.0, 0.1, 0.05, 0.15, 0.1, 0.05, 0.15]
    said = "50.0% (times 50 to 200 ms, 2 measurements) and 0.0% (times from 200 ms, 2 measurements)"
    assert said in reliability(runs)


def test_two_campaigns_compare(campaign: Path, command: Any, tmp_path: Path) -> None:
    """A campaign in which everything took half as long again."""
    slower = tmp_path / "slower"
    slower.mkdir()
    runs = pd.read_csv(campaign / "runs.csv", dtype=str, keep_default_na=False)
    runs["total_s"] = [f"{float(time) * 1.5:.6f}" if time else "" for time in runs["total_s"]]
    runs.to_csv(slower / "runs.csv", index=False)
    result = command("compare", campaign, slower)
    assert result.returncode == 0 and "median 1.500, half of them 1.500 to 1.500" in result.stdout
    refused = command("compare", campaign, tmp_path / "nowhere")
    assert refused.returncode == 2 and "there is no such folder" in refused.stderr


@given(st.lists(st.floats(0.001, 1000), min_size=1, max_size=60))
def test_the_interval_holds_the_median(values: list[float]) -> None:
    median, low, high = median_interval(values)
    assert min(values) <= low <= median <= high <= max(values)


def test_the_interval_covers_the_true_median_as_often_as_it_says() -> None:
    rng = np.random.default_rng(1)
    for size in (6, 10, 25):
        covered = [
            low <= 0 <= high
            for _, low, high in (median_interval(rng.standard_cauchy(size)) for _ in range(2000))
        ]
        assert np.mean(covered) >= 0.94
    sizes = [size for size in range(1, 100) if median_rank(size)]
    assert sizes[0] == SMALLEST_SAMPLE, "below it there is no interval"


@given(st.floats(1e-7, 1e6))
def test_times_are_readable(value: float) -> None:
    number, unit = seconds(value).split()
    factor = {"µs": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0}[unit]
    assert float(number) * factor == pytest.approx(value, rel=0.01)
    assert float(number) < 1000 and "e" not in number


def test_long_times_are_minutes_and_hours() -> None:
    shown = [seconds(value) for value in (999.4, 999.5, 3178.34, 43200, 1e7)]
    assert shown == ["999 s", "16.7 min", "53 min", "12 h", "2,778 h"]


def test_a_campaign_without_a_figure_can_be_read(tmp_path: Path) -> None:
    """Columns of figures that are missing are empty; without any other it is no runs.csv."""
    runs = synthetic.campaign(instances=1, repeats=1)
    synthetic.write(tmp_path, runs.drop(columns="restarts"))
    assert tables.read_runs(tmp_path)["restarts"].isna().all()
    synthetic.write(tmp_path, runs.drop(columns="seed"))
    with pytest.raises(RequestError, match="the column seed is missing"):
        tables.read_runs(tmp_path)


def test_solvers_of_a_backend_look_different() -> None:
    """Where their curves stand side by side: colour, marker and line."""
    for name, backend in LAB.backends.items():
        labels = [f"{name}:{solver}" for solver, is_ in backend.solvers.items() if not is_.variant]
        looks = {style.style(label) for label in labels}
        assert len(looks) == len(labels)


@pytest.mark.parametrize("solvers", [3, 20])
def test_of_many_backends_the_best_are_drawn(solvers: int) -> None:
    """As many as can be told apart; the picture says that they are not all."""
    runs = pd.concat(
        synthetic.campaign(instances=1, repeats=2, failing=0, seed=number).assign(
            backend="milp", solver=f"s{number}"
        )
        for number in range(solvers)
    )
    best = scores.best_formulations(measurements(runs.infer_objects()))
    figure = draw_slowdowns(scores.slowdowns(best))
    assert len(figure.legends[0].get_texts()) == min(solvers, style.MANY)
    assert (f"the best {style.MANY} of {solvers}" in figure.get_supxlabel()) == (solvers > style.MANY)
    curves = [line for line in across.draw_cactus(best).axes[0].lines if line.get_marker() in ("", "None")]
    assert len(curves) == min(solvers, style.MANY) + 1, "and the virtual best"


def test_unsolved_problems_have_no_slowdown() -> None:
    """Their marks are open and stand at the right edge, not at 1 as if each were the fastest."""
    runs = synthetic.campaign(instances=1, repeats=4, failing=0)
    lost = runs["puzzle"] == "bug_byte"
    runs.loc[lost, ["status", "total_s"]] = ["timeout", None]
    figure = draw_slowdowns(scores.slowdowns(scores.best_formulations(measurements(runs))))
    for axes in figure.axes:
        marks = [line for line in axes.lines if line.get_marker() not in ("", "None")]
        opened = [line for line in marks if line.get_markerfacecolor() == style.PAPER]
        backends = runs["backend"].nunique()
        assert len(marks) == backends * runs["puzzle"].nunique() and len(opened) == backends
        right = max(float(line.get_xdata()[0]) for line in marks)
        assert {float(line.get_xdata()[0]) for line in opened} == {right}


def test_the_virtual_best_is_named_where_it_is_drawn() -> None:
    """A performance profile is relative to it, and has no curve of it."""
    best = scores.best_formulations(measurements(synthetic.campaign(instances=1, repeats=2, failing=0)))
    for draw, named in ((across.draw_cactus, True), (across.draw_profile, False)):
        (legend,) = draw(best).legends
        assert (scores.VIRTUAL_BEST in [text.get_text() for text in legend.get_texts()]) == named


def mixed(**changes: Any) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A campaign of 3 repeats that was resumed after something had changed, and its later runs alone."""
    before = synthetic.campaign(instances=2, repeats=3, failing=0)
    after = synthetic.campaign(instances=2, repeats=2, failing=0, seed=2).assign(**changes)
    return pd.concat([before, after], ignore_index=True), after


@pytest.mark.parametrize("column", CONTENTS)
def test_nothing_is_pooled_over_different_contents(tmp_path: Path, column: str) -> None:
    """The tables of a campaign whose instances, models or solvers changed are those of its later runs."""
    both, after = mixed(**{column: "another"})
    for name, runs in (("both", both), ("after", after)):
        synthetic.write(tmp_path / name, runs)
    read = [tables.read_runs(tmp_path / name) for name in ("both", "after")]
    assert measurements(read[0]) == measurements(read[1])
    assert list(read[0].attrs["superseded"].values()) == [3 * 2 * synthetic.ROWS, 0]
    left_out = f"{6 * synthetic.ROWS} rows of earlier contents (changed instance, model or solver release)"
    said = f"{left_out} are left out"
    assert said in reliability(read[0])
    assert "left out" not in reliability(read[1])
    page = report.make_report(read[0], measurements(read[0]), [], report.read_facts(tmp_path), tmp_path)
    assert said in page


def test_a_changed_instance_is_another_one_for_all_backends() -> None:
    """Of backends that were not run on the new file none stands beside those that were."""
    both, _ = mixed(instance_sha256="another")
    resumed = both[(both["instance_sha256"] != "another") | (both["backend"] == "cpsat")]
    rows = synthetic.rows(resumed)
    assert set(tables.current_runs(rows)["backend"]) == {"cpsat"}
    assert {rows[number].backend for number in current(rows)} == {"cpsat"}


def test_a_hash_after_none_is_another_content(tmp_path: Path) -> None:
    """Campaigns of earlier versions have no hashes: all their rows count, until one with a hash comes."""
    both, after = mixed()
    both.loc[both.index[: -len(after)], ["model_sha256", "rules_sha256", "witnesses"]] = None
    synthetic.write(tmp_path / "old", both.iloc[: -len(after)].drop(columns=["model_sha256", "witnesses"]))
    assert len(tables.read_runs(tmp_path / "old")) == len(both) - len(after)
    synthetic.write(tmp_path / "both", both)
    assert len(tables.read_runs(tmp_path / "both")) == len(after)


def test_a_run_that_was_executed_again_counts_once() -> None:
    """A crash that was mended, and whatever else has the same names and contents."""
    both, after = mixed()
    both.loc[: len(both) - len(after) - 1, ["status", "error", "total_s"]] = ["crashed", "IndexError", np.nan]
    runs = tables.current_runs(synthetic.rows(both))
    assert list(runs.attrs["superseded"].values()) == [0, len(after)]
    assert runs["status"].value_counts().to_dict() == {"crashed": len(after) // 2, "solved": len(after)}
    again = tables.current_runs(synthetic.rows(runs))
    pd.testing.assert_frame_equal(runs, again)
    assert not any(again.attrs["superseded"].values())


@pytest.mark.parametrize("status", ["unsupported", "crashed", "unavailable"])
@pytest.mark.parametrize("first", [True, False])
def test_a_model_that_is_not_there_for_a_while(status: str, first: bool) -> None:
    """Without a formulation and with one are one model; a missing solver only counts if it is always so."""
    runs = synthetic.campaign(instances=1, repeats=1, failing=0)
    none = runs.assign(formulation="", status=status, total_s=None, solver_version="", model_sha256="")
    if status == "unavailable":
        none["solver"] = ""
    both = pd.concat([none, runs] if first else [runs, none], ignore_index=True)
    kept = tables.current_runs(synthetic.rows(both))
    solved = first or status == "unavailable"
    # Two formulations of CP-SAT become one row without any.
    assert set(kept["status"]) == {"solved" if solved else status}
    assert set(tables.current_runs(synthetic.rows(none))["status"]) == {status}


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 39), *[st.sampled_from("ab")] * 3), min_size=1, max_size=25))
def test_what_counts_has_one_content(made: list[tuple[int, str, str, str]]) -> None:
    """In whatever order contents come: the last row counts, and of each measurement its last content."""
    base = synthetic.campaign(instances=1, repeats=1, failing=0)
    runs = base.iloc[[place % len(base) for place, *_ in made]].reset_index(drop=True)
    runs[[*CONTENTS]] = [contents for _, *contents in made]
    rows = synthetic.rows(runs)
    kept = tables.current_runs(rows)
    counting = [rows[number] for number in current(rows)]
    for column in (*KEY, "repeat", *CONTENTS, "status", "total_s"):
        assert kept[column].tolist() == [getattr(row, column) for row in counting]
    assert len(kept) == len(counting) and counting[-1] == rows[-1]
    assert (kept.groupby(tables.MEASUREMENT)[[*CONTENTS]].nunique() == 1).all(axis=None)
    assert (kept.groupby(["puzzle", "instance"])["instance_sha256"].nunique() == 1).all()
    assert not kept.duplicated([*KEY, "repeat"]).any()
    assert sum(kept.attrs["superseded"].values()) == len(runs) - len(kept)


def counted(*claims: tuple[str, str, int, int]) -> pd.DataFrame:
    """Runs that count one instance: backend, status, how many they count, how many passed the checker."""
    runs = synthetic.campaign(instances=1, repeats=1, failing=0)
    runs = runs[(runs["task"] == "count") & (runs["puzzle"] == "number_cross")].iloc[: len(claims)].copy()
    runs["instance"] = "number_cross_2x4"
    runs["formulation"] = "f"
    runs[["backend", "status", "solutions", "witnesses"]] = list(claims)
    runs["solver"] = runs["backend"]
    return runs.astype({"solutions": float, "witnesses": float})


def resumed(*models: tuple[str, int, int]) -> pd.DataFrame:
    """Runs of one problem: backends, with how many in a session at 9 o'clock and how many in one at 10."""
    runs = synthetic.campaign(instances=1, repeats=5, failing=0)
    runs = runs[(runs["task"] == "first") & (runs["puzzle"] == "bug_byte")]
    parts = [
        runs.iloc[:number].assign(backend=backend, formulation="f", started_at=f"2026-01-01T{hour}:01:00.5Z")
        for backend, early, late in models
        for hour, number in (("09", early), ("10", late))
    ]
    together = pd.concat(parts, ignore_index=True)
    return together.assign(repeat=together.groupby("backend").cumcount() + 1)


def in_sessions(runs: pd.DataFrame) -> pd.DataFrame:
    """These runs with their session, as `read_runs` gives it."""
    return runs.assign(session=runs["started_at"].str.contains("T10").astype(int))


def test_models_of_different_sessions_are_named(tmp_path: Path) -> None:
    """Who was measured again later than the rest; not repeats that all got later, nor an interrupted one."""
    apart = resumed(("cpsat", 5, 0), ("csp", 0, 5), ("milp", 5, 0))
    synthetic.write(tmp_path, apart)
    said = "csp f was measured in a different session from the other models (bug_byte_000): ratios"

    def shown() -> str:
        text = " ".join(reliability(tables.read_runs(tmp_path), tmp_path).split())
        runs = tables.read_runs(tmp_path)
        page = report.make_report(runs, measurements(runs), [], report.read_facts(tmp_path), tmp_path)
        assert (said in text) == (said in page)
        return text

    assert said not in shown(), "without machine.json nobody knows"
    starts = [{"started_at": f"2026-01-01T{hour}:00:00+00:00"} for hour in ("09", "10")]
    (tmp_path / "machine.json").write_text(json.dumps({"sessions": starts[:1]}))
    assert said not in shown(), "it may be one session"
    (tmp_path / "machine.json").write_text(json.dumps({"sessions": starts}))
    assert said in shown() and "--redo all" in shown()
    for fine in (
        resumed(("cpsat", 3, 3), ("csp", 3, 3)),
        resumed(("cpsat", 5, 0), ("csp", 4, 1)),
        apart.assign(instance=apart["backend"]),
        apart.assign(status="timeout"),
    ):
        assert not list(trust.on_sessions(in_sessions(fine)))
    (remark,) = trust.on_sessions(in_sessions(resumed(("cpsat", 5, 0), ("csp", 0, 5))))
    assert remark.warns and remark.text.startswith("csp f was"), "the later one of two"


def test_one_of_a_thing_is_said_as_one() -> None:
    """No "1 of 4 runs were", "1 run each are"; and words that say what varied."""
    runs = synthetic.campaign(instances=1, repeats=2, failing=0)
    runs = runs[(runs["puzzle"] == "bug_byte") & (runs["task"] == "first")]
    runs.loc[runs.index[0], "disturbed"] = 1
    said = " ".join(reliability(runs).split())
    assert "1 of 10 runs was disturbed: its core was busy with something else for" in said
    assert "Between runs with the same seed, the total time typically varied by" in said
    assert re.search(r"\d% \(times 50 to 200 ms, \d measurements?\)", said)
    one = runs[runs["backend"] == "csp"]
    assert "1 ratio," not in printed(print_changes, compare.compare(one, one)), "the table says it all"


def test_runs_that_contradict_each_other_show_everywhere(tmp_path: Path) -> None:
    """In the summary, the failures, the counter at the top, the overview; a timeout does not hide it."""
    error = "18 solutions, but cpsat:cpsat f counts 10; no checked solutions decide"
    sides = [("milp", "wrong", 18, 1), ("cpsat", "wrong", 10, 1)]
    late = counted(("milp", "timeout", 0, 0)).assign(total_s=None, repeat=2, seed=1, error="too long")
    synthetic.write(tmp_path, pd.concat([late, counted(*sides).assign(error=error)]))
    runs = tables.read_runs(tmp_path)
    measured = measurements(runs)
    assert {each.status for each in measured} == {Status.WRONG}, "the worst one stands for both"
    assert f"wrong: {error}" in "".join(terminal.on_errors(measured))
    page = report.make_report(runs, measurements(runs), [], report.read_facts(tmp_path), tmp_path)
    assert "2 runs ended as wrong: " in page and error in page
    assert "<td>wrong</td>" in page and "all solutions: unsolved." in page


UNCONFIRMED = "No second backend with another solver library confirmed "


def test_what_no_second_backend_confirmed_is_said(tmp_path: Path) -> None:
    """A count, or that there is no solution, rests on one backend until another one says the same."""
    alone = counted(("cpsat", "solved", 18, 18))
    said = f"{UNCONFIRMED}the number of solutions of number_cross_2x4: the checker"
    assert said in trust.unconfirmed(alone)
    assert said in trust.unconfirmed(pd.concat([alone, alone.assign(formulation="g")])), "of the same solver"
    assert trust.unconfirmed(counted(("cpsat", "solved", 18, 18), ("milp", "solved", 18, 18))) == ""
    other = counted(("cpsat", "solved", 18, 18), ("milp", "solved", 18, 18))
    other["instance_sha256"] = ["a", "b"]
    assert said in trust.unconfirmed(other), "another instance confirms nothing"
    none = counted(("cpsat", "infeasible", 0, 0))
    assert f"{UNCONFIRMED}that number_cross_2x4 has none" in trust.unconfirmed(none)
    first = none.assign(task="first", backend="milp", solver="highs")
    assert trust.unconfirmed(pd.concat([none, first])) == ""
    assert trust.unconfirmed(alone.assign(task="first")) == "", "a solution was checked"
    many = pd.concat(alone.assign(instance=f"n{number}") for number in range(16))
    assert f"{UNCONFIRMED}the number of solutions of n0, n1, n2, n3 and 12 more" in trust.unconfirmed(many)
    synthetic.write(tmp_path, alone)
    runs = tables.read_runs(tmp_path)
    assert said in " ".join(reliability(runs).split())
    page = report.make_report(runs, measurements(runs), [], report.read_facts(tmp_path), tmp_path)
    assert said in page


@pytest.mark.parametrize(
    ("solvers", "confirmed"),
    [
        (["milp:highs", "milp:nopresolve"], False),
        (["milp:highs", "milp:scip"], False),
        (["cpmpy:choco", "cpmpy:z3"], False),
        (["milp:highs", "cpmpy:highs"], False),
        (["milp:nopresolve", "cpmpy:highs"], False),
        (["cpsat:cpsat", "cpmpy:ortools"], False),
        (["cpsat:cpsat", "milp:cpsat"], False),
        (["milp:highs", "cpsat:highs"], False),
        (["milp:cpsat", "cpsat:highs"], True),
        (["milp:cbc", "cpmpy:minizinc/coin-bc"], False),
        (["milp:highs", "milp:scip", "cpmpy:highs"], True),
        (["milp:highs", "cpmpy:choco"], True),
        (["csp:backtracking", "backtrack:python"], True),
    ],
)
def test_a_second_backend_has_another_model_and_another_library(solvers: list[str], confirmed: bool) -> None:
    """Two solvers of one backend share the model, and one library by two ways errs twice."""
    runs = pd.concat(counted(("cpsat", "solved", 18, 18)) for _ in solvers).reset_index(drop=True)
    runs["backend"] = [name.split(":")[0] for name in solvers]
    runs["solver"] = [name.split(":")[1] for name in solvers]
    assert (trust.unconfirmed(runs) == "") == confirmed


def test_what_the_instance_file_says_is_confirmed(command: Any, tmp_path: Path) -> None:
    """Summary and report follow the same rule as `solve`, also for a file that only the command names."""
    folder = make(tmp_path / "steps")
    bare, stated = tmp_path / "bare.toml", tmp_path / "stated.toml"
    bare.write_text((folder / "instances" / "three.toml").read_text())
    stated.write_text(f"{bare.read_text()}[expected]\nsolutions = 1\n")
    again = ["run", "./steps", "bare.toml", "stated.toml", "--backend", "backtrack", "--task", "count"]
    result = command(*again, "--repeat", 1, "--no-plots", "--out", "out")
    said = rf"{UNCONFIRMED}the number of solutions of (bare and three|three and bare):"
    assert re.search(said, " ".join(result.stdout.split())), result.stdout + result.stderr
    assert command("report", "out", "--puzzle", "./steps").returncode == 0
    assert re.search(said, (tmp_path / "out" / "report.html").read_text())


def test_every_instance_has_a_comparison() -> None:
    """With figures from sources or without; a campaign that only counts compares that."""
    runs = synthetic.campaign(instances=2, repeats=1, failing=0)
    measured = measurements(runs)
    pairs = comparison.compared_instances(measured)
    assert {instance for _, instance in pairs} == {each.instance for each in measured}
    counts = [each for each in measured if each.task == "count"]
    assert comparison.compared_task(counts, "bug_byte", "bug_byte_001") == "count"
    names = {picture.name for picture in pictures(runs, measured)}
    assert {f"comparison-{puzzle}-{instance}" for puzzle, instance in pairs} <= names
    compared = comparison.compared_models(measured, "bug_byte", "bug_byte_001")
    table = made.compared(compared, "bug_byte_001")
    assert [row[0] for row in table.rows] == [backend for backend, _, _ in synthetic.MODELS]
    assert "rounds" not in table.columns and "variables after presolve" in table.columns


def test_a_picture_of_a_comparison_has_the_pair_and_the_best_of_each_backend() -> None:
    measured = measurements(tables.read_runs(ROOT / "results/reference"))
    for puzzle, instance in [("block_party", "june_2022"), ("hooks", "march_2024")]:
        compared = comparison.compared_models(measured, puzzle, instance)
        shown = comparison.pictured_models(compared)
        assert [model.name for model in shown[:2]] == ["milp:highs textbook", "cpsat:cpsat textbook"]
        own = [model for model in shown[2:] if not model.published]
        assert len({model.backend for model in own}) == len(own) < len(compared) / 2
        assert [model for model in shown if model.published] == [m for m in compared if m.published]


@pytest.mark.parametrize("branches", [0, 9, 263, 38_214, 1_011_731, 123_456_789])
@pytest.mark.parametrize("failures", [None, 27_584])
def test_figures_of_branches_fit_their_panel(branches: int, failures: int | None) -> None:
    """The widest text ends within its panel, and no label of an axis runs into the next one."""
    runs = synthetic.campaign(instances=1, repeats=1, failing=0).assign(
        branches=branches, failures=failures, constraints=7_399
    )
    compared = comparison.compared_models(measurements(runs), "bug_byte", "bug_byte_000")
    figure = drawing.Picture(
        "", partial(draw_comparison, compared, "bug_byte", "bug_byte_000", Task.FIRST)
    ).figure()
    figure.draw_without_rendering()
    for axes in figure.axes[:3]:
        texts = [text.get_window_extent() for text in axes.texts]
        assert texts and max(text.x1 for text in texts) <= axes.get_window_extent().x1
        labels = [label.get_window_extent() for label in axes.get_xticklabels() if label.get_text()]
        assert len(labels) > 1
        assert all(left.x1 + 2 < right.x0 for left, right in pairwise(labels)), axes.get_title("left")


def test_what_was_not_run_says_so_in_the_overview(tmp_path: Path) -> None:
    """No cell is empty, as nobody could tell what that means."""
    runs = synthetic.campaign(instances=2, repeats=1, failing=0)
    missing = (runs["backend"] == "milp") & (runs["instance"] == "bug_byte_001")
    measured = measurements(runs[~missing])
    page = report.make_report(runs[~missing], measured, [], machine_json.Facts(), tmp_path)
    assert page.count(">not run</td>") == missing.sum() == 2
    assert "PAR-2 is the mean time over all runs" in page
    assert "geometric mean are counted from the median of each problem" in page


def test_of_many_instances_some_are_compared() -> None:
    """Evenly by size, those with figures from sources among them; it is said that they are not all."""
    runs = synthetic.campaign(instances=12, repeats=1, failing=0)
    runs = runs[runs["puzzle"] == "magic_hexagon"]
    runs.loc[runs["instance"] == "magic_hexagon_007", "instance"] = "aristotle"
    measured = measurements(runs)
    chosen = [instance for _, instance in comparison.compared_instances(measured)]
    assert len(chosen) == comparison.MOST_COMPARED
    assert {"aristotle", "magic_hexagon_000", "magic_hexagon_011"} <= set(chosen)
    page = report.make_report(runs, measured, [], machine_json.Facts(), Path())
    assert "8 of 12 instances are compared in detail" in page
    failed = [replace(each, conclusive=0, status=Status.TIMEOUT) for each in measured]
    assert [instance for _, instance in comparison.compared_instances(failed)] == ["aristotle"]


@pytest.mark.parametrize("instances", [1, 12])
def test_a_campaign_ends_in_few_lines(instances: int, tmp_path: Path) -> None:
    """What won, by how much, what failed, CP against MIP, and how to see more."""
    runs = synthetic.campaign(instances=instances, repeats=6, failing=0).assign(error="")
    runs.loc[runs["backend"] == "backtrack", "total_s"] /= 10
    late = (runs["backend"] == "csp") & (runs["instance"] == "bug_byte_000")
    runs.loc[late, "status"] = "timeout"
    wrong = (runs["backend"] == "milp") & (runs["instance"] == "number_cross_000")
    runs.loc[wrong, ["status", "error"]] = ["wrong", "a cell is empty " * 9]
    disturbed = runs.assign(disturbed=1, solver_version=runs["repeat"].astype(str))
    text = printed(terminal.print_ending, disturbed, measurements(disturbed), tmp_path, width=80)
    assert "…" not in text, "80 columns hold all figures"
    problems = 5 * instances
    assert sum(max(1, -(-len(line) // 80)) for line in text.splitlines()) <= terminal.MOST_LINES
    rows = {line.split()[0]: line.split() for line in text.splitlines() if line.strip()}
    assert rows["backtrack"][1:6] == [str(problems), "of", str(problems), "1.00", str(problems)]
    assert rows["csp"][1:4] == [str(problems - 1), "of", str(problems)]
    assert "number_cross_000 milp windows first and 1 more: wrong: a cell is empty" in text
    cp = rf"CP against MIP, one solution: cpsat is faster on \d+ of {problems} problems, milp on \d"
    assert re.search(cp, " ".join(text.split()))
    assert re.search(rf"\d+ more remarks: .* report {tmp_path}", text)


def test_the_ending_of_one_instance_has_its_times(tmp_path: Path) -> None:
    runs = synthetic.campaign(instances=1, repeats=6, failing=0).assign(error="")
    runs = runs[runs["puzzle"] == "bug_byte"].copy()
    runs.loc[runs["backend"] == "csp", "status"] = "timeout"
    text = printed(terminal.print_ending, runs, measurements(runs), tmp_path, width=80)
    assert "…" not in text
    rows = {line.split()[0]: line.split() for line in text.splitlines() if line.strip()}
    assert rows["csp"][2] == rows["csp"][-1] == "timeout" and rows["backtrack"][3] == "ms"
    assert "bug_byte_000, one solution: backtrack is " in text
    alone = measurements(runs[runs["backend"] == "csp"])
    assert "unsolved" in next(iter(findings.conclusion(alone)))


def test_what_was_left_out_is_said() -> None:
    """Runs that were stopped before a minute, and repeats that there are not, with commands for more."""
    runs = synthetic.campaign(instances=1, repeats=5, failing=0)
    long = (runs["puzzle"] == "bug_byte") & (runs["backend"] == "csp")
    runs.loc[long, ["status", "error", "time_limit_s"]] = ["timeout", "", 5.0]
    slow = (runs["puzzle"] == "bug_byte") & (runs["formulation"] == "textbook")
    runs.loc[slow, "total_s"] = 1.0
    whole = runs[~long & ~slow]
    runs = runs[~(long & (runs["repeat"] > 1)) & ~(slow & (runs["repeat"] > 2))]
    asked = machine_json.Asked(times=5, budget_s=2.0)
    command = [*RUN, "--all", "--out", "here", "--backend", "csp", "--backend", "milp"]
    facts = machine_json.Facts(sessions=[machine_json.Session(command=command, request=asked)])
    measured = measurements(runs)
    (stopped,) = hints(runs, measured, facts, Path("here"))
    assert stopped.text.startswith("2 of 50 measurements stopped at the time limit of 5 s (csp 2); ")
    assert stopped.command == f"{shlex.join(RUN)} --all --backend csp --time-limit 60"
    asked.budget_s = None
    assert list(hints(runs, measured, facts, Path("here"))) == [stopped], "nothing limited the repeats"
    assert not list(hints(whole, measurements(whole), facts, Path("here")))


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ({}, True),
        ({"what": ["bug_byte"]}, True),
        ({"what": ["bug_byte", "june_2022"]}, False),
        ({"families": ["size"]}, False),
    ],
)
def test_the_command_for_stopped_runs_names_their_instances(asked: dict[str, list[str]], named: bool) -> None:
    """Unless it would add them to instances that it names already."""
    runs = synthetic.campaign(instances=2, repeats=6, failing=0)
    runs["instance"] = runs["instance"].replace({"bug_byte_000": "bug_byte"})
    stopped = (runs["instance"] == "bug_byte") & (runs["backend"] == "csp") & (runs["task"] == "count")
    runs.loc[stopped, ["status", "error", "time_limit_s"]] = ["timeout", "", 5.0]
    request = machine_json.Asked.model_validate({"times": 6, **asked})
    facts = machine_json.Facts(sessions=[machine_json.Session(command=[*RUN], request=request)])
    (hint,) = hints(runs, measurements(runs), facts, Path("here"))
    assert "to give these backends 60 s, in a campaign" in hint.text
    assert ("--backend csp --instance bug_byte/bug_byte --time-limit 60" in hint.command) == named


def test_once_measured_is_no_steadiness(campaign: Path) -> None:
    """One time of the reference load varies by nothing, which says nothing."""
    runs = tables.read_runs(campaign).assign(reference_s=0.0123)
    said = " ".join(reliability(runs).split())
    assert "stead" not in said and "varied by 0.0% (" not in said
    assert "was measured once: 12.3 ms, so drift is unknown." in said


def test_too_few_runs_say_how_many_more_and_how() -> None:
    """The command is that of the campaign, with the repeats that it takes and the folder that it is in."""
    runs = synthetic.campaign(instances=1, repeats=2, failing=0)
    said = "2 runs of a model are too few for a 95% interval; to add 4 more runs of each:"
    (hint,) = hints(runs, measurements(runs), machine_json.Facts(), Path("here"))
    assert (hint.text, hint.command) == (said, "--repeat 6")
    seeds = runs.assign(seed=runs["repeat"], repeat=1)
    (hint,) = hints(seeds, measurements(seeds), machine_json.Facts(), Path("here"))
    assert (hint.text, hint.command) == (said, "--seeds 6"), "each counts once"
    enough = synthetic.campaign(instances=1, repeats=6, failing=0)
    assert not list(hints(enough, measurements(enough), machine_json.Facts(), Path("here")))


RUN = ["python", "-m", "bench", "run", "--puzzle", "bug_byte"]


@pytest.mark.parametrize(
    ("commands", "said"),
    [
        ([[*RUN, "--repeat", "2"]], "python -m bench run --puzzle bug_byte --repeat 6 --out here"),
        ([[*RUN, "--repeat=2", "--out", "old"]] * 2, f"{shlex.join(RUN)} --repeat 6 --out here"),
        ([["puzzle-bench", *RUN[3:]]], "puzzle-bench run --puzzle bug_byte --repeat 6 --out here"),
        ([RUN, [*RUN, "--task", "first"]], "--repeat 6"),
        ([["python", "-m", "bench", "scale", "bug_byte"]], "--repeat 6"),
        ([[]], "--repeat 6"),
        ([], "--repeat 6"),
    ],
)  # fmt: skip
def test_the_command_that_adds_runs(commands: list[list[str]], said: str) -> None:
    recorded = machine_json.Facts(sessions=[machine_json.Session(command=command) for command in commands])
    assert machine_json.more_runs(recorded, Path("here"), "--repeat 6") == said


def test_a_small_campaign_prints_how_to_go_on(campaign: Path) -> None:
    """It had two sessions with different options, so only the option can be named."""
    runs = tables.read_runs(campaign)
    facts = machine_json.read_facts(campaign)
    # The others are too far apart for more runs.
    close = [each for each in measurements(runs) if each.formulation != TEXTBOOK]
    *_, hint = hints(runs, close, facts, campaign)
    said = f"{hint.text} {hint.command}"
    assert said.endswith(
        "2 runs of a model are too few for a 95% interval; to add 4 more runs of each: --repeat 6"
    )


def test_a_campaign_that_is_resumed_after_a_change_shows_the_new_runs(command: Any, tmp_path: Path) -> None:
    """The same command, after a model and then the instance changed; a line says what is left out."""
    folder = make(tmp_path / "steps")
    again = [
        "run", "steps", "--backend", "backtrack", "--backend", "cpsat", "--task", "count", "--repeat", 2,
        "--no-plots", "--out", "out",
    ]  # fmt: skip
    assert command(*again).returncode == 0
    model = folder / "backtrack.py"
    model.write_text(f"{model.read_text()}\n# mended\n")
    resumed = command(*again)
    said = " rows of earlier contents (changed instance, model or solver release) are left out."
    assert resumed.returncode == 0 and f"2{said}" in resumed.stdout
    instance = folder / "instances" / "three.toml"
    instance.write_text(instance.read_text().replace("count = 3", "count = 4"))
    resumed = command(*again)
    assert resumed.returncode == 0 and f"6{said}" in resumed.stdout
    measured = measurements(tables.read_runs(tmp_path / "out"))
    assert [each.runs for each in measured] == [2, 2] and {each.size for each in measured} == {4}
    assert len(pd.read_csv(tmp_path / "out" / "runs.csv")) == 10, "nothing recorded is lost"


def test_what_no_longer_counts_does_not_change_the_exit_code(command: Any, tmp_path: Path) -> None:
    """A model that could not be read and then was mended: with -q and without, its old row is superseded."""
    folder = make(tmp_path / "steps")
    model = folder / "backtrack.py"
    whole = model.read_text()
    model.write_text("FORMULATIONS = {}\n")
    again = ["run", "steps", "--backend", "backtrack", "--task", "first", "--repeat", 1, "--no-plots"]
    again += ["--out", "out"]
    assert command(*again, "-q").returncode == 1
    model.write_text(whole)
    assert command(*again).returncode == 0
    assert len(pd.read_csv(tmp_path / "out" / "runs.csv")) == 2
    quiet = command(*again, "-q")
    assert quiet.returncode == 0, quiet.stderr
    assert "crashed" not in quiet.stderr


def test_pairs_are_of_the_default_solvers_whatever_others_there_are() -> None:
    """The campaign has three more solvers of integer programs, so that labels name HiGHS."""
    pairs = comparison.textbook_pairs(measurements(tables.read_runs(ROOT / "results/reference")))
    assert len({ip.instance for ip, _ in pairs}) == len(pairs) == 37
    assert {(ip.label, cp.label) for ip, cp in pairs} == {("milp:highs", "cpsat:cpsat")}
