"""Whether the models of a puzzle find what its checker accepts, all of it, each in a worker."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from bench import catalogue
from bench.authoring.findings import RAISED, Findings
from bench.authoring.solutions import Accepted, as_json
from bench.campaign.execute import Provenance, execute_run
from bench.campaign.plan import plan
from bench.campaign.results import Row
from bench.campaign.selection import Request
from bench.catalogue import Instance, errors
from bench.contract import Backend, Run, Status, Task
from bench.execution.pool import ServerPool
from models.shared.document import Expected
from models.shared.puzzle import Solution

SEARCHES = "backtrack"
"""The backend whose order of search is its own work, and so is run with a second seed."""


@dataclass(frozen=True)
class Result:
    """What the models make of an instance: a solution, and the number of them if they all agree."""

    solution: Solution | None = None
    count: int | None = None


def written(findings: Findings) -> list[str]:
    """The backends that the puzzle has a file for; a note for each of the core that it has none for."""
    there = []
    for name in catalogue.backend_names():
        file = catalogue.source_of(findings.puzzle, name)
        if file.exists():
            there.append(name)
        elif catalogue.is_core(name):
            findings.note(f"there is no {file.name}: nothing can be said of the backend {name}")
    if not there:
        folder = catalogue.folder(findings.puzzle)
        findings.fault(
            errors.shown(folder), "there is no model; write a file for a backend, such as cpsat.py"
        )
    return there


def usable(findings: Findings, backends: Mapping[str, Backend]) -> dict[str, Backend]:
    """The backends that have models of the puzzle; a note or a fault for each of the others."""
    found = {}
    for name, backend in backends.items():
        file = catalogue.source_of(findings.puzzle, name)
        if backend.missing:
            findings.note(f"{file.name} was not tried: {backend.missing}")
        elif reason := backend.broken.get(findings.puzzle):
            findings.say(reason)
        else:
            found[name] = backend
            findings.checked["formulation"] += len(backend.formulations[findings.puzzle])
    return found


def runs_of(instance: Instance, backends: Mapping[str, Backend], time_limit_s: float) -> Iterator[Run]:
    """Every formulation with its default solver, both tasks; hand searches in a second order."""
    for name, backend in backends.items():
        request = Request(
            instances=[str(instance.path)],
            backends=[name],
            formulations=backend.formulations[instance.puzzle_name],
            time_limit_s=time_limit_s,
        )
        for run in plan(request, [instance], backends):
            yield run
            if name == SEARCHES and run.task == Task.COUNT:
                yield replace(run, seed=2)


def examine(
    findings: Findings,
    instance: Instance,
    backends: Mapping[str, Backend],
    servers: ServerPool,
    time_limit_s: float,
    accepted: Accepted | None,
) -> Result:
    """Solves and counts with every model; compares what they find with the checker, and with each other."""
    # [expected] is compared here: once, not with every run.
    free = replace(instance, expected=Expected())
    done: list[tuple[Run, Row]] = []
    for run in runs_of(instance, backends, time_limit_s):
        row = execute_run(servers, free, run, Provenance(), backends[run.backend]).row
        findings.checked["run"] += 1
        if row.status.conclusive:
            done.append((run, row))
            look_at_tally(findings, run, row)
        elif row.status in (Status.TIMEOUT, Status.MEMOUT):
            findings.checked["unfinished run"] += 1
        elif not row.status.tried:
            findings.note(f"{where(run)}: {row.status}: {row.error}")
        else:
            fault_of(findings, run, row)
    compare(findings, instance, done, accepted)
    return conclude(findings, instance, done, accepted)


def where(run: Run) -> str:
    """A run in words."""
    return f"{run.backend} {run.formulation} on {run.instance}"


def place(findings: Findings, run: Run) -> str:
    """The line of a formulation."""
    return findings.place(run.backend, run.formulation.replace(" ", "_"), "FORMULATIONS")


def fault_of(findings: Findings, run: Run, row: Row) -> None:
    """A run that crashed, or found what the checker refuses."""
    head, _, rest = row.error.partition(": ")
    if head.partition(":")[0].endswith(".py"):  # A file and a line.
        findings.fault(head, f"{run.formulation} on {run.instance}: {rest}", once=head)
        return
    findings.fault(
        place(findings, run),
        f"{run.formulation} on {run.instance}, task {run.task}: {row.status}: {row.error}",
        once=f"{run.backend} {run.formulation} {row.status}",
    )


def look_at_tally(findings: Findings, run: Run, row: Row) -> None:
    """A hand search says when propagation at the root is done."""
    if run.backend == SEARCHES and row.variables is None:
        findings.note(
            f"{place(findings, run)}: {run.formulation} never calls tally.root: its times are not split, "
            "and it has no sizes"
        )


def compare(
    findings: Findings, instance: Instance, done: list[tuple[Run, Row]], accepted: Accepted | None
) -> None:
    """Every claim against what is known: the exhaustive count, else the most that any model counts."""
    counts = {run: row.solutions or 0 for run, row in done if run.task == Task.COUNT}
    if accepted is not None:
        known = len(accepted.solutions)
        said = f"check accepts {known:,} of all {accepted.candidates:,} candidates"
    elif counts:
        most = max(counts, key=lambda run: counts[run])
        known = counts[most]
        said = f"{most.backend} {most.formulation} counts {known:,}, which all pass check"
    else:
        return
    for run, row in done:
        if accepted and row.solution:
            look_at_candidates(findings, instance, accepted, row.solution)
        claimed = counts.get(run)
        if run.task == Task.FIRST and row.status == Status.INFEASIBLE and known:
            claimed = 0
        if claimed is None or claimed == known:
            continue
        if claimed < known:
            reason = "it forbids too much, or check misses a rule"
        else:
            reason = "`candidates` leaves some out, or `stands_for` is too large"
        findings.fault(
            place(findings, run),
            f"{run.formulation} counts {claimed:,} solutions of {instance.name}, but {said}: {reason}",
            once=f"{run.backend} {run.formulation} counts",
        )


def look_at_candidates(findings: Findings, instance: Instance, accepted: Accepted, text: str) -> None:
    """A solution that a model found and the checker accepts is one of the candidates."""
    if as_json(json.loads(text)) not in accepted.solutions:
        findings.fault(
            findings.place("puzzle", "candidates"),
            f"candidates leaves out {text[:200]}, which check accepts as a solution of {instance.name}",
            once="candidates",
        )


def conclude(
    findings: Findings, instance: Instance, done: list[tuple[Run, Row]], accepted: Accepted | None
) -> Result:
    """What the instance has according to all; compared with its [expected]."""
    rows = [row for _, row in done if row.solution]
    solution = json.loads(rows[0].solution) if rows else None
    counts = {row.solutions or 0 for run, row in done if run.task == Task.COUNT}
    if accepted is not None:
        counts.add(len(accepted.solutions))
    count = counts.pop() if len(counts) == 1 else None
    expected = instance.expected
    if count == 0 and expected.solutions is None:
        tried = f"none of {accepted.candidates:,} candidates, no model" if accepted else "no model has one"
        mend = "if that is meant, write solutions = 0 under [expected]"
        findings.note(f"{instance.name} has no solution ({tried}); {mend}")
    if count is not None and expected.solutions not in (None, count):
        text = f"[expected] has {expected.solutions} solutions, but there are {count}: change it"
        findings.fault(errors.shown(instance.path), f"{text}, or mend check and models alike")
    answers = answers_of(findings, instance, rows, count, accepted)
    if expected.answer is not None and answers and str(expected.answer) not in answers:
        found = " or ".join(sorted(answers)[:3])
        findings.fault(
            errors.shown(instance.path), f"[expected] has the answer {expected.answer}, but it is {found}"
        )
    return Result(solution, count)


def answers_of(
    findings: Findings, instance: Instance, rows: list[Row], count: int | None, accepted: Accepted | None
) -> set[str]:
    """The answers of all solutions; none if not all are known."""
    if accepted is not None:
        solutions: list[Any] = [json.loads(text) for text in sorted(accepted.solutions)]
        answers = (findings.call("answer", instance.puzzle.answer, solution) for solution in solutions)
        return {str(answer) for answer in answers if answer is not RAISED}
    return {row.answer for row in rows} if count == 1 else set()
