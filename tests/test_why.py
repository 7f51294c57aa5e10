"""Why: what variants say of mechanisms, from invented rows and from a campaign."""

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
from bench.analysis.plots.svg import render
from bench.analysis.variants import is_variant
from bench.contract import Status
from bench.instruments.explain.decline import declines, in_detail, on_decline, shares_at_root
from bench.instruments.explain.mechanisms import BEFORE, Explained, explained
from bench.instruments.explain.overview import explanation, overview
from bench.instruments.explain.pictures import why_pictures
from bench.instruments.explain.sentences import Sentence, sentences
from bench.instruments.explain.summary import contributions
from bench.instruments.explain.table import left_rows, mechanism_rows
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


def explain(*solvers: dict[str, Any]) -> tuple[list[Explained], list[Sentence]]:
    """The one problem of these solvers, and what is said of it."""
    runs = runs_of(*solvers)
    (models,) = explained(runs, measurements(runs)).values()
    return models, sentences(models)


def texts(said: Sequence[Sentence], contradicts: bool = False) -> str:
    """The sentences of one kind."""
    return " ".join(each.text for each in said if each.contradicts == contradicts)


def test_the_names_say_which_solvers_are_variants() -> None:
    for name, backend in LAB.backends.items():
        for solver, offered in backend.solvers.items():
            assert is_variant(name, solver) == offered.variant, f"{name}:{solver}"


def test_a_single_integral_point_needs_no_branching() -> None:
    solvers = {"solver": "highs", "branches": 1}, STOPPED | POINT | {"solver": "relaxation"}
    _, said = explain(*solvers)
    assert "HiGHS needs no branching on `windows`" in texts(said) and not texts(said, contradicts=True)


@pytest.mark.parametrize(
    ("relaxation", "said"),
    [(POINT, "by relaxation: HiGHS `windows`."), (FRACTIONAL, "by none of the means that were measured")],
)
def test_first_stands_what_decides_each_model(relaxation: Any, said: str) -> None:
    models, _ = explain({"solver": "highs"}, STOPPED | relaxation | {"solver": "relaxation"})
    assert said in explanation(models)[0].text


@pytest.mark.parametrize(("left", "said_so"), [(100, True), (101, False)])
def test_branches_of_probing_are_told_from_those_of_search(left: int, said_so: bool) -> None:
    cpsat = {"backend": "cpsat", "variables": 100, "branches": 81}
    status = Status.SOLVED if left == 100 else Status.STOPPED
    probing = cpsat | {"solver": "probing", "status": status, "values": 200, "values_left": left}
    _, said = explain(cpsat | {"solver": "cpsat", "branches": 0}, cpsat | {"solver": "nopresolve"}, probing)
    assert ("81 branches on `windows`, which are all of probing" in texts(said)) == said_so


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
        ({}, STOPPED | {"solver": "relaxation", "relaxation_feasible": 0}, "found a solution"),
        ({}, STOPPED | {"solver": "presolved_relaxation", "relaxation_feasible": 0}, "found a solution"),
    ],
)
def test_what_does_not_fit_is_said(default: Any, variant: Any, contradiction: str) -> None:
    _, said = explain({"solver": "highs"} | default, variant)
    assert contradiction in texts(said, contradicts=True)


@pytest.mark.parametrize("times", [1.0, 0.3, 3.0])
def test_a_difference_is_said_where_there_is_one(times: float) -> None:
    _, said = explain({"solver": "highs"}, {"solver": "nocuts", "total_s": times})
    kind = "no significant difference" if times == 1 else "faster" if times < 1 else "slower"
    assert f"{kind} without cuts" in texts(said)
    assert ("95% interval" in texts(said)) == (times != 1)


def test_what_is_not_solved_has_no_time_and_no_ratio() -> None:
    failed = {"status": Status.TIMEOUT, "solutions": None, "witnesses": None}
    (model,), said = explain({"solver": "highs"}, failed | {"solver": "bare"}, {"solver": "onlycuts"})
    assert "slower with none of its mechanisms (more than 1 min)" in texts(said).replace("60 s", "1 min")
    assert "no significant difference between cuts alone and all" in texts(said)
    assert model.bare and not model.bare.solved


