"""Executes one run: a worker solves it, its solutions are checked, its row is put together."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from time import perf_counter
from typing import Any, get_type_hints

from bench import catalogue
from bench.campaign.results import Row, disturbed
from bench.campaign.validation import Validation, Verdict, is_figure, judge
from bench.catalogue import Instance, errors
from bench.contract import Backend, Run, Status
from bench.execution.pool import Servers
from models.shared.puzzle import Solution


@dataclass(frozen=True)
class Provenance:
    """What all rows of a session say of the campaign, the machine and the project."""

    campaign: str = ""
    host: str = ""
    cpu: str = ""
    python: str = ""
    version: str = ""
    commit: str = ""


def provenance_of(facts: Mapping[str, Any]) -> Provenance:
    """What rows say of a session, by its facts."""
    return Provenance(**{field.name: facts.get(field.name) or "" for field in fields(Provenance)})


@dataclass(frozen=True)
class Completed:
    """A run that was executed, and its row; `traceback` says where it crashed, if it did."""

    run: Run
    row: Row
    traceback: str = ""


def execute_run(
    servers: Servers,
    instance: Instance,
    run: Run,
    provenance: Provenance,
    backend: Backend,
    reference_load_s: float | None = None,
) -> Completed:
    """Executes one run and checks it.

    overhead_s is all the time from here to the row, less the run's own total_s.
    """
    started_at = datetime.now(UTC).isoformat(timespec="milliseconds")
    dispatched = perf_counter()
    validation = Validation(instance)

    def check(solution: Solution, stands_for: int) -> bool:
        validation.add(solution, stands_for)
        return validation.goes_on

    if missing := backend.lacks(run.solver):
        response = without_worker(Status.UNAVAILABLE, missing)
    elif broken := None if run.formulation else backend.broken.get(run.puzzle):
        response = without_worker(Status.CRASHED, broken)
    elif not run.formulation:
        file = errors.shown(catalogue.source_of(run.puzzle, run.backend))
        response = without_worker(Status.UNSUPPORTED, f"there is no {file}")
    else:
        response = servers.run(run, check)
    verdict = judge(instance, run, response, validation)
    row = row_of(provenance, started_at, instance, run, response, verdict, reference_load_s)
    if row.total_s is not None:
        row = replace(row, overhead_s=perf_counter() - dispatched - row.total_s)
    crashed = verdict.status == Status.CRASHED
    traceback = (response["figures"].get("traceback") or response.get("tail") or "") if crashed else ""
    return Completed(run, row, traceback)


def without_worker(status: Status, reason: str) -> dict[str, Any]:
    """What a worker would hand back for a run that cannot be tried."""
    return {"figures": {"status": status, "error": reason}}


FROM_RUN = (
    "puzzle", "instance", "instance_sha256", "backend", "solver", "solver_version", "formulation", "task",
    "seed", "repeat", "threads", "time_limit_s", "memory_limit_mb", "model_sha256", "rules_sha256",
)  # fmt: skip
"""The columns that are known before the run."""

FIGURES = {name for name, kind in get_type_hints(Row).items() if kind in (int | None, float | None)}
FROM_RESPONSE = ("cpu_s", "peak_mb", "switches", "stolen_s")


def row_of(
    provenance: Provenance,
    started_at: str,
    instance: Instance,
    run: Run,
    response: Mapping[str, Any],
    verdict: Verdict,
    sentinel_s: float | None,
) -> Row:
    """The row of a run."""
    found = {**response["figures"], **{name: response.get(name) for name in FROM_RESPONSE}}
    figures = {name: value for name, value in found.items() if name in FIGURES and is_figure(value)}
    figures |= {"solutions": verdict.solutions, "witnesses": verdict.witnesses, "sentinel_s": sentinel_s}
    return Row(
        **vars(provenance),
        **{column: getattr(run, column) for column in FROM_RUN},
        **figures,
        started_at=started_at,
        size=instance.puzzle.size,
        status=verdict.status,
        error=verdict.error,
        answer="" if verdict.answer is None else str(verdict.answer),
        solution="" if verdict.solution is None else json.dumps(verdict.solution, separators=(",", ":")),
        disturbed=disturbed(figures.get("total_s"), figures.get("waited_s"), figures.get("stolen_s")),
    )
