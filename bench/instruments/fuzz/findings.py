"""What fuzzing finds: faults in what models claim of an instance, and a folder with a folder for each."""

import fcntl
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from bench.campaign.check import NOT_STOPPED, Exhausted, Solutions, as_json, settle, undecided
from bench.campaign.execute import complete, now, untried
from bench.campaign.results import Row
from bench.catalogue import Instance
from bench.catalogue.errors import RequestError
from bench.contract import Backend, Run, Status
from bench.environment.files import replace_file
from bench.execution.pool import ServerPool
from bench.instruments.generate.instance_file import as_toml
from models.shared.puzzle import Solution

SOURCES = ("random_instances", "generate")
"""The files of a puzzle that instances are drawn from."""

COUNTED = ("instances", "counted", "runs", "faults", "errors")
"""What a process that fuzzes tells: the puzzle of each instance, and of each that is counted exhaustively;
runs as puzzle, `backend:solver`, release, formulation and status; those at fault, without the status; and
mistakes in the project itself, which are no findings."""


@dataclass(frozen=True)
class Hunt:
    """What a process is to fuzz: for some minutes, or until so many examples are drawn."""

    puzzles: Sequence[str]
    backends: Sequence[str]  # As BACKEND:SOLVER.
    formulations: Sequence[str]  # Empty for all.
    minutes: float | None
    examples: int | None
    seed: str
    time_limit_s: float  # Of a run.
    folder: str  # Of findings.


class Kind(StrEnum):
    """How a run is at fault."""

    WRONG_SOLUTION = "wrong solution"  # The checker refuses it.
    FALSE_INFEASIBLE = "false infeasible"  # It denies that there is a solution, and one passed the checker.
    WRONG_COUNT = "wrong count"  # It counts fewer solutions than passed the checker, or more than there are.
    DISAGREEMENT = "disagreement"  # Claims differ, and nothing proves which is right.
    WRONG_OPTIMUM = "wrong optimum"  # It claims that nothing is better than some value, and something is.
    CRASH = "crash"
    HANG = "hang"  # It did not stop at its time limit.


@dataclass(frozen=True)
class Fault:
    """What findings with the same solver, release, kind and place are, and when it was seen, in UTC."""

    solver: str
    version: str
    kind: Kind
    place: str  # The puzzle and the formulation; of a crash the message.
    times: int = field(default=1, compare=False)
    first_at: str = field(default="", compare=False)
    last_at: str = field(default="", compare=False)

    def write(self, folder: Path) -> None:
        """Writes it to its folder, where others may read it meanwhile."""
        replace_file(folder / "seen.json", json.dumps(asdict(self), indent=1) + "\n")


@dataclass(frozen=True)
class Finding:
    """A run with a fault."""

    kind: Kind
    table: dict[str, Any]  # The instance, as the table of its TOML file.
    run: Run  # Its path is that of a file that may be gone.
    row: Row
    truth: str  # What is true, in one sentence, with who says so.
    solutions: int | None = None  # How many the instance has; None if that was not counted exhaustively.
    witness: Solution = None  # It passed the checker, and the run denies it.

    @property
    def fault(self) -> Fault:
        """The fault, seen once."""
        place = f"{self.run.puzzle} {self.run.formulation}".rstrip()
        if self.kind is Kind.CRASH:
            # Numbers and addresses differ from one crash to the next.
            place = re.sub(r"0x[0-9a-f]+|\d+", "#", self.row.error)
        return Fault(f"{self.run.backend}:{self.run.solver}", self.run.solver_version, self.kind, place)


@dataclass(frozen=True)
class _Tried:
    run: Run
    row: Row
    found: set[str]  # Its solutions.
    refused: int | None = None  # The number of the solution that the checker refused.


