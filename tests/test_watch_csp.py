"""Searches of python-constraint that are watched: the trace is the search, and watching changes nothing."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bench import catalogue
from bench.campaign.execute import execute_run
from bench.campaign.plan import plan
from bench.campaign.results import Row
from bench.campaign.selection import Request
from bench.contract import Status, Task
from bench.instruments.generate.instance_file import as_toml
from bench.trace import read_trace
from models.shared.random_instances import header
from models.shared.search import View
from tests.conftest import CAMPAIGN, LAB, MADE
from tests.test_solvers import FAMILIES, SMALL, SMALLER

OTHERS = [
    FAMILIES / "knight_moves/family-size/knight_moves_4_1.toml",
    FAMILIES / "sudoku/family-size/sudoku_4_1.toml",
    MADE / "twenty_four_seven_two_rows.toml",
]
SEARCHES = [
    *((SMALLER.get(path, path), "smallest") for path in [*SMALL, *OTHERS]),
    *((SMALL[0], solver) for solver in ("backtracking", "optimized", "recursive")),
]
SIGNS = {"■": ".", "·": "0"}
"""What is written on the board for values of solutions."""


def measured(path: Path, solver: str, trace: str = "") -> Row:
    """The row of a run that counts, and writes its trace to a file if one is named."""
    instance = catalogue.load(path)
    request = Request(instances=[str(path)], backends=[f"csp:{solver}"], tasks=[Task.COUNT])
    run = replace(plan(request, [instance], LAB.backends)[0], trace=trace)
    return execute_run(LAB.servers, instance, run, CAMPAIGN, LAB.backends["csp"]).row


def shows(view: View, row: Row) -> bool:
    """Tells whether a view has the run's solution: its path, or one value for each cell or edge."""
    solution = json.loads(row.solution)
    if row.puzzle == "die_agony":
        return [list(cell) for cell in view.path] == solution["path"]
    edges = {(u, v): label for u, v, label in solution} if row.puzzle == "bug_byte" else {}
    value = {unknown: edges[unknown] if edges else solution[unknown[0]][unknown[1]] for unknown in view.left}
    return all(
        [SIGNS.get(str(sign), str(sign)) for sign in signs] == [str(value[unknown])]
        for unknown, signs in view.left.items()
    )


@pytest.mark.parametrize(("path", "solver"), SEARCHES, ids=lambda value: getattr(value, "stem", value))
def test_the_trace_is_the_search(path: Path, solver: str, tmp_path: Path) -> None:
    """Nodes are values tried; what a node knows, those below it know too; solutions are in its leaves."""
    trace = tmp_path / "trace"
    alone, row = measured(path, solver), measured(path, solver, str(trace))
    figures = ("status", "solutions", "branches", "failures", "values", "values_left", "presolved_variables")
    assert [getattr(row, name) for name in figures] == [getattr(alone, name) for name in figures]
    assert row.status == Status.SOLVED and row.values_left <= row.values

    nodes = list(read_trace(trace))
    assert len(nodes) - 1 == row.branches and nodes[0].consistent
    assert sum(not node.consistent for node in nodes) == row.failures
    found = [node for node in nodes if node.solution]
    assert len(found) == row.witnesses and shows(found[0].view, row)
    way = [nodes[0]]
    for node in nodes[1:]:
        assert 0 < node.depth <= len(way) and node.decision
        parent = way[node.depth - 1]
        assert parent.consistent and not parent.solution
        above = parent.view.left
        assert all(set(values) <= set(above[unknown]) for unknown, values in node.view.left.items())
        way[node.depth :] = [node]


def test_preprocessing_refutes_the_root(tmp_path: Path) -> None:
    """No cell is beside the only one."""
    path, trace = tmp_path / "one.toml", tmp_path / "trace"
    table = header("sudoku") | {"box": [1, 1], "digits": "7", "product": "49"}
    path.write_text(as_toml(table), encoding="utf-8")
    row = measured(path, "smallest", str(trace))
    assert (row.status, row.branches) == (Status.INFEASIBLE, None)
    assert [(node.depth, node.consistent) for node in read_trace(trace)] == [(0, False)]


def test_a_local_search_has_no_tree(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    measured(SMALL[0], "minconflicts", str(trace))
    assert not trace.exists()
