"""Threads as a factor: what is planned, which cores runs have, and what several threads are worth."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.analysis import scores, tables
from bench.analysis.measurements import Measurement, measurements
from bench.analysis.plots.style import style
from bench.analysis.scores import Gain, gains, speedups
from bench.campaign.plan import plan
from bench.campaign.results import current, measurement
from bench.campaign.selection import Request, find_instances
from bench.contract import Run, Solver, Status, Task
from bench.environment import machine
from bench.report.page import publish
from tests.conftest import Lab, all_cores
from tests.synthetic import ROW, campaign, rows, write
from tests.test_faults import rows_of


def in_parallel(
    runs: pd.DataFrame, threads: int, factor: float, cpu: float, backend: str = "milp"
) -> pd.DataFrame:
    """The runs, and those of a backend once more with so many threads, which are so many times as fast.

    Args:
        runs: with one thread, whose CPU time is their total time.
        cpu: how many times as much CPU time those with several threads need.
    """
    runs = runs.assign(cpu_s=runs["total_s"])
    several = runs[runs["backend"] == backend]
    return pd.concat([
        runs,
        several.assign(
            threads=threads,
            total_s=several["total_s"].astype(float) / factor,
            cpu_s=several["cpu_s"].astype(float) * cpu,
        ),
    ])  # fmt: skip


def measured_with(*factors: tuple[int, float, float]) -> list[Measurement]:
    """A campaign of milp with one thread and with others, each so many times as fast for so much CPU time."""
    whole = campaign(instances=2, repeats=3, failing=0.0)
    parts = [in_parallel(whole, *each) for each in factors]
    return measured_of(pd.concat([parts[0], *(part[part["threads"] > 1] for part in parts[1:])]))


def measured_of(runs: pd.DataFrame) -> list[Measurement]:
    return measurements(tables.current_runs(rows(runs)))


def test_each_number_is_planned_for_the_solvers_that_can_use_it(lab: Lab) -> None:
    """CP-SAT counts with one thread, and a hand-written search has no other: none of them is run twice."""
    request = Request(what=["june_2022_example"], threads=(1, 3, 2, 3))
    planned: dict[tuple[str, Task], list[int]] = {}
    for run in plan(request, find_instances(request), lab.backends):
        if run.formulation == lab.backends[run.backend].formulations[run.puzzle][0]:
            planned.setdefault((run.backend, run.task), []).append(run.threads)
    for task in (Task.FIRST, Task.COUNT):
        assert planned["milp", task] == planned["asp", task] == [1, 3, 2]
        assert planned["csp", task] == planned["backtrack", task] == [1]
    assert planned["cpsat", Task.FIRST] == [1, 3, 2] and planned["cpsat", Task.COUNT] == [1]


def test_a_single_number_is_planned_as_it_is(lab: Lab) -> None:
    request = Request(what=["june_2022_example"], threads=(3,), tasks=[Task.FIRST])
    planned = {run.backend: run.threads for run in plan(request, find_instances(request), lab.backends)}
    assert planned == {"asp": 3, "cpsat": 3, "milp": 3, "csp": 1, "backtrack": 1}


@pytest.mark.parametrize(
    ("parallel", "counts_alone", "first", "count"),
    [(False, False, 1, 1), (True, False, 4, 4), (True, True, 4, 1), (False, True, 1, 1)],
)
def test_a_solver_says_how_many_threads_it_uses(
    parallel: bool, counts_alone: bool, first: int, count: int
) -> None:
    solver = Solver("s", None, parallel=parallel, counts_alone=counts_alone)
    assert [solver.threads(4, task) for task in (Task.FIRST, Task.COUNT)] == [first, count]
    assert {solver.threads(1, task) for task in Task} == {1}


def test_runs_with_other_threads_are_other_measurements_of_one_block() -> None:
    run = Run(
        "p", "i", "", "s", "cpsat", "cpsat", "f", Task.FIRST, seed=1, repeat=1, threads=1, time_limit_s=1,
        memory_limit_mb=1,
    )  # fmt: skip
    four = replace(run, threads=4)
    assert measurement(run) != measurement(four) and run.block == four.block
    assert run.label == "i cpsat:cpsat f first" and four.label == "i cpsat:cpsat (4 threads) f first"


def test_a_new_model_supersedes_the_rows_of_all_numbers_of_threads() -> None:
    """Else the speed-up would be that of two models."""
    old = [replace(ROW, threads=threads, model_sha256="old") for threads in (1, 2)]
    assert current([*old, replace(ROW, model_sha256="new")]) == [2]
    assert current([*old, replace(ROW, threads=4, model_sha256="old")]) == [0, 1, 2]


def test_too_few_cores_are_refused_in_one_line(command: Any) -> None:
    cores = len(machine.usable_cores())
    result = command("run", "june_2022_example", "--threads", 1, "--threads", cores + 1)
    (line,) = result.stderr.splitlines()
    assert result.returncode == 2
    assert f"--threads {cores + 1}: this machine has" in line
    assert command("run", "june_2022_example", "--threads", 1, "--threads", 0).returncode == 2


def test_runs_have_as_many_cores_as_threads(command: Any, tmp_path: Path) -> None:
    """HiGHS with one thread has one core, though its job has two; a second session may add a number."""
    ask = ("run", "aristotle", "--backend", "milp", "--backend", "backtrack", "--task", "first")
    ask = (*ask, "--formulation", "default", "--repeat", 1, "--time-limit", 60, "--out", "out")
    with all_cores():
        if len(machine.usable_cores()) < 2:
            pytest.skip("one core alone")
        first = command(*ask, "--no-plots", "--threads", 2)
        assert first.returncode == 0, first.stderr
        result = command(*ask, "--threads", 1, "--threads", 2)
    assert result.returncode == 0, result.stderr
    recorded = rows_of(tmp_path / "out")
    made = [(row["backend"], row["threads"], row["repeat"]) for row in recorded]
    assert len(made) == len(set(made)), "what the first session recorded is not executed again"
    assert {each[:2] for each in made} == {("milp", "1"), ("milp", "2"), ("backtrack", "1")}
    (_, session) = json.loads((tmp_path / "out" / "machine.json").read_text())["sessions"]
    assert session["request"]["threads"] == [1, 2]
    (pinned,) = session["request"]["pinned"]
    assert pinned is None or len(pinned) == 2
    for row in recorded:
        if pinned and row["total_s"]:
            # What a worker did before its run counts, too.
            assert float(row["cpu_s"]) <= int(row["threads"]) * float(row["total_s"]) * 1.1 + 0.3, row
    assert 'id="threads"' in (tmp_path / "out" / "report.html").read_text()
    logs = {path.name for path in (tmp_path / "out" / "logs").rglob("milp-*")}
    assert any(name.endswith("-first.log.gz") for name in logs)
    assert any(name.endswith("-first-2-threads.log.gz") for name in logs)


def test_labels_name_the_threads_where_a_solver_has_several() -> None:
    runs = pd.DataFrame(
        [("cpsat", "cpsat", "first", 1), ("cpsat", "cpsat", "first", 4), ("cpsat", "cpsat", "count", 1),
         ("milp", "highs", "first", 4), ("milp", "highs", "count", 4), ("csp", "recursive", "first", 1)],
        columns=["backend", "solver", "task", "threads"],
    ).assign(release="")  # fmt: skip
    assert list(tables.labels(runs)) == [
        "cpsat (1 thread)", "cpsat (4 threads)", "cpsat (1 thread)", "milp", "milp", "csp"
    ]  # fmt: skip
    # With --threads 4 alone CP-SAT counts with one: no comparison of threads.
    assert list(tables.labels(runs[1:])) == ["cpsat", "cpsat", "milp", "milp", "csp"]
    both = tables.labels(runs.assign(release=["ortools==9.9", *[""] * 5]))
    assert list(both[:2]) == ["cpsat (ortools 9.9, 1 thread)", "cpsat (4 threads)"]


@given(
    st.sampled_from(["cpsat", "milp", "elsewhere"]),
    st.sampled_from(["", "highs", "minizinc/gecode"]),
    st.sampled_from(["", "highspy 1.7.2", "clingcon 5.2.1.post2"]),
    st.integers(0, 99),
)
def test_a_label_is_taken_apart(backend: str, solver: str, release: str, threads: int) -> None:
    option = f"{backend}:{solver}" if solver else backend
    number = f"{threads} thread{'s' * (threads != 1)}" if threads else ""
    behind = ", ".join(filter(None, [release, number]))
    parts = tables.parts(f"{option} ({behind})" if behind else option)
    assert parts == (backend, solver, release.replace(" ", "=="), threads) and parts.option == option


def test_labels_are_in_the_order_of_their_numbers_and_look_different() -> None:
    labels = [
        "cpsat (1 thread)", "cpsat (2 threads)", "cpsat (16 threads)", "cpsat (ortools 9.8.3296)",
        "cpsat (ortools 9.14.6206)", "milp", "milp:scip (2 threads)",
    ]  # fmt: skip
    assert sorted({*labels}, key=tables.rank) == labels
    looks = [style(label) for label in labels[:5]]
    assert len(set(looks)) == 5 and len({look.colour for look in looks}) == 1
    assert style("cpsat (1 thread)") == style("cpsat")


def test_measurements_do_not_pool_numbers_of_threads() -> None:
    measured = measured_with((4, 2.0, 1.5))
    alone = [each for each in measured if each.threads == 1]
    assert len(measured) == len({(each.problem, each.model) for each in measured})
    assert {each.label for each in measured if each.backend == "milp"} == {
        "milp (1 thread)", "milp (4 threads)"
    }  # fmt: skip
    plain = measured_of(campaign(2, 3, failing=0.0))
    assert [(each.problem, each.total, each.sample) for each in alone] == [
        (each.problem, each.total, each.sample) for each in plain
    ]


def test_without_several_numbers_nothing_is_said() -> None:
    assert not gains(measured_of(campaign(1, 2)))
    assert not gains(measured_of(campaign(1, 2).assign(threads=4)))


def test_known_speedups_are_recovered() -> None:
    """The runs with several threads have the noise of those with one, so that only the factors are left."""
    known = {2: (1.5, 1.1), 4: (0.8, 3.0)}
    found = gains(measured_with(*((threads, *factors) for threads, factors in known.items())))
    assert {gain.label for gain in found} == {"milp"}
    assert len(found) == 2 * len({gain.problem for gain in found})
    for each in found:
        assert (each.speedup, each.cpu) == pytest.approx(known[each.threads], rel=1e-3)
    for row in speedups(found):
        factor, cpu = known[row.threads]
        assert row.speedup == pytest.approx((factor,) * 3, rel=1e-3)
        assert row.cpu == pytest.approx((cpu,) * 3, rel=1e-3)


def test_there_is_a_row_for_each_number_of_threads_and_puzzle() -> None:
    found = gains(measured_with((2, 1.5, 1.1), (4, 2.0, 1.5)))
    table = speedups(found)
    puzzles = {gain.problem.puzzle for gain in found}
    assert len(table) == 2 * 2 * (1 + len(puzzles))
    for task in (Task.FIRST, Task.COUNT):
        for threads in (2, 4):
            whole, *each = [row for row in table if (row.task, row.threads) == (task, threads)]
            assert whole.puzzle == "" and {row.puzzle for row in each} == puzzles
            assert whole.problems == sum(row.problems for row in each)


RATIOS = st.lists(st.one_of(st.floats(0.01, 100), st.sampled_from([0.0, np.inf])), min_size=1, max_size=12)


@given(RATIOS)
def test_swapping_the_sides_inverts_the_median(ratios: list[float]) -> None:
    there = scores.middle(ratios)
    with np.errstate(divide="ignore"):
        back = scores.middle([float(1 / np.float64(ratio)) for ratio in ratios])
        inverse = [float(1 / np.float64(end)) for end in (back.median, back.high, back.low)]
    assert list(there) == pytest.approx(inverse)
    assert there.low * (1 - 1e-9) <= there.median <= there.high * (1 + 1e-9)


def gain_of(ones: Sequence[float], several: Sequence[float]) -> list[Gain]:
    """The gains of a model with these total times with one thread and with two; inf: it did not end."""
    runs = [
        replace(
            ROW, backend="milp", solver="highs", repeat=repeat, threads=threads,
            status=Status.SOLVED if time < np.inf else Status.TIMEOUT,
            total_s=time if time < np.inf else 60.0, cpu_s=time if time < np.inf else 60.0,
            solutions=1 if time < np.inf else 0,
        )
        for threads, times in ((1, ones), (2, several))
        for repeat, time in enumerate(times, 1)
    ]  # fmt: skip
    return gains(measurements(tables.current_runs(runs)))


def test_a_run_that_fails_is_slower_than_any_that_does_not() -> None:
    (only_two,) = gain_of([np.inf] * 3, [5.0] * 3)
    assert only_two.speedup == np.inf and only_two.cpu is None
    (only_one,) = gain_of([5.0] * 3, [np.inf] * 3)
    assert only_one.speedup == 0 and only_one.cpu is None
    (partly,) = gain_of([4.0, 4.0, np.inf], [2.0, 2.0, 2.0])
    assert partly.speedup == pytest.approx(2) and partly.cpu is None
    assert not gain_of([np.inf] * 3, [np.inf] * 3), "unsolved either way says nothing"
    (row, *_) = speedups([only_two, only_one])
    assert (row.problems, row.cpu) == (2, None) and (row.speedup.low, row.speedup.high) == (0, np.inf)


@settings(max_examples=25)
@given(
    st.lists(st.floats(0.01, 50), min_size=3, max_size=3),
    st.lists(st.floats(0.01, 50), min_size=3, max_size=3),
)
def test_swapping_the_runs_inverts_the_speedup(ones: list[float], several: list[float]) -> None:
    (there,), (back,) = gain_of(ones, several), gain_of(several, ones)
    assert there.speedup == pytest.approx(1 / back.speedup) and there.cpu and back.cpu
    assert there.cpu == pytest.approx(1 / back.cpu)


def test_the_formulation_is_the_best_with_one_thread() -> None:
    """Each number of threads may have a best formulation of its own: they would compare two models."""
    runs = in_parallel(campaign(instances=2, repeats=3, failing=0.0), 2, 3.0, 1.0, backend="cpsat")
    other = (runs["formulation"] == "textbook") & (runs["threads"] == 2)
    runs["total_s"] = runs["total_s"].astype(float).where(~other, runs["total_s"].astype(float) / 100)
    found = gains(measured_of(runs))
    assert len(found) == len({gain.problem for gain in found}) > 0
    assert [gain.speedup for gain in found] == pytest.approx([3.0] * len(found), rel=1e-3)


def test_the_report_has_a_table_of_threads(tmp_path: Path) -> None:
    runs = campaign(instances=1, repeats=4)
    write(tmp_path, in_parallel(runs[runs["puzzle"].isin(["bug_byte", "die_agony"])], 2, 1.6, 1.2))
    publish(tmp_path, plots=False, page=tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert 'id="threads"' in page and 'id="threads"' in page and ">1.60<" in page
