"""The command `fuzz`."""

import sys
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Annotated

from rich.table import Table

from bench import catalogue
from bench.analysis.units import plural
from bench.campaign.plan import find_solver, names_of_backends, refuse_missing
from bench.campaign.selection import Request, Solvers, backends_of
from bench.catalogue import errors
from bench.catalogue.errors import RequestError
from bench.catalogue.programs import add_program
from bench.cli import completion
from bench.cli.command import Option
from bench.cli.console import answers, complain, console
from bench.cli.options import AllSolvers, Backends, Programs, Puzzles, refuse_missing_cores
from bench.contract import Status
from bench.environment.files import refuse_unwritable
from bench.environment.releases import known_fault
from bench.execution.pool import ServerPool
from bench.instruments.fuzz.findings import Folder, Seen
from bench.instruments.fuzz.session import SOURCES, Order, Session

_USUAL_MINUTES = 5.0


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
        Option(min=0.01, metavar="M", help=f"For how long; by default {_USUAL_MINUTES:g}."),
    ] = None,
    examples: Annotated[
        int | None, Option(min=1, metavar="N", help="How many instances to draw, instead of --minutes.")
    ] = None,
    seed: Annotated[
        int | None,
        Option(min=0, metavar="S", help="Decides what is drawn; random by default."),
    ] = None,
    jobs: Annotated[int, Option(min=1, metavar="J", help="Number of processes.")] = 1,
    time_limit: Annotated[
        float, Option(min=0.1, metavar="SECONDS", help="Time limit of a run; it is stopped there.")
    ] = 5.0,
    out: Annotated[
        Path,
        Option(metavar="DIR", help="The folder of findings; known ones are counted again."),
    ] = Path("results/fuzz"),
) -> None:
    """Look for wrong answers: solve small random instances with every model, and compare.

    Exit codes: 1 if a fault was found, unless the release is known for it.
    """
    if minutes and examples:
        raise RequestError("--minutes and --examples: one of them says when to end; leave the other out")
    refuse_missing_cores(jobs, 1)
    programs = [add_program(text) for text in program or ()]
    request = Request(
        puzzles=_puzzles(puzzle or ()), backends=backend or (), programs=programs, solvers=solvers,
        formulations=formulation or (),
    )  # fmt: skip
    refuse_unwritable(out, "choose another folder with --out")
    seed = time.time_ns() % 10**6 if seed is None else seed
    solvers_there, modelled = _installed(request)
    order = Order(
        modelled, solvers_there, request.formulations, None if examples else minutes or _USUAL_MINUTES,
        examples, str(seed), time_limit, memory_limit_mb=4096, folder=str(out.resolve()),
    )  # fmt: skip
    console.out(f"{', '.join(order.backends)}; seed {seed}")
    before = Folder(out).all()
    session = Session(order, jobs)
    interrupted = False
    with console.rich.status("") as status:
        try:
            session.hunt(lambda: status.update(_in_short(session)))
        except KeyboardInterrupt:
            interrupted = True
    after = {folder: seen for folder, seen in Folder(out).all().items() if seen != before.get(folder)}
    _summarise(session, after)
    where = f"{out}: {'the findings, and ' if after else ''}sessions/ has what was executed"
    answers.out(f"interrupted; {where}" if interrupted else where)
    new = [seen.signature for folder, seen in after.items() if folder not in before]
    failed = session.tally.errors or any(not _remark(fault.solver, fault.version) for fault in new)
    sys.exit(130 if interrupted else 1 if failed else 0)


def _puzzles(named: Sequence[str]) -> list[str]:
    """The puzzles to fuzz; all that have instances to draw if none is named.

    Raises:
        RequestError: if there is nothing to draw for one that is named.
    """
    names = [catalogue.find_puzzle(name) for name in named]
    known = names or catalogue.puzzle_names()
    files = {name: [catalogue.source_of(name, source) for source in SOURCES] for name in known}
    drawn = [name for name in known if any(source.exists() for source in files[name])]
    for name in names:
        if name not in drawn:
            write = f"write {errors.shown(files[name][0])} (docs/adding.md)"
            raise RequestError(f"{name}: there is nothing to draw; {write}")
    return drawn


