"""The command `fuzz`."""

import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, replace
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from typing import Annotated, Any

from bench import catalogue
from bench.analysis.units import plural
from bench.campaign.execute import untried
from bench.campaign.plan import plan, refuse_missing
from bench.campaign.selection import Request, Solvers, backends_of, find_instances
from bench.catalogue import errors
from bench.catalogue.errors import RequestError
from bench.catalogue.programs import add_program
from bench.cli.command import Option
from bench.cli.console import answers, complain, console
from bench.cli.options import AllSolvers, Backends, Programs, Puzzles, refuse_missing_cores
from bench.contract import Status
from bench.environment import machine
from bench.environment.files import refuse_unwritable, replace_file
from bench.environment.releases import known_fault
from bench.execution.pool import ServerPool
from bench.execution.process import Process, ProcessEnded
from bench.instruments.fuzz.findings import COUNTED, SOURCES, Fault, Hunt, known_faults
from bench.report.table import Table

_USUAL_MINUTES, _OUT = 5.0, Path("results/fuzz")
# Seconds between two looks at what the processes tell, and between two writes of the session's file.
_POLL_S, _SAVE_EVERY_S = 0.2, 5.0


def fuzz(
    *,
    puzzle: Puzzles = None,
    backend: Backends = None,
    program: Programs = None,
    formulation: Annotated[
        list[str] | None, Option("Only this formulation; by default all. May be repeated.", "FORMULATION")
    ] = None,
    solvers: AllSolvers = Solvers.CORE,
    minutes: Annotated[
        float | None, Option(f"For how long; by default {_USUAL_MINUTES:g}.", "M", min=0.01)
    ] = None,
    examples: Annotated[
        int | None, Option("How many instances to draw, instead of --minutes.", min=1)
    ] = None,
    seed: Annotated[int | None, Option("Decides what is drawn; random by default.", "S", min=0)] = None,
    jobs: Annotated[int, Option("Number of processes.", "J", min=1)] = 1,
    time_limit: Annotated[float, Option("Time limit of a run; it is stopped there.", min=0.1)] = 5.0,
    out: Annotated[Path, Option("The folder of findings; known ones are counted again.", "DIR")] = _OUT,
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
        formulations=formulation or ()
    )  # fmt: skip
    refuse_unwritable(out, "choose another folder with --out")
    seed = time.time_ns() % 10**6 if seed is None else seed
    solvers_there, modelled = _installed(request)
    hunt = Hunt(
        modelled, solvers_there, request.formulations, None if examples else minutes or _USUAL_MINUTES,
        examples, str(seed), time_limit, folder=str(out.resolve())
    )  # fmt: skip
    console.out(f"{', '.join(hunt.backends)}; seed {seed}")
    before = known_faults(out)
    session = Session(hunt, jobs)
    interrupted = False
    with console.rich.status("") as status:
        try:
            session.run(lambda: status.update(_in_short(session)))
        except KeyboardInterrupt:
            interrupted = True
    seen = known_faults(out)
    after = {path: seen[path] for path in seen if path not in before or seen[path].times > before[path].times}
    _summarise(session, after)
    where = f"{out}: {'the findings, and ' * bool(after)}sessions/ has what was executed"
    answers.out("interrupted; " * interrupted + where)
    new = [fault for path, fault in after.items() if path not in before]
    failed = session.counts["errors"] or any(not _remark(fault.solver, fault.version) for fault in new)
    sys.exit(130 if interrupted else 1 if failed else 0)


def _puzzles(named: Sequence[str]) -> list[str]:
    """The puzzles to fuzz, by default all with instances to draw; RequestError if a named one has none."""
    drawn = []
    for name in [catalogue.find_puzzle(name) for name in named] or catalogue.puzzle_names():
        files = [catalogue.source_of(name, source) for source in SOURCES]
        if any(file.exists() for file in files):
            drawn.append(name)
        elif named:
            write = f"write {errors.shown(files[0])} (docs/adding.md)"
            raise RequestError(f"{name}: there is nothing to draw; {write}")
    return drawn


def _installed(request: Request) -> tuple[list[str], list[str]]:
    """The solvers that are there, by full names, and the puzzles that they have models for.

    Raises RequestError if a solver that the request names is not there, or no solver has a model.
    """
    with closing(ServerPool()) as servers:
        backends = servers.offers(backends_of(request))
    refuse_missing(request, backends)
    planned = plan(request, find_instances(request), backends)
    runs = [run for run in planned if not untried(run, backends[run.backend])]
    if not runs:
        raise RequestError("none of these solvers has a model for any of these puzzles")
    solvers = dict.fromkeys(f"{run.backend}:{run.solver}" for run in runs)
    return list(solvers), list(dict.fromkeys(run.puzzle for run in runs))


