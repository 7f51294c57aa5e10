"""The commands that show one thing: `solve`, `check`, `doctor`."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from bench import catalogue
from bench.campaign import validation
from bench.campaign.execute import Provenance, execute_run
from bench.campaign.plan import plan, refuse_missing
from bench.campaign.results import Row
from bench.campaign.selection import ALL, Request, backends_of, find_instances, find_one
from bench.catalogue.errors import PuzzleError, RequestError
from bench.cli import completion, listing
from bench.cli.console import answers, complain, console, fail
from bench.cli.options import InstanceArgument, Json, OneTask, RunLimits, Threads
from bench.cli.run import check_cores
from bench.contract import Status, Task
from bench.environment import doctor, machine, processes
from bench.environment.known_faults import known_fault
from bench.execution.pool import server_pools, warn_if_not_pinned
from bench.invocation import command_line

DEFAULT_BACKEND = "cpsat"


def solve(
    file: InstanceArgument,
    *,
    backend: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BACKEND[:SOLVER]",
            autocompletion=completion.backends,
            help="The backend, as in milp, or a solver of it, as in milp:highs.",
            show_default=DEFAULT_BACKEND,
        ),
    ] = None,
    formulation: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            autocompletion=completion.formulations,
            help="The formulation. Without it the backend's default.",
        ),
    ] = None,
    task: OneTask = Task.FIRST,
    limits: RunLimits,
    threads: Threads = 1,
    as_json: Json = False,
) -> None:
    """Solve one instance and show the solution."""
    if backend and len(backend) > 1:
        several = command_line("run", file, *(word for name in backend for word in ("--backend", name)))
        fail(f"solve asks one backend; to compare several: {several}")
    if formulation == ALL:
        fail(f"solve runs one formulation; to compare all: {command_line('run', file, '--formulation', ALL)}")
    check_cores(1, threads)
    request = Request(
        instances=[str(find_one(file))],
        backends=backend or [DEFAULT_BACKEND],
        formulations=[formulation] if formulation else (),
        tasks=[task],
        time_limit_s=limits.time_limit,
        memory_limit_mb=limits.memory_limit,
        threads=threads,
    )
    (instance,) = find_instances(request)
    names = backends_of(request)
    provenance = Provenance.of(machine.describe())
    with server_pools(1, threads) as (servers,):
        backends = servers.offers(names)
        refuse_missing(request, backends)
        warn_if_not_pinned(servers)
        wanted = plan(request, [instance], backends)[0]
        completed = execute_run(servers, instance, wanted, provenance, backends[wanted.backend])
    row = completed.row
    if not row.status.tried:
        others = "" if wanted.formulation else other_models(wanted.puzzle)
        fail(f"{request.backends[0]}: {row.status}: {row.error}{others}")
    if fault := known_fault(wanted.backend, wanted.solver, row.solver_version):
        complain(f"warning: {fault}")
    solution = json.loads(row.solution) if row.solution else None
    doubt = caveat(instance, row, command_line("run", file, "--task", task))
    mistake = None
    if as_json:
        answer = None if solution is None or not row.answer else instance.puzzle.answer(solution)
        print(json.dumps(vars(row) | {"answer": answer, "solution": solution, "caveat": doubt}))
    else:
        mistake = show_solution(instance, row, solution)
        if doubt:
            console.print(escape(doubt), soft_wrap=True)
    if mistake:
        complain(f"error: {mistake}")
    if console.verbose and completed.traceback:
        complain(completed.traceback)
    sys.exit(0 if row.status.conclusive and not mistake else 1)


def other_models(puzzle: str) -> str:
    """Which backends a puzzle has a model for, as the end of a line."""
    has = [name for name in catalogue.backend_names() if catalogue.source_of(puzzle, name).is_file()]
    return f"; there is one for --backend {' or '.join(has)}" if has else ""


def caveat(instance: catalogue.Instance, row: Row, again: str) -> str | None:
    """What a result claims that no checker can check and the instance's file does not confirm, in words.

    Args:
        again: the command that compares several backends.
    """
    if not row.status.conclusive or instance.expected.solutions is not None:
        return None
    if row.status != Status.INFEASIBLE and row.task != Task.COUNT:
        return None
    claim = "there is no solution" if row.status == Status.INFEASIBLE else "there are no more solutions"
    return (
        f"That {claim} rests on {row.backend}:{row.solver} alone: it cannot be checked, and no "
        f"second backend was asked ({again} compares them)."
    )


def show_solution(instance: catalogue.Instance, row: Row, solution: Any) -> str | None:
    """Shows the filled picture and the main figures; gives the mistake of a puzzle that cannot draw it."""
    mistake = None
    if solution is not None:
        try:
            print(instance.puzzle.text(solution))
        except (Exception, SystemExit) as error:
            mistake = catalogue.blamed(error, instance.puzzle_name, "puzzle")
    parts = [str(row.status), row.error]
    if row.answer:
        parts.append(f"answer {row.answer}")
    if row.task == Task.COUNT and row.solutions is not None:
        parts.append(f"{row.solutions} solution{'' if row.solutions == 1 else 's'}")
    if row.total_s is not None:
        parts.append(f"{row.total_s:.3f} s")
    if row.branches is not None:
        parts.append(f"{row.branches} branches")
    parts.append(f"{row.backend}:{row.solver} {row.formulation}")
    print(", ".join(part for part in parts if part))
    return mistake


def check(
    file: InstanceArgument,
    solution: Annotated[
        Path,
        typer.Argument(
            metavar="SOLUTION", help="A JSON file with the solution, or with what `solve --json` printed."
        ),
    ],
) -> None:
    """Check a solution against the rules; list every broken rule."""
    instance = catalogue.load(find_one(file))
    try:
        content = json.loads(solution.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else f"not JSON: {error}"
        raise RequestError(f"{solution}: {reason}") from None
    if isinstance(content, dict) and "solution" in content:
        content = content["solution"]
    try:
        broken, answer = validation.check(instance, content)
    except PuzzleError as error:
        fail(str(error), 1)
    for rule in broken:
        print(rule)
    if broken:
        print(f"not a solution: {len(broken)} broken rule{'' if len(broken) == 1 else 's'}")
        sys.exit(1)
    print(f"a solution; the answer is {answer}")


def doctor_() -> None:
    """Say what makes timings unreliable on this machine, and which solvers are missing."""
    hardware, conditions = machine.hardware(), machine.conditions()
    with server_pools(1) as (slot,):
        warn_if_not_pinned(slot)
        stolen_before = processes.stolen_s(slot.cores)
        reference_load_s = [slot.measure_reference_load() for _ in range(doctor.SAMPLES)]
        stolen_s = processes.since(stolen_before, processes.stolen_s(slot.cores)) or 0.0
    backends = listing.described()
    checks = [
        *doctor.check_machine(hardware, conditions, reference_load_s, stolen_s),
        *doctor.check_solvers(listing.versions(backends)),
    ]
    table = Table("what", "found", "what it means for timings", title=machine.cpu(), title_justify="left")
    for check in checks:
        mark = f"[yellow]{escape(check.advice)}[/]" if check.advice else "[green]fine[/]"
        table.add_row(check.what, escape(check.found), mark)
    answers.print(table)
    answers.print(listing.solver_table(backends))
