"""Model and solver are two factors: the program of milp by CP-SAT, linear models of cpsat by HiGHS."""

import subprocess
import sys
from pathlib import Path

import pytest

from bench.catalogue import ROOT
from bench.contract import Task
from tests.conftest import MADE, Lab

FAMILIES = ROOT / "instances"
CASES = [
    (MADE / "infeasible.toml", "windows", "windows", 0),
    (MADE / "number_cross_2x4.toml", "textbook", "", 18),
    (MADE / "aristotle_half_given.toml", "mirrored", "", 1),
    (FAMILIES / "bug_byte/family-size/bug_byte_6_1.toml", "half_reified", "", 1),
    (FAMILIES / "choco_banana/family-size/choco_banana_4_1.toml", "flow", "", 1),
    (FAMILIES / "cross_sums/family-size/cross_sums_3_1.toml", "multisets", "multisets", 1),
    (FAMILIES / "die_agony/family-size/die_agony_4_1.toml", "pruned", "pruned", 11),
    (FAMILIES / "hooks/family-size/hooks_3_1.toml", "ranking", "", 1),
    (FAMILIES / "knight_moves/family-size/knight_moves_4_1.toml", "visits", "visits", 1),
    (FAMILIES / "sudoku/family-size/sudoku_4_1.toml", "textbook", "", 1),
    (FAMILIES / "twenty_four_seven/family-size/twenty_four_seven_1_1.toml", "flow", "", 1),
]
"""Of each kind a formulation of milp, one of cpsat that is linear, if HiGHS solves it soon, and the count."""


@pytest.mark.parametrize(
    ("path", "program", "linear", "count"), CASES, ids=lambda it: getattr(it, "stem", "")
)
def test_both_libraries_count_the_same(lab: Lab, path: Path, program: str, linear: str, count: int) -> None:
    """Flows, and whatever else the decisions do not determine, multiply no solutions."""
    for name, formulation in (("milp:cpsat", program), ("cpsat:highs", linear)):
        if formulation:
            row = lab.measure(path, name, formulation, Task.COUNT)
            assert (row.status, row.solutions) == ("solved" if count else "infeasible", count), row.error
            assert row.translate_s > 0 and row.solve_s > 0
            stated = lab.measure(path, name.split(":")[0], formulation, Task.FIRST)
            assert row.variables == stated.variables


def test_both_stop_at_the_time_limit(lab: Lab) -> None:
    for name, path, formulation in (
        ("milp:cpsat", FAMILIES / "magic_hexagon/aristotle.toml", "textbook"),
        ("cpsat:highs", FAMILIES / "knight_moves/august_2019.toml", "visits"),
    ):
        row = lab.measure(path, name, formulation, Task.COUNT, time_limit_s=0.5)
        assert (row.status, row.error) == ("timeout", "")


def test_what_is_not_linear_is_refused(lab: Lab) -> None:
    path = FAMILIES / "bug_byte/bug_byte.toml"
    row = lab.measure(path, "cpsat:highs", "half_reified", Task.FIRST)
    assert row.status == "unsupported"
    assert row.error.startswith("the model is not linear: constraint 0 is all_diff")


REFUSED = """
import pulp
from bench.contract import SolveRequest, Task, Unsupported
from bench.drivers import milp
from models.shared.model import Model

milp.load("cpsat")

def tried(*bounds, cat=pulp.LpInteger, factor=1, integral=False):
    problem = pulp.LpProblem("p")
    problem += 0
    x = problem.add_variable("x", *bounds, cat)
    problem += factor * x >= 1
    found = []
    model = Model(problem, lambda value: value(x), [x], integral=integral)
    try:
        request = SolveRequest(Task.COUNT, 9, 1, 1, "cpsat")
        milp.solve(model, request, lambda solution, _: found.append(solution))
    except Unsupported as reason:
        return str(reason)
    return sorted(found)

assert tried(0, 2) == [1, 2]
assert tried(0.5, 2.5, cat=pulp.LpContinuous, integral=True) == [1, 2]
for refused in (tried(0, 2, cat=pulp.LpContinuous), tried(0, None), tried(None, 2)):
    assert refused == "CP-SAT has integers with two bounds only; x is not said to be one", refused
assert tried(0, 2, factor=0.5) == "CP-SAT has whole coefficients only, not 0.5*x >= 1.0"
"""


def test_what_cp_sat_lacks_is_refused() -> None:
    """Continuous variables, unless the model says that whole numbers are enough."""
    said = subprocess.run([sys.executable, "-c", REFUSED], capture_output=True, text=True, cwd=ROOT)
    assert said.returncode == 0, said.stderr


UNCOUNTED = """
import pulp
from bench.contract import SolveRequest, Task, Unsupported
from bench.drivers import cpsat
from models.shared.model import Model
from ortools.sat.python import cp_model

cpsat.load("highs")
problem = cp_model.CpModel()
x, y, z = problem.new_int_var(0, 2, "x"), problem.new_bool_var("y"), problem.new_int_var(0, 1000, "z")
problem.add_bool_or(~y, ~y, y.negated())
problem.add_linear_constraint(x + 2 * y, 1, 3)

def counted(solver, *decisions):
    found = []
    request = SolveRequest(Task.COUNT, 9, 1, 1, solver)
    model = Model(problem.clone(), lambda value: (value(y), value(1 - y)), decisions)
    cpsat.solve(model, request, lambda solution, _: found.append(solution))
    return found

assert counted("highs", y) == counted("cpsat", y) == [(0, 1)]
assert len(counted("cpsat")) == 2 * 1001
try:
    counted("highs")
    raise AssertionError
except Unsupported as reason:
    assert "v0000000_x is not binary" in str(reason)
"""


def test_solutions_differ_in_decisions() -> None:
    """By default in all variables, which HiGHS does not tell apart if they are not binary."""
    said = subprocess.run([sys.executable, "-c", UNCOUNTED], capture_output=True, text=True, cwd=ROOT)
    assert said.returncode == 0, said.stderr
