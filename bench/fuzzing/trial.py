"""Executes models on one instance, and judges what they claim."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bench.campaign.agreement import Exhausted, as_json, settle, undecided
from bench.campaign.execute import Begun, Provenance, complete, untried
from bench.campaign.results import Row
from bench.campaign.validation import NOT_STOPPED, Solutions
from bench.catalogue import Instance
from bench.contract import Backend, Run, Status
from bench.execution.pool import ServerPool
from bench.fuzzing.findings import Finding, Kind
from models.shared.puzzle import Solution


@dataclass(frozen=True)
class Tried:
    """A run that was executed: its row, its solutions as texts, and the number of a refused one."""

    run: Run
    row: Row
    found: frozenset[str]
    refused: int | None = None


def execute(servers: ServerPool, instance: Instance, run: Run, backend: Backend) -> Tried:
    """Executes one run; each of its solutions is checked."""
    checked, found, accepted = Solutions(instance), set[str](), 0

    def add(solution: Solution, stands_for: int) -> bool:
        nonlocal accepted
        found.add(as_json(solution))
        may_go_on = checked.add(solution, stands_for)
        accepted += may_go_on
        return may_go_on

    begun = Begun.now()
    answer = untried(run, backend) or servers.run(run, add)
    row = complete(instance, run, answer, Provenance(), checked, begun).row
    return Tried(run, row, frozenset(found), accepted + 1 if checked.broken else None)


def judge(table: dict[str, Any], exhausted: Exhausted | None, tried: Sequence[Tried]) -> Iterator[Finding]:
    """The faults of the runs on an instance, which are compared with what is true and with each other.

    Raises:
        PuzzleError: if there are more solutions than candidates that the checker accepts.
    """
    known = list(dict.fromkeys(exhausted.solutions)) if exhausted else []
    number = len(known) if exhausted else None
    settled = settle([one.row for one in tried], exhaustive=number) if tried else []
    known += [as_json(json.loads(one.row.solution)) for one in tried if one.row.status is Status.SOLVED]
    for one, (status, error) in zip(tried, settled, strict=True):
        row, witness = replace(one.row, status=status, error=error), None
        if not (kind := _kind(one.row, row)):
            continue
        # None is known to be denied where each solution that is found stands for several.
        if kind in (Kind.FALSE_INFEASIBLE, Kind.WRONG_COUNT) and one.row.solutions in (
            None,
            0,
            len(one.found),
        ):
            witness = next((json.loads(text) for text in known if text not in one.found), None)
        yield Finding(kind, table, one.run, row, error, number, witness)


def _kind(before: Row, after: Row) -> Kind | None:
    """How a run is at fault, by its row before and after the comparison with others; None if it is not."""
    if before.build_s is None:  # A model that could not be built is no fault of a solver.
        return None
    if before.status is Status.CRASHED:
        return Kind.CRASH
    if before.status is Status.TIMEOUT:
        # A solver that stopped at its limit by itself gave no error.
        return Kind.HANG if before.error == NOT_STOPPED else None
    if before.status is Status.WRONG:
        return Kind.WRONG_SOLUTION
    if after.status is not Status.WRONG:
        return None
    if undecided(after):
        return Kind.DISAGREEMENT
    return Kind.WRONG_COUNT if before.solutions else Kind.FALSE_INFEASIBLE
