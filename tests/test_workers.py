"""Limits, dying servers, and what stays out of the harness's process."""

import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from time import sleep

import psutil
import pytest

from bench import catalogue
from bench.campaign.execute import execute_run
from bench.campaign.plan import find_solver, plan
from bench.campaign.selection import Request
from bench.contract import LOCAL, Status, Task
from bench.execution import pool, process
from tests.conftest import CAMPAIGN, LAB, MADE, Lab, all_cores, undisturbed

OPEN = MADE / "june_2022_without_givens.toml"


@pytest.mark.parametrize(("backend", "formulation"), [("csp", "nearest"), ("backtrack", "propagation")])
def test_a_python_search_stops_at_its_limit(lab: Lab, backend: str, formulation: str) -> None:
    row = undisturbed(
        lambda: lab.measure(OPEN, backend, formulation, Task.COUNT, time_limit_s=0.5),
        lambda row: row.total_s < 1.0,
    )
    assert row.status == "timeout"
    assert 0.45 < row.total_s < 1.0
    assert row.branches > 0, "what was counted up to the limit is kept"


@pytest.mark.parametrize("backend", ["cpsat", "milp"])
def test_a_solver_stops_at_its_limit(lab: Lab, backend: str) -> None:
    row = lab.measure(OPEN, backend, "textbook", Task.COUNT, time_limit_s=0.02)
    assert row.status == "timeout"


def test_highs_holds_its_limit_over_many_solves(lab: Lab) -> None:
    """Counting is one solve a solution; together they keep the limit, and what was found is kept."""
    limits = iter((0.3, 0.6, 1.2, 2.4, 4.8))  # Until one solution is found on a busy machine, too.
    row = undisturbed(
        lambda: lab.measure(OPEN, "milp", "textbook", Task.COUNT, time_limit_s=next(limits)),
        lambda row: row.status != "timeout" or row.error != "" or bool(row.solutions),
    )
    assert (row.status, row.error) == ("timeout", "")
    assert 0 < row.solutions <= 16


def test_a_run_that_needs_more_memory_is_ended(lab: Lab) -> None:
    row = lab.measure(OPEN, "backtrack", "propagation", Task.COUNT, memory_limit_mb=16)
    assert row.status == "memout"
    assert "16 MB" in row.error


def test_an_instance_that_changes_meanwhile_is_not_measured(lab: Lab, tmp_path: Path) -> None:
    path = tmp_path / "changing.toml"
    path.write_text(OPEN.read_text())
    instance = catalogue.load(path)
    run, *_ = plan(Request(instances=[str(path)], backends=["csp"]), [instance], lab.backends)
    path.write_text(OPEN.read_text() + "# another file\n")
    row = execute_run(lab.servers, instance, run, CAMPAIGN, lab.backends["csp"]).row
    assert row.status == "crashed" and "has changed since the campaign began" in row.error


def test_a_server_that_dies_is_a_crash_of_the_run_only(lab: Lab) -> None:
    lab.measure(OPEN, "backtrack", "shaving", Task.FIRST)
    os.kill(lab.servers.running["backtrack"].popen.pid, signal.SIGKILL)
    assert lab.measure(OPEN, "backtrack", "shaving", Task.FIRST).status == "crashed"
    assert lab.measure(OPEN, "backtrack", "shaving", Task.FIRST).status == "solved"