def execute(servers: ServerPool, instance: Instance, run: Run, backend: Backend) -> _Tried:
    """Executes one run; each of its solutions is checked."""
    checked, found, accepted = Solutions(instance), set[str](), 0

    def add(solution: Solution, stands_for: int, *when: Any) -> bool:
        nonlocal accepted
        may_go_on = checked.add(solution, stands_for, *when)
        if stands_for:
            found.add(as_json(solution))
            accepted += may_go_on
        return may_go_on

    begun = now()
    answer = untried(run, backend) or servers.run(run, add)
    row = complete(instance, run, answer, {}, checked, begun).row
    return _Tried(run, row, found, accepted + 1 if checked.broken else None)


def judge(table: dict[str, Any], exhausted: Exhausted | None, tried: Sequence[_Tried]) -> Iterator[Finding]:
    """The faults of the runs on an instance, compared with what is true and with each other.

    Raises PuzzleError if there are more solutions than candidates that the checker accepts.
    """
    known = list(dict.fromkeys(exhausted.solutions)) if exhausted else []
    number = len(known) if exhausted else None
    settled = settle([one.row for one in tried], exhausted=exhausted) if tried else []
    found = [one.row.solution for one in tried if one.row.solution and not one.row.status.failed]
    known += [as_json(json.loads(solution)) for solution in found]
    for one, (status, error) in zip(tried, settled, strict=True):
        row, witness = replace(one.row, status=status, error=error), None
        if not (kind := _kind(one.row, row)):
            continue
        denies = kind in (Kind.FALSE_INFEASIBLE, Kind.WRONG_COUNT)
        # Where each solution that is found stands for several, none is known to be denied.
        if denies and one.row.solutions in (None, 0, len(one.found)):
            witness = next((json.loads(text) for text in known if text not in one.found), None)
        yield Finding(kind, table, one.run, row, error, number, witness)


def _kind(before: Row, after: Row) -> Kind | None:
    """How a run is at fault, by its row before and after the comparison with others; None if it is not."""
    if before.build_s is None:  # A model that could not be built is no fault of a solver.
        return None
    if before.status in (Status.TIMEOUT, Status.FEASIBLE) and after.status is before.status:
        # A solver that stopped at its limit by itself gave no error.
        return Kind.HANG if before.error == NOT_STOPPED else None
    if before.status in (Status.CRASHED, Status.WRONG):
        return Kind.CRASH if before.status is Status.CRASHED else Kind.WRONG_SOLUTION
    if after.status is not Status.WRONG:
        return None
    if undecided(after):
        return Kind.DISAGREEMENT
    if before.bound is not None:
        return Kind.WRONG_OPTIMUM
    return Kind.WRONG_COUNT if before.solutions else Kind.FALSE_INFEASIBLE


def add_finding(folder: Path, finding: Finding) -> Path | None:
    """The new folder of a finding, with its instance as found; None if its fault is known, and counted."""
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # For one process at a time.
        now = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}"
        for known, fault in known_faults(folder).items():
            if fault == finding.fault:
                replace(fault, times=fault.times + 1, last_at=now).write(known)
                return None
        # A session that was killed may have left a folder without its file.
        numbers = [int(path.name) for path in folder.iterdir() if path.name.isdecimal()]
        new = folder / f"{max(numbers, default=0) + 1:03}"
        new.mkdir()
        (new / "as-found.toml").write_text(as_toml(finding.table), encoding="utf-8")
        replace(finding.fault, first_at=now, last_at=now).write(new)
    return new


def known_faults(folder: Path) -> dict[Path, Fault]:
    """The faults of all sessions, by their folders; RequestError if the file of one cannot be read."""
    found = {}
    for file in sorted(file for file in folder.glob("*/seen.json") if file.parent.name.isdecimal()):
        try:
            values = json.loads(file.read_text(encoding="utf-8"))
            found[file.parent] = Fault(**{**values, "kind": Kind(values["kind"])})
        except (OSError, ValueError, TypeError, KeyError):
            raise RequestError(f"{file}: it cannot be read; choose another --out") from None
    return found
