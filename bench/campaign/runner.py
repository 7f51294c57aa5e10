"""Executes the runs of a plan, checks and records each, and goes on where an earlier attempt ended."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from bench.campaign.execute import Completed, execute_run, provenance_of
from bench.campaign.machine_json import open_campaign
from bench.campaign.plan import refuse_other_threads
from bench.campaign.recorder import Recorder
from bench.campaign.results import key
from bench.campaign.resume import Redo, missing, what_counts
from bench.campaign.schedule import Schedule
from bench.catalogue import Instance
from bench.catalogue.errors import RequestError
from bench.contract import Backend, Run
from bench.execution.pool import Servers


@dataclass(frozen=True)
class Progress:
    """Where a campaign stands, after each run; `planned` is None if that depends on the runs to come."""

    completed: Completed
    done: int
    planned: int | None


def run_campaign(
    folder: Path,
    runs: Sequence[Run],
    schedule: Schedule,
    times: int | None,
    instances: Mapping[str, Instance],
    backends: Mapping[str, Backend],
    slots: Sequence[Servers],
    session: Mapping[str, Any],
    on_progress: Callable[[Progress], None],
    redo: Redo = Redo.STALE,
    on_note: Callable[[str], None] = lambda _: None,
) -> None:
    """Executes the runs that `folder` does not record yet.

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
        provenance = provenance_of(campaign)
        completed, again = what_counts(recorder.rows, runs, redo)
        if again:
            on_note(again)
        next_runs = schedule(campaign["order_seed"], lambda run: completed[key(run)])
        done = sum(len(completed[key(run)]) for run in runs)
        planned = None if times is None else done + missing(runs, times, completed)

        with threads(slots) as (pool, free):

            def execute(run: Run) -> Completed:
                slot = free.get()
                try:
                    instance = instances[run.instance_sha256]
                    backend = backends[run.backend]
                    if run.formulation and not backend.lacks(run.solver):
                        slot.warm_up(run)
                    return execute_run(slot, instance, run, provenance, backend, slot.calibrate())
                finally:
                    free.put(slot)

            waiting: set[Future[Completed]] = set()

            def submit() -> None:
                while len(waiting) < len(slots) and (run := next(next_runs, None)):
                    waiting.add(pool.submit(execute, run))

            submit()
            while waiting:
                ended, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in ended:
                    executed = future.result()
                    run, row = executed.run, recorder.append(executed.row)
                    completed[key(run)][run.repeat] = row
                    done += 1
                    on_progress(Progress(replace(executed, row=row), done, planned))
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
def threads(slots: Sequence[Servers]) -> Iterator[tuple[ThreadPoolExecutor, SimpleQueue[Servers]]]:
    """A thread for each slot, and the slots that are free; whatever happens, nothing runs on after it."""
    free: SimpleQueue[Servers] = SimpleQueue()
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
