"""Makes the runs of a plan, checks and records each, and goes on where an earlier attempt ended."""

import json
import os
import secrets
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from time import perf_counter
from typing import Any

from bench import blame, catalogue
from bench.catalogue import Instance, RequestError
from bench.plan import Redo, Schedule, refuse_other_threads
from bench.record import CONTENTS, Recorder, Row, contents, current, key, make_row, row_key, without_repeated
from bench.run import Run
from bench.verdict import NOT_DONE, RETRIED, Validation, judge
from bench.workers import Backend, Servers
from models.shared.puzzle import Solution


@dataclass(frozen=True)
class Progress:
    """Where a campaign stands, after each run; `planned` is None if that depends on the runs to come."""

    run: Run
    row: Row
    done: int
    planned: int | None


def make_run(
    servers: Servers,
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
        response = without_worker("unavailable", missing)
    elif broken := None if run.formulation else backend.broken.get(run.puzzle):
        response = without_worker("crashed", broken)
    elif not run.formulation:
        file = blame.shown(catalogue.source_of(run.puzzle, run.backend))
        response = without_worker("unsupported", f"there is no {file}")
    else:
        response = servers.run(run, check)
    verdict = judge(instance, run, response, validation)
    row = make_row(campaign, started_at, instance, run, response, verdict, sentinel_s)
    if row["total_s"] is not None:
        row["overhead_s"] = perf_counter() - dispatched - row["total_s"]
    return row


def without_worker(status: str, reason: str) -> dict[str, Any]:
    """What a worker would hand back for a run that cannot be tried."""
    return {"figures": {"status": status, "error": reason}}


def open_campaign(
    folder: Path, session: Mapping[str, Any], like: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The facts of the campaign in `folder`, this session's in front; writes them into its machine.json.

    machine.json has the name of the campaign, the seed of its order, and one entry a session: a campaign that
    is resumed has several, and each may have another machine, commit or request.

    Args:
        like: the facts of another folder's campaign; if this one is new, it is a part of that.

    Raises:
        RequestError: if the folder cannot be used.
    """
    path = folder / "machine.json"
    now = datetime.now(UTC)
    facts: dict[str, Any]
    try:
        if path.exists():
            facts = json.loads(path.read_text())
        else:
            like = like or {
                "campaign": f"{now:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}",
                "order_seed": secrets.randbelow(2**31),
            }
            facts = {name: like[name] for name in ("campaign", "order_seed")} | {"sessions": []}
        entry = {"started_at": now.isoformat(timespec="seconds"), **session}
        facts["sessions"].append(entry)
        replace_file(path, json.dumps(facts, indent=2) + "\n")
        return entry | {"campaign": facts["campaign"], "order_seed": facts["order_seed"]}
    except (OSError, json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "its machine.json cannot be read"
        raise RequestError(f"{folder}: {reason}; choose another folder with --out") from None


def replace_file(path: Path, text: str) -> None:
    """Writes a file so that a kill at any moment leaves the old content or the new one."""
    draft = path.with_name(f"{path.name}.new")
    with draft.open("w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


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
                    return run, make_run(slot, instance, run, campaign, backend, slot.calibrate())
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


def missing(
    runs: Sequence[Run], times: int, made: Mapping[tuple[str, ...], Mapping[int, Mapping[str, Any]]]
) -> int:
    """How many of the repeats up to `times` are not there."""
    return sum(repeat not in made[key(run)] for run in runs for repeat in range(1, times + 1))


Recorded = dict[tuple[str, ...], dict[int, Mapping[str, Any]]]
"""Rows by the name of their run and the repeat."""

CHANGED = dict(zip(CONTENTS, ("instance file", "model", "solver release"), strict=True))
"""What may have changed since a run was recorded, in words."""


def what_counts(rows: Sequence[Mapping[str, str]], runs: Sequence[Run], redo: Redo) -> tuple[Recorded, str]:
    """The recorded rows that need not be run again, and a line on those that are; empty if there are none.

    Args:
        rows: all that are recorded.
        runs: what is asked for now: rows of other runs count as they are.
        redo: which rows are run again.
    """
    asked = {key(run): contents(run) for run in runs}
    reasons: Counter[str] = Counter()
    counted: Recorded = defaultdict(dict)
    # What is kept is kept though a later run of another measurement has made it look old.
    numbers = without_repeated(rows, range(len(rows))) if redo == Redo.KEEP else current(rows)
    for row in (rows[number] for number in numbers):
        name = row_key(row)
        reason = why_again(row, asked[name], redo) if name in asked else ""
        if reason:
            reasons[reason] += 1
        if redo == Redo.KEEP or not reason:
            counted[name][int(row["repeat"])] = row
    if not reasons:
        return counted, ""
    because = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
    if redo == Redo.KEEP:
        return counted, f"recorded runs that are kept, and get no more repeats: {because}"
    keep = "; --keep leaves them as they are" if redo == Redo.STALE else ""
    return counted, f"recorded runs that are run again: {because}{keep}"


def why_again(row: Mapping[str, str], now: Sequence[str], redo: Redo) -> str:
    """Why a row is run again, empty if it is not.

    Args:
        row: of runs.csv.
        now: the contents that its run depends on now.
        redo: which rows are run again.
    """
    if redo == Redo.ALL:
        return "as asked for"
    for column, content in zip(CONTENTS, now, strict=True):
        if row[column] != content:
            return f"with {'another' if row[column] else 'an unknown'} {CHANGED[column]}"
    failed = row["status"] in (NOT_DONE if redo == Redo.FAILED else RETRIED)
    return row["status"] if failed else ""


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
