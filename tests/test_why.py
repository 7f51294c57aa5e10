"""Why: what variants say of mechanisms, from invented rows and from a campaign."""

import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from bench import catalogue
from bench.analysis import tables
from bench.analysis.measurements import measurements, without_variants
from bench.analysis.plots.drawing import render
from bench.analysis.tables import is_variant
from bench.contract import Status
from bench.instruments.explain import sentences
from bench.instruments.explain.mechanisms import BEFORE, Explained, best_models, explained
from bench.instruments.explain.page import of_no_family
from bench.instruments.explain.plots import draw_why
from bench.instruments.explain.tables import (
    comparison_table,
    contributions,
    decline_tables,
    difference_table,
    root_table,
    smallest_and_largest,
    solver_tables,
)
from bench.report.table import Table
from tests import synthetic
from tests.conftest import LAB

MILP = {"backend": "milp", "formulation": "windows", "task": "first", "variables": 549}
POINT = {"relaxation_feasible": 1, "fractional_min": 0, "fractional_max": 0, "single_point": 1}
FRACTIONAL = POINT | {"fractional_min": 147, "fractional_max": 172, "single_point": 0}
STOPPED = {"status": Status.STOPPED, "solutions": 0, "total_s": 0.5}


def runs_of(*solvers: dict[str, Any]) -> pd.DataFrame:
    """Five runs of each solver of an integer program, around its time; a list has a figure for each run."""
    noise = np.random.default_rng(1).lognormal(0, 0.05, (len(solvers), 5))
    rows = [
        vars(synthetic.ROW)
        | MILP
        | {name: value[repeat] if isinstance(value, list) else value for name, value in each.items()}
        | {"repeat": repeat + 1, "total_s": each.get("total_s", 1) * slower}
        for each, by_repeat in zip(solvers, noise, strict=True)
        for repeat, slower in enumerate(by_repeat)
    ]
    return tables.current_runs(synthetic.rows(pd.DataFrame(rows)))


def explain(*solvers: dict[str, Any]) -> list[Explained]:
    """The models of these solvers, on one problem."""
    runs = runs_of(*solvers)
    (models,) = explained(runs, measurements(runs)).values()
    return models


def cells(table: Table, model: str, variant: str = "") -> dict[str, str]:
    """The row of a model, and of its variant if the table has these."""
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    (found,) = (row for row in rows if row["model"] == model and row.get("variant", "") == variant)
    return found


def contradictions(models: Sequence[Explained]) -> list[str]:
    """Those of all models."""
    return [said for model in models for said in sentences.contradictions(model)]


def drawn(runs: pd.DataFrame) -> str:
    """The picture of the only problem as SVG."""
    ((problem, models),) = explained(runs, measurements(runs)).items()
    return render(draw_why(models, problem), "why")


WINDOWS = "HiGHS windows"


def test_the_names_say_which_solvers_are_variants() -> None:
    for name, backend in LAB.backends.items():
        for solver, offered in backend.solvers.items():
            assert is_variant(name, solver) == offered.variant, f"{name}:{solver}"


@pytest.mark.parametrize(
    ("relaxation", "by", "feasible", "single"),
    [(POINT, "relaxation", "yes", "yes"), (FRACTIONAL, "", "yes", "no")],
)
def test_first_stands_what_decides_each_model(relaxation: Any, by: str, feasible: str, single: str) -> None:
    models = explain({"solver": "highs", "branches": 1}, STOPPED | relaxation | {"solver": "relaxation"})
    row = cells(root_table(models), WINDOWS)
    assert (row["decided by"], row["feasible"], row["single point"]) == (by, feasible, single)
    assert not contradictions(models)


@pytest.mark.parametrize(("left", "said_so"), [(100, True), (101, False)])
def test_branches_of_probing_are_told_from_those_of_search(left: int, said_so: bool) -> None:
    cpsat = {"backend": "cpsat", "variables": 100, "branches": 81}
    status = Status.SOLVED if left == 100 else Status.STOPPED
    probing = cpsat | {"solver": "probing", "status": status, "values": 200, "values_left": left}
    models = explain(cpsat | {"solver": "cpsat", "branches": 0}, cpsat | {"solver": "nopresolve"}, probing)
    remarks = [said for model in models for said in sentences.remarks(model)]
    assert remarks == said_so * [
        "the 81 branches without presolve are all of probing, which decides every variable"
    ]


