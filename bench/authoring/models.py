"""Inspects the models of a puzzle: they find what its checker accepts, and all of it."""

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from bench import catalogue
from bench.authoring.inspection import RAISED, Inspection
from bench.authoring.solutions import Accepted, as_json, candidates_fault
from bench.campaign.execute import Provenance, execute_run
from bench.campaign.plan import plan
from bench.campaign.results import Row
from bench.campaign.selection import Request
from bench.catalogue import Instance, errors
from bench.contract import Backend, Run, Status, Task
from bench.environment import machine
from bench.execution.pool import ServerPool
from models.shared.document import Expected
from models.shared.puzzle import Solution

HAND_SEARCH = "backtrack"
"""The backend that orders its search itself; it is run with a second seed too."""


@dataclass(frozen=True)
class Found:
    """A solution of an instance, and how many it has, if all models agree on that."""

    solution: Solution | None
    count: int | None


def find_models(inspection: Inspection) -> list[str]:
    """The backends that the puzzle has a file for; adds a note on each core backend without one."""
    found = []
    for name in catalogue.backend_names():
        file = catalogue.source_of(inspection.puzzle, name)
        if file.exists():
            found.append(name)
        elif catalogue.is_core(name):
            inspection.note(f"there is no {file.name}: nothing can be said of the backend {name}")
    if not found:
        folder = errors.shown(catalogue.folder(inspection.puzzle))
        inspection.fault(f"{folder}: there is no model; write a file for a backend, such as cpsat.py")
    return found


def usable(inspection: Inspection, backends: Mapping[str, Backend]) -> dict[str, Backend]:
    """The backends that have models of the puzzle; adds a note or a fault on each of the others."""
    found = {}
    for name, backend in backends.items():
        file = catalogue.source_of(inspection.puzzle, name)
        if backend.missing:
            inspection.note(f"{file.name} was not tried: {backend.missing}")
        elif reason := backend.broken.get(inspection.puzzle):
            inspection.fault(reason)
        else:
            found[name] = backend
            inspection.checked["formulation"] += len(backend.formulations[inspection.puzzle])
    return found


def inspect_models(
    inspection: Inspection,
    instance: Instance,
    backends: Mapping[str, Backend],
    servers: ServerPool,
    time_limit_s: float,
    accepted: Accepted | None,
) -> Found:
    """Solves and counts with every model; compares what they find with the checker, and with each other."""
    # [expected] is compared once, in `conclude`, not with every run.
    free = replace(instance, expected=Expected())

    # Not in the threads: with Hypothesis imported, parsing in several raised SystemError in Python 3.11.
    planned = {name: runs_of(instance, backend, time_limit_s) for name, backend in backends.items()}

    def execute(backend: Backend) -> list[Row]:
        runs = planned[backend.name]
        return [execute_run(servers, free, run, Provenance(), backend).row for run in runs]

    # Each backend has a server of its own.
    with ThreadPoolExecutor(max_workers=len(machine.usable_cores())) as threads:
        try:
            rows = [row for rows in threads.map(execute, backends.values()) for row in rows]
        except BaseException:
            servers.close()
            raise
    conclusive = []
    for row in rows:
        inspection.checked["run"] += 1
        if row.status.conclusive:
            conclusive.append(row)
            if row.backend == HAND_SEARCH and row.variables is None:
                lacks = f"{place(inspection, row)}: {row.formulation} never calls tally.root"
                inspection.note(f"{lacks}: its times are not split, and it has no sizes")
        elif row.status in (Status.TIMEOUT, Status.MEMOUT):
            inspection.unfinished[f"{row.backend} {row.formulation}"] += 1
        elif not row.status.tried:
            inspection.note(f"{row.backend} {row.formulation}: {row.status}: {row.error}")
        else:
            add_failure(inspection, row)
    compare(inspection, instance, conclusive, accepted)
    return conclude(inspection, instance, conclusive, accepted)


def runs_of(instance: Instance, backend: Backend, time_limit_s: float) -> list[Run]:
    """All formulations with the default solver, both tasks; hand searches count with a second seed too."""
    request = Request(
        instances=[str(instance.path)],
        backends=[backend.name],
        formulations=backend.formulations[instance.puzzle_name],
        time_limit_s=time_limit_s,
    )
    runs = plan(request, [instance], {backend.name: backend})
    if backend.name == HAND_SEARCH:
        runs += [replace(run, seed=2) for run in runs if run.task == Task.COUNT]
    return runs


