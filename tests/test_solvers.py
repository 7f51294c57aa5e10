"""Every solver that is installed, on a small instance of each puzzle; what is said of those that are not."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench import catalogue
from bench.campaign.plan import plan
from bench.campaign.selection import Request, Solvers
from bench.catalogue import ROOT
from bench.contract import LOCAL, Status, Task
from tests.conftest import LAB, Lab

FAMILIES = ROOT / "instances"
SMALL = [
    FAMILIES / "block_party/family-size/block_party_4_1.toml",
    FAMILIES / "bug_byte/family-size/bug_byte_6_1.toml",
    FAMILIES / "die_agony/family-size/die_agony_4_1.toml",
    ROOT / "tests/instances/aristotle_half_given.toml",
    FAMILIES / "number_cross/family-size/number_cross_3_1.toml",
]
INSTALLED = [
    f"{name}:{solver}"
    for name, backend in LAB.backends.items()
    for solver, found in backend.solvers.items()
    if not (backend.missing or found.missing or found.variant or name == LOCAL)
]
CANNOT_COUNT = ("csp:minconflicts", "cpmpy:minizinc/coin-bc")
SMALLER = {SMALL[2]: ROOT / "tests/instances/die_agony_2x2.toml"}
WEAK = (
    *("csp:backtracking", "csp:minconflicts", "csp:optimized", "csp:recursive"),
    *("cpmpy:cplex", "cpmpy:gurobi", "cpmpy:highs", "cpmpy:pindakaas", "cpmpy:scip"),
)
"""Stock solvers of python-constraint and those without tables, for which a table is slow or too large."""


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
@pytest.mark.parametrize("name", INSTALLED)
def test_a_solver_agrees_with_the_search_by_hand(lab: Lab, name: str, path: Path) -> None:
    """One solution, checked, and as many in all; what cannot count says so."""
    path = SMALLER.get(path, path) if name in WEAK else path
    puzzle = catalogue.load(path).puzzle_name
    backend = name.partition(":")[0]
    by_hand = lab.measure(path, "backtrack", lab.backends["backtrack"].formulations[puzzle][0], Task.COUNT)
    formulation = lab.backends[backend].formulations[puzzle][0]
    row = lab.measure(path, name, formulation, Task.FIRST)
    if name == "cpsat:highs" and row.status == "unsupported":
        assert "not linear" in row.error
        return
    if path in SMALLER.values() and "free edition" in row.error:
        pytest.skip(row.error)
    assert (row.status, row.error) == ("solved", "")
    row = lab.measure(path, name, formulation, Task.COUNT)
    if name in CANNOT_COUNT:
        assert row.status == "unsupported" and "cannot count" in row.error
    else:
        assert (row.status, row.solutions) == ("solved", by_hand.solutions)


MIP = "presolved_variables presolved_constraints presolved_nonzeros branches lp_iterations"
FIGURES = {
    "asp:clingcon": "presolved_variables presolved_constraints branches failures restarts",
    "cpmpy:choco": "branches failures restarts",
    "cpmpy:cplex": MIP,
    "cpmpy:exact": "branches failures propagations restarts",
    "cpmpy:gurobi": MIP,
    "cpmpy:highs": MIP,
    "cpmpy:minizinc/gecode": "search_s branches failures propagations restarts",
    "cpmpy:ortools": "presolved_variables presolved_constraints branches failures propagations restarts",
    "cpmpy:z3": "branches failures propagations",
    "milp:cplex": MIP,
    "milp:cpsat": "presolved_variables presolved_constraints branches failures work restarts",
    "milp:gurobi": MIP,
}
"""What these solvers tell of Bug Byte; docs/columns.md says from where."""


@pytest.mark.parametrize("name", FIGURES)
def test_a_solver_tells_its_figures(lab: Lab, name: str) -> None:
    if name not in INSTALLED:
        pytest.skip(f"{name} is not installed")
    formulation = lab.backends[name.partition(":")[0]].formulations["bug_byte"][0]
    # The free editions of two refuse the published one.
    instance = "bug_byte_12_1" if name in ("cpmpy:cplex", "cpmpy:gurobi") else "bug_byte"
    row = lab.measure(catalogue.find_instance(instance), name, formulation, Task.FIRST)
    assert row.status == "solved"
    assert all(getattr(row, figure) is not None for figure in FIGURES[name].split()), row
    assert row.build_s > 0 and row.solve_s > 0
    assert (row.translate_s or 0) > 0 or name.startswith("milp:")


def test_minizinc_is_out_of_time_before_it_tells_anything(lab: Lab) -> None:
    """Which CPMpy takes for something that it does not know."""
    name = "cpmpy:minizinc/gecode"
    if name not in INSTALLED:
        pytest.skip(f"{name} is not installed")
    for task in (Task.FIRST, Task.COUNT):
        row = lab.measure(catalogue.find_instance("june_2022"), name, "textbook", task, time_limit_s=0.2)
        assert row.status == "timeout", row


@pytest.mark.parametrize(
    ("instance", "formulation", "constraint"),
    [
        ("june_2022_example", "textbook", "all_different_int"),
        ("may_2024", "textbook", "regular"),
        (FAMILIES / "knight_moves/family-size/knight_moves_4_1.toml", "textbook", "table_int"),
    ],
)
def test_gecode_propagates_global_constraints(
    lab: Lab, command: Any, instance: str | Path, formulation: str, constraint: str
) -> None:
    """MiniZinc would decompose them for Debian's Gecode 6.2.0, and finds them under other names later."""
    name = "cpmpy:minizinc/gecode"
    if name not in INSTALLED or lab.backends["cpmpy"].solvers["minizinc/gecode"].version != "6.2.0":
        pytest.skip(f"{name} 6.2.0 is not installed")
    words = "export", instance, "--backend", name, "--formulation", formulation, "--format", "fzn"
    assert f"\nconstraint gecode_{constraint}(" in command(*words).stdout


