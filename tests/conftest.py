"""Solvers run in workers here too: the test process never imports one."""

import fcntl
import gc
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings

# CORES: those of all test processes together; none where the system pins nothing.
# Each process keeps to one of them, before anything counts them.
if hasattr(os, "sched_getaffinity"):
    CORES = sorted(os.sched_getaffinity(0))
    if name := os.environ.get("PYTEST_XDIST_WORKER"):
        os.sched_setaffinity(0, {CORES[int(name.removeprefix("gw")) % len(CORES)]})
else:
    CORES = []

# Hundreds of processes import the project: they compile it once, whatever the environment says.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    sys.dont_write_bytecode = False

from bench import catalogue
from bench.campaign.execute import execute_run
from bench.campaign.plan import plan
from bench.campaign.results import Row
from bench.campaign.selection import Request
from bench.catalogue import ROOT
from bench.contract import Backend, Task
from bench.environment import machine
from bench.execution import process
from bench.execution.pool import ServerPool
from tests.forks import Forks
from tests.preloaded import Preloaded
from tests.preloaded import start as preloaded_start

# Properties hold however long an example takes on a busy machine.
settings.register_profile("untimed", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

T = TypeVar("T")

valgrind = pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind is not installed")

CAMPAIGN = {"campaign": "test"}
SOLVER_OF = {("bug_byte", "asp", "integers"): "clingcon"}
"""The solvers of formulations that the backend's default solver cannot solve."""

EXTRA = {
    *(name for name in catalogue.backend_names() if not catalogue.is_core(name)),
    *(f"{backend}:{solver}" for (_, backend, _), solver in SOLVER_OF.items()),
}
"""What an environment with further solvers has beyond the core."""

MADE = Path(__file__).parent / "instances"
INSTANCES = sorted([*(ROOT / "instances").glob("*/*.toml"), *MADE.glob("*.toml")])


class Lab:
    """Executes single runs in workers."""

    def __init__(self) -> None:
        self.servers = ServerPool()

    @cached_property
    def backends(self) -> dict[str, Backend]:
        """What the backends offer; their servers start when a test asks, so not in xdist's main process."""
        return self.servers.offers(catalogue.backend_names())

    def measure(
        self, path: Path, backend: str, formulation: str, task: Task, seed: int = 1, **limits: Any
    ) -> Row:
        request = Request(instances=[str(path)], backends=[backend], formulations=[formulation], **limits)
        instance = catalogue.load(path)
        run = next(run for run in plan(request, [instance], self.backends) if run.task == task)
        run = replace(run, seed=seed)
        return execute_run(self.servers, instance, run, CAMPAIGN, self.backends[run.backend]).row

    def models(self, puzzle: str) -> list[tuple[str, str]]:
        """Every backend and formulation of a puzzle, with its default solver or that in SOLVER_OF.

        Models for python-constraint are tried with our solver, which solves more of them.
        """
        found = []
        for name, backend in self.backends.items():
            for formulation in backend.formulations.get(puzzle, []):
                solver = "smallest" if name == "csp" else SOLVER_OF.get((puzzle, name, formulation), "")
                if not (solver and backend.lacks(solver)):
                    found.append((f"{name}:{solver}" if solver else name, formulation))
        return found


def undisturbed(measure: Callable[[], T], is_right: Callable[[T], bool]) -> T:
    """The first of five results that is right, or the last: a busy machine holds up some of what is timed."""
    for _ in range(5):
        result = measure()
        if is_right(result):
            break
    return result


SOCKETS = "TEST_SOCKETS"
"""The environment variable with the folder of Preloaded."""


def pytest_configure(config: pytest.Config) -> None:
    """Has servers forked, unless their times matter: for all test processes by the same ones."""
    if config.getoption("benchmark_enable"):
        return
    if "PYTEST_XDIST_WORKER" not in os.environ:
        preloaded = Preloaded()
        os.environ[SOCKETS] = preloaded.folder.name
        config.add_cleanup(preloaded.close)
    process.Popen = partial(preloaded_start, os.environ[SOCKETS])


LAB = Lab()

MOST_PROCESSES = 4


def pytest_xdist_auto_num_workers() -> int:
    """One test process for each core that may be used, up to MOST_PROCESSES."""
    cores = len(CORES) or os.cpu_count() or 1
    return max(1, min(cores, int(machine.quota() or cores), MOST_PROCESSES))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Marks what an environment with further solvers has beyond the others: `pytest -m extra` selects it.

    Of a benchmark for each path or backend the first is enough, unless it is timed.
    """
    tried, spare = set[str](), []
    for item in items:
        params = getattr(getattr(item, "callspec", None), "params", {})
        if item.path.name == "test_solvers.py" or params.get("backend") in EXTRA:
            item.add_marker("extra")
        if item.path.name == "test_benchmarks.py" and not config.getoption("benchmark_enable"):
            name = item.nodeid.partition("[")[0]
            if name in tried and params.keys() & {"path", "backend"}:
                spare.append(item)
            tried.add(name)
    items[:] = [item for item in items if item not in spare]


def pytest_collection_finish() -> None:
    """Lets the garbage collector leave alone what was imported: to look at it took a tenth of the time."""
    gc.freeze()


@contextmanager
def all_cores() -> Iterator[None]:
    """Lets this process and what it starts use the cores of the other test processes too."""
    if not CORES:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, CORES)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@pytest.fixture(scope="session")
def lab() -> Iterator[Lab]:
    yield LAB


def pytest_sessionfinish() -> None:
    LAB.servers.close()


@pytest.fixture(scope="session")
def forks() -> Iterator[Forks]:
    forks = Forks(os.environ.get(SOCKETS, ""))
    yield forks
    forks.close()


Once = Callable[[str, Callable[[Path], object]], Path]
"""Gives a folder that a function fills."""


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """A folder that all test processes read, filled by the first of them that asks for it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def made(name: str, fill: Callable[[Path], object]) -> Path:
        folder, filled = shared / name, shared / f"{name}.filled"
        with (shared / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not filled.exists():
                folder.mkdir()
                fill(folder)
                filled.touch()
        return folder

    return made


@pytest.fixture(scope="session")
def command_in(forks: Forks) -> Any:
    """Runs `python -m bench` as a user would, in a folder that is not the project's."""

    def run(folder: Path, *arguments: object, env: Mapping[str, str] = os.environ) -> Any:
        return forks.run(folder, [*map(str, arguments)], env)

    return run


@pytest.fixture
def command(command_in: Any, tmp_path: Path) -> Any:
    """Runs `python -m bench` in the test's own folder."""
    return partial(command_in, tmp_path)


def with_forked_servers(*arguments: object, before: str = "") -> list[str]:
    """A command in a process of its own that can be stopped, for `python -m bench` with servers of Preloaded.

    Args:
        before: code that is executed before.
    """
    here = f"import sys; sys.path.insert(0, {str(ROOT)!r})"
    code = f"{here}\n{before}\nfrom tests.preloaded import command\ncommand({os.environ[SOCKETS]!r})"
    return [sys.executable, "-c", code, *map(str, arguments)]


def started(folder: Path, *arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Runs `python -m bench` in a new Python, which imports what the folder or the options have it import."""
    return subprocess.run(
        [sys.executable, "-m", "bench", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=600,
        **options,
    )