@pytest.mark.parametrize(
    ("default", "variant", "contradiction"),
    [
        ({"branches": 70}, STOPPED | POINT | {"solver": "relaxation"}, "needed 70 nodes"),
        ({"branches": 1}, STOPPED | {"solver": "root"}, "no more than the root"),
        ({"branches": 70}, {"solver": "root"}, "needed 70 nodes"),
        (
            {"branches": 0, "presolved_variables": 0, "presolved_constraints": 0},
            {"solver": "nopresolve", "branches": 1},
            "without presolve (1 node) either",
        ),
        ({}, STOPPED | {"solver": "relaxation", "relaxation_feasible": 0}, "a solution was found"),
        ({}, STOPPED | {"solver": "presolved_relaxation", "relaxation_feasible": 0}, "a solution was found"),
    ],
)
def test_what_does_not_fit_is_said(default: Any, variant: Any, contradiction: str) -> None:
    (said,) = contradictions(explain({"solver": "highs"} | default, variant))
    assert contradiction in said


@pytest.mark.parametrize("times", [1.0, 0.3, 3.0])
def test_a_significant_difference_is_marked(times: float) -> None:
    models = explain({"solver": "highs"}, {"solver": "nocuts", "total_s": times})
    ratio = cells(comparison_table(models), WINDOWS, "without cuts")["times as long"]
    assert float(ratio.split()[0]) == pytest.approx(times, rel=0.2) and " to " in ratio
    assert ratio.endswith("*") == (times != 1)
    shown = difference_table(models)
    assert len(shown.rows) == (times != 1) and (
        shown.notes == ["Not shown, of 1 variant: 1 without a significant difference."]
    ) == (times == 1)


def test_what_is_not_solved_has_no_time_and_no_ratio() -> None:
    failed = {"status": Status.TIMEOUT, "solutions": None, "witnesses": None}
    models = explain({"solver": "highs"}, failed | {"solver": "bare"}, {"solver": "onlycuts"})
    row = cells(comparison_table(models), WINDOWS, "with none of them")
    assert row["median total time, branches"] == "> 60 s" and row["times as long"] == "slower*"
    alone = cells(comparison_table(models), WINDOWS, "cuts alone")["times as long"]
    assert alone and not alone.endswith("*")


def test_the_root_is_known_of_runs_that_were_stopped() -> None:
    relaxation = STOPPED | FRACTIONAL | {"solver": "relaxation", "agreeing": 200}
    after = STOPPED | POINT | {"solver": "presolved_relaxation", "presolved_variables": 30}
    probing = STOPPED | {"backend": "cpsat", "variables": 10, "values": 110, "values_left": 60}
    cpsat = {"backend": "cpsat", "solver": "cpsat"}
    shown = root_table(
        explain({"solver": "highs"}, relaxation, after, cpsat, probing | {"solver": "probing"})
    )
    row = cells(shown, WINDOWS)
    assert (row["fractional"], row["fractional after presolve"]) == ("147 to 172", "0")
    assert (row["variables"], row["the same in all points"]) == ("549", "200")
    assert cells(shown, "CP-SAT windows")["probing, shaving"] == "50%"


SEEDS = {"seed": [1, 2, 3, 4, 5]}
TIMEOUT = Status.TIMEOUT


def solved_by(*statuses: Status) -> dict[str, Any]:
    """A run of each seed with these statuses."""
    return SEEDS | {"status": list(statuses), "witnesses": None}


def test_no_branching_is_said_if_it_holds_with_every_seed() -> None:
    empty = {"solver": "highs", "branches": 0, "presolved_variables": 0, "presolved_constraints": 0}
    without = SEEDS | {"solver": "nopresolve", "branches": [1, 1, 1, 1, 21]}
    models = explain(SEEDS | empty, without)
    assert not contradictions(models)
    row = cells(comparison_table(models), WINDOWS, "without presolve")
    assert "1 to 21 nodes" in row["median total time, branches"]