def test_choco_claims_nothing_when_its_time_is_up(lab: Lab) -> None:
    """CPMpy calls a search that ends within its limit complete, and Choco cuts the limit to milliseconds."""
    if "cpmpy:choco" not in INSTALLED:
        pytest.skip("cpmpy:choco is not installed")
    for seed in range(1, 4):
        path = catalogue.find_instance("aristotle")
        row = lab.measure(path, "cpmpy:choco", "textbook", Task.COUNT, seed, time_limit_s=0.4)
        assert row.status == Status.TIMEOUT, row


@pytest.mark.parametrize("name", [name for name in INSTALLED if name.startswith(("milp:", "cpmpy:cplex"))])
def test_an_integer_program_that_is_stopped_proves_nothing(lab: Lab, name: str) -> None:
    """If CPLEX found no solution in its time, PuLP (3.3.2) calls that infeasible, CPMpy (1.1.1) an error."""
    path = catalogue.find_instance("market_split_60_2")
    row = lab.measure(path, name, "textbook", Task.COUNT, time_limit_s=0.4)
    assert row.status == Status.TIMEOUT, row


@pytest.mark.parametrize("name", [name for name in INSTALLED if name in ("cpsat:cpsat", "cpmpy:ortools")])
def test_cpsat_counts_all_with_several_threads(lab: Lab, name: str) -> None:
    """CP-SAT 9.15 misses solutions if several threads enumerate them (docs/found.md)."""
    path = ROOT / "results/found/cp-sat-parallel-enumeration/instance.toml"
    row = lab.measure(path, name, "textbook", Task.COUNT, threads=(2,))
    assert (row.threads, row.status, row.solutions) == (1, Status.SOLVED, 6), row


