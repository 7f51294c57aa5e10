"""One run: what it is, and what a worker process does to make it."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from bench import catalogue
from bench.contract import Limits, Task, TimeLimit, Unsupported


@dataclass(frozen=True)
class Run:
    """One measurement to be made. `formulation` is empty if the backend has no model for the puzzle."""

    puzzle: str
    instance: str
    path: str
    instance_sha256: str
    backend: str
    solver: str
    formulation: str
    task: Task
    seed: int
    repeat: int
    threads: int
    time_limit_s: float
    memory_limit_mb: int

    @property
    def label(self) -> str:
        """The run in a few words, for people."""
        return f"{self.instance} {self.backend}:{self.solver} {self.formulation} {self.task}"


def execute(run: Run, report: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Reads the instance, builds the model, solves it; reports build_s when the model is built.

    Returns:
        status (solved, infeasible, timeout, unsupported), found (the distinct solutions), solutions (how
        many they stand for), total_s in seconds, and the figures of the Outcome.
    """
    driver = catalogue.driver(run.backend)
    found: list[tuple[Any, int]] = []
    started = perf_counter()
    instance = catalogue.load(Path(run.path))
    if instance.sha256 != run.instance_sha256:
        raise ValueError(f"{run.path} has changed since the campaign began")
    model = driver.build(catalogue.formulations(run.puzzle, run.backend)[run.formulation], instance.puzzle)
    built = perf_counter()
    report({"build_s": built - started})
    limits = Limits(run.time_limit_s - (built - started), run.memory_limit_mb, run.threads)
    if limits.time_s <= 0:
        error = "building the model took all of the time"
        return {"status": "timeout", "error": error, "total_s": built - started}
    try:
        outcome = driver.solve(
            model,
            run.task,
            limits,
            run.seed,
            run.solver,
            lambda solution, stands_for: found.append((solution, stands_for)),
        )
    except Unsupported as reason:
        return {"status": "unsupported", "error": str(reason)}
    except TimeLimit:
        return {"status": "timeout", "error": "the solver did not stop by itself"}
    total_s = perf_counter() - started
    # A formulation may find one solution several times over, told apart by auxiliary variables only.
    distinct = {repr(solution): (solution, stands_for) for solution, stands_for in found}.values()
    figures = asdict(outcome)
    complete = figures.pop("complete")
    return {
        "status": ("solved" if distinct else "infeasible") if complete else "timeout",
        "found": [solution for solution, _ in distinct],
        "solutions": sum(stands_for for _, stands_for in distinct)
        if run.task == Task.COUNT
        else len(distinct),
        "total_s": total_s,
        **figures,
    }