def test_what_is_called_all_or_none_is_so_with_every_seed() -> None:
    left = {"presolved_variables": [0, 0, 0, 0, 6], "presolved_constraints": 0, "branches": 0}
    point = STOPPED | POINT | {"solver": "relaxation", "single_point": [1, 1, 1, 1, 0]}
    cpsat = {"backend": "cpsat", "variables": 10}
    values = {"values": 20, "values_left": [10, 10, 10, 10, 11]}
    probing = STOPPED | cpsat | values | {"solver": "probing"}
    models = explain(SEEDS | left | {"solver": "highs"}, point, cpsat | {"solver": "cpsat"}, probing)
    assert cells(root_table(models), "CP-SAT windows")["probing, shaving"] == "90%"
    row = cells(root_table(models), WINDOWS)
    assert (row["decided by"], row["after presolve"], row["single point"]) == ("", "0 to 6", "no")


@pytest.mark.parametrize("solved", [2, 4])
def test_what_is_solved_with_some_seeds_is_said_so_without_branches(solved: int) -> None:
    statuses = [Status.SOLVED] * solved + [TIMEOUT] * (5 - solved)
    part = solved_by(*statuses) | {"solver": "nocuts", "branches": [777] * solved + [None] * (5 - solved)}
    runs = runs_of(SEEDS | {"solver": "highs", "branches": 1}, part)
    (models,) = explained(runs, measurements(runs)).values()
    shown = cells(comparison_table(models), WINDOWS, "without cuts")["median total time, branches"]
    assert f"solved with {solved} of 5 seeds" in shown and "777" not in shown
    # Its words and tooltips: any digits may stand in an id.
    words = " ".join(ElementTree.fromstring(drawn(runs)).itertext())
    assert f"solved with {solved} of 5 seeds" in words and "777" not in words
    assert (">" in shown) == (solved < 3)


def test_what_both_leave_unsolved_differs_in_nothing_and_what_crashed_is_not_compared() -> None:
    failed = {"status": TIMEOUT, "solutions": None, "witnesses": None}
    crashed = failed | {"solver": "bare", "status": Status.CRASHED}
    models = explain(failed | {"solver": "highs"}, failed | {"solver": "nocuts"}, crashed)
    for variant in ("without cuts", "with none of them"):
        assert cells(comparison_table(models), WINDOWS, variant)["times as long"] == ""
    assert difference_table(models).notes == ["Not shown, of 1 variant: 1 unsolved by both."]


def test_a_default_that_shaves_is_not_propagation() -> None:
    search = {"backend": "backtrack", "formulation": "shaving", "variables": 10, "values": 110}
    solvers = [
        search | {"solver": "python", "values_left": 10, "branches": 0},
        search | {"solver": "full", "values_left": 60, "branches": 5},
        search | {"solver": "shaving", "values_left": 10, "branches": 0},
    ]
    models = explain(*solvers)
    (row,) = root_table(models).rows
    assert row[1] == "shaving" and row[-3:] == ["50%", "all", ""]
    assert models[0].removed == {"propagation": 0.5, "shaving": 1.0}
    models = explain(
        search | {"solver": "python", "values_left": 10}, {"solver": "highs"}, {"solver": "bare"}
    )
    assert [each.removed for each in models if each.backend == "backtrack"] == [{BEFORE: 1.0}]


@pytest.mark.parametrize("backend", ["cpsat", "asp"])
def test_branches_after_propagation_that_decides_everything_are_said(backend: str) -> None:
    model = {"backend": backend, "variables": 10, "branches": 0}
    default = {"cpsat": "cpsat", "asp": "clingo"}[backend]
    decided = model | {"solver": "propagation", "values": 20, "values_left": 10}
    bare = model | {"solver": "bare", "branches": 7}
    models = explain(model | {"solver": default}, decided, bare)
    (row,) = root_table(models).rows
    assert row[1] == "propagation"
    (said,) = contradictions(models)
    assert "7 branches with no mechanism" in said


