"""The page of `which`: recomputed to the last digit by a script that shares nothing with it; its errors."""

import gzip
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.special import stdtrit

from bench.analysis.tables import read_runs
from bench.campaign.results import COLUMNS, SCHEMA
from bench.catalogue import ROOT
from bench.instruments.which.comparison import inside, predicted
from bench.instruments.which.page import which_page
from tests.evidence import FIRST, LOT, SIZES, TEXTBOOK

EVIDENCE = ROOT / "results" / "evidence"

SOLVERS = {"cpsat": "cpsat", "milp": "highs", "asp": "clingo", "csp": "recursive"} | {"native": "c"}


def synthetic(seed: int) -> pd.DataFrame:
    """Rows as of the campaign of the evidence: some kinds favour some solvers, and some runs fail.

    Nobody solves any Nurikabe, and only one Yajilin is solved.
    """
    rng = np.random.default_rng(seed)
    rows: list[dict[str, Any]] = []
    models = [(name, "textbook", 1) for name in TEXTBOOK]
    models += [*((name, "own", 1) for name in FIRST), ("cpsat", "textbook", 2)]
    for kind, problems in pd.read_csv(EVIDENCE / "instances.csv").groupby("puzzle"):
        task, done = ("first", "solved") if kind in SIZES else ("best", "optimal")
        tastes = rng.normal(0, 1, len(models))
        for problem in problems.fillna("").itertuples():
            hardness = rng.normal(-2, 2)
            if kind == "nurikabe" or (kind == "yajilin" and problem.Index > problems.index[0]):
                hardness = 30
            for (name, formulation, threads), taste in zip(models, tastes, strict=True):
                backend, _, solver = name.partition(":")
                time_s = np.exp(hardness + taste + rng.normal(0, 0.5))
                for repeat in (1, 2):
                    again_s = time_s * np.exp(rng.normal(0, 0.1))
                    row = {
                        "puzzle": kind,
                        "instance": problem.instance,
                        "backend": backend,
                        "threads": threads,
                    }
                    row |= {"solver": solver or SOLVERS.get(backend, "python"), "formulation": formulation}
                    row |= {"task": task, "repeat": repeat, "collection": problem.collection}
                    row |= {"status": done if again_s < 20 else "timeout", "build_s": 0.2 * again_s}
                    row |= {"total_s": min(again_s, 20.01), "branches": int(1000 * max(0, again_s - 0.2))}
                    rows.append(row)
    table = pd.DataFrame(rows).assign(
        campaign="2026-11-28T00:00:00", started_at="2026-11-28T00:00:00", instance_sha256="i",
        model_sha256="m", rules_sha256="r", solver_version="1", host="h", cpu="c", seed=1, size=9,
        solutions=1, schema=SCHEMA, time_limit_s=20, memory_limit_mb=4096,
    )  # fmt: skip
    return table.reindex(columns=[*COLUMNS]).astype(object).fillna("")


def rows_of(text: str) -> set[str]:
    """The rows of the tables, without their heads."""
    return set(re.findall(r"^\| .*(?= \|$)", re.sub(r".*\n\| ---.*\n", "", text), re.MULTILINE))


def recomputed(folder: Path) -> set[str]:
    """What the script prints of a campaign."""
    words = [sys.executable, str(EVIDENCE / "recompute.py"), str(folder)]
    return rows_of(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


@pytest.mark.parametrize("seed", [1])
def test_each_row_of_the_page_is_recomputed(seed: int, tmp_path: Path) -> None:
    with gzip.open(tmp_path / "runs.csv.gz", "wt") as file:
        synthetic(seed).to_csv(file, index=False)
    shown = rows_of(which_page(read_runs(tmp_path), tmp_path, None, LOT))
    assert len(shown) > 100 and shown == recomputed(tmp_path)


def test_each_row_of_the_answer_is_recomputed() -> None:
    page = (ROOT / "docs" / "which.md").read_text(encoding="utf-8")
    if not page.startswith("<!-- Written by"):
        pytest.skip("the campaign is under way")
    assert rows_of(page) == recomputed(EVIDENCE)


def test_the_variance_between_kinds_is_that_of_a_published_analysis() -> None:
    """Thirteen trials of the vaccine BCG, of which the pages of metafor have 0.3286 by the same moments."""
    means = """
        -0.8893 -1.5854 -1.3481 -1.4416 -0.2175 -0.7861 -1.6209
        0.0120 -0.4694 -1.3713 -0.3394 0.4459 -0.0173
    """
    variances = """
        0.3256 0.1946 0.4154 0.0200 0.0512 0.0069 0.2230 0.0040 0.0564 0.0730 0.0124 0.5325 0.0714
    """
    columns = {"mean": map(float, means.split()), "var": map(float, variances.split())}
    kinds = pd.DataFrame(columns).assign(size=1)
    found, t = predicted(kinds), stdtrit(12, 0.975)
    assert found.reach == pytest.approx(t * kinds["mean"].std() / 13**0.5)
    assert (found.further**2 - found.reach**2) / t**2 == pytest.approx(0.3286, abs=1e-4)


@pytest.mark.parametrize("spread", [0.0, 1.0])
def test_predictions_hold_19_of_20_kinds(spread: float) -> None:
    """Of kinds drawn from a normal distribution, each measured on ten problems."""
    rng = np.random.default_rng(1)
    held = []
    for _ in range(50):
        problems = rng.normal(rng.normal(0, spread, (20, 1)), 0.5, (20, 10))
        kinds = pd.DataFrame({"mean": problems.mean(axis=1), "var": problems.var(axis=1, ddof=1), "size": 10})
        held.append(inside(kinds, kinds) / 20)
    assert 0.92 < np.mean(held) < 0.98


def test_a_campaign_without_both_solvers_has_no_answer(tmp_path: Path, command: Any) -> None:
    command(
        "run", "june_2022_example", "--backend", "cpsat", "--repeat", "1", "--no-plots", "--out", tmp_path
    )
    refused = command("which", tmp_path)
    assert refused.returncode == 2 and "CP-SAT and a MIP solver have no problem in common" in refused.stderr


def test_what_nobody_solves_is_not_decided(tmp_path: Path, command: Any) -> None:
    names = ["--backend", "cpsat", "--backend", "milp", "--task", "first", "--time-limit", "0.05"]
    command("run", "aristotle", *names, "--repeat", "1", "--no-plots", "--out", tmp_path)
    done = command("which", tmp_path, "--out", tmp_path / "which.md")
    assert done.returncode == 0, done.stderr
    assert "| not decided | 1 |" in (tmp_path / "which.md").read_text(encoding="utf-8")


def test_few_problems_have_an_answer_without_a_prediction(tmp_path: Path, command: Any) -> None:
    names = ["--backend", "cpsat", "--backend", "milp", "--task", "first", "--repeat", "1", "--no-plots"]
    command("run", "june_2022_example", "inkala_2012", *names, "--out", tmp_path)
    said = command("which", tmp_path).stdout
    assert "| sudoku | 1 |" in said and "A further kind" not in said
    refused = command("which", tmp_path, "--apart", "sudku")
    assert refused.returncode == 2 and "sudoku" in refused.stderr
