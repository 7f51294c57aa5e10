"""The command `watch`."""

import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

from bench import catalogue
from bench.campaign.results import Row
from bench.campaign.selection import ALL, MOST, TIME_LIMIT_S, Request, backends_of, find_one
from bench.catalogue.errors import command_line, writing
from bench.cli.command import Option
from bench.cli.console import answers, complain, console, fail
from bench.cli.options import InstanceArgument, OneFormulation, OneTask, RunLimits, one_task
from bench.cli.solve import execute
from bench.environment.files import TemporaryFolder, refuse_unwritable
from bench.trace import MOST_NODES, read_trace

_ADVICE = "choose another folder with --out"


def watch(
    file: InstanceArgument,
    *,
    backend: Annotated[
        str, Option("The backend, which must be one whose search can be watched.", "BACKEND[:SOLVER]")
    ] = "backtrack",
    formulation: OneFormulation = "",
    task: OneTask = None,
    seed: Annotated[
        int, Option("The order of the search where the rules leave it open.", "N", min=1, max=MOST["seed"])
    ] = 1,
    limits: RunLimits,
    frames: Annotated[int, Option("Show at most so many nodes.", "N", min=2, max=1000)] = 100,
    out: Annotated[
        Path | None,
        Option("By default results/watch/INSTANCE-BACKEND; pictures there are replaced.", "FOLDER"),
    ] = None,
) -> None:
    """Draw a search at work: an animated picture, a page to step through it, and the search tree."""
    if formulation == ALL:
        fail("watch draws one formulation; name it")
    backends_of(Request(backends=[backend]))
    name = backend.partition(":")[0]
    if not catalogue.says("WATCHED", name):
        others = [each for each in catalogue.backend_names() if catalogue.says("WATCHED", each)]
        fail(f"{name} does not show its search; --backend {' or '.join(others)} does")
    path = find_one(file)
    if not (instance := catalogue.load(path)).redistributable:
        hint = f"`{command_line('solve', file)}` shows the solution"
        fail(f"{instance.name} may not be passed on, and the pictures would show it; {hint}")
    folder = out or Path("results") / "watch" / f"{path.stem}-{backend.replace(':', '-').replace('/', '-')}"
    refuse_unwritable(folder, _ADVICE)
    request = Request(
        instances=[str(path)], backends=[backend], formulations=[formulation] if formulation else (),
        tasks=one_task(task), time_limit_s=limits.time_limit or TIME_LIMIT_S,
        memory_limit_mb=limits.memory_limit,
    )  # fmt: skip
    try:
        row = _draw_search(request, seed, frames, folder)
    except KeyboardInterrupt:
        complain("interrupted; nothing was drawn")
        sys.exit(130)
    sys.exit(1 if row.status.failed else 0)


def _draw_search(request: Request, seed: int, frames: int, folder: Path) -> Row:
    """Executes the only run of a request, and draws its search; returns its row."""
    # Here, as matplotlib is slow to import: a request that is refused should not wait for it.
    from bench.instruments.watch.pictures import write_pictures
    from bench.instruments.watch.tree import findings, tree_of

    with closing(TemporaryFolder()) as temporary:
        trace = temporary.path / "trace.jsonl"
        instance, completed = execute(request, seed, trace=trace)
        nodes = list(read_trace(trace)) if trace.exists() else []
    row = completed.row
    if row.error:
        complain(f"{row.status}: {row.error}")
    if console.verbose and completed.traceback:
        complain(completed.traceback)
    if not nodes and row.status.faulty:
        sys.exit(1)
    if not nodes:
        never = "no search tree was written; docs/adding.md says how a search is watched"
        fail(f"{row.puzzle}, {row.backend}:{row.solver} {row.formulation}: {never}", 1)
    tree = tree_of(nodes, row.status.conclusive and len(nodes) < MOST_NODES)
    for line in findings(tree, row) if not console.quiet else ():
        answers.out(line)
    with writing(folder, _ADVICE):
        folder.mkdir(parents=True, exist_ok=True)
        # The files of an earlier call are replaced when their successors are complete.
        with TemporaryDirectory(prefix=".part-", dir=folder) as drafts:
            write_pictures(Path(drafts), tree, instance, row, frames)
            written = sorted(Path(drafts).iterdir())
            for path in written:
                path.replace(folder / path.name)
    answers.out(f"{folder}: {', '.join(path.name for path in written)}; search.html opens in any browser")
    return row