def _installed(request: Request) -> tuple[list[str], list[str]]:
    """The solvers of a request that are there, by full names, and the puzzles that they have models for.

    Raises:
        RequestError: if a solver that the request names is not there, or there is no such model.
    """
    with closing(ServerPool()) as servers:
        backends = servers.offers(backends_of(request))
    refuse_missing(request, backends)
    found = [find_solver(name, backends) for name in names_of_backends(request, backends)]
    models = [
        (puzzle, name, not backend.lacks(solver))
        for (backend, solver), puzzle in product(found, request.puzzles)
        for name in backend.formulations.get(puzzle, [])
    ]
    wanted = request.formulations
    known = {name for _, name, _ in models}
    for name in wanted:
        if name not in known:
            raise RequestError(errors.unknown("formulation", name, sorted(known)))
    modelled = {puzzle for puzzle, name, there in models if there and (not wanted or name in wanted)}
    if not modelled:
        raise RequestError("none of these solvers has a model for any of these puzzles")
    there = [f"{backend.name}:{solver}" for backend, solver in found if not backend.lacks(solver)]
    return list(dict.fromkeys(there)), [puzzle for puzzle in request.puzzles if puzzle in modelled]


def _in_words(session: Session) -> str:
    """How many instances and runs there were, and how many were at fault."""
    tally, seconds = session.tally, session.seconds
    runs, drawn = tally.runs.total(), plural(tally.instances.total(), "instance")
    counted, faults = (f"{number.total():,}" for number in (tally.counted, tally.faults))
    each = f"{runs:,} runs ({runs / seconds:.0f} a second), {faults} at fault, {seconds:.0f} s"
    return f"{drawn} ({counted} of them counted exhaustively), {each}"


def _in_short(session: Session) -> str:
    """The same on one line of a narrow terminal, while they are tried."""
    runs, drawn, faults = (
        each.total() for each in (session.tally.runs, session.tally.instances, session.tally.faults)
    )
    return f"{runs:,} runs of {plural(drawn, 'instance')}, {faults:,} at fault, {session.seconds:.0f} s"


def _summarise(session: Session, found: Mapping[Path, Seen]) -> None:
    """Prints a table of the solvers, a line for each of the faults that it saw, and what is wrong here."""
    table = Table("solver", "release", "runs", "unfinished", "at fault")
    figures: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for ((_, solver, version, _), status), number in session.tally.runs.items():
        figures[solver, version]["runs"] += number
        figures[solver, version]["unfinished"] += number * (status in (Status.TIMEOUT, Status.MEMOUT))
    for (_, solver, version, _), number in session.tally.faults.items():
        figures[solver, version]["at fault"] += number
    for (solver, version), counts in sorted(figures.items()):
        # The hand search is executed where an instance was not counted exhaustively.
        shown = solver if solver in session.order.backends else f"{solver}, to compare"
        table.add_row(shown, version, *(f"{counts[name]:,}" for name in ("runs", "unfinished", "at fault")))
    console.print(table)
    answers.out(_in_words(session))
    for solver, version in sorted(figures):
        if remark := _remark(solver, version):
            answers.out(f"{solver}: {remark}")
    for folder, seen in found.items():
        fault = seen.signature
        times = "once" if seen.times == 1 else f"{seen.times} times"
        note = "; known of this release" if _remark(fault.solver, fault.version) else ""
        what = f"{fault.solver} {fault.version}: {fault.kind}, {fault.place}"
        answers.out(f"{folder}: {what}, seen {times}{note}")
    for error in session.tally.errors:
        complain(f"error: {error}")


def _remark(solver: str, version: str) -> str | None:
    """What is known of wrong answers of a release, if anything is."""
    backend, _, name = solver.partition(":")
    return known_fault(backend, name, version)