def test_a_summary_has_the_mean_over_problems_and_what_is_unsolved() -> None:
    failed = {"status": TIMEOUT, "solutions": None, "witnesses": None}
    twice = [{"solver": "highs", "instance": name} for name in ("a", "b", "c")]
    variants: list[dict[str, Any]] = [{"total_s": 4.0}, failed, {"status": Status.CRASHED}]
    rows = [
        {"solver": "nocuts", "instance": name} | each
        for name, each in zip(("a", "b", "c"), variants, strict=True)
    ]
    runs = runs_of(*twice, *rows)
    measured = measurements(runs)
    (row,) = contributions(best_models(measured, explained(runs, measured))).itertuples()
    assert (row.problems, row.slower, row.faster, row.unsolved) == (2, 1, 0, 1)
    # 60 s is the time limit.
    assert row.mean == pytest.approx((4 * 60) ** 0.5, rel=0.1) and row.most == pytest.approx(60, 0.1)


def test_variants_stay_out_of_what_compares_solvers() -> None:
    runs = runs_of({"solver": "highs"}, {"solver": "cbc"}, {"solver": "nocuts"})
    measured = measurements(runs)
    assert [each.label for each in measured] == ["milp:cbc", "milp:highs", "milp:nocuts"]
    assert [each.solver for each in without_variants(measured)] == ["cbc", "highs"]
    alone = [each for each in measured if each.solver == "nocuts"]
    assert without_variants(alone) == alone and not explained(runs, alone)


def test_the_picture_and_the_table_of_a_solver_have_every_mechanism() -> None:
    solvers = [{"solver": name} for name in ("highs", "nocuts", "onlycuts", "noheuristics", "bare")]
    runs = runs_of(*solvers, STOPPED | POINT | {"solver": "relaxation"})
    measured = measurements(runs)
    (shown,) = solver_tables(best_models(measured, explained(runs, measured)))
    assert list(shown.columns[4:]) == ["relaxation", "without cuts", "without heuristics"]
    picture = drawn(runs)
    assert all(words in picture for words in ("cuts", "heuristics", WINDOWS))


def test_of_several_instances_a_table_shows_what_is_decided_before_search() -> None:
    relaxations = [
        STOPPED | figures | {"solver": "relaxation", "instance": name}
        for name, figures in (("easy", POINT), ("hard", FRACTIONAL))
    ]
    runs = runs_of(*({"solver": "highs", "instance": name} for name in ("easy", "hard")), *relaxations)
    measured = measurements(runs)
    (shown,) = solver_tables(best_models(measured, explained(runs, measured)))
    assert [row[shown.columns.index("relaxation")] for row in shown.rows] == [
        "one point", f"{1 - 172 / 549:.0%}", "1"
    ]  # fmt: skip
    assert shown.rows[-1][0] == "decides all of 2 problems"


def test_the_share_that_the_root_decides_is_told_over_the_sizes_of_a_family() -> None:
    names = list(catalogue.families("block_party")["size"])[:3]
    rows = []
    for number, name in enumerate(names):
        where = {"puzzle": "block_party", "instance": name, "size": 16 * 4**number}
        fractional = {"fractional_max": 549 * number // 4, "agreeing": 100}
        rows += [where | {"solver": "highs", "total_s": 10.0**number}]
        rows += [where | STOPPED | FRACTIONAL | fractional | {"solver": "relaxation"}]
    runs = runs_of(*rows)
    measured = measurements(runs)
    found = explained(runs, measured)
    ((family, shown),) = decline_tables(measured, found).items()
    assert list(shown.columns) == ["model", "unknowns", "integral", "agreeing", "time"]
    assert [row[1:3] for row in shown.rows] == [["16", "all"], ["64", "75%"], ["256", "50%"]]
    assert [row[1] for row in smallest_and_largest(shown).rows] == ["16", "256"]
    assert not of_no_family(found, [family])


def test_shares_and_times_of_a_family_are_of_the_same_instances() -> None:
    names = list(catalogue.families("block_party")["size"])[:4]
    rows = []
    for name, size in zip(names, (16, 36, 64, 64), strict=True):
        where = {"puzzle": "block_party", "instance": name, "size": size}
        failed = {"status": Status.MEMOUT, "solutions": None, "witnesses": None} if size == 36 else {}
        rows.append(where | {"solver": "highs"} | failed)
        solver = "presolved_relaxation" if name == names[-1] else "relaxation"
        rows.append(where | STOPPED | FRACTIONAL | {"solver": solver})
    runs = runs_of(*rows)
    measured = measurements(runs)
    (shown,) = decline_tables(measured, explained(runs, measured)).values()
    assert [bool(row[2]) for row in shown.rows] == [True, True, False]
    assert shown.rows[1][-1] == "memout" and shown.rows[2][1] == "64"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["june_2022_example", "--family", "size"], "an instance of block_party, and a puzzle is wanted"),
        (["june_2022_example", "--backend", "csp"], "cpsat, milp, asp and backtrack"),
        (["june_2022_example", "--backend", "milp:highs"], "cpsat, milp, asp and backtrack"),
    ],
)
def test_what_cannot_be_explained_is_refused_in_a_line(words: list[str], said: str, command: Any) -> None:
    refused = command("explain", *words, "--dry-run")
    assert refused.returncode == 2 and said in refused.stderr and refused.stderr.count("\n") == 1


