"""Microbenchmarks: building each model, and the harness's own hot paths. They judge nothing by themselves."""

import os
from contextlib import closing
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from bench import catalogue
from bench.analysis import scores
from bench.analysis.measurements import measurements
from bench.analysis.plots import drawing
from bench.analysis.plots.pictures import pictures
from bench.campaign.check import Solutions, validate
from bench.campaign.execute import Completed
from bench.campaign.plan import plan, plan_campaign
from bench.campaign.recorder import Recorder, recorder_of
from bench.campaign.results import COLUMNS, Row
from bench.campaign.runner import Campaign
from bench.campaign.schedule import Repeats
from bench.campaign.selection import DEFAULT, Request
from bench.contract import Task
from bench.environment import reference_load
from bench.execution.executor import LocalExecutor
from bench.execution.pool import server_pools
from bench.execution.protocol import Found
from bench.report.page import Facts, make_report
from tests import synthetic
from tests.conftest import INSTANCES, LAB, Lab

REAL = {
    catalogue.load(path).puzzle_name: path
    for path in reversed(INSTANCES)
    if path.is_relative_to(catalogue.INSTANCES) and not catalogue.load(path).objective
}
"""The first real instance of each puzzle."""

MODELS = [
    (path, backend, formulation)
    for puzzle, path in REAL.items()
    for backend, formulation in LAB.models(puzzle)
]


@pytest.mark.parametrize("load", ["processor", "disk"])
def test_calibrate(benchmark: Any, tmp_path: Path, load: str) -> None:
    """What tests/microbenchmarks.py divides the others by: a fixed load, and one line through to the disk."""
    with (tmp_path / "file").open("ab", buffering=0) as file:

        def write() -> None:
            file.write(b"x" * 200)
            os.fsync(file)

        benchmark(reference_load.work if load == "processor" else write)


class WorkerClock:
    """Advances by what the workers report, so that a benchmark shows times taken where the solver is."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


CLOCK = WorkerClock()

LIMITS_S = (0.2, 20.0)
"""The time limits of a run that builds a model: most take long to solve, few to build."""


@pytest.mark.benchmark(timer=CLOCK)
@pytest.mark.parametrize(
    ("path", "backend", "formulation"), MODELS, ids=lambda value: getattr(value, "stem", value)
)
def test_build(benchmark: Any, lab: Lab, path: Path, backend: str, formulation: str) -> None:
    """Instance file to model object, in a worker; the run may end there."""

    def build() -> None:
        for limit_s in LIMITS_S:
            row = lab.measure(path, backend, formulation, Task.FIRST, time_limit_s=limit_s)
            if row.build_s is not None:
                break
        assert row.build_s is not None, row.error
        CLOCK.now += row.build_s

    benchmark.pedantic(build, rounds=3, iterations=1)


@pytest.mark.parametrize("path", REAL.values(), ids=lambda path: path.stem)
def test_load(benchmark: Any, path: Path) -> None:
    """Reading and checking an instance file."""
    benchmark(catalogue.load, path)


@pytest.mark.parametrize("path", REAL.values(), ids=lambda path: path.stem)
def test_judge(benchmark: Any, lab: Lab, path: Path) -> None:
    """Checking one solution and comparing it with what is expected."""
    instance = catalogue.load(path)
    backend, _ = lab.models(instance.puzzle_name)[0]
    request = Request(instances=[str(path)], backends=[backend])
    run = plan(request, [instance], lab.backends)[0]
    found: list[Found] = []

    def collect(*each: Any) -> bool:
        found.append(each)
        return True

    answer = lab.servers.run(run, collect)

    def judged() -> str:
        solutions = Solutions(instance)
        for each in found:
            solutions.add(*each)
        return validate(instance, run, answer, solutions).status

    assert benchmark(judged) == "solved"


def test_record(benchmark: Any, tmp_path: Path) -> None:
    """Appending one row, through to the disk."""
    recorder = Recorder(tmp_path / "runs.csv")
    kinds = get_type_hints(Row)
    row = replace(
        synthetic.ROW, **dict.fromkeys((name for name in COLUMNS if kinds[name] == float | None), 1.5)
    )
    benchmark(recorder.append, row)
    recorder.close()


@pytest.mark.parametrize("backend", [name for name, offer in LAB.backends.items() if not offer.missing])
def test_overhead(benchmark: Any, lab: Lab, backend: str) -> None:
    """A whole run of a tiny model, from dispatch to row: mostly what the harness adds."""
    path = REAL["block_party"].with_name("june_2022_example.toml")
    # python-constraint's own solvers would need most of the time.
    model = ("csp:smallest", "nearest") if backend == "csp" else (backend, DEFAULT)
    benchmark(lab.measure, path, *model, Task.FIRST)


@pytest.mark.benchmark(timer=CLOCK)
@pytest.mark.parametrize("which", ["first", "second"])
def test_first_run(benchmark: Any, lab: Lab, which: str) -> None:
    """total_s of the first run of a new server, which a campaign does not record, and of its second."""
    instance = catalogue.load(REAL["block_party"])
    request = Request(backends=["cpsat"], formulations=["windows"], tasks=[Task.FIRST])
    (run,) = plan(request, [instance], lab.backends)

    def measure() -> None:
        with server_pools(1) as (slot,):
            if which == "second":
                slot.run(run)
            CLOCK.now += slot.run(run).total_s

    benchmark.pedantic(measure, rounds=7, iterations=1)


def test_throughput(benchmark: Any, lab: Lab, tmp_path: Path) -> None:
    """A campaign of 40 short runs of two backends, the start of their servers included."""
    path = REAL["block_party"].with_name("june_2022_example.toml")
    instance = catalogue.load(path)
    models = {"backends": ["backtrack", "csp:smallest"], "formulations": ["propagation", "nearest"]}
    request = Request(instances=[str(path)], **models)
    planned = plan_campaign(request, [instance], lab.backends)
    folders = (tmp_path / str(number) for number in count())

    def campaign() -> None:
        executor: LocalExecutor[Completed] = LocalExecutor({instance.sha256: instance}, 1, 1)
        with closing(executor), recorder_of(next(folders)) as recorder:
            Campaign(planned, Repeats(10), recorder).run(executor, Facts(order_seed=1))

    benchmark.pedantic(campaign, rounds=3, iterations=1)


READ = {
    "tables": measurements,
    "scores": lambda runs: scores.pairs(scores.best_formulations(measurements(runs))),
    "picture": lambda runs: drawing.draw(next(pictures(runs, measurements(runs))), png=True),
    "page": lambda runs: make_report(runs, measurements(runs), [], Facts(), Path("synthetic")),
}


@pytest.mark.parametrize("what", READ)
def test_read(benchmark: Any, what: str) -> None:
    """A campaign of 1,000 rows as tables, as scores, as a picture, and as a page without pictures."""
    runs = synthetic.campaign(instances=2, repeats=10)
    assert len(runs) == 1000
    benchmark.pedantic(READ[what], args=(runs,), rounds=3, iterations=1)
