"""The solver's own log: what drivers write, what campaigns keep, what `solve --log` shows."""

import gzip
import json
import re
import signal
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench import catalogue
from bench.analysis import tables
from bench.analysis.measurements import measurements
from bench.campaign.execute import MOST_BYTES, compressed, execute_run
from bench.campaign.machine_json import read_facts
from bench.campaign.merge import merge_logs
from bench.campaign.plan import plan
from bench.campaign.recorder import keep_log
from bench.campaign.selection import Request
from bench.catalogue import ROOT
from bench.contract import Run, Task
from bench.report import page as report
from tests.conftest import CAMPAIGN, Lab, with_forked_servers

EXAMPLE = ROOT / "instances/block_party/june_2022_example.toml"
SMALL = ROOT / "instances/block_party/family-size/block_party_4_1.toml"
AGAIN = "solved again"
SAYS = {
    "cpsat": ["Starting CP-SAT solver", "CpSolverResponse summary"],
    "milp": ["Presolve reductions", AGAIN, "Status            Infeasible"],
    "asp": ['"problem"', '"solving"', '"summary"'],
    "backtrack": [],
}
"""What the log of each backend has for all solutions of the example, in this order."""

EXTRA_SAYS = {
    "milp:cbc": ["Enumerated nodes", AGAIN, "Problem is infeasible"],
    "milp:cplex": ["All rows and columns eliminated", AGAIN, "Root node processing"],
    "milp:gurobi": ["Presolve", AGAIN, "infeasible"],
    "milp:scip": ["presolving", AGAIN, "SCIP Status"],
    "cpmpy:ortools": ["Starting CP-SAT solver"],
    "cpmpy:cplex": ["Root node processing", AGAIN, "Root node processing"],
    "cpmpy:gurobi": ["Gurobi Optimizer", AGAIN, "infeasible"],
    "cpmpy:scip": ["presolving", AGAIN, "SCIP Status"],
    "cpmpy:highs": ["Presolve reductions", AGAIN, "Status            Infeasible"],
    "cpmpy:choco": [],
    "cpmpy:minizinc/gecode": ["flatTime", "propagators", "nSolutions"],
}


def has(log: str, words: list[str]) -> bool:
    """Whether a log has these words in this order; one without words is empty."""
    place = 0
    for word in words:
        if (place := log.find(word, place)) < 0:
            return False
    return bool(words) == bool(log)


@pytest.mark.extra
@pytest.mark.parametrize("name", EXTRA_SAYS)
def test_a_further_solver_writes_its_log_and_the_same_figures(lab: Lab, name: str, tmp_path: Path) -> None:
    backend = lab.backends[name.partition(":")[0]]
    if backend.lacks(name.partition(":")[2]):
        pytest.skip(f"{name} is not installed")
    # The default for PuLP's solvers leaves nothing to presolve; CPLEX's free edition has 1,000 constraints.
    path, formulation = (EXAMPLE, "windows") if name.startswith("milp") else (SMALL, "textbook")
    request = Request(instances=[str(path)], backends=[name], formulations=[formulation], tasks=[Task.COUNT])
    instance = catalogue.load(path)
    run = plan(request, [instance], lab.backends)[0]
    log = tmp_path / "log"
    rows = [
        execute_run(lab.servers, instance, replace(run, log=path), CAMPAIGN, backend).row
        for path in ("", str(log))
    ]
    assert has(log.read_text() if log.exists() else "", EXTRA_SAYS[name])
    same = "status", "solutions", "presolved_variables", "presolved_constraints", "branches", "lp_iterations"
    assert len({tuple(getattr(row, figure) for figure in same) for row in rows}) == 1


def test_a_campaign_keeps_the_log_of_each_first_run(command: Any, tmp_path: Path) -> None:
    backends = [word for name in SAYS for word in ("--backend", name)]
    words = "run", EXAMPLE, *backends, "--task", "count", "--seeds", 2, "--no-plots", "--out", "c", "-q"
    done = command(*words, "--repeat", 2)
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "c"
    found = sorted(path for path in folder.glob("logs/block_party/june_2022_example/*"))
    assert {path.name.partition("-")[0] for path in found} == {"asp", "cpsat", "milp"}
    for path in found:
        words_of = SAYS[path.name.partition("-")[0]]
        log = gzip.decompress(path.read_bytes()).decode()
        # One run wrote it, of two seeds and two repeats.
        assert has(log, words_of) and log.count(words_of[-1]) == 1

    # A further repeat replaces none, and a run that is executed again its own.
    for path in found:
        path.write_bytes(b"kept")
    command(*words, "--repeat", 3)
    assert {path.read_bytes() for path in found} == {b"kept"}
    command(*words, "--repeat", 1, "--redo", "all")
    assert all(has(gzip.decompress(path.read_bytes()).decode(), ["a"]) for path in found)

    # Executed again without logs, what is there is not of the run that counts.
    command(*words[:2], "--backend", "asp", *words[2 + len(backends) :], "--redo", "all", "--no-logs")
    found = [path for path in found if "asp" not in path.name]
    assert sorted(folder.glob("logs/*/*/*")) == found

    runs, facts = tables.read_runs(folder), read_facts(folder)
    pages = [
        report.make_report(runs, measurements(runs), [], facts, folder, within=within)
        for within in (None, tmp_path / "elsewhere")
    ]
    for page, address in zip(pages, ("", "../c/"), strict=True):
        addresses = {f"{address}{path.relative_to(folder)}" for path in found}
        assert set(re.findall(r'<a href="([^"]+)" download>log</a>', page)) == addresses
    (folder / "logs").rename(folder / "gone")
    page = report.make_report(runs, measurements(runs), [], facts, folder)
    assert "download" not in page and "zless" not in page


