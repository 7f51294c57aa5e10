"""Rewritten models have the same solutions; the model of the last solve is written to a file."""

from dataclasses import replace
from pathlib import Path

import pulp
import pytest

from bench import catalogue
from bench.campaign.execute import execute_run
from bench.campaign.plan import plan
from bench.campaign.results import Row
from bench.campaign.selection import Request
from bench.contract import Task
from bench.drivers._pulp import rewritten
from models.shared.milp import program
from tests.conftest import CAMPAIGN, MADE, Lab

CROSS = MADE / "number_cross_2x4.toml"
SOLUTIONS = 18


def executed(lab: Lab, backend: str, task: Task, rewriting: int, last_model: Path | str = "") -> Row:
    """The row of a run on CROSS."""
    instance, offer = catalogue.load(CROSS), lab.backends[backend.partition(":")[0]]
    request = Request(instances=[str(CROSS)], backends=[backend])
    runs = plan(request, [instance], lab.backends)
    run = next(run for run in runs if run.task == task)
    run = replace(run, rewriting=rewriting, last_model=str(last_model))
    return execute_run(lab.servers, instance, run, CAMPAIGN, offer).row


@pytest.mark.parametrize(
    "backend",
    ["cpsat", "milp:nopresolve", "milp:cpsat", pytest.param("cpmpy:ortools", marks=pytest.mark.extra)],
)
def test_the_solutions_are_the_same(lab: Lab, backend: str) -> None:
    rows = [executed(lab, backend, Task.COUNT, number) for number in (0, 1, 2, 3)]
    if rows[0].status == "unavailable":
        pytest.skip(rows[0].error)
    assert {(row.status, row.solutions) for row in rows} == {("solved", SOLUTIONS)}
    assert len({row.constraints for row in rows}) > 1, "some have redundant rows"


@pytest.mark.parametrize("backend", ["cpsat", "milp:nopresolve", "milp:cbc"])
def test_the_number_determines_the_model(lab: Lab, backend: str, tmp_path: Path) -> None:
    texts = []
    for number in (0, 0, 1, 1, 2):
        file = tmp_path / "model.mps"
        assert executed(lab, backend, Task.FIRST, number, file).status == "solved"
        texts.append(file.read_text())
    assert texts[0] == texts[1] and texts[2] == texts[3]
    assert len(set(texts)) == 3


def test_the_last_solve_of_a_count_has_no_solution_left(lab: Lab, tmp_path: Path) -> None:
    """One row for each solution is in the file, beside the model's own and the objective's."""
    row = executed(lab, "milp:nopresolve", Task.COUNT, 0, tmp_path / "model.mps")
    rows = (tmp_path / "model.mps").read_text().partition("ROWS\n")[2].partition("COLUMNS\n")[0]
    assert row.solutions == SOLUTIONS
    assert len(rows.splitlines()) == row.constraints + SOLUTIONS + 1


def test_variables_in_no_row_are_kept() -> None:
    problem = program("free")
    variables = {problem.add_variable(name, cat=pulp.LpBinary) for name in "ab"}
    assert set(rewritten(problem, 2).variables()) == variables