@pytest.mark.parametrize(
    ("name", "hidden"),
    [
        ("milp:cbc", "highspy"),
        ("milp:cpsat", "highspy"),
        ("cpsat:highs", "gurobipy"),
        ("cpmpy:choco", "ortools"),
    ],
)
def test_a_solver_has_a_process_without_the_other_libraries(name: str, hidden: str) -> None:
    """PuLP and CPMpy would import all that are installed, and some cannot live together."""
    if name not in INSTALLED:
        pytest.skip(f"{name} is not installed")
    backend, solver = name.split(":")
    load = f"import sys; from bench.catalogue import driver; driver({backend!r}).load({solver!r})"
    said = subprocess.run(
        [sys.executable, "-c", f"{load}; print(sys.modules[{hidden!r}])"],
        capture_output=True, text=True, check=True, cwd=ROOT,
    )  # fmt: skip
    assert said.stdout.strip() == "None"


@pytest.mark.parametrize("name", ["cpmpy:cpo", "cpmpy:hexaly", "milp:scip"])
def test_a_solver_that_is_not_there_says_what_would_bring_it(lab: Lab, name: str) -> None:
    backend = name.partition(":")[0]
    if name in INSTALLED or lab.backends[backend].missing:
        pytest.skip(f"{name} is installed, or all of {backend} is not")
    row = lab.measure(SMALL[0], name, lab.backends[backend].formulations["block_party"][0], Task.FIRST)
    assert row.status == "unavailable"
    assert "install" in row.error and "\n" not in row.error


@pytest.mark.parametrize("name", ["milp:cplex", "cpmpy:cplex"])
def test_a_free_edition_says_that_a_model_is_too_large(lab: Lab, name: str) -> None:
    """Block Party 4 has 1,289 constraints; the free edition of CPLEX takes 1,000."""
    if name not in INSTALLED:
        pytest.skip(f"{name} is not installed")
    row = lab.measure(ROOT / "instances/block_party/june_2022.toml", name, "textbook", Task.FIRST)
    assert row.status == "unsupported"
    assert "free edition" in row.error and re.search("size limits .*exceeded", row.error)


@pytest.mark.parametrize(
    ("program", "missing"),
    [
        ("no program", "install MiniZinc 2.6.4 or newer.*; the one on the path says no version"),
        ("#!/bin/sh\necho version 2.5.5", "install MiniZinc 2.6.4.*; the one on the path says version 2.5.5"),
        ("#!/bin/sh\necho version 2.6.4", "install Gecode for MiniZinc"),
    ],
)
def test_a_broken_minizinc_harms_no_other_solver(tmp_path: Path, program: str, missing: str) -> None:
    """What is on the path under that name need not be MiniZinc, nor run at all, nor have solvers."""
    (tmp_path / "minizinc").write_text(program)
    (tmp_path / "minizinc").chmod(0o755)
    solvers = "driver('cpmpy').solvers().items()"
    code = f"from bench.catalogue import driver; print({{name: each.missing for name, each in {solvers}}})"
    said = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, cwd=ROOT, env=os.environ | {"PATH": str(tmp_path)},
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    found = ast.literal_eval(said.stdout)
    assert "choco" in found and re.search(missing, found["minizinc/gecode"])


def test_all_solvers_are_those_that_are_installed(lab: Lab) -> None:
    """`--solvers all` for every backend, or for one; the core without it."""
    instance = catalogue.load(SMALL[0])

    def names(**request: Any) -> set[str]:
        return {
            f"{run.backend}:{run.solver}"
            for run in plan(Request(instances=[str(SMALL[0])], **request), [instance], lab.backends)
        }

    assert names(solvers=Solvers.ALL) == set(INSTALLED)
    assert names(solvers=Solvers.ALL, backends=["milp"]) == {n for n in INSTALLED if n.startswith("milp:")}
    variants = names(solvers=Solvers.VARIANTS, backends=["milp"])
    assert {"milp:highs", "milp:nopresolve"} < variants and "milp:cbc" not in variants
    assert names() == {"asp:clingo", "backtrack:python", "cpsat:cpsat", "csp:recursive", "milp:highs"}
