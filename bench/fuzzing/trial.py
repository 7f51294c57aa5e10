"""Executes models on one instance, and judges what they claim."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from bench.campaign.agreement import settle, undecided
from bench.campaign.execute import Begun, Provenance, complete, untried
from bench.campaign.results import Row
from bench.campaign.validation import NOT_STOPPED, Solutions
from bench.catalogue import Instance
from bench.contract import Backend, Run, Status
from bench.execution.pool import ServerPool
from bench.fuzzing.finding import Finding, Kind, Table
from bench.fuzzing.truth import Truth
from models.shared.puzzle import Solution

SEEDS = 1000
"""Seeds and rewritings are drawn from 1 to this."""


@dataclass(frozen=True)
class Tried:
    """A run that was executed: its row, its solutions as texts, and the number of a refused one."""

    run: Run
    row: Row
    found: frozenset[str]
    refused: int | None = None


def varied(run: Run, backend: Backend, rng: Random) -> Run:
    """The run with another seed, order of the model, and number of threads."""
    return replace(
        run,
        seed=rng.randint(1, SEEDS),
        rewriting=rng.choice([0, 0, 0, rng.randint(1, SEEDS)]),
        threads=rng.choice([1, 1, 1, 2]) if backend.solver(run.solver).parallel else 1,
    )


def execute(servers: ServerPool, instance: Instance, run: Run, backend: Backend) -> Tried:
    """Executes one run; each of its solutions is checked."""
    checked, found, accepted = Solutions(instance), set[str](), 0

    def add(solution: Solution, stands_for: int) -> bool:
        nonlocal accepted
        found.add(text_of(solution))
        may_go_on = checked.add(solution, stands_for)
        accepted += may_go_on
        return may_go_on

    begun = Begun.now()
    answer = untried(run, backend) or servers.run(run, add)
    row = complete(instance, run, answer, Provenance(), checked, begun).row
    return Tried(run, row, frozenset(found), accepted + 1 if checked.broken else None)


def text_of(solution: Solution) -> str:
    """A solution as a text, the same for equal ones."""
    return json.dumps(solution, sort_keys=True)


def mistakes(tried: Iterable[Tried]) -> Iterator[str]:
    """What is wrong in the project itself: a model that could not be built is no fault of a solver."""
    for one in tried:
        if one.row.status is Status.CRASHED and one.row.build_s is None:
            yield f"{one.run.label}: {one.row.error}"


def judge(table: Table, truth: Truth, tried: Sequence[Tried]) -> list[Finding]:
    """The faults of the runs on an instance, which are compared with what is true and with each other.

    Raises:
        PuzzleError: if there are more solutions than candidates that the checker accepts.
    """
    settled = settle([one.row for one in tried], exhaustive=truth.number)
    witnesses = list(truth.solutions)
    witnesses += [json.loads(one.row.solution) for one in tried if one.row.status is Status.SOLVED]
    findings = []
    for one, (status, error) in zip(tried, settled, strict=True):
        row = replace(one.row, status=status, error=error)
        if kind := kind_of(one.row, row):
            witness = denied(one, witnesses) if kind in (Kind.FALSE_INFEASIBLE, Kind.WRONG_COUNT) else None
            findings.append(Finding(kind, table, one.run, row, error, truth.number, witness))
    return findings


def kind_of(before: Row, after: Row) -> Kind | None:
    """How a run is at fault, by its row before and after the comparison with others; None if it is not."""
    if before.build_s is None:
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


def denied(one: Tried, witnesses: Iterable[Solution]) -> Solution:
    """A solution that a run did not find and denies to exist; None where each stands for several."""
    if one.row.solutions and one.row.solutions != len(one.found):
        return None
    return next((witness for witness in witnesses if text_of(witness) not in one.found), None)
