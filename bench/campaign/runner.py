"""Executes campaigns: `measure` is what `python -m bench run` and `scale` call, and notebooks too."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from bench.campaign.execute import Completed, Provenance, execute_run
from bench.campaign.machine_json import open_campaign, session_of
from bench.campaign.plan import Plan, plan_campaign
from bench.campaign.recorder import Recorder, recorder_of
from bench.campaign.results import Row, key
from bench.campaign.resume import Redo, missing, refuse_other_threads, what_counts
from bench.campaign.schedule import Repeats, climb, schedule
from bench.campaign.selection import Request, backends_of, find_instances
from bench.contract import Run
from bench.environment import cgroups, machine
from bench.execution.pool import ServerPool, server_pools, warn_if_not_pinned


@dataclass(frozen=True)
class Progress:
    """Where a campaign stands, after each run; `planned` is None if that depends on the runs to come."""

    completed: Completed
    done: int
    planned: int | None


class Campaign:
    """The runs of a plan, and what is completed of them.

    Args:
        plan: the runs, with all that is needed to execute them.
        repeats: how often each run is executed; None climbs the sizes for each model until it fails.
        recorder: of the campaign's folder; runs that it has are not executed again, but for `redo`.

    Attributes:
        completed: the rows of each run so far.
        note: a line on recorded runs that are executed again, or kept though stale; empty if there are none.
        done, planned: how many runs are completed, and how many will be; see Progress.

    Raises:
        RequestError: if runs are recorded with another number of threads.
    """

    def __init__(
        self, plan: Plan, repeats: Repeats | None, recorder: Recorder, redo: Redo = Redo.STALE
    ) -> None:
        refuse_other_threads(recorder.path.parent, recorder.rows, plan.runs)
        self.plan, self.repeats, self.recorder = plan, repeats, recorder
        self.completed, self.note = what_counts(recorder.rows, plan.runs, redo)
        self.done = sum(len(self.rows_of(run)) for run in plan.runs)
        times = repeats.times if repeats else None
        self.planned = None if times is None else self.done + missing(plan.runs, times, self.completed)

    def rows_of(self, run: Run) -> Mapping[int, Row]:
        """The rows of a run by the number of the repeat."""
        return self.completed[key(run)]

    def schedule(self, order_seed: int) -> Iterator[Run | None]:
        """The runs to execute, in order; None where the next one depends on some that have not ended."""
        if self.repeats:
            return schedule(self.plan.runs, self.repeats, order_seed, self.rows_of)
        sizes = {sha256: instance.puzzle.size for sha256, instance in self.plan.instances.items()}
        return climb(self.plan.runs, sizes, order_seed, self.rows_of)

    def run(
        self,
        pools: Sequence[ServerPool],
        provenance: Provenance,
        order_seed: int,
        on_progress: Callable[[Progress], None] = lambda _: None,
    ) -> None:
        """Executes and records the runs that are not completed; whatever happens, nothing runs on after it.

        Args:
            pools: each executes one run at a time; all are closed afterwards.
            on_progress: called after each run.

        Raises:
            RequestError: if the disk is full; what was recorded stays.
            KeyboardInterrupt: after all workers are ended; what was recorded stays.
        """
        next_runs = self.schedule(order_seed)
        free = list(pools)
        running: dict[Future[Completed], ServerPool] = {}
        executor = ThreadPoolExecutor(max_workers=len(pools))
        try:
            while True:
                while free and (run := next(next_runs, None)):
                    pool = free.pop(0)
                    running[executor.submit(self.execute, pool, run, provenance)] = pool
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    free.append(running.pop(future))
                    on_progress(self.record(future.result()))
        finally:
            executor.shutdown(wait=False, cancel_futures=True)
            for pool in pools:
                pool.close()
            executor.shutdown(wait=True)

    def execute(self, pool: ServerPool, run: Run, provenance: Provenance) -> Completed:
        """Executes one run, on a server that is warm."""
        backend = self.plan.backends[run.backend]
        if run.formulation and not backend.lacks(run.solver):
            pool.warm_up(run)
        instance = self.plan.instances[run.instance_sha256]
        return execute_run(pool, instance, run, provenance, backend, pool.reference_load_s())

    def record(self, completed: Completed) -> Progress:
        """Records a run that was executed."""
        run, row = completed.run, self.recorder.append(completed.row)
        self.completed[key(run)][run.repeat] = row
        self.done += 1
        return Progress(replace(completed, row=row), self.done, self.planned)


def measure(
    request: Request,
    folder: Path,
    repeats: Repeats | None,
    jobs: int = 1,
    progress: AbstractContextManager[Callable[[Progress], None]] | None = None,
    command: Sequence[str] = (),
    redo: Redo = Redo.STALE,
    on_note: Callable[[str], None] = lambda _: None,
) -> None:
    """Executes all runs of a campaign that `folder` does not record yet.

    Args:
        request: what to run.
        folder: where runs.csv and machine.json are written; an existing campaign is resumed.
        repeats: how often each run is executed; None climbs the sizes for each model until it fails.
        jobs: how many runs at once.
        progress: entered when the first run begins; gives a function to call after each run.
        command: the command that repeats this, for machine.json; empty if there is none.
        redo: which of the recorded runs are executed again.
        on_note: called before the first run with each line on what is left out or executed again.

    Raises:
        RequestError: if the request cannot be fulfilled; what was recorded stays.
        KeyboardInterrupt: after all workers are ended; what was recorded stays.
    """
    instances = find_instances(request)
    names = backends_of(request)
    # Before cores are reserved: afterwards this process may not use all.
    here = machine.describe()
    with server_pools(jobs, request.threads) as pools:
        plan = plan_campaign(request, instances, pools[0].offers(names))
        for line in plan.left_out:
            on_note(line)
        warn_if_not_pinned(pools[0])
        asked = {
            **asdict(request), **asdict(repeats or Repeats()), "jobs": jobs,
            "pinned": [pool.cores for pool in pools], "cgroup": os.environ.get(cgroups.PARENT),
        }  # fmt: skip
        with recorder_of(folder) as recorder, progress or nullcontext(lambda _: None) as on_progress:
            campaign = Campaign(plan, repeats, recorder, redo)
            facts = open_campaign(folder, session_of(here, command, asked))
            if campaign.note:
                on_note(campaign.note)
            campaign.run(pools, Provenance.of(here, facts.campaign), facts.order_seed, on_progress)
