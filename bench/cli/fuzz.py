"""The command `fuzz`."""

import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated

from rich.table import Table

from bench.campaign.plan import find_solver, names_of_backends, refuse_missing
from bench.campaign.selection import Request, Solvers, backends_of
from bench.catalogue.errors import RequestError, unknown
from bench.catalogue.programs import add_program
from bench.cli import completion
from bench.cli.command import Option
from bench.cli.console import answers, complain, console
from bench.cli.options import AllSolvers, Backends, Programs, Puzzles, refuse_missing_cores
from bench.contract import Backend, Status
from bench.environment.known_faults import known_fault
from bench.execution.pool import ServerPool
from bench.fuzzing.folder import Folder, Seen
from bench.fuzzing.hunt import Progress, chosen, hunt
from bench.fuzzing.order import Order

USUAL_MINUTES = 5.0


def fuzz(
    *,
    puzzle: Puzzles = None,
    backend: Backends = None,
    program: Programs = None,
    formulation: Annotated[
        list[str] | None,
        Option(
            metavar="NAME",
            completed=completion.formulations,
            help="Only this formulation; by default all. May be repeated.",
        ),
    ] = None,
    solvers: AllSolvers = Solvers.CORE,
    minutes: Annotated[
        float | None,
        Option(min=0.01, metavar="M", help=f"For how long; by default {USUAL_MINUTES:g}."),
    ] = None,
    examples: Annotated[
        int | None, Option(min=1, metavar="N", help="How many instances to draw, instead of --minutes.")
    ] = None,
    seed: Annotated[
        int | None,
        Option(min=0, metavar="S", help="Decides what is drawn; by default another one each time."),
    ] = None,
    jobs: Annotated[int, Option(min=1, metavar="J", help="How many processes look.")] = 1,
    time_limit: Annotated[
        float, Option(min=0.1, metavar="SECONDS", help="Time limit of a run; it is stopped there.")
    ] = 5.0,
    out: Annotated[
        Path,
        Option(metavar="DIR", help="The folder of findings; those that are there are counted further."),
    ] = Path("results/fuzz"),
) -> None:
    """Look for wrong answers: solve small random instances with every model, and compare.

    Exit codes: 1 if a fault was found, unless the release is known for it.
    """
    if minutes and examples:
        raise RequestError("--minutes and --examples: one of them says when to end; leave the other out")
    refuse_missing_cores(jobs, 1)
    puzzles = chosen(puzzle or ())
    request = Request(
        puzzles=puzzles,
        backends=backend or (),
        programs=[add_program(text) for text in program or ()],
        solvers=solvers,
        formulations=formulation or (),
    )
    seed = time.time_ns() % 10**6 if seed is None else seed
    solvers_there, modelled = installed(request)
    order = Order(
        puzzles=tuple(modelled),
        backends=tuple(solvers_there),
        formulations=tuple(formulation or ()),
        minutes=None if examples else minutes or USUAL_MINUTES,
        examples=examples,
        seed=str(seed),
        time_limit_s=time_limit,
        memory_limit_mb=4096,
        folder=str(out.resolve()),
    )
    console.out(f"{', '.join(order.backends)}; seed {seed}")
    before = Folder(out).all()
    progress = Progress()
    interrupted = False
    with console.rich.status("") as status:

        def show(now: Progress) -> None:
            nonlocal progress
            progress = now
            status.update(in_words(now))

        try:
            hunt(order, jobs, show)
        except KeyboardInterrupt:
            interrupted = True
    after = {folder: seen for folder, seen in Folder(out).all().items() if seen != before.get(folder)}
    summarise(progress, order.backends, after)
    where = f"{out}: {'the findings, and ' if after else ''}sessions/ has what was executed"
    answers.out(f"interrupted; {where}" if interrupted else where)
    if interrupted:
        sys.exit(130)
    new = [seen for folder, seen in after.items() if folder not in before and not known(seen)]
    sys.exit(1 if new or progress.tally.errors else 0)


