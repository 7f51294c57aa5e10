"""Variants of HiGHS: those of the linear relaxation, and the one that stops after the root node."""

import subprocess
import sys
from pathlib import Path

import pytest

from bench import catalogue
from bench.catalogue import INSTANCES, ROOT
from bench.contract import Status, Task
from tests.conftest import MADE, Lab
from tests.test_solvers import SMALL

JUNE = INSTANCES / "block_party" / "june_2022.toml"
EXAMPLE = INSTANCES / "block_party" / "june_2022_example.toml"
CROSS = INSTANCES / "number_cross" / "may_2024_example.toml"
HEXAGON = INSTANCES / "magic_hexagon" / "aristotle.toml"
TRIED = [*SMALL, EXAMPLE, MADE / "infeasible.toml"]


@pytest.mark.parametrize("task", [Task.FIRST, Task.COUNT])
def test_with_windows_the_relaxation_is_one_integral_point(lab: Lab, task: Task) -> None:
    """So Block Party 4 is a linear program: its solution is found and proven to be the only one."""
    row = lab.measure(JUNE, "milp:relaxation", "windows", task)
    assert (row.status, row.solutions, row.error) == ("solved", 1, "")
    assert (row.relaxation_feasible, row.single_point, row.branches) == (1, 1, 0)
    assert row.fractional_min == row.fractional_max == 0
    assert row.agreeing == row.variables and row.lp_iterations > 0
    assert row.presolved_variables is None


def test_with_pairs_the_relaxation_is_fractional_and_presolve_removes_all(lab: Lab) -> None:
    """Presolve may remove solutions too, so what it leaves counts none."""
    row = lab.measure(JUNE, "milp:relaxation", "textbook", Task.FIRST)
    assert (row.status, row.solutions, row.single_point) == ("stopped", 0, 0)
    assert 0 < row.fractional_min <= row.fractional_max < row.variables
    assert 0 < row.agreeing < row.variables
    row = lab.measure(JUNE, "milp:presolved_relaxation", "textbook", Task.FIRST)
    assert (row.status, row.solutions, row.single_point) == ("solved", 1, 1)
    assert row.presolved_variables == row.agreeing == row.fractional_max == row.lp_iterations == 0
    assert lab.measure(JUNE, "milp:presolved_relaxation", "textbook", Task.COUNT).status == "stopped"


@pytest.mark.parametrize("path", TRIED, ids=lambda path: path.stem)
def test_what_does_not_branch_agrees_with_highs(lab: Lab, path: Path) -> None:
    """They claim the same or nothing: a point that is integral is one solution, and no point is none."""
    formulation = lab.backends["milp"].formulations[catalogue.load(path).puzzle_name][0]
    highs = lab.measure(path, "milp:highs", formulation, Task.COUNT)
    for solver in ("relaxation", "presolved_relaxation", "root"):
        row = lab.measure(path, f"milp:{solver}", formulation, Task.COUNT)
        assert row.status in (Status.SOLVED, Status.INFEASIBLE, Status.STOPPED), row.error
        assert row.status == "stopped" or row.solutions == highs.solutions
        if solver == "relaxation":
            assert row.relaxation_feasible or highs.status == "infeasible"
            assert not row.single_point or row.agreeing == row.variables


def test_presolve_is_off_where_the_name_says_so(lab: Lab) -> None:
    """HiGHS tells what presolve leaves if it has any."""
    for solver, presolves in (("nopresolve", False), ("bare", False), ("onlycuts", False), ("nocuts", True)):
        row = lab.measure(EXAMPLE, f"milp:{solver}", "textbook", Task.FIRST)
        assert row.status == "solved" and (row.presolved_variables == 0) == presolves


def test_the_root_is_one_node(lab: Lab) -> None:
    """Of a model that needs hundreds of them."""
    row = lab.measure(HEXAGON, "milp:root", "textbook", Task.FIRST)
    assert row.branches <= 1 and row.status in ("stopped", "solved")


def test_one_point_is_one_by_definition() -> None:
    """On random programs: no variable has a smaller or a greater value in another solution."""
    code = """
import random
import pulp
from bench.contract import SolveRequest, Task, Unsupported
from bench.drivers import milp
milp.load("highs")
from bench.drivers import _highs
from models.shared.model import Model

def width(problem, variable):
    problem.setObjective(1 * variable)
    least, _ = _highs.translate(problem, {"solve_relaxation": True})
    problem.setObjective(-1 * variable)
    most, _ = _highs.translate(problem, {"solve_relaxation": True})
    least.run(), most.run()
    return -most.getObjectiveValue() - least.getObjectiveValue()

draw = random.Random(1)
seen = []
for number in range(80):
    problem = pulp.LpProblem(f"p{number}")
    problem.setObjective(pulp.LpAffineExpression())
    uppers = [draw.choice((1, 1, 3)) for _ in range(draw.randint(1, 5))]
    some = [pulp.LpVariable(f"x{i}", 0, upper, pulp.LpInteger) for i, upper in enumerate(uppers)]
    point = [draw.randint(0, variable.upBound) for variable in some]
    for _ in range(draw.randint(1, len(some) + 1)):
        signs = [draw.choice((-1, 0, 1, 1)) for _ in some]
        row = pulp.lpSum(sign * variable for sign, variable in zip(signs, some))
        value = sum(map(int.__mul__, signs, point))
        problem += row == value if draw.random() < 0.7 else row <= value
    variables = problem.variables()
    if not variables:
        continue
    solutions = []
    model = Model(problem, lambda value: tuple(map(value, variables)), variables)
    request = SolveRequest(Task.FIRST, 9, 1, 1, "relaxation")
    outcome = milp.solve(model, request, lambda solution, _: solutions.append(solution))
    is_point = all(width(problem, variable) < 1e-6 for variable in variables)
    assert outcome.single_point == is_point, problem
    expected = tuple(point[int(variable.name[1:])] for variable in variables)
    assert not is_point or solutions == [expected], problem
    seen.append(is_point)
assert 10 < sum(seen) < len(seen) - 10, seen
try:
    _highs.translate(problem, {"no_such_option": 1})
    raise AssertionError
except Unsupported as error:
    assert "no_such_option" in str(error)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert result.returncode == 0, result.stderr
