"""Solvers run in workers here too: the test process never imports one."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

# With `pytest -n 2` each half of the tests keeps to a core of its own; before anything counts the cores.
if half := os.environ.get("PYTEST_XDIST_WORKER"):
    ours = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {ours[int(half.removeprefix("gw")) % len(ours)]})

from bench import catalogue
from bench.campaign import make_run
from bench.catalogue import ROOT
from bench.contract import Task
from bench.plan import Request, plan
from bench.workers import Backend, Servers

CAMPAIGN = {"campaign": "test", "host": "", "cpu": "", "python": "", "version": "", "commit": ""}
MADE = Path(__file__).parent / "instances"
INSTANCES = sorted([*(ROOT / "instances").glob("*/*.toml"), *MADE.glob("*.toml")])


class Lab:
    """Makes single runs in workers."""

    def __init__(self) -> None:
        self.servers = Servers()
        self.backends: dict[str, Backend] = self.servers.describe(catalogue.backend_names())

    def measure(
        self, path: Path, backend: str, formulation: str, task: Task, seed: int = 1, **limits: Any
    ) -> dict[str, Any]:
        request = Request(instances=[str(path)], backends=[backend], formulations=[formulation], **limits)
        instance = catalogue.load(path)
        run = next(run for run in plan(request, [instance], self.backends) if run.task == task)
        run = replace(run, seed=seed)
        return make_run(self.servers, instance, run, CAMPAIGN, self.backends[run.backend])

    def models(self, puzzle: str) -> list[tuple[str, str]]:
        """Every backend and formulation of a puzzle, with the backend's default solver."""
        return [
            (name, f) for name, backend in self.backends.items() for f in backend.formulations.get(puzzle, [])
        ]


LAB = Lab()
CASES = [
    pytest.param(path, backend, formulation, id=f"{path.stem}-{backend}-{formulation}")
    for path in INSTANCES
    for backend, formulation in LAB.models(catalogue.load(path).puzzle_name)
]
"""Every backend and formulation on every instance."""


@pytest.fixture(scope="session")
def lab() -> Iterator[Lab]:
    yield LAB


def pytest_sessionfinish() -> None:
    LAB.servers.close()


@pytest.fixture(scope="session")
def command_in() -> Any:
    """Runs `python -m bench` as a user would, in a folder that is not the project's."""

    def run(folder: Path, *arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "bench", *map(str, arguments)],
            capture_output=True,
            text=True,
            cwd=folder,
            timeout=300,
            **options,
        )

    return run


@pytest.fixture
def command(command_in: Any, tmp_path: Path) -> Any:
    """Runs `python -m bench` in the test's own folder."""
    return partial(command_in, tmp_path)
