"""A campaign from a request, in one call: what `python -m bench run` and `scale` do, and notebooks too."""

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from functools import partial
from pathlib import Path

from bench.campaign.plan import left_out, nothing_to_run, plan, refuse_missing
from bench.campaign.resume import Redo
from bench.campaign.runner import Progress, run_campaign
from bench.campaign.schedule import Repeats, climb, schedule
from bench.campaign.selection import Request, backends_of, find_instances
from bench.environment import cgroups, machine
from bench.execution.pool import server_pools, warn_if_not_pinned


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
    """Makes all runs of a campaign that `folder` does not record yet.

    Args:
        request: what to run.
        folder: where runs.csv and machine.json are written; an existing campaign is resumed.
        repeats: how often each run is made; None climbs the sizes for each model until it fails.
        jobs: how many runs at once.
        progress: entered when the first run begins; gives a function to call after each run.
        command: the command that repeats this, for machine.json; empty if there is none.
        redo: which of the recorded runs are run again.
        on_note: is called with one line on those, before the first run, if there are any.

    Raises:
        RequestError: if the request cannot be carried out; what was recorded stays.
        KeyboardInterrupt: after all workers are ended; what was recorded stays.
    """
    instances = find_instances(request)
    names = backends_of(request)
    # Before cores are reserved: afterwards this process may not use all.
    facts = {"command": list(command), **machine.describe().facts()}
    with server_pools(jobs, request.threads) as slots:
        backends = slots[0].offers(names)
        refuse_missing(request, backends)
        runs = plan(request, instances, backends)
        reasons = left_out(request, instances, backends, runs)
        if not runs:
            raise nothing_to_run(reasons)
        for reason in reasons:
            on_note(reason)
        warn_if_not_pinned(slots[0])
        asked = {
            **asdict(request), **asdict(repeats or Repeats()), "jobs": jobs,
            "pinned": [slot.cores for slot in slots], "cgroup": os.environ.get(cgroups.PARENT),
        }  # fmt: skip
        by_sha256 = {instance.sha256: instance for instance in instances}
        sizes = {sha256: instance.puzzle.size for sha256, instance in by_sha256.items()}
        order = partial(schedule, runs, repeats) if repeats else partial(climb, runs, sizes)
        times = repeats.times if repeats else None
        session = {"request": asked, **facts}
        with progress or nullcontext(lambda _: None) as on_progress:
            run_campaign(
                folder, runs, order, times, by_sha256, backends, slots, session, on_progress, redo, on_note
            )