@pytest.fixture
def hanging(command: Any, tmp_path: Path) -> str:
    """A puzzle whose model for CP-SAT never decodes a solution: the server ends the run at its time limit."""
    assert command("new", "towers").returncode == 0
    model = tmp_path / "towers/cpsat.py"
    text = model.read_text().replace("from_integers(puzzle, x))", "lambda _: list(iter(int, 1)))")
    model.write_text(text)
    return "towers"


def test_a_run_that_is_killed_keeps_its_log(hanging: str, command: Any, tmp_path: Path) -> None:
    limits = "--task", "first", "--repeat", 1, "--time-limit", 1
    names = sorted(path.stem for path in (tmp_path / hanging / "instances").glob("*.toml"))
    words = "run", f"./{hanging}", "--instance", names[0], "--backend", "cpsat", *limits
    done = command(*words, "--no-plots", "--out", "c", "-q")
    assert ",timeout," in (tmp_path / "c/runs.csv").read_text(), done.stderr
    (log,) = tmp_path.glob(f"c/logs/towers/{names[0]}/cpsat-cpsat-integers-first.log.gz")
    assert "CpSolverResponse summary" in gzip.decompress(log.read_bytes()).decode()


def test_without_room_for_logs_the_rows_are_recorded(command: Any, tmp_path: Path) -> None:
    (tmp_path / "c").mkdir()
    (tmp_path / "c/logs").write_text("a file, where the folder should be")
    words = "run", EXAMPLE, "--backend", "cpsat", "--backend", "milp", "--task", "first", "--repeat", 1
    done = command(*words, "--no-plots", "--out", "c")
    assert done.returncode == 0
    assert done.stdout.count("logs are missing; all runs are recorded") == 1
    recorded = (tmp_path / "c/runs.csv").read_text().splitlines()
    assert len(recorded) == 5 and all(",solved," in line for line in recorded[1:])


def test_a_long_log_is_cut_in_the_middle(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"begins" + b"." * MOST_BYTES + b"ends")
    text = gzip.decompress(compressed(str(log)))
    assert text.startswith(b"begins") and text.endswith(b"ends")
    assert b"\n----- 10 bytes are left out here -----\n" in text
    log.write_bytes(b"")
    assert compressed(str(log)) == compressed("") == compressed(str(tmp_path / "none")) == b""


def test_names_of_logs_are_safe_for_files_and_merged_ones_are_copied(tmp_path: Path) -> None:
    run = Run(
        "p", "../i j", "", "", "cpmpy", "minizinc/gecode", "f", Task.COUNT, seed=1, repeat=1, threads=1,
        time_limit_s=1, memory_limit_mb=1,
    )  # fmt: skip
    for folder, log in (("a", b"of a"), ("b", b"of b")):
        assert not keep_log(tmp_path / folder, run, log)
    assert not keep_log(tmp_path / "b", replace(run, solver="z3"), b"z3")
    assert not keep_log(tmp_path / "b", replace(run, solver="z3", repeat=2), b"")
    merge_logs([tmp_path / "a", tmp_path / "b", tmp_path / "none"], tmp_path / "c")
    found = {
        path.relative_to(tmp_path / "c").as_posix(): path.read_bytes() for path in tmp_path.glob("c/*/*/*/*")
    }
    where = "logs/p/_._i_j"
    assert found == {
        f"{where}/cpmpy-minizinc_gecode-f-count.log.gz": b"of a",
        f"{where}/cpmpy-z3-f-count.log.gz": b"z3",
    }


def test_solve_shows_the_log(command: Any) -> None:
    solved = command("solve", EXAMPLE, "--backend", "cpsat", "--log", "--json", "-q")
    assert json.loads(solved.stdout)["status"] == "solved"
    assert has(solved.stderr, SAYS["cpsat"])
    solved = command("solve", EXAMPLE, "--backend", "backtrack", "--log")
    assert "solved" in solved.stdout
    assert solved.stderr.splitlines() == ["backtrack:python wrote no log"]


def test_solve_shows_the_log_while_the_solver_runs(tmp_path: Path) -> None:
    """HiGHS does not find all magic hexagons in seconds; its log is there long before it is stopped."""
    words = "solve", "aristotle", "--backend", "milp", "--task", "count", "--log", "--time-limit", "60"
    process = subprocess.Popen(
        with_forked_servers(*words), cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
        text=True,
    )  # fmt: skip
    try:
        assert process.stderr
        assert any("Solving MIP model" in line for line in process.stderr)
        assert process.poll() is None
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()