def test_the_root_is_known_of_runs_that_were_stopped() -> None:
    relaxation = STOPPED | FRACTIONAL | {"solver": "relaxation", "agreeing": 200}
    after = STOPPED | POINT | {"solver": "presolved_relaxation", "presolved_variables": 30}
    probing = STOPPED | {"backend": "cpsat", "variables": 10, "values": 110, "values_left": 60}
    cpsat = {"backend": "cpsat", "solver": "cpsat"}
    _, said = explain({"solver": "highs"}, relaxation, after, cpsat, probing | {"solver": "probing"})
    assert "147 to 172 of 549 variables of the linear relaxation are fractional" in texts(said)
    assert "after presolve none of 30 is, a single point" in texts(said)
    assert "CP-SAT removes 50% by probing" in texts(said)


SEEDS = {"seed": [1, 2, 3, 4, 5]}
TIMEOUT = Status.TIMEOUT


def solved_by(*statuses: Status) -> dict[str, Any]:
    """A run of each seed with these statuses."""
    return SEEDS | {"status": list(statuses), "witnesses": None}


def test_no_branching_is_said_if_it_holds_with_every_seed() -> None:
    empty = {"solver": "highs", "branches": 0, "presolved_variables": 0, "presolved_constraints": 0}
    without = SEEDS | {"solver": "nopresolve", "branches": [1, 1, 1, 1, 21]}
    _, said = explain(SEEDS | empty, without)
    assert "does not branch" not in texts(said, contradicts=True) and "1 to 21 nodes" in texts(said)


def test_what_is_called_all_or_none_is_so_with_every_seed() -> None:
    left = {"presolved_variables": [0, 0, 0, 0, 6], "presolved_constraints": 0, "branches": 0}
    point = STOPPED | POINT | {"solver": "relaxation", "single_point": [1, 1, 1, 1, 0]}
    cpsat = {"backend": "cpsat", "variables": 10}
    values = {"values": 20, "values_left": [10, 10, 10, 10, 11]}
    probing = STOPPED | cpsat | values | {"solver": "probing"}
    models, said = explain(SEEDS | left | {"solver": "highs"}, point, cpsat | {"solver": "cpsat"}, probing)
    assert "leaves no variables" not in texts(said) and "needs no branching" not in texts(said)
    assert "removes 90% by probing" in texts(said)
    (row,) = (row for row in left_rows(models) if row.model.startswith("HiGHS"))
    assert row.presolved == "0 to 6" and row.agreeing != "a single point"


@pytest.mark.parametrize("solved", [2, 4])
def test_what_is_solved_with_some_seeds_is_said_so_without_branches(solved: int) -> None:
    statuses = [Status.SOLVED] * solved + [TIMEOUT] * (5 - solved)
    part = solved_by(*statuses) | {"solver": "nocuts", "branches": [777] * solved + [None] * (5 - solved)}
    runs = runs_of(SEEDS | {"solver": "highs", "branches": 1}, part)
    (models,) = explained(runs, measurements(runs)).values()
    said = texts(sentences(models))
    assert f"solved with {solved} of 5 seeds" in said and "777" not in said
    (row,) = mechanism_rows(models)
    assert f"solved with {solved} of 5 seeds" in row.without and "777" not in row.without
    (picture,) = why_pictures(runs, measurements(runs))
    # Its words and tooltips: any digits may stand in an id.
    words = " ".join(ElementTree.fromstring(render(picture.figure(), picture.name)).itertext())
    assert f"solved with {solved} of 5 seeds" in words and "777" not in words
    assert ("more than" in row.without) == (solved < 3)


def test_what_both_leave_unsolved_differs_in_nothing_and_what_crashed_is_not_compared() -> None:
    failed = {"status": TIMEOUT, "solutions": None, "witnesses": None}
    crashed = failed | {"solver": "bare", "status": Status.CRASHED}
    _, said = explain(failed | {"solver": "highs"}, failed | {"solver": "nocuts"}, crashed)
    assert "unsolved by both without cuts" in texts(said)
    assert "no significant" not in texts(said) and "none of its" not in texts(said)


def test_a_default_that_shaves_is_not_propagation() -> None:
    search = {"backend": "backtrack", "formulation": "shaving", "variables": 10, "values": 110}
    solvers = [
        search | {"solver": "python", "values_left": 10, "branches": 0},
        search | {"solver": "full", "values_left": 60, "branches": 5},
        search | {"solver": "shaving", "values_left": 10, "branches": 0},
    ]
    runs = runs_of(*solvers)
    measured = measurements(runs)
    found = explained(runs, measured)
    (models,) = found.values()
    (row,) = left_rows(models)
    assert (row.propagation, row.probing, row.before) == ("50%", "all", "")
    assert overview(measured, found)[0].decided == ["shaving: the hand search shaving"]
    assert shares_at_root(models[0]) == {"propagation": 0.5, "shaving": 1.0}
    models, _ = explain(
        search | {"solver": "python", "values_left": 10}, {"solver": "highs"}, {"solver": "bare"}
    )
    assert [each.removed for each in models if each.backend == "backtrack"] == [{BEFORE: 1.0}]


