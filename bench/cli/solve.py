"""The commands `solve` and `check`."""

import codecs
import json
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from typing import Annotated

from bench import catalogue
from bench.analysis.units import plural
from bench.campaign import check as oracle
from bench.campaign.execute import Completed, execute_run, provenance_of
from bench.campaign.plan import plan, refuse_missing
from bench.campaign.results import Row
from bench.campaign.selection import ALL, MOST, Request, backends_of, find_instances, find_one
from bench.catalogue import Instance
from bench.catalogue.errors import PuzzleError, RequestError, command_line, plain
from bench.catalogue.programs import add_program
from bench.cli import options
from bench.cli.command import Argument, Option
from bench.cli.console import complain, console, fail
from bench.contract import Status, Task
from bench.environment import machine
from bench.environment.files import TemporaryFolder
from bench.environment.releases import known_fault
from bench.execution.pool import server_pools

_DEFAULT_BACKEND = "cpsat"


def solve(
    file: options.InstanceArgument,
    *,
    backend: Annotated[
        list[str] | None,
        Option(f"A backend, or solver as in milp:highs; by default {_DEFAULT_BACKEND}.", "BACKEND[:SOLVER]"),
    ] = None,
    program: Annotated[
        str | None,
        Option("With this program of yours (docs/programs.md), as the solver native:NAME.", "NAME=COMMAND"),
    ] = None,
    formulation: options.OneFormulation = "",
    task: options.OneTask = None,
    seed: Annotated[
        int, Option("A solver without seeds solves a permutation of the model.", min=1, max=MOST["seed"])
    ] = 1,
    limits: options.RunLimits,
    threads: options.OneThreads = 1,
    log: Annotated[bool, Option("Show the solver's own log while it runs, on the standard error.")] = False,
    as_json: options.Json = False,
) -> None:
    """Solve one instance and show the solution."""
    backend = list(backend or ())
    if program and (solver := add_program(program)) not in backend:
        backend.append(solver)
    if len(backend) > 1:
        words = [word for name in backend for word in ("--backend", name)]
        words += ["--program", program] if program else []
        fail(f"solve runs one backend; to compare several: {command_line('run', file, *words)}")
    if formulation == ALL:
        fail(f"solve runs one formulation; to compare all: {command_line('run', file, '--formulation', ALL)}")
    options.refuse_missing_cores(1, threads)
    chosen = options.Filters(
        instance=[str(find_one(file))],
        backend=backend or [_DEFAULT_BACKEND],
        formulation=[formulation] if formulation else None,
        task=options.one_task(task),
    )
    request = replace(chosen.request(limits), threads=(threads,))
    options.refuse_misspelt(request)
    with _followed() if log else nullcontext() as log_file:
        instance, completed = execute(request, seed, log_file, recorded=as_json)
        silent = log_file is not None and not log_file.stat().st_size
    row = completed.row
    if silent:
        complain(f"{row.backend}:{row.solver} wrote no log")
    if fault := known_fault(row.backend, row.solver, row.solver_version):
        complain(f"warning: {fault}")
    caveat = _unconfirmed(instance, row, command_line("run", file, "--task", row.task))
    mistake = None
    if as_json:
        solution = json.loads(row.solution) if row.solution else None
        answer = None
        if row.solution and row.answer:
            answer = catalogue.call(row.puzzle, "answer", lambda: instance.puzzle.answer(solution))
        print(json.dumps(vars(row) | {"answer": answer, "solution": solution, "caveat": caveat}))
    elif mistake := _print_solution(instance, row, caveat):
        complain(f"error: {mistake}")
    if console.verbose and completed.traceback:
        complain(completed.traceback)
    sys.exit(1 if row.status.failed or mistake else 0)


def execute(
    request: Request, seed: int, log: Path | None = None, trace: Path | None = None, recorded: bool = False
) -> tuple[Instance, Completed]:
    """Executes the only run of a request; its solver writes its log, or its search tree, to a file.

    The row says where it was executed if it is to be `recorded`. Exits if the run could not be tried.
    """
    names = backends_of(request)
    # Before a core is reserved: afterwards this process may not use all.
    provenance = provenance_of(machine.describe()) if recorded else {}
    puzzles = [catalogue.puzzle_in(Path(file)) for file in request.instances]
    with server_pools(1, request.cores, puzzles=puzzles) as (servers,):
        servers.start(names)
        (instance,) = find_instances(request)
        instance = replace(instance, redistributable=True)  # The row is shown to the user alone.
        backends = servers.offers(names)
        refuse_missing(request, backends)
        run = replace(
            plan(request, [instance], backends)[0], seed=seed, log=str(log or ""), trace=str(trace or "")
        )
        completed = execute_run(servers, instance, run, provenance, backends[run.backend])
    row = completed.row
    if not row.status.tried:
        has = [name for name in catalogue.backend_names() if catalogue.source_of(row.puzzle, name).is_file()]
        others = f"; there is one for --backend {' or '.join(has)}" * bool(has and not row.formulation)
        fail(f"{request.backends[0]}: {row.status}: {row.error}{others}")
    return instance, completed