def test_explain_says_why_and_answers_at_once_when_asked_again(command: Any, tmp_path: Path) -> None:
    words = [
        "explain",
        "june_2022_example",
        "--backend",
        "backtrack",
        "--formulation",
        "shaving",
        "--repeat",
        "1",
    ]
    words += ["--out", tmp_path, "--no-plots"]
    first = command(*words)
    assert first.returncode == 0, first.stderr
    assert "june_2022_example, one solution, the best formulations" in first.stdout
    assert "hand search shaving" in first.stdout and not (tmp_path / "why.html").exists()
    before = (tmp_path / "runs.csv").read_bytes()
    again = command(*words)
    assert (tmp_path / "runs.csv").read_bytes() == before
    assert "All runs asked for are among" in again.stdout and "hand search shaving" in again.stdout


@pytest.mark.parametrize("compressed", [False, True])
def test_a_recorded_campaign_is_explained_on_a_page(command: Any, compressed: bool, tmp_path: Path) -> None:
    relaxation = STOPPED | POINT | {"solver": "relaxation"}
    runs = runs_of({"solver": "highs", "branches": 70}, {"solver": "nocuts"}, relaxation)
    synthetic.write(tmp_path, runs)
    if compressed:
        (tmp_path / "runs.csv.gz").write_bytes(gzip.compress((tmp_path / "runs.csv").read_bytes()))
        (tmp_path / "runs.csv").unlink()
    done = command("explain", tmp_path, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) <= 40 and str(tmp_path / "out" / "why.html") in done.stdout
    page = (tmp_path / "out" / "why.html").read_text(encoding="utf-8")
    assert "yet it needed 70 nodes" in page and "<svg" in page and "without cuts" in page
    assert len(list((tmp_path / "out" / "plots").iterdir())) == 2 and not (tmp_path / "why.html").exists()


def test_the_folder_that_campaigns_lie_in_is_no_campaign(command: Any, tmp_path: Path) -> None:
    synthetic.write(tmp_path / "campaign", runs_of({"solver": "highs"}, {"solver": "nocuts"}))
    refused = command("explain", tmp_path)
    assert refused.returncode == 2 and "this folder has no runs.csv" in refused.stderr


@pytest.mark.parametrize(
    ("variants", "words", "said"),
    [
        (True, ["--backend", "milp"], "is recorded"),
        (True, ["--no-plots"], "is recorded"),
        (False, [], "no variants of solvers"),
    ],
)
def test_what_is_recorded_and_cannot_be_explained_is_refused_in_a_line(
    variants: bool, words: list[str], said: str, command: Any, tmp_path: Path
) -> None:
    solvers = [{"solver": name} for name in ("highs", *(["nocuts"] if variants else []))]
    synthetic.write(tmp_path, runs_of(*solvers))
    refused = command("explain", tmp_path, *words)
    assert refused.returncode == 2 and said in refused.stderr and refused.stderr.count("\n") == 1
