"""Executes one run: a worker solves it, its solutions are checked, its row is put together."""

import gzip
import hashlib
import json
from collections.abc import Mapping
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from bench import catalogue
from bench.campaign.check import Solutions, validate
from bench.campaign.results import COLUMNS, HASHED, KINDS, MOST_COUNTED, SCHEMA, Row, disturbed
from bench.catalogue import Instance, errors
from bench.catalogue.errors import one_line, plain
from bench.contract import Backend, Run, Status
from bench.environment import counting
from bench.environment.files import TemporaryFolder
from bench.environment.machine import Machine
from bench.execution.pool import ServerPool
from bench.execution.protocol import Answer

MOST_BYTES = 10_000_000
"""The middle of a longer log is left out."""

_CLOCK_S = 0.1
"""If the clock was set by more seconds, limits and times of solvers that read it are wrong."""

_CLOCK_TRIES = 3
"""How often a run is executed during which the clock was set."""


def provenance_of(machine: Machine, campaign: str = "") -> dict[str, str]:
    """What all rows of a session have in common: the campaign, the machine and the project."""
    here = {name: getattr(machine, name) or "" for name in ("host", "cpu", "python", "version", "commit")}
    return {"campaign": campaign, **here}


@dataclass(frozen=True)
class Completed:
    """A run that was executed, and its row; the traceback if it crashed, and the solver's log, compressed."""

    run: Run
    row: Row
    traceback: str = ""
    log: bytes = b""
    note: str = ""  # Why its instructions could not be counted.


def execute_run(
    servers: ServerPool,
    instance: Instance,
    run: Run,
    provenance: Mapping[str, str],
    backend: Backend | None = None,
    reference_load_s: float | None = None,
) -> Completed:
    """Executes one run and validates it; again if the clock was set meanwhile, or to count instructions.

    Where its `backend` lacks the solver or the model, the run gets its row nevertheless.
    """
    if backend and (untriable := untried(run, backend)):
        return complete(instance, run, untriable, provenance)
    for _ in range(_CLOCK_TRIES):
        begun = now()
        found = Solutions(instance, servers.aside)
        answer = servers.run(run, found.add)
        set_s = answer.clock_set_s or 0.0
        if abs(set_s) <= _CLOCK_S:
            completed = complete(instance, run, answer, provenance, found, begun, reference_load_s)
            return _with_instructions(servers, completed) if run.counted else completed
    error = f"the system's clock was set by {set_s:+.1f} s during the run, in each of {_CLOCK_TRIES} tries"
    return complete(instance, run, Answer(Status.CRASHED, error), provenance)


def _with_instructions(servers: ServerPool, completed: Completed) -> Completed:
    """Counts the instructions of a run that solved its problem."""
    run, row = completed.run, completed.row
    if run.repeat > MOST_COUNTED or not row.status.conclusive or row.total_s is None:
        return completed
    missing = counting.missing()  # On a cluster, perhaps of this machine alone.
    if not missing:
        answer, whole, building = servers.count(run, row.total_s)
        if whole is not None and answer.claim and answer.claim.conclusive:
            return replace(completed, row=replace(row, instructions=whole, build_instructions=building))
        ending = f"signal {answer.signal}" if answer.signal else answer.killed or answer.claim
        missing = answer.error or f"it ended with {ending}"
    return replace(completed, note=f"{row.model}: no instructions counted: {missing}")


def execute_warm(
    campaign: str, logs: bool, servers: ServerPool, machine: Machine, instance: Instance, run: Run
) -> Completed:
    """Executes a run that can be tried, on a warm server; `logs`: whether a first run's log is kept."""
    servers.warm_up(run)
    provenance, load_s = provenance_of(machine, campaign), servers.reference_load_s()
    log = ""
    with ExitStack() as stack:
        # What a program writes may show the grid.
        if logs and run.is_first and instance.redistributable:
            # No folder of the server's: that may end with the run.
            with suppress(OSError):
                log = str(stack.enter_context(closing(TemporaryFolder())).path / "log")
        logged = replace(run, log=log)
        completed = execute_run(servers, instance, logged, provenance, reference_load_s=load_s)
        return replace(completed, run=run, log=compressed(log))


def compressed(path: str) -> bytes:
    """The content of a log, compressed; nothing if it is empty."""
    with suppress(OSError):
        if path and (size := Path(path).stat().st_size):
            with Path(path).open("rb") as log:
                text = log.read(min(size, MOST_BYTES))
                if size > MOST_BYTES:
                    half = MOST_BYTES // 2
                    log.seek(size - half)
                    cut = f"\n----- {size - 2 * half:,} bytes are left out here -----\n"
                    text = text[:half] + cut.encode() + log.read(half)
            return gzip.compress(text, mtime=0)
    return b""


def untried(run: Run, backend: Backend) -> Answer | None:
    """The answer to a run that cannot be tried, since its solver or its model is missing; None if it can."""
    if missing := backend.lacks(run.solver):
        return Answer(Status.UNAVAILABLE, missing)
    if backend.formulations.get(run.puzzle):
        return None
    if broken := backend.broken.get(run.puzzle):
        return Answer(Status.CRASHED, broken)
    file = errors.shown(catalogue.source_of(run.puzzle, run.backend))
    return Answer(Status.UNSUPPORTED, f"there is no {file}")


def now() -> tuple[datetime, float]:
    """This moment, by the calendar and by `perf_counter`."""
    return datetime.now(UTC), perf_counter()


def complete(
    instance: Instance,
    run: Run,
    answer: Answer,
    provenance: Mapping[str, str],
    found: Solutions | None = None,
    begun: tuple[datetime, float] | None = None,
    reference_load_s: float | None = None,
) -> Completed:
    """Validates a run, and puts its row together; overhead_s is the time since `begun` less total_s."""
    begun_at, begun_s = begun or now()
    validation = validate(instance, run, answer, found or Solutions(instance))
    outcome = vars(answer.outcome) if answer.outcome else {}
    known = {"campaign": "", **provenance, **vars(run), **vars(answer), **outcome, **vars(validation)}
    known |= validation.of_best
    # Some solvers report counts as floats.
    known |= {name: int(known[name]) for name in _COUNTS & outcome.keys() if known[name] is not None}
    solution = validation.solution
    known |= {
        "started_at": begun_at.isoformat(timespec="milliseconds"),
        "size": instance.puzzle.size,
        "solution": "" if solution is None else json.dumps(solution, separators=(",", ":")),
        "collection": instance.collection,
        "license": instance.license,
        "disturbed": disturbed(answer.total_s, answer.waited_s, answer.stolen_s),
        "reference_s": reference_load_s,
        "schema": SCHEMA,
    }
    if not instance.redistributable:  # An answer may be a row of the solution.
        for name in ("solution", "answer"):
            known[name] = known[name] and HASHED + hashlib.sha256(known[name].encode()).hexdigest()
    # Names and versions that solvers and systems give may hold anything.
    texts = {name: text for name, text in known.items() if isinstance(text, str)}
    known |= {name: one_line(text) for name, text in texts.items() if not text.isprintable()}
    if answer.total_s is not None:
        known["overhead_s"] = perf_counter() - begun_s - answer.total_s
    row = Row(**{name: known[name] for name in COLUMNS if name in known})
    crashed = validation.status == Status.CRASHED
    return Completed(run, row, plain(answer.traceback or answer.tail) if crashed else "")


_COUNTS = {name for name, kind in KINDS.items() if kind == int | None}
"""The columns of figures that are whole numbers."""
