"""Medians, intervals, and pictures from runs.csv alone."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.reading import plots, tables


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small real campaign, with one backend that times out."""
    import subprocess
    import sys

    out = tmp_path_factory.mktemp("campaign") / "out"
    base = [
        sys.executable,
        "-m",
        "bench",
        "run",
        "--instance",
        "june_2022",
        "--repeat",
        "2",
        "--out",
        str(out),
    ]
    subprocess.run(base, check=True, capture_output=True)
    subprocess.run(
        [*base, "--backend", "csp:backtracking", "--time-limit", "0.3"], check=True, capture_output=True
    )
    return out


def test_plot_needs_nothing_but_the_table(campaign: Path, command: Any, tmp_path: Path) -> None:
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / "runs.csv").write_bytes((campaign / "runs.csv").read_bytes())
    assert command("plot", alone).returncode == 0
    names = {path.name for path in (alone / "plots").iterdir()}
    assert names == {path.name for path in (campaign / "plots").iterdir()}
    for stem in ("times-block_party", "comparison-june_2022", "solution-june_2022"):
        assert {f"{stem}.svg", f"{stem}.png"} <= names
    for path in (alone / "plots").glob("*.svg"):
        ElementTree.parse(path)
        assert path.read_bytes() == (campaign / "plots" / path.name).read_bytes(), "same table, same picture"


def test_the_comparison_has_ours_and_theirs(campaign: Path) -> None:
    compared = pd.read_csv(campaign / "plots/comparison-june_2022.csv")
    assert set(compared["system"]) >= {"cpsat", "milp", "backtrack", "CPLEX (IP)", "CP Optimizer (CP)"}
    theirs = compared[compared["reported"]].set_index("system")
    assert theirs.loc["CP Optimizer (CP)", "branches"] == 2678
    assert theirs.loc["CPLEX (IP)", "presolved_variables"] == 119
    ours = compared[~compared["reported"] & (compared["system"] != "csp:backtracking")]
    assert ours["total_s"].notna().all()


def test_a_timeout_is_shown_as_one(campaign: Path) -> None:
    table = tables.cells(tables.read_runs(campaign))
    (late,) = table[(table["label"] == "csp:backtracking") & (table["task"] == "first")].to_dict("records")
    assert late["status"] == "timeout" and late["done"] == 0 and np.isnan(late["total_s"])
    svg = (campaign / "plots/times-block_party.svg").read_text()
    assert "timeout" in svg


@given(st.lists(st.floats(0.001, 1000), min_size=1, max_size=60))
def test_the_interval_holds_the_median(values: list[float]) -> None:
    median, low, high = tables.median_interval(values)
    assert min(values) <= low <= median <= high <= max(values)


def test_the_interval_covers_the_true_median_as_often_as_it_says() -> None:
    rng = np.random.default_rng(1)
    for size in (6, 10, 25):
        covered = [
            low <= 0 <= high
            for _, low, high in (tables.median_interval(rng.standard_cauchy(size)) for _ in range(2000))
        ]
        assert np.mean(covered) >= 0.94


@given(st.floats(1e-7, 1e5))
def test_times_are_readable(value: float) -> None:
    number, unit = plots.seconds(value).split()
    factor = {"µs": 1e-6, "ms": 1e-3, "s": 1.0}[unit]
    assert float(number) * factor == pytest.approx(value, rel=0.01)
    assert unit == "s" or float(number) < 1000