def installed(request: Request) -> tuple[list[str], list[str]]:
    """The solvers of a request that are there, by full names, and the puzzles that they have models for.

    Raises:
        RequestError: if a solver that the request names is not there, or there is no such model.
    """
    with closing(ServerPool()) as servers:
        backends = servers.offers(backends_of(request))
    refuse_missing(request, backends)
    found = [find_solver(name, backends) for name in names_of_backends(request, backends)]
    known = {
        name
        for backend, _ in found
        for puzzle in request.puzzles
        for name in backend.formulations.get(puzzle, [])
    }
    for name in request.formulations:
        if name not in known:
            raise RequestError(unknown("formulation", name, sorted(known)))
    there = [(backend, solver) for backend, solver in found if not backend.lacks(solver)]
    puzzles = [
        puzzle
        for puzzle in request.puzzles
        if any(has_model(backend, puzzle, request.formulations) for backend, _ in there)
    ]
    if not puzzles:
        raise RequestError("none of these solvers has a model for any of these puzzles")
    return list(dict.fromkeys(f"{backend.name}:{solver}" for backend, solver in there)), puzzles


def has_model(backend: Backend, puzzle: str, wanted: Sequence[str]) -> bool:
    """Whether a backend has a model for a puzzle, of one of the wanted formulations if there are any."""
    has = backend.formulations.get(puzzle, [])
    return any(name in has for name in wanted) if wanted else bool(has)


def in_words(progress: Progress) -> str:
    """How many instances and runs there were, and how many were at fault."""
    tally = progress.tally
    runs, faults = tally.runs.total(), tally.faults.total()
    rate = f"{runs / progress.seconds:.0f} a second" if progress.seconds else ""
    counted = f"{tally.counted.total():,} of them counted exhaustively"
    drawn = tally.instances.total()
    return (
        f"{drawn:,} instance{'' if drawn == 1 else 's'} ({counted}), {runs:,} runs ({rate}), "
        f"{faults:,} at fault, {progress.seconds:.0f} s"
    )


def summarise(progress: Progress, asked: Sequence[str], found: Mapping[Path, Seen]) -> None:
    """Prints a table of the solvers, a line for each fault that was seen, and what is wrong here.

    Args:
        asked: the solvers that were asked for.
        found: the faults that this session saw, by their folders.
    """
    table = Table("solver", "release", "runs", "unfinished", "at fault")
    runs, unfinished, faults = (
        Counter[tuple[str, str]](),
        Counter[tuple[str, str]](),
        Counter[tuple[str, str]](),
    )
    for ((_, solver, version, _), status), number in progress.tally.runs.items():
        runs[solver, version] += number
        unfinished[solver, version] += number * (status in (Status.TIMEOUT, Status.MEMOUT))
    for (_, solver, version, _), number in progress.tally.faults.items():
        faults[solver, version] += number
    for solver, version in sorted(runs):
        figures = (f"{count[solver, version]:,}" for count in (runs, unfinished, faults))
        # The hand search is executed where an instance was not counted exhaustively.
        table.add_row(solver if solver in asked else f"{solver}, to compare", version, *figures)
    console.print(table)
    answers.out(in_words(progress))
    for solver, version in sorted(runs):
        backend, _, name = solver.partition(":")
        if remark := known_fault(backend, name, version):
            answers.out(f"{solver}: {remark}")
    for folder, seen in found.items():
        fault = seen.signature
        times = "once" if seen.times == 1 else f"{seen.times} times"
        note = "; known of this release" if known(seen) else ""
        answers.out(
            f"{folder}: {fault.solver} {fault.version}: {fault.kind}, {fault.place}, seen {times}{note}"
        )
    for error in progress.tally.errors:
        complain(f"error: {error}")


def known(seen: Seen) -> bool:
    """Whether the release is known to give wrong answers."""
    backend, _, solver = seen.signature.solver.partition(":")
    return known_fault(backend, solver, seen.signature.version) is not None
