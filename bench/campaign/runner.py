"""Executes campaigns: `measure` is what `python -m bench run` and `scale` call, and `bench.measure`."""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

from bench.campaign.execute import Completed, complete, execute_warm, provenance_of, untried
from bench.campaign.machine_json import Facts, add_host, open_campaign
from bench.campaign.plan import Plan, Shard, plan_campaign
from bench.campaign.recorder import Recorder, keep_log, recorder_of
from bench.campaign.releases import with_releases
from bench.campaign.results import Row, key
from bench.campaign.schedule import Block, Redo, Repeats, climb, schedule, to_come, what_counts
from bench.campaign.selection import Request, find_instances
from bench.contract import Run, Status, Task
from bench.environment import processes
from bench.environment.index import packages_in
from bench.environment.machine import Machine
from bench.execution.executor import Executor, LocalExecutor
from bench.execution.protocol import Answer


@dataclass(frozen=True)
class Progress:
    """The runs done and planned (None if that depends on runs to come), and workers of a cluster, if any."""

    completed: Completed
    done: int
    planned: int | None
    workers: int | None = None


class Campaign:
    """The runs of a plan, and the rows of those that are completed; arguments as for `measure`.

    `note` is a line on recorded runs that are executed again, or kept though stale. Repeats are `planned`
    as if they lasted as long as those so far.
    """

    def __init__(
        self,
        plan: Plan,
        repeats: Repeats | None,
        recorder: Recorder,
        redo: Redo = Redo.STALE,
        on_note: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.plan, self.repeats, self.recorder = plan, repeats, recorder
        self.on_note, self.noted = on_note, set[str]()
        self.completed, self.note = what_counts(recorder.rows, plan.runs, redo)
        self.done = sum(len(self.rows_of(run)) for run in plan.runs)
        self.planned = None
        if repeats and repeats.times is not None:
            self.planned = self.done + sum(to_come(repeats, self.rows_of(run)) for run in plan.runs)

    def rows_of(self, run: Run) -> Mapping[int, Row]:
        """The rows of a run by the number of the repeat."""
        return self.completed[key(run)]

    def hopeless(self, run: Run) -> Answer | None:
        """The answer to a run that is to count solutions, if its model found none in the same time."""
        rows = self.rows_of(replace(run, task=Task.FIRST)).values() if run.task == Task.COUNT else ()
        if not rows or any(row.status is not Status.TIMEOUT for row in rows):
            return None
        if max(row.time_limit_s for row in rows) < run.time_limit_s:
            return None
        return Answer(Status.TIMEOUT, "not executed: it found no solution within the time limit")

    def run(
        self,
        executor: Executor[Completed],
        facts: Facts,
        on_progress: Callable[[Progress], None] = lambda _: None,
        keep_logs: bool = True,
    ) -> None:
        """Executes and records the runs that are not completed; arguments as for `measure`.

        Raises RequestError if nothing can execute the runs, or the disk is full; what was recorded stays.
        """
        execute = partial(execute_warm, facts.campaign, keep_logs)

        def record(completed: Completed) -> None:
            on_progress(Progress(self.record(completed), self.done, self.planned, executor.workers))

        def record_answer(run: Run, answer: Answer, machine: Machine) -> None:
            instance = self.plan.instances[run.instance_sha256]
            record(complete(instance, run, answer, provenance_of(machine, facts.campaign)))

        def submit(block: Block) -> None:
            tried = []
            for run in block:
                if answer := untried(run, self.plan.backends[run.offered]) or self.hopeless(run):
                    record_answer(run, answer, executor.machine)
                else:
                    tried.append(run)
            executor.submit(tried, execute)

        if self.repeats:
            blocks = schedule(self.plan.runs, self.repeats, facts.order_seed, self.rows_of)
        else:
            sizes = {sha256: instance.puzzle.size for sha256, instance in self.plan.instances.items()}
            blocks = climb(self.plan.runs, sizes, facts.order_seed, self.rows_of)
        pending: Block | None = None
        while True:
            # A block is decided on when it can begin, or to find that there is none.
            while executor.has_room() or not (pending or executor.is_busy()):
                pending = pending or next(blocks, ())
                if not pending or not executor.has_room():
                    break
                submit(pending)
                pending = None
            if not pending and not executor.is_busy():
                return
            for executed in executor.wait():
                if executor.workers is not None:
                    add_host(self.recorder.path.parent, facts, executed.machine)
                if executed.result:
                    record(executed.result)
                else:
                    record_answer(executed.run, Answer(Status.CRASHED, executed.error), executed.machine)

    def record(self, completed: Completed) -> Completed:
        """Records a run that was executed; its row before its log. Returns it with the row as recorded."""
        run, row = completed.run, self.recorder.append(completed.row)
        log_note = keep_log(self.recorder.path.parent, run, completed.log)
        # Each is said once.
        for about, note in (("logs", log_note), (f"{row.backend}:{row.solver}", completed.note)):
            if note and about not in self.noted:
                self.on_note(note)
                self.noted.add(about)
        rows = self.completed[key(run)]
        self.done += 1
        if self.planned is not None and self.repeats:
            self.planned += 1 - to_come(self.repeats, rows) + to_come(self.repeats, rows | {run.repeat: row})
        rows[run.repeat] = row
        return replace(completed, row=row, log=b"")


def measure(
    request: Request,
    folder: Path,
    repeats: Repeats | None,
    jobs: int = 1,
    elsewhere: Callable[[], Executor[Completed]] | None = None,
    shard: Shard | None = None,
    progress: AbstractContextManager[Callable[[Progress], None]] | None = None,
    command: Sequence[str] = (),
    redo: Redo = Redo.STALE,
    on_note: Callable[[str], None] = lambda _: None,
    logs: bool = True,
) -> None:
    """Executes all runs of a campaign that `folder` does not record yet.

    Args:
        folder: where runs.csv and machine.json are written; an existing campaign is resumed.
        repeats: None climbs the sizes for each model until it fails.
        jobs: how many runs at once, on this machine or on each worker of a cluster.
        elsewhere: opens what executes the runs, as a cluster; None for this machine.
        progress: entered when the first run begins; gives a function to call after each run.
        command: the command that repeats this, for machine.json; empty if there is none.
        on_note: called with each line on what is left out or executed again.
        logs: whether the solver's own log of each model's first run is kept, in logs/.

    Raises:
        RequestError: if the request cannot be fulfilled; what was recorded stays.
        KeyboardInterrupt: after all workers are ended; what was recorded stays.
    """
    instances = find_instances(request)
    with ExitStack() as stack:
        by_sha256 = {instance.sha256: instance for instance in instances}
        executor: Executor[Completed]
        executor = elsewhere() if elsewhere else LocalExecutor(by_sha256, jobs, request.cores)
        stack.enter_context(closing(executor))
        request, offers = with_releases(request, executor.offers, on_note=on_note)
        plan = plan_campaign(request, instances, offers)
        if shard:
            plan = shard.part(plan, request.tasks, climbing=repeats is None)
        for line in plan.left_out:
            on_note(line)
        asked = {
            **asdict(request), **asdict(repeats or Repeats()), "jobs": jobs, "pinned": executor.pinned,
            "climb": repeats is None, "shard": str(shard) if shard else None,
            "cluster": executor.cluster, "cgroup": os.environ.get(processes.GROUP_PARENT),
        }  # fmt: skip
        if request.releases:
            asked["environments"] = {each: packages_in(each) for each in request.releases}
        recorder = stack.enter_context(recorder_of(folder))
        on_progress = stack.enter_context(progress or nullcontext(lambda _: None))
        campaign = Campaign(plan, repeats, recorder, redo, on_note)
        facts = open_campaign(folder, executor.machine, command, asked, plan.runs, plan.backends)
        if campaign.note:
            on_note(campaign.note)
        if 0 < campaign.done != campaign.planned:
            of = "" if campaign.planned is None else f" of {campaign.planned:,}"
            on_note(f"resumed: {campaign.done:,}{of} runs are recorded already")
        campaign.run(executor, facts, on_progress, logs)
