"""Variants of CP-SAT: each mechanism is on or off as the name says, and propagation removes no solution."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bench import catalogue
from bench.campaign.execute import execute_run
from bench.campaign.plan import plan
from bench.campaign.selection import Request
from bench.catalogue import ROOT
from bench.contract import Task
from tests.conftest import CAMPAIGN, LAB, MADE, Lab

INSTANCES = ROOT / "instances"
JUNE = INSTANCES / "block_party" / "june_2022.toml"
BYTE = INSTANCES / "bug_byte" / "bug_byte.toml"
HEXAGON = INSTANCES / "magic_hexagon" / "aristotle.toml"
SUDOKU = INSTANCES / "sudoku" / "inkala_2012.toml"
OPEN = MADE / "june_2022_without_givens.toml"
CROSS = MADE / "number_cross_2x4.toml"

MECHANISMS = ("presolve", "probing", "lp", "symmetry")


@pytest.mark.parametrize(
    "name", ["cpsat", "bare", *(how + mechanism for how in ("no", "only") for mechanism in MECHANISMS)]
)
def test_a_mechanism_is_on_or_off(lab: Lab, name: str, tmp_path: Path) -> None:
    """By the log and the counters of a puzzle that presolve does not solve; only presolve logs probing."""
    instance, backend = catalogue.load(HEXAGON), lab.backends["cpsat"]
    request = Request(
        instances=[str(HEXAGON)],
        backends=[f"cpsat:{name}"],
        formulations=["textbook"],
        tasks=[Task.FIRST],
    )
    run, *_ = plan(request, [instance], lab.backends)
    row = execute_run(lab.servers, instance, replace(run, log=str(tmp_path / "log")), CAMPAIGN, backend).row
    log = (tmp_path / "log").read_text()
    assert row.status == "solved"
    seen = {
        "lp": row.lp_iterations > 0,
        "presolve": "[PresolveToFixPoint]" in log,
        "probing": "[Probe]" in log,
        "symmetry": "[Symmetry]" in log,
    }
    if name == "cpsat" or name.removeprefix("no") in MECHANISMS:
        on = set(MECHANISMS) - {name.removeprefix("no")}
    else:
        on = {name.removeprefix("only")} & set(MECHANISMS)
    assert {it for it in MECHANISMS if seen[it]} == on - ({"probing"} if "presolve" not in on else set())


def test_each_step_removes_more(lab: Lab) -> None:
    """What propagation leaves of Bug Byte probing decides, and that is the solution."""
    for path, formulation in ((JUNE, "windows"), (BYTE, "half_reified")):
        left = {}
        for name, status in (("propagation", "stopped"), ("probing", "solved")):
            row = lab.measure(path, f"cpsat:{name}", formulation, Task.COUNT)
            assert (row.status, row.failures == 0) == (status, name == "propagation"), row.error
            left[name] = row.values_left
        assert row.solutions == 1 and row.presolved_variables == 0
        assert row.variables == left["probing"] < left["propagation"] < row.values


def test_propagation_may_find_that_there_is_no_solution(lab: Lab) -> None:
    row = lab.measure(MADE / "infeasible.toml", "cpsat:propagation", "windows", Task.COUNT)
    assert (row.status, row.values_left) == ("infeasible", None)


def test_variants_solve_rewritten_models(lab: Lab) -> None:
    instance, backend = catalogue.load(CROSS), lab.backends["cpsat"]
    for name in ("bare", "fixed", "probing"):
        request = Request(instances=[str(CROSS)], backends=[f"cpsat:{name}"], tasks=[Task.COUNT])
        run, *_ = plan(request, [instance], lab.backends)
        row = execute_run(lab.servers, instance, replace(run, rewriting=1), CAMPAIGN, backend).row
        expected = ("stopped", None) if name == "probing" else ("solved", 18)
        assert (row.status, row.solutions if row.status == "solved" else None) == expected, row.error


CHECK = """
from dataclasses import replace
from pathlib import Path
from sys import argv
from bench import catalogue
from bench.contract import SolveRequest, Task
from bench.drivers import cpsat

domains = []
domain_sizes = cpsat.domain_sizes

def recorded(variables):
    domains.append([list(variable.domain) for variable in variables])
    return domain_sizes(variables)

cpsat.domain_sizes = recorded

def contains(domain, value):
    return any(low <= value <= high for low, high in zip(domain[::2], domain[1::2]))

for path in argv[1:]:
    instance = catalogue.load(Path(path))
    for name, formulation in catalogue.formulations(instance.puzzle_name, "cpsat").items():
        model = cpsat.build(formulation, instance.puzzle)
        problem = model.problem
        variables = [problem.get_int_var_from_proto_index(i) for i in range(len(problem.proto.variables))]
        model = replace(model, decode=lambda value: [value(x) for x in variables])

        def solve(solver, rewriting=0):
            found = []
            request = SolveRequest(Task.COUNT, 60, 1, 1, solver, rewriting)
            return cpsat.solve(model, request, lambda solution, _: found.append(solution)), found

        outcome, solutions = solve("fixed")
        assert outcome.complete and solutions
        if path == argv[1]:
            assert solutions == sorted(solutions), f"{name}: fixed does not branch in the order of the model"
        for solver in ("propagation", "probing"):
            for rewriting in (0, 1):
                domains.clear()
                outcome, found = solve(solver, rewriting)
                left, stated = domains
                assert len(left) == len(stated)
                for solution in solutions:
                    kept = [contains(domain, value) for domain, value in zip(left, solution)]
                    assert all(kept), f"{name}: {solver} removes a value of a solution"
                assert outcome.values_left <= outcome.values
                assert outcome.stopped != outcome.complete
                assert found == (solutions if outcome.complete else [])
        print(path, name, len(solutions), outcome.values, outcome.values_left)
"""
"""Compares the domains that variants leave with all solutions, which CP-SAT itself enumerates."""


def test_no_value_of_a_solution_is_removed() -> None:
    """And `fixed` finds solutions in lexicographic order, if presolve does not replace variables."""
    paths = [OPEN, BYTE, MADE / "aristotle_half_given.toml", SUDOKU]
    checked = subprocess.run(
        [sys.executable, "-c", CHECK, *map(str, paths)], capture_output=True, text=True, cwd=ROOT, timeout=300
    )
    assert checked.returncode == 0, checked.stderr
    assert len(checked.stdout.splitlines()) >= 2 * len(paths)


def test_variants_have_one_thread() -> None:
    """The other threads of CP-SAT would search with other parameters."""
    offered = LAB.backends["cpsat"].solvers
    assert {name for name, solver in offered.items() if solver.parallel} == {"cpsat", "highs"}
    assert {name for name, solver in offered.items() if not solver.variant} == {"cpsat", "highs"}
