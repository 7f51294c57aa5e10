"""Lazy constraints: models that leave constraints out until a solution breaks them."""

import json
import subprocess
import sys
from itertools import product

import pytest

from bench.catalogue import ROOT
from models.shared.grid import connected_parts

CELLS = [(row, column) for row in range(3) for column in range(3)]

SUBSETS = [
    [cell for cell, kept in zip(CELLS, bits, strict=True) if kept] for bits in product((0, 1), repeat=9)
]

CONNECTED = {tuple(cells) for cells in SUBSETS if len(cells) >= 2 and len(connected_parts(cells)) == 1}

CODE = """
import json, sys
from dataclasses import asdict
from importlib import import_module

from bench.contract import SolveRequest, Task
from models.shared.grid import connected_parts, neighbours
from models.shared.model import Model

backend, solver, task, rewriting, cells = sys.argv[1:]
CELLS = [*map(tuple, json.loads(cells))]
driver = import_module(f"bench.drivers.{backend}")
driver.load(solver)
if backend == "cpsat":
    from ortools.sat.python import cp_model
    problem = cp_model.CpModel()
    x = {cell: problem.new_bool_var("") for cell in CELLS}
    problem.add(sum(x.values()) >= 2)
else:
    import pulp
    problem = pulp.LpProblem()
    x = {cell: problem.add_variable(f"x_{cell[0]}_{cell[1]}", cat=pulp.LpBinary) for cell in CELLS}
    problem += 0
    problem += pulp.lpSum(x.values()) >= 2

def lazy(value):
    parts = connected_parts(cell for cell in CELLS if value(x[cell]))
    if len(parts) == 1:
        return []
    # A cell of the first part goes, or a cell beside it comes, or the cell of another part goes.
    more = sum(x[near] for near in {near for cell in parts[0] for near in neighbours(cell, 3)} - parts[0])
    return [x[min(parts[1])] + sum(x[cell] for cell in parts[0]) - more <= len(parts[0])]

found = []
request = SolveRequest(Task(task), 60, 1, 1, solver, int(rewriting))
decode = lambda value: [cell for cell in CELLS if value(x[cell])]
outcome = driver.solve(Model(problem, decode, lazy=lazy), request, lambda solution, _: found.append(solution))
print(json.dumps([outcome.complete, outcome.rounds, outcome.stopped, found]))
"""


@pytest.mark.parametrize(
    ("backend", "solver", "task", "rewriting"),
    [
        ("cpsat", "cpsat", "first", 0),
        ("cpsat", "fixed", "count", 3),
        ("milp", "highs", "count", 3),
        ("milp", "cbc", "first", 0),
        ("milp", "cpsat", "count", 3),
        ("cpsat", "highs", "count", 3),
    ],
)
def test_solutions_that_break_lazy_constraints_are_cut_off(
    backend: str, solver: str, task: str, rewriting: int
) -> None:
    """The models say that there are two cells or more; that they are connected is lazy."""
    arguments = [backend, solver, task, str(rewriting), json.dumps(CELLS)]
    result = subprocess.run(
        [sys.executable, "-c", CODE, *arguments], capture_output=True, text=True, cwd=ROOT
    )
    assert result.returncode == 0, result.stderr
    complete, rounds, stopped, found = json.loads(result.stdout.splitlines()[-1])
    distinct = {tuple(map(tuple, cells)) for cells in found}
    assert (complete, stopped) == (True, False)
    assert distinct <= CONNECTED
    assert len(distinct) == (1 if task == "first" else len(CONNECTED))
    assert rounds > 0 or task == "first"