@pytest.mark.parametrize("backend", ["cpsat", "asp"])
def test_branches_after_propagation_that_decides_everything_are_said(backend: str) -> None:
    model = {"backend": backend, "variables": 10, "branches": 0}
    default = {"cpsat": "cpsat", "asp": "clingo"}[backend]
    decided = model | {"solver": "propagation", "values": 20, "values_left": 10}
    bare = model | {"solver": "bare", "branches": 7}
    _, said = explain(model | {"solver": default}, decided, bare)
    assert "decides every variable of `windows` by propagation" in texts(said)
    assert "7 branches with none of its mechanisms" in texts(said, contradicts=True)


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
    (row,) = contributions(measured, explained(runs, measured))
    assert len(row.ratios) == 2 and (row.slower, row.faster, row.unsolved) == (1, 0, 1)
    # 60 s is the time limit.
    assert row.mean == pytest.approx((4 * 60) ** 0.5, rel=0.1) and max(row.ratios) == pytest.approx(60, 0.1)


def test_variants_stay_out_of_what_compares_solvers() -> None:
    runs = runs_of({"solver": "highs"}, {"solver": "cbc"}, {"solver": "nocuts"})
    measured = measurements(runs)
    assert [each.label for each in measured] == ["milp:cbc", "milp:highs", "milp:nocuts"]
    assert [each.solver for each in without_variants(measured)] == ["cbc", "highs"]
    alone = [each for each in measured if each.solver == "nocuts"]
    assert without_variants(alone) == alone and not explained(runs, alone)


def test_the_picture_and_the_overview_have_every_mechanism() -> None:
    solvers = [{"solver": name} for name in ("highs", "nocuts", "onlycuts", "noheuristics", "bare")]
    runs = runs_of(*solvers, STOPPED | POINT | {"solver": "relaxation"})
    measured = measurements(runs)
    (row,) = overview(measured, explained(runs, measured))
    assert set(row.cells) == {("milp", "cuts"), ("milp", "heuristics")}
    assert row.decided == ["relaxation: HiGHS windows"]
    (picture,) = why_pictures(runs, measured)
    drawn = render(picture.figure(), picture.name)
    assert all(words in drawn for words in ("cuts", "heuristics", "a single point", "HiGHS windows"))


def test_of_several_instances_a_picture_shows_what_is_decided_before_search() -> None:
    relaxations = [
        STOPPED | figures | {"solver": "relaxation", "instance": name}
        for name, figures in (("easy", POINT), ("hard", FRACTIONAL))
    ]
    runs = runs_of(*({"solver": "highs", "instance": name} for name in ("easy", "hard")), *relaxations)
    pictures = {picture.name: picture for picture in why_pictures(runs, measurements(runs))}
    assert len(pictures) == 3
    drawn = render(pictures["decided"].figure(), "decided")
    assert "one point" in drawn and f"{1 - 172 / 549:.0%}" in drawn


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
    (one,) = declines(measured, found)
    shares = [share.median for share in one.shares["integral"].values()]
    assert shares == sorted(shares, reverse=True) and shares[0] == 1
    said = texts(list(on_decline(one)))
    assert "from 16 to 256 unknowns" in said and "goes from all to 50%" in said
    assert not in_detail(found, [one.family])
    (picture,) = why_pictures(runs, measured)
    assert "HiGHS windows" in render(picture.figure(), picture.name)


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
    (one,) = declines(measured, explained(runs, measured))
    assert list(one.shares["integral"]) == [16, 36] and list(one.times) == [16, 36, 64]
    assert "to memout" in texts(list(on_decline(one)))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["june_2022_example", "--family", "size"], "june_2022_example is an instance"),
        (["june_2022_example", "--backend", "csp"], "cpsat, milp, asp and backtrack"),
        (["june_2022_example", "--backend", "milp:highs"], "write milp"),
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
    assert "june_2022_example, one solution: why" in first.stdout
    assert "by what it propagates: what assigned values exclude" in first.stdout
    before = (tmp_path / "runs.csv").read_bytes()
    again = command(*words)
    assert (tmp_path / "runs.csv").read_bytes() == before
    assert "All runs asked for are among" in again.stdout and "what assigned values exclude" in again.stdout