def place(inspection: Inspection, row: Row) -> str:
    """The line that defines the formulation of a run."""
    return inspection.place(row.backend, row.formulation.replace(" ", "_"), "FORMULATIONS")


def add_failure(inspection: Inspection, row: Row) -> None:
    """Adds the fault of a run that crashed, or found what the checker refuses."""
    head, _, rest = row.error.partition(": ")
    run = f"{row.formulation} on {row.instance}"
    if head.partition(":")[0].endswith(".py"):  # A file and a line.
        inspection.fault(f"{head}: {run}: {rest}", once=head)
    else:
        text = f"{place(inspection, row)}: {run}, task {row.task}: {row.status}: {row.error}"
        inspection.fault(text, once=f"{row.backend} {row.formulation} {row.status}")


def compare(
    inspection: Inspection, instance: Instance, rows: Sequence[Row], accepted: Accepted | None
) -> None:
    """Compares the rows with the exhaustive count or, without one, with the largest count of any model."""
    counting = [row for row in rows if row.task == Task.COUNT]
    if accepted is not None:
        known = len(accepted.solutions)
        source = f"check accepts {known:,} of all {accepted.candidates:,} candidates"
    elif counting:
        largest = max(counting, key=lambda row: row.solutions or 0)
        known = largest.solutions or 0
        source = f"{largest.backend} {largest.formulation} counts {known:,}, which all pass check"
    else:
        return
    for row in rows:
        # A solution in a row has passed the checker.
        if accepted and row.solution and as_json(json.loads(row.solution)) not in accepted.solutions:
            accepts = f"which check accepts as a solution of {instance.name}"
            left_out = f"candidates leaves out {row.solution[:200]}, {accepts}"
            candidates_fault(inspection, left_out)
        claimed = row.solutions or 0
        if claimed == known or (row.task == Task.FIRST and row.status != Status.INFEASIBLE):
            continue
        if claimed < known:
            reason = "it forbids too much, or check misses a rule"
        else:
            reason = "`candidates` leaves some out, or `stands_for` is too large"
        counts = f"{row.formulation} counts {claimed:,} solutions of {instance.name}"
        text = f"{place(inspection, row)}: {counts}, but {source}: {reason}"
        inspection.fault(text, once=f"{row.backend} {row.formulation} counts")


def conclude(
    inspection: Inspection, instance: Instance, rows: Sequence[Row], accepted: Accepted | None
) -> Found:
    """What the instance has according to all rows; compares it with its [expected]."""
    solved = [row for row in rows if row.solution]
    counts = {row.solutions or 0 for row in rows if row.task == Task.COUNT}
    if accepted is not None:
        counts.add(len(accepted.solutions))
    count = counts.pop() if len(counts) == 1 else None
    file, expected = errors.shown(instance.path), instance.expected
    if count == 0 and expected.solutions is None:
        tried = f"none of {accepted.candidates:,} candidates, no model" if accepted else "no model has one"
        fix = "if that is meant, write solutions = 0 under [expected]"
        inspection.note(f"{instance.name} has no solution ({tried}); {fix}")
    if count is not None and expected.solutions not in (None, count):
        text = f"[expected] has {expected.solutions} solutions, but there are {count}"
        inspection.fault(f"{file}: {text}: change it, or fix check and all models")
    answers = answers_of(inspection, instance, accepted) if accepted else set()
    if not accepted and count == 1:
        answers = {row.answer for row in solved}
    if expected.answer is not None and answers and str(expected.answer) not in answers:
        found = " or ".join(sorted(answers)[:3])
        inspection.fault(f"{file}: [expected] has the answer {expected.answer}, but it is {found}")
    return Found(json.loads(solved[0].solution) if solved else None, count)


def answers_of(inspection: Inspection, instance: Instance, accepted: Accepted) -> set[str]:
    """The answers of all solutions."""
    solutions = map(json.loads, sorted(accepted.solutions))
    answers = (inspection.call("answer", instance.puzzle.answer, solution) for solution in solutions)
    return {str(answer) for answer in answers if answer is not RAISED}
