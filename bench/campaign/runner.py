"""Makes the runs of a plan, checks and records each, and goes on where an earlier attempt ended."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from time import perf_counter
from typing import Any

from bench import catalogue
from bench.campaign.machine_json import open_campaign
from bench.campaign.plan import refuse_other_threads
from bench.campaign.recorder import Recorder
from bench.campaign.results import Row, key, make_row
from bench.campaign.resume import Redo, missing, what_counts
from bench.campaign.schedule import Schedule
from bench.campaign.validation import Validation, judge
from bench.catalogue import Instance, errors
from bench.catalogue.errors import RequestError
from bench.contract import Backend, Run, Status
from bench.execution.answer import Answer
from bench.execution.pool import ServerPool
from models.shared.puzzle import Solution


@dataclass(frozen=True)
class Progress:
    """Where a campaign stands, after each run; `planned` is None if that depends on the runs to come."""

    run: Run
    row: Row
    done: int
    planned: int | None


def make_run(
    servers: ServerPool,
    instance: Instance,
    run: Run,
    campaign: Mapping[str, Any],
    backend: Backend,
    sentinel_s: float | None = None,
) -> Row:
    """Makes one run, checks it, and gives its row.

    overhead_s is all the time from here to the row, less the run's own total_s.
    """
    started_at = datetime.now(UTC).isoformat(timespec="milliseconds")
    dispatched = perf_counter()
    validation = Validation(instance)

    def check(solution: Solution, stands_for: int) -> bool:
        validation.add(solution, stands_for)
        return validation.goes_on

    if missing := backend.lacks(run.solver):
        answer = Answer(Status.UNAVAILABLE, missing)
    elif broken := None if run.formulation else backend.broken.get(run.puzzle):
        answer = Answer(Status.CRASHED, broken)
    elif not run.formulation:
        file = errors.shown(catalogue.source_of(run.puzzle, run.backend))
        answer = Answer(Status.UNSUPPORTED, f"there is no {file}")
    else:
        answer = servers.run(run, check)
    verdict = judge(instance, run, answer, validation)
    row = make_row(campaign, started_at, instance, run, answer, verdict, sentinel_s)
    if row["total_s"] is not None:
        row["overhead_s"] = perf_counter() - dispatched - row["total_s"]
    return row


def run_campaign(
    folder: Path,
    runs: Sequence[Run],
    schedule: Schedule,
    times: int | None,
    instances: Mapping[str, Instance],
    backends: Mapping[str, Backend],
    slots: Sequence[ServerPool],
    session: Mapping[str, Any],
    on_progress: Callable[[Progress], None],
    redo: Redo = Redo.STALE,
    on_note: Callable[[str], None] = lambda _: None,
) -> None:
    """Makes the runs that `folder` does not record yet.

    Args:
        runs: the first repeat of each.
        schedule: which of them to make, how often, and in which order.
        times: how often each is made; None if that depends on what becomes of them.
        instances: by sha256.
        slots: as many runs are made at once; the campaign ends their processes.
        session: what machine.json is to say of this session: the machine, and what was asked for.
        on_progress: is called after each run.
        redo: which of the runs that are recorded are run again.
        on_note: is called before the first run with one line on those, if there are any.

    Raises:
        RequestError: if the folder cannot be used or is full.
        KeyboardInterrupt: after all workers are ended; what was recorded stays.
    """
    with recorder_of(folder) as recorder:
        refuse_other_threads(folder, recorder.rows, runs)
        campaign = open_campaign(folder, session)
        made, again = what_counts(recorder.rows, runs, redo)
        if again:
            on_note(again)
        next_runs = schedule(campaign["order_seed"], lambda run: made[key(run)])
        done = sum(len(made[key(run)]) for run in runs)
        planned = None if times is None else done + missing(runs, times, made)

        with threads(slots) as (pool, free):

            def make(run: Run) -> tuple[Run, Row]:
                slot = free.get()
                try:
                    instance = instances[run.instance_sha256]
                    backend = backends[run.backend]
                    if run.formulation and not backend.lacks(run.solver):
                        slot.warm_up(run)
                    return run, make_run(slot, instance, run, campaign, backend, slot.reference_load_s())
                finally:
                    free.put(slot)

            waiting: set[Future[tuple[Run, Row]]] = set()

            def submit() -> None:
                while len(waiting) < len(slots) and (run := next(next_runs, None)):
                    waiting.add(pool.submit(make, run))

            submit()
            while waiting:
                ended, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in ended:
                    run, row = future.result()
                    row = recorder.append(row)
                    made[key(run)][run.repeat] = row
                    done += 1
                    on_progress(Progress(run, row, done, planned))
                submit()


@contextmanager
def recorder_of(folder: Path) -> Iterator[Recorder]:
    """The recorder of a folder, which is made if it is not there.

    Raises:
        RequestError: if the folder cannot be used.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RequestError(f"{folder}: {error.strerror}; choose another folder with --out") from None
    recorder = Recorder(folder / "runs.csv")
    try:
        yield recorder
    finally:
        recorder.close()


@contextmanager
def threads(slots: Sequence[ServerPool]) -> Iterator[tuple[ThreadPoolExecutor, SimpleQueue[ServerPool]]]:
    """A thread for each slot, and the slots that are free; whatever happens, nothing runs on after it."""
    free: SimpleQueue[ServerPool] = SimpleQueue()
    for slot in slots:
        free.put(slot)
    pool = ThreadPoolExecutor(max_workers=len(slots))
    try:
        yield pool, free
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for slot in slots:
            slot.close()
        pool.shutdown(wait=True)
