"""Executes one run: a worker solves it, its solutions are checked, its row is put together."""

import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from time import perf_counter
from typing import Any, Self

from bench import catalogue
from bench.campaign.results import COLUMNS, KINDS, Row, disturbed
from bench.campaign.validation import Solutions, Validation, validate
from bench.catalogue import Instance, errors
from bench.contract import Backend, Run, Status
from bench.environment.machine import Machine
from bench.execution.answer import Answer
from bench.execution.pool import ServerPool
from models.shared.puzzle import Solution


@dataclass(frozen=True)
class Provenance:
    """What all rows of a session have in common: the campaign, the machine and the project."""

    campaign: str = ""
    host: str = ""
    cpu: str = ""
    python: str = ""
    version: str = ""
    commit: str = ""

    @classmethod
    def of(cls, machine: Machine, campaign: str = "") -> Self:
        """The provenance of rows that are recorded on a machine."""
        return cls(
            campaign=campaign,
            host=machine.host or "",
            cpu=machine.hardware.cpu or "",
            python=machine.python,
            version=machine.version or "",
            commit=machine.commit or "",
        )


@dataclass(frozen=True)
class Completed:
    """A run that was executed, and its row; `traceback` says where it crashed, if it did."""

    run: Run
    row: Row
    traceback: str = ""


def execute_run(
    servers: ServerPool,
    instance: Instance,
    run: Run,
    provenance: Provenance,
    backend: Backend,
    reference_load_s: float | None = None,
) -> Completed:
    """Executes one run and validates it.

    Its overhead_s is all the time from here to the row, less the run's own total_s.
    """
    started_at = datetime.now(UTC).isoformat(timespec="milliseconds")
    dispatched = perf_counter()
    found = Solutions(instance)

    def check(solution: Solution, stands_for: int) -> bool:
        found.add(solution, stands_for)
        return found.acceptable

    if missing := backend.lacks(run.solver):
        answer = Answer(Status.UNAVAILABLE, missing)
    elif broken := None if run.formulation else backend.broken.get(run.puzzle):
        answer = Answer(Status.CRASHED, broken)
    elif not run.formulation:
        file = errors.shown(catalogue.source_of(run.puzzle, run.backend))
        answer = Answer(Status.UNSUPPORTED, f"there is no {file}")
    else:
        answer = servers.run(run, check)
    validation = validate(instance, run, answer, found)
    row = row_of(provenance, started_at, instance, run, answer, validation, reference_load_s)
    if row.total_s is not None:
        row = replace(row, overhead_s=perf_counter() - dispatched - row.total_s)
    crashed = validation.status == Status.CRASHED
    return Completed(run, row, (answer.traceback or answer.tail) if crashed else "")


def row_of(
    provenance: Provenance,
    started_at: str,
    instance: Instance,
    run: Run,
    answer: Answer,
    validation: Validation,
    reference_load_s: float | None,
) -> Row:
    """The row of a run: what was known before it, what its process answered, what was found of that."""
    outcome = vars(answer.outcome) if answer.outcome else {}
    known = {**vars(provenance), **vars(run), **vars(answer), **outcome}
    # Some solvers report counts as floats.
    figures: dict[str, Any] = {
        column: int(known[column]) if column in COUNTS and known[column] is not None else known[column]
        for column in COLUMNS
        if column in known
    }
    return Row(
        **figures
        | {
            "started_at": started_at,
            "size": instance.puzzle.size,
            "status": validation.status,
            "error": validation.error,
            "solutions": validation.solutions,
            "witnesses": validation.witnesses,
            "answer": "" if validation.answer is None else str(validation.answer),
            "solution": "" if validation.solution is None else as_text(validation.solution),
            "disturbed": disturbed(answer.total_s, answer.waited_s, answer.stolen_s),
            "sentinel_s": reference_load_s,
        }
    )


COUNTS = {name for name, kind in KINDS.items() if kind == int | None}
"""The columns of figures that are whole numbers."""


def as_text(solution: Solution) -> str:
    """A solution as it stands in runs.csv."""
    return json.dumps(solution, separators=(",", ":"))