def test_a_server_that_does_not_answer_is_replaced(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    lab.measure(OPEN, "backtrack", "shaving", Task.FIRST)
    monkeypatch.setattr(pool, "ANSWER_S", 0.2)
    monkeypatch.setattr(process, "END_S", 0.2)
    os.kill(lab.servers.running["backtrack"].popen.pid, signal.SIGSTOP)
    row = lab.measure(OPEN, "backtrack", "shaving", Task.FIRST, time_limit_s=0.3)
    assert row.status == "crashed" and "no answer within" in row.error
    assert lab.measure(OPEN, "backtrack", "shaving", Task.FIRST).status == "solved"


@pytest.mark.parametrize(
    "backend", [name for name in LAB.backends if not LAB.backends[name].missing and name != LOCAL]
)
def test_a_worker_imports_no_library_of_its_own(backend: str) -> None:
    """All that runs need is preloaded: a run that imports pays for it every time."""
    code = """
import sys
from pathlib import Path
from bench import catalogue
from bench.campaign.execute import execute_run
from bench.campaign.plan import plan
from bench.campaign.selection import Request, find_instances
from bench.execution import forkserver
from bench.execution.worker import execute
backend, own = sys.argv[1:]
found = forkserver.describe(f"{backend}:{own}" if own else backend)
before = set(sys.modules)
assert not {"networkx", "pandas", "pydantic"} & before, "it is slow to import, and models do not need it"
families = [catalogue.families(name)["size"] for name in ("block_party", "choco_banana", "die_agony")]
paths = [str(next(iter(family.values()))) for family in families]
# The hexagon half of which is given: HiGHS needs seconds without.
paths.append(str([*catalogue.families("magic_hexagon")["givens"].values()][-1]))
request = Request(instances=paths, backends=[backend], tasks=["first"], time_limit_s=3)
for run in plan(request, find_instances(request), {backend: found}):
    execute(run, lambda line: None)
print({name.partition(".")[0] for name in set(sys.modules) - before})
"""
    solver = find_solver(backend, LAB.backends)[1]
    own = solver if LAB.backends[backend].solvers[solver].separate_process else ""
    result = subprocess.run(
        [sys.executable, "-c", code, backend, own], capture_output=True, text=True, cwd=catalogue.ROOT
    )
    assert result.stdout == "set()\n", result.stdout + result.stderr


def test_or_tools_gets_pandas_when_it_is_asked_for() -> None:
    """The driver hides it only while OR-Tools is imported, which names its types."""
    code = """
import sys
from bench.drivers import cpsat
from ortools.sat.python import cp_model
assert "pandas" not in sys.modules
model = cp_model.CpModel()
try:
    model.new_int_var_series("x", [1, 2, 3], 0, 5)
except TypeError:
    import pandas
x = model.new_int_var_series("x", pandas.Index([1, 2, 3]), 0, 5)
model.add(x.sum() >= 14)
solver = cp_model.CpSolver()
solver.solve(model)
assert isinstance(x, pandas.Series) and solver.values(x).sum() >= 14
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=catalogue.ROOT)
    assert (result.returncode, result.stderr) == (0, "")


def test_a_server_describes_the_puzzles_that_it_is_asked_for() -> None:
    """`solve` needs one, and to import all models takes a second."""
    with closing(pool.ServerPool(puzzles=["sudoku"])) as servers:
        assert list(servers.offers(["backtrack"])["backtrack"].formulations) == ["sudoku"]


def test_no_solver_is_imported_by_the_harness(tmp_path: Path) -> None:
    """A campaign is planned, run, read and drawn in this process without a solver library, or Hypothesis."""
    code = """
import os, sys
from tests.preloaded import command
run = ["run", "--instance", "june_2022_example", "--task", "first", "--repeat", "1"]
sys.argv = ["bench", *run, "--backend", "cpsat", "--backend", "milp", "--out", sys.argv[1]]
try:
    command(os.environ["TEST_SOCKETS"])
except SystemExit as end:
    assert end.code == 0, end.code
assert "matplotlib" in sys.modules and "bench.analysis.plots.drawing" in sys.modules
unwanted = {"clingo", "ortools", "highspy", "pulp", "constraint", "hypothesis"}
print(sorted(unwanted & set(sys.modules)))
"""
    result = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "out")],
        capture_output=True,
        text=True,
        cwd=catalogue.ROOT,
    )
    assert result.stdout.splitlines()[-1] == "[]", result.stdout + result.stderr
    assert (tmp_path / "out/plots/times-block_party.svg").exists()


def test_a_worker_that_waits_is_not_on_the_core_of_the_runs() -> None:
    """What it does in advance would take the core from a run of another server."""
    with all_cores():
        usable = os.sched_getaffinity(0)
        if len(usable) < 2:
            pytest.skip("there is one core")
        core = max(usable)
        path = catalogue.find_instance("june_2022_example")
        request = Request(instances=[str(path)], backends=["backtrack"])
        with closing(pool.ServerPool((core,))) as servers:
            backends = servers.offers(["backtrack"])
            (server,) = servers.running.values()
            os.sched_setaffinity(server.popen.pid, usable - {core})
            for run in plan(request, [catalogue.load(path)], backends):
                assert servers.run(run).claim == Status.SOLVED
            children = psutil.Process(server.popen.pid).children
            while [child.status() for child in children()] != [psutil.STATUS_SLEEPING]:
                sleep(0.01)
            assert core not in children()[0].cpu_affinity()


def test_the_reference_load_is_measured_again_after_some_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    servers, times = pool.ServerPool(), iter((1.0, 2.0))
    monkeypatch.setattr(servers, "measure_reference_load", lambda: next(times))
    assert [servers.reference_load_s() for _ in range(3)] == [1.0] * 3
    monkeypatch.setattr(pool, "REFERENCE_LOAD_EVERY_S", 0.0)
    assert servers.reference_load_s() == 2.0


WARM_UP = """
from bench import catalogue
from bench.contract import SolveRequest, Task
driver, found = catalogue.driver({backend!r}), []
solver = next(iter(driver.solvers()))
request = SolveRequest(Task.FIRST, 1.0, 1, 1, solver)
driver.solve(driver.load(solver), request, lambda *solution: found.append(solution))
print(len(found))
"""


@pytest.mark.parametrize("backend", [name for name in catalogue.backend_names() if catalogue.is_core(name)])
def test_each_core_backend_solves_what_a_worker_warms_up_with(backend: str) -> None:
    code = WARM_UP.format(backend=backend)
    result = subprocess.run([sys.executable, "-c", code], cwd=catalogue.ROOT, capture_output=True, text=True)
    assert result.stdout == "1\n", result.stderr
