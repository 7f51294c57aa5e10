"""Makes the runs of a plan, checks and records each, and goes on where an earlier attempt ended."""

import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from time import perf_counter
from typing import Any

from bench import machine
from bench.catalogue import Instance, RequestError
from bench.plan import shuffle
from bench.record import Recorder, Row, key, make_row, row_key, written
from bench.run import Run
from bench.verdict import contradicts_others, judge
from bench.workers import Backend, Servers


@dataclass(frozen=True)
class Progress:
    """Where a campaign stands, after each run."""

    run: Run
    row: Row
    done: int
    planned: int


def make_run(
    servers: Servers, instance: Instance, run: Run, campaign: Mapping[str, Any], backend: Backend
) -> Row:
    """Makes one run, checks it, and gives its row.

    overhead_s is all the time from here to the row, less the run's own total_s.
    """
    started_at = datetime.now(UTC).isoformat(timespec="milliseconds")
    dispatched = perf_counter()
    if backend.missing:
        response = without_worker("unavailable", backend.missing)
    elif not run.formulation:
        reason = backend.broken.get(run.puzzle, f"there is no models/{run.puzzle}/{run.backend}.py")
        response = without_worker("unsupported", reason)
    else:
        response = servers.run(run)
    verdict = judge(instance, run, response)
    row = make_row(campaign, started_at, instance, run, backend.solvers.get(run.solver), response, verdict)
    if row["total_s"] is not None:
        row["overhead_s"] = perf_counter() - dispatched - row["total_s"]
    return row


def without_worker(status: str, reason: str) -> dict[str, Any]:
    """What a worker would hand back for a run that cannot be tried."""
    return {"result": {"status": status, "error": reason}}


def open_campaign(folder: Path, order_seed: int) -> dict[str, Any]:
    """The facts of the campaign in `folder`: those of machine.json if it is there, else new ones, written.

    Raises:
        RequestError: if the folder cannot be used.
    """
    path = folder / "machine.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if path.exists():
            known: dict[str, Any] = json.loads(path.read_text())
            return known | machine.describe() | {name: known[name] for name in ("campaign", "order_seed")}
        now = datetime.now(UTC)
        facts = {
            "campaign": f"{now:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}",
            "started_at": now.isoformat(timespec="seconds"),
            "order_seed": order_seed,
            **machine.describe(),
        }
        path.write_text(json.dumps(facts, indent=2) + "\n")
        return facts
    except (OSError, json.JSONDecodeError, KeyError) as error:
        reason = error.strerror if isinstance(error, OSError) else "its machine.json cannot be read"
        raise RequestError(f"{folder}: {reason}; choose another folder with --out") from None


def run_campaign(
    folder: Path,
    runs: Sequence[Run],
    instances: Mapping[str, Instance],
    backends: Mapping[str, Backend],
    jobs: int,
    first_slot: Servers,
    on_progress: Callable[[Progress], None],
) -> None:
    """Makes all runs that `folder` does not record yet, in a random order that machine.json records.

    Args:
        instances: by sha256.
        first_slot: servers that run already; the campaign ends them.

    Raises:
        RequestError: if the folder cannot be used or is full.
        KeyboardInterrupt: after all workers are ended; what was recorded stays.
    """
    campaign = open_campaign(folder, order_seed=secrets.randbelow(2**31))
    recorder = Recorder(folder / "runs.csv")
    claims: dict[tuple[str, ...], Mapping[str, Any]] = {claim(row): row for row in recorder.rows}
    recorded = {row_key(row) for row in recorder.rows}
    missing = [run for run in shuffle(runs, campaign["order_seed"]) if key(run) not in recorded]
    done = len(runs) - len(missing)

    with job_slots(jobs, first_slot) as (pool, slots):

        def make(run: Run) -> tuple[Run, Row]:
            slot = slots.get()
            try:
                instance = instances[run.instance_sha256]
                return run, make_run(slot, instance, run, campaign, backends[run.backend])
            finally:
                slots.put(slot)

        futures: list[Future[tuple[Run, Row]]] = [pool.submit(make, run) for run in missing]
        for future in as_completed(futures):
            run, row = future.result()
            if contradiction := contradicts_others(row, claims.values()):
                row |= {"status": "wrong", "error": contradiction}
            recorder.append(row)
            claims.setdefault(claim(row), row)
            done += 1
            on_progress(Progress(run, row, done, len(runs)))
    recorder.close()


def claim(row: Mapping[str, Any]) -> tuple[str, ...]:
    """What a row says about its instance, whoever says it."""
    return tuple(
        written(row[column]) for column in ("instance_sha256", "status", "task", "solutions", "answer")
    )


@contextmanager
def job_slots(jobs: int, first: Servers) -> Iterator[tuple[ThreadPoolExecutor, SimpleQueue[Servers]]]:
    """A pool of `jobs` threads and as many sets of servers; whatever happens, nothing runs on after it."""
    slots: SimpleQueue[Servers] = SimpleQueue()
    all_servers = [first, *(Servers() for _ in range(jobs - 1))]
    for servers in all_servers:
        slots.put(servers)
    pool = ThreadPoolExecutor(max_workers=jobs)
    try:
        yield pool, slots
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for servers in all_servers:
            servers.close()
        pool.shutdown(wait=True)