def _unconfirmed(instance: Instance, row: Row, comparison: str) -> str | None:
    """A sentence on a claim that no checker can check and the instance's file does not confirm; else None."""
    claims = {Task.FIRST: "", Task.COUNT: "There are no more solutions", Task.BEST: "Nothing is better"}
    claim = "There is no solution" if row.status == Status.INFEASIBLE else claims[row.task]
    known = instance.expected.answer if row.task == Task.BEST else instance.expected.solutions
    if not (claim and row.status.conclusive) or known is not None:
        return None
    return f"{claim} (unconfirmed: only {row.backend}:{row.solver} was run; {comparison} compares several)."


def _print_solution(instance: Instance, row: Row, caveat: str | None) -> str | None:
    """Prints the solution, the main figures and the caveat; returns why the puzzle cannot show a solution."""
    mistake = None
    if row.solution:
        try:
            text = catalogue.call(row.puzzle, "text", lambda: instance.puzzle.text(json.loads(row.solution)))
            print(plain(str(text)))
        except PuzzleError as error:
            mistake = str(error)
    print(", ".join(filter(None, _figures(row))))
    if caveat:
        console.out(caveat)
    return mistake


def _figures(row: Row) -> Iterator[str]:
    """Yields the main figures of a run."""
    yield row.status
    yield row.error
    if row.answer:
        yield f"answer {row.answer}" if row.objective is None else f"objective {row.objective}"
    if row.bound is not None:
        yield f"bound {row.bound}" + ("" if row.gap is None else f", gap {row.gap:.1%}")
    if row.task == Task.COUNT and row.solutions is not None:
        yield plural(row.solutions, "solution")
    if row.total_s is not None:
        yield f"{row.total_s:.3f} s"
    if row.branches is not None:
        yield f"{row.branches} branches"
    if row.rounds is not None:
        yield f"{row.rounds} rounds of lazy constraints"
    # What a variant that stops at the root is asked for: what is decided there.
    if row.fractional_max is not None:
        single = ", a single point" if row.single_point else ""
        variables = row.variables if row.presolved_variables is None else row.presolved_variables
        range_ = dict.fromkeys((row.fractional_min, row.fractional_max))
        yield f"{' to '.join(map(str, range_))} of {variables} variables fractional in the relaxation{single}"
    if row.status is Status.STOPPED and row.values_left is not None:
        yield f"{row.values_left} of {row.values} values left at the root"
    yield row.model


@contextmanager
def _followed() -> Iterator[Path]:
    """Provides an empty file, and prints what is written to it on the standard error until the block ends."""
    ended = Event()
    decode = codecs.getincrementaldecoder("utf-8")("replace").decode

    def follow() -> None:
        with log.open("rb") as file:
            is_last = False
            while not is_last:
                is_last = ended.wait(timeout=0.05)
                while chunk := file.read(1 << 20):
                    sys.stderr.write(plain(decode(chunk)))
                sys.stderr.flush()

    with closing(TemporaryFolder()) as temporary:
        (log := temporary.path / "log").touch()
        thread = Thread(target=follow)
        thread.start()
        try:
            yield log
        finally:
            ended.set()
            thread.join()


def check(
    file: options.InstanceArgument,
    solution: Annotated[
        Path, Argument("A JSON file: the solution, or the output of `solve --json`.", "SOLUTION")
    ],
) -> None:
    """Check a solution against the rules; list the broken ones."""
    instance = catalogue.load(find_one(file))
    try:
        content = json.loads(solution.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        hint = f"`{command_line('solve', file, '--json')}` prints a solution"
        reason = error.strerror if isinstance(error, OSError) else f"not JSON ({error}); {hint}"
        raise RequestError(f"{solution}: {reason}") from None
    if isinstance(content, dict) and "solution" in content:
        content = content["solution"]
    try:
        broken, answer = oracle.check(instance, content)
    except PuzzleError as error:
        fail(str(error), 1)
    for rule in broken:
        print(plain(rule))
    if broken:
        print(f"not a solution: {plural(len(broken), 'broken rule')}")
        sys.exit(1)
    print(f"a solution; the answer is {answer}")
