"""Campaigns for other programs, scenarios of ASlib and Parquet files: read back, compared with runs.csv."""

import json
import re
import shutil
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from bench.analysis.tables import current_runs, read_runs
from bench.catalogue import ROOT
from bench.contract import Status
from bench.instruments.generate.scenario import scenario
from tests.conftest import Once
from tests.synthetic import ROW

ODD = "it's 2, or {5}"


@pytest.fixture
def campaign(once: Once, command_in: Any) -> Path:
    """Two instances, one with a name that ARFF has to quote, and two solvers, one too slow for the other."""

    def fill(folder: Path) -> None:
        shutil.copy(ROOT / "tests/instances/die_agony_2x2.toml", folder / f"{ODD}.toml")
        words = "--backend cpsat --backend csp --formulation default --time-limit 1 --repeat 2 --no-plots"
        ran = command_in(folder, "run", "june_2022", f"./{ODD}.toml", *words.split(), "--out", "campaign")
        assert ran.returncode == 0, ran.stderr

    return once("exported", fill) / "campaign"


def read(text: str) -> pd.DataFrame:
    """The table of an ARFF file."""
    head, _, data = text.partition("@DATA\n")
    names = re.findall("^@ATTRIBUTE ([^' ]+) ", head, re.MULTILINE)
    assert head.startswith("@RELATION ") and head.count("\n") == 1 + len(names)
    quoted: dict[str, Any] = {"quotechar": "'", "escapechar": "\\", "keep_default_na": False}
    return pd.read_csv(StringIO(data), names=names, na_values="?", **quoted)


def test_a_scenario_has_what_was_recorded(campaign: Path, command: Any, tmp_path: Path) -> None:
    done = command("export", campaign, "--aslib", "--out", "scenario")
    assert done.returncode == 0, done.stderr
    told = json.loads((tmp_path / "scenario/description.txt").read_text())
    tables = {path.stem: read(path.read_text()) for path in (tmp_path / "scenario").glob("*.arff")}
    runs = read_runs(campaign)
    runs["instance_id"] = runs["puzzle"] + "/" + runs["instance"] + "/" + runs["task"]
    runs["algorithm"] = runs["backend"] + ":" + runs["solver"]
    recorded = runs.set_index(["instance_id", "algorithm", "repeat"])
    every = tables["algorithm_runs"].set_index(["instance_id", "algorithm", "repetition"])
    ran, solved = every.loc[recorded.index], recorded["status"] == "solved"
    assert len(ran) == len(runs) and {*every.drop(ran.index)["runstatus"]} <= {"not_applicable"}
    assert [*ran["runstatus"]] == ["ok" if one else "timeout" for one in solved] and 0 < solved.sum() < len(
        ran
    )
    off = ran["runtime"].to_numpy() - recorded["total_s"].where(solved, 1.0).to_numpy()
    assert abs(off).max() < 1e-6 and told["algorithm_cutoff_time"] == 1

    assert {*told["metainfo_algorithms"]} == {*told["algorithms_deterministic"]} == {*runs["algorithm"]}
    for kind in ("feature_values", "feature_runstatus", "cv"):
        assert sorted(tables[kind]["instance_id"]) == sorted(set(runs["instance_id"]))
    values = tables["feature_values"].set_index("instance_id").drop(columns="repetition")
    provided = [name for step in told["feature_steps"].values() for name in step["provides"]]
    assert [*values] == told["features_deterministic"] == provided
    assert [*tables["feature_runstatus"]][2:] == [*told["feature_steps"]]
    sizes = runs.groupby(["instance_id", runs["backend"] + "/" + runs["formulation"]])["variables"].max()
    for (problem, model), size in sizes.dropna().items():
        assert values.at[problem, f"variables:{model}"] == size
    assert values.filter(like="variables:").count().sum() == sizes.count() > 0
    assert values["size"].notna().all() and values["permutation"].isin([0, 1]).all()
    folds = tables["cv"].groupby(tables["cv"]["instance_id"].str.rpartition("/")[0])["fold"]
    assert (folds.nunique() == 1).all() and {*folds.first()} == {1, 2}


def test_only_checked_results_are_ok() -> None:
    rows = [replace(ROW, instance=status, status=status, threads=2) for status in Status]
    runs = current_runs([*rows, replace(ROW, instance="another", solver="another")])
    ran = read(scenario(runs, "all")["algorithm_runs.arff"]).set_index(["algorithm", "instance_id"])
    ends = ran["runstatus"]["b:s/2-threads"]
    assert {status for status in Status if ends[f"p/{status}"] == "ok"} == {"solved", "infeasible", "optimal"}
    assert {status for status in Status if ends[f"p/{status}"] == "timeout"} == {"timeout", "feasible"}
    assert (ends["p/crashed"], ends["p/wrong"], ends["p/another"]) == ("crash", "other", "not_applicable")


def test_parquet_has_what_is_read(campaign: Path, command: Any, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    done = command("export", campaign, "--parquet", "--out", "runs.parquet")
    assert done.returncode == 0, done.stderr
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "runs.parquet"), read_runs(campaign))
    schema = parquet.read_schema(tmp_path / "runs.parquet")
    assert all(field.metadata[b"description"] for field in schema)
    assert schema.field("total_s").metadata[b"unit"] == b"s" and schema.field("branches").type == "int64"
    assert schema.metadata[b"machine.json"] == (campaign / "machine.json").read_bytes()