class Session:
    """What the processes of a session, which share its examples, have told, in a file in `sessions`."""

    def __init__(self, hunt: Hunt, jobs: int) -> None:
        self.hunt, self.jobs = hunt, jobs
        self.counts = {name: Counter[Any]() for name in COUNTED}
        self.started, self.started_at, self.saved_at = time.monotonic(), datetime.now(UTC), -inf
        self.machine = machine.describe()
        self.file = Path(hunt.folder, "sessions", f"{self.started_at:%Y-%m-%dT%H-%M-%S.%f}.json")
        self.file.parent.mkdir(parents=True, exist_ok=True)

    @property
    def seconds(self) -> float:
        """Since the start."""
        return time.monotonic() - self.started

    def run(self, on_progress: Callable[[], None]) -> None:
        """Fuzzes until the time is up or the examples are drawn; ends all processes if interrupted."""
        with ExitStack() as stack:
            running = []
            for job in range(self.jobs):
                examples = self.hunt.examples and (self.hunt.examples + self.jobs - 1 - job) // self.jobs
                if examples != 0:
                    share = replace(self.hunt, examples=examples, seed=f"{self.hunt.seed}/{job}")
                    process = Process("bench.instruments.fuzz.job", hash_seed=job)
                    stack.enter_context(closing(process))
                    process.send(json.dumps(asdict(share)).encode())
                    running.append(process)
            stack.callback(self._save)
            while running:
                time.sleep(_POLL_S)
                running = [process for process in running if self._hear(process)]
                on_progress()

    def _hear(self, process: Process) -> bool:
        """Adds what a process tells; returns whether it goes on. If one fails, the others go on."""
        try:
            while process.has_answered():
                name, counted = json.loads(process.answer(_POLL_S))
                self.counts[name].update(one if isinstance(one, str) else tuple(one) for one in counted)
        except ProcessEnded as error:
            if process.popen.wait():
                self.counts["errors"][f"a process that fuzzes has ended: {error}"] += 1
            return False
        if self.counts["instances"] and time.monotonic() - self.saved_at > _SAVE_EVERY_S:
            self._save()
        return True

    def _save(self) -> None:
        self.saved_at = time.monotonic()
        facts = {
            "started_at": f"{self.started_at:%Y-%m-%d %H:%M:%S}",
            "seconds": round(self.seconds, 1),
            "jobs": self.jobs,
            "seed": self.hunt.seed,
            "time_limit_s": self.hunt.time_limit_s,
            **{name: getattr(self.machine, name) for name in ("commit", "cpu", "python")},
        }
        for name in ("runs", "faults"):
            facts[name] = [[*model, number] for model, number in self.counts[name].items()]
        facts |= {name: self.counts[name] for name in ("instances", "counted")}
        replace_file(self.file, json.dumps(facts | {"errors": [*self.counts["errors"]]}, indent=1) + "\n")


def _in_short(session: Session) -> str:
    """What was tried, on one line of a narrow terminal."""
    runs, drawn, faults = (session.counts[name].total() for name in ("runs", "instances", "faults"))
    return f"{runs:,} runs of {plural(drawn, 'instance')}, {faults:,} at fault, {session.seconds:.0f} s"


def _summarise(session: Session, found: Mapping[Path, Fault]) -> None:
    """Prints a table of the solvers, a line for each of the faults that it saw, and what is wrong here."""
    counts, figures = session.counts, defaultdict[tuple[str, str], Counter[str]](Counter)
    for (_, solver, version, _, status), number in counts["runs"].items():
        figures[solver, version]["runs"] += number
        figures[solver, version]["unfinished"] += number * (status in (Status.TIMEOUT, Status.MEMOUT))
    for (_, solver, version, _), number in counts["faults"].items():
        figures[solver, version]["at fault"] += number
    names = ("runs", "unfinished", "at fault")
    rows = [
        # The hand search is executed where an instance was not counted exhaustively.
        [solver + ", to compare" * (solver not in session.hunt.backends), version]
        + [f"{of_solver[name]:,}" for name in names]
        for (solver, version), of_solver in sorted(figures.items())
    ]
    console.print(Table("", ("solver", "release", *names), rows, words=("release",)).for_terminal())
    rate = f"{counts['runs'].total() / session.seconds:.0f} runs a second"
    answers.out(f"{_in_short(session)}; {counts['counted'].total():,} counted exhaustively, {rate}")
    for solver, version in sorted(figures):
        if remark := _remark(solver, version):
            answers.out(f"{solver}: {remark}")
    for folder, fault in found.items():
        note = "; known of this release" * bool(_remark(fault.solver, fault.version))
        what = f"{fault.solver} {fault.version}: {fault.kind}, {fault.place}"
        answers.out(f"{folder}: {what}, seen {plural(fault.times, 'time')}{note}")
    for error in counts["errors"]:
        complain(f"error: {error}")


def _remark(solver: str, version: str) -> str | None:
    """What is known of wrong answers of a release, if anything is."""
    backend, _, name = solver.partition(":")
    return known_fault(backend, name, version)
