"""Medians, intervals, and pictures from runs.csv alone."""

import io
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from bench.catalogue import RequestError
from bench.reading import draw_scores, scores, style, tables, terminal
from bench.reading.intervals import median_interval
from bench.reading.units import seconds
from tests import synthetic
from tests.conftest import LAB


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small real campaign, with one backend that times out."""
    out = tmp_path_factory.mktemp("campaign") / "out"
    base = [
        sys.executable,
        "-m",
        "bench",
        "run",
        "--instance",
        "june_2022",
        "--task",
        "first",
        "--repeat",
        "2",
    ]
    quick = ["--backend", "cpsat", "--backend", "milp", "--backend", "backtrack", "--no-plots"]
    subprocess.run([*base, *quick, "--out", out], check=True, capture_output=True)
    late = ["--backend", "csp:backtracking", "--time-limit", "0.3"]
    subprocess.run([*base, *late, "--out", out], check=True, capture_output=True)
    return out


def test_plot_needs_nothing_but_the_table(campaign: Path, command: Any, tmp_path: Path) -> None:
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / "runs.csv").write_bytes((campaign / "runs.csv").read_bytes())
    assert command("plot", alone).returncode == 0
    names = {path.name for path in (alone / "plots").iterdir()}
    assert names == {path.name for path in (campaign / "plots").iterdir()}
    for stem in ("times-block_party", "comparison-block_party-june_2022", "solution-block_party-june_2022"):
        assert {f"{stem}.svg", f"{stem}.png"} <= names
    for path in (alone / "plots").glob("*.svg"):
        ElementTree.parse(path)
        assert path.read_bytes() == (campaign / "plots" / path.name).read_bytes(), "same table, same picture"


def test_the_comparison_has_ours_and_theirs(campaign: Path) -> None:
    compared = pd.read_csv(campaign / "plots/comparison-block_party-june_2022.csv")
    assert set(compared["system"]) >= {"cpsat", "milp", "backtrack", "CPLEX (IP)", "CP Optimizer (CP)"}
    theirs = compared[compared["reported"]].set_index("system")
    assert theirs.loc["CP Optimizer (CP)", "branches"] == 2678
    assert theirs.loc["CPLEX (IP)", "presolved_variables"] == 119
    ours = compared[~compared["reported"] & (compared["system"] != "csp")]
    assert ours["total_s"].notna().all()


def test_a_timeout_is_shown_as_one(campaign: Path) -> None:
    table = tables.cells(tables.read_runs(campaign))
    (late,) = table[(table["label"] == "csp") & (table["task"] == "first")].to_dict("records")
    assert late["status"] == "timeout" and late["done"] == 0 and np.isnan(late["total_s"])
    svg = (campaign / "plots/times-block_party.svg").read_text()
    assert "timeout" in svg


def test_seeds_show_as_a_spread(command: Any, tmp_path: Path) -> None:
    """Aristotle's hexagon by hand takes more or fewer branches, depending on the order of the cells."""
    out = tmp_path / "out"
    result = command("run", "--puzzle", "magic_hexagon", "--backend", "backtrack", "--task", "first",
                     "--seeds", 4, "--repeat", 1, "--no-plots", "--out", out)  # fmt: skip
    (cell,) = tables.cells(tables.read_runs(out)).to_dict("records")
    assert cell["runs"] == cell["done"] == 4
    assert cell["branches_low"] < cell["branches_high"]
    assert f"({cell['branches_low']:,.0f} to {cell['branches_high']:,.0f})" in result.stdout


def said(show: Any, *arguments: Any) -> str:
    console = Console(record=True, width=120, file=io.StringIO())
    show(console, *arguments)
    return console.export_text()


@pytest.mark.parametrize(("spread", "steady"), [(0.001, True), (0.2, False)])
def test_a_machine_that_drifts_is_named(campaign: Path, spread: float, steady: bool) -> None:
    runs = tables.read_runs(campaign)
    runs["sentinel_s"] = [0.010 * (1 + spread * (number % 2)) for number in range(len(runs))]
    text = said(terminal.print_trust, runs)
    assert ("not steady" in text) == (not steady)
    runs["disturbed"] = [1.0, 1.0] + [0.0] * (len(runs) - 2)
    assert f"2 of {len(runs)} runs were disturbed" in said(terminal.print_trust, runs)


def test_variation_is_that_of_one_seed(campaign: Path) -> None:
    """Two models: one always takes as long, one varies by half; a second seed that is slower adds nothing."""
    runs = tables.read_runs(campaign).iloc[:12].copy()
    runs[["status", "puzzle", "instance", "backend", "solver", "task"]] = "solved"
    runs["formulation"] = ["steady"] * 6 + ["varies"] * 6
    runs["seed"] = [1, 1, 1, 2, 2, 2] * 2
    runs["total_s"] = [1.0, 1.0, 1.0, 3.0, 3.0, 3.0, 0.1, 0.05, 0.15, 0.1, 0.05, 0.15]
    assert tables.same_seed_variation(runs) == {
        "50 to 200 ms": (2, pytest.approx(0.5)),
        "from 200 ms": (2, pytest.approx(0.0)),
    }


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
    assert refused.returncode == 2 and "no such file" in refused.stderr


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


@given(st.floats(1e-7, 1e5))
def test_times_are_readable(value: float) -> None:
    number, unit = seconds(value).split()
    factor = {"µs": 1e-6, "ms": 1e-3, "s": 1.0}[unit]
    assert float(number) * factor == pytest.approx(value, rel=0.01)
    assert unit == "s" or float(number) < 1000


def test_a_campaign_of_an_earlier_version_can_be_read(tmp_path: Path) -> None:
    """The columns that came later are empty; without any other it is no runs.csv."""
    runs = synthetic.campaign(instances=1, repeats=1)
    synthetic.write(tmp_path, runs.drop(columns="restarts"))
    assert tables.read_runs(tmp_path)["restarts"].isna().all()
    synthetic.write(tmp_path, runs.drop(columns="branches"))
    with pytest.raises(RequestError, match="the column branches is missing"):
        tables.read_runs(tmp_path)


def test_solvers_of_a_backend_look_different() -> None:
    """Where their curves stand side by side: colour, marker and line."""
    for name, backend in LAB.backends.items():
        labels = [f"{name}:{solver}" for solver in backend.solvers]
        looks = {(*style.style(label), str(style.dashes(label))) for label in labels}
        assert len(looks) == len(labels)


@pytest.mark.parametrize("solvers", [3, 20])
def test_many_backends_turn_the_pictures(solvers: int) -> None:
    """A row each in the tables, and no more curves than can be told apart."""
    runs = pd.concat(
        synthetic.campaign(instances=1, repeats=2, failing=0, seed=number).assign(
            backend="milp", solver=f"s{number}"
        )
        for number in range(solvers)
    )
    led = scores.leading(tables.cells(runs.infer_objects()))
    many = solvers > style.MANY
    for draw in (draw_scores.draw_overview(led), draw_scores.draw_ratios(scores.against_fastest(led))):
        down = {label.get_text() for label in draw.axes[0].get_yticklabels()}
        assert ({f"milp:s{number}" for number in range(solvers)} <= down) == many
    curves = [
        line for line in draw_scores.draw_cactus(led).axes[0].lines if line.get_marker() in ("", "None")
    ]
    assert len(curves) == min(solvers, style.MANY) + 1, "and the virtual best"
