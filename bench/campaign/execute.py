"""Executes one run: a worker solves it, its solutions are checked, its row is put together."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from time import perf_counter
from typing import Self

from bench import catalogue
from bench.campaign.results import COLUMNS, KINDS, Row, disturbed
from bench.campaign.validation import Solutions, validate
from bench.catalogue import Instance, errors
from bench.contract import Backend, Run, Status
from bench.environment.machine import Machine
from bench.execution.answer import Answer
from bench.execution.pool import ServerPool


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
        here = machine.host, machine.hardware.cpu, machine.python, machine.version, machine.commit
        return cls(campaign, *(fact or "" for fact in here))


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
    if missing := backend.lacks(run.solver):
        answer = Answer(Status.UNAVAILABLE, missing)
    elif broken := None if run.formulation else backend.broken.get(run.puzzle):
        answer = Answer(Status.CRASHED, broken)
    elif not run.formulation:
        file = errors.shown(catalogue.source_of(run.puzzle, run.backend))
        answer = Answer(Status.UNSUPPORTED, f"there is no {file}")
    else:
        answer = servers.run(run, found.add)
    validation = validate(instance, run, answer, found)
    outcome = vars(answer.outcome) if answer.outcome else {}
    # Some solvers report counts as floats.
    counts = {name: int(value) for name, value in outcome.items() if name in COUNTS and value is not None}
    known = {**vars(provenance), **vars(run), **vars(answer), **outcome, **counts, **vars(validation)}
    known |= {
        "started_at": started_at,
        "size": instance.puzzle.size,
        "solution": "" if known["solution"] is None else json.dumps(known["solution"], separators=(",", ":")),
        "disturbed": disturbed(answer.total_s, answer.waited_s, answer.stolen_s),
        "sentinel_s": reference_load_s,
    }
    if answer.total_s is not None:
        known["overhead_s"] = perf_counter() - dispatched - answer.total_s
    row = Row(**{name: known[name] for name in COLUMNS if name in known})
    crashed = validation.status == Status.CRASHED
    return Completed(run, row, (answer.traceback or answer.tail) if crashed else "")


COUNTS = {name for name, kind in KINDS.items() if kind == int | None}
"""The columns of figures that are whole numbers."""
