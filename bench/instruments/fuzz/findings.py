"""What fuzzing finds: faults in what models claim of an instance, and a folder with a folder for each.

Also what the command and the processes that fuzz tell each other, as lines of JSON.
"""

import fcntl
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from bench.campaign.check import NOT_STOPPED, Exhausted, Solutions, as_json, settle, undecided
from bench.campaign.execute import Provenance, complete, now, untried
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


@dataclass(frozen=True)
class Hunt:
    """What a process is to fuzz.

    Attributes:
        backends: as `BACKEND:SOLVER`.
        formulations: only these; empty for all.
        minutes, examples: for how long, or how many instances are drawn; the other is None.
        seed: of all draws.
        time_limit_s, memory_limit_mb: of a run.
        folder: where findings are written.
    """

    puzzles: Sequence[str]
    backends: Sequence[str]
    formulations: Sequence[str]
    minutes: float | None
    examples: int | None
    seed: str
    time_limit_s: float
    memory_limit_mb: int
    folder: str


@dataclass
class Tally:
    """What was executed; a model is its puzzle, `backend:solver`, the solver's release and formulation.

    Attributes:
        instances: how many were drawn, by puzzle.
        counted: how many of them were counted exhaustively, by puzzle.
        runs: how many there were, by model and status.
        faults: how many of these were at fault, by model.
        errors: what is wrong in the project itself, which is no finding.
    """

    instances: Counter[str] = field(default_factory=Counter)
    counted: Counter[str] = field(default_factory=Counter)
    runs: Counter[tuple[tuple[str, ...], str]] = field(default_factory=Counter)
    faults: Counter[tuple[str, ...]] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)

    def add(self, line: bytes) -> None:
        """Adds what another process executed, as its `line` tells it."""
        values = json.loads(line)
        self.instances.update(values["instances"])
        self.counted.update(values["counted"])
        self.runs.update({(tuple(model), status): number for *model, status, number in values["runs"]})
        self.faults.update({tuple(model): number for *model, number in values["faults"]})
        self.errors += [error for error in values["errors"] if error not in self.errors]

    def line(self) -> bytes:
        """The tally as a line."""
        runs = [[*model, status, number] for (model, status), number in self.runs.items()]
        faults = [[*model, number] for model, number in self.faults.items()]
        return json.dumps({**vars(self), "runs": runs, "faults": faults}).encode()


class Kind(StrEnum):
    """How a run is at fault."""

    WRONG_SOLUTION = "wrong solution"  # The checker refuses it.
    FALSE_INFEASIBLE = "false infeasible"  # It denies that there is a solution, and one passed the checker.
    WRONG_COUNT = "wrong count"  # It counts fewer solutions than passed the checker, or more than there are.
    DISAGREEMENT = "disagreement"  # Claims differ, and nothing proves which is right.
    CRASH = "crash"
    HANG = "hang"  # It did not stop at its time limit.


@dataclass(frozen=True)
class Signature:
    """Findings with the same one are the same fault.

    Attributes:
        place: the puzzle and the formulation; of a crash the message.
    """

    solver: str
    version: str
    kind: Kind
    place: str


@dataclass(frozen=True)
class Finding:
    """A run with a fault.

    Attributes:
        table: the instance, as the table of its TOML file.
        run: with which it shows; its path is that of a file that may be gone.
        row: what the run said, as a row of runs.csv.
        truth: what is true, in one sentence, with who says so.
        solutions: how many solutions the instance has, if that was counted exhaustively; None if not.
        witness: a solution that passed the checker, and that the run denies; None if there is none.
    """

    kind: Kind
    table: dict[str, Any]
    run: Run
    row: Row
    truth: str
    solutions: int | None = None
    witness: Solution = None

    @property
    def signature(self) -> Signature:
        """What tells this fault from others."""
        place = f"{self.run.puzzle} {self.run.formulation}".rstrip()
        if self.kind is Kind.CRASH:
            # Numbers and addresses differ from one crash to the next.
            place = re.sub(r"0x[0-9a-f]+|\d+", "#", self.row.error)
        return Signature(f"{self.run.backend}:{self.run.solver}", self.run.solver_version, self.kind, place)


@dataclass(frozen=True)
class _Tried:
    """A run that was executed: its row, its solutions as texts, and the number of a refused one."""

    run: Run
    row: Row
    found: frozenset[str]
    refused: int | None = None


def execute(servers: ServerPool, instance: Instance, run: Run, backend: Backend) -> _Tried:
    """Executes one run; each of its solutions is checked."""
    checked, found, accepted = Solutions(instance), set[str](), 0

    def add(solution: Solution, stands_for: int) -> bool:
        nonlocal accepted
        found.add(as_json(solution))
        may_go_on = checked.add(solution, stands_for)
        accepted += may_go_on
        return may_go_on

    begun = now()
    answer = untried(run, backend) or servers.run(run, add)
    row = complete(instance, run, answer, Provenance(), checked, begun).row
    return _Tried(run, row, frozenset(found), accepted + 1 if checked.broken else None)


def judge(table: dict[str, Any], exhausted: Exhausted | None, tried: Sequence[_Tried]) -> Iterator[Finding]:
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
        denies = kind in (Kind.FALSE_INFEASIBLE, Kind.WRONG_COUNT)
        if denies and one.row.solutions in (None, 0, len(one.found)):
            witness = next((json.loads(text) for text in known if text not in one.found), None)
        yield Finding(kind, table, one.run, row, error, number, witness)


def _kind(before: Row, after: Row) -> Kind | None:
    """How a run is at fault, by its row before and after the comparison with others; None if it is not."""
    if before.build_s is None:  # A model that could not be built is no fault of a solver.
        return None
    if before.status is Status.TIMEOUT:
        # A solver that stopped at its limit by itself gave no error.
        return Kind.HANG if before.error == NOT_STOPPED else None
    if before.status in (Status.CRASHED, Status.WRONG):
        return Kind.CRASH if before.status is Status.CRASHED else Kind.WRONG_SOLUTION
    if after.status is not Status.WRONG:
        return None
    if undecided(after):
        return Kind.DISAGREEMENT
    return Kind.WRONG_COUNT if before.solutions else Kind.FALSE_INFEASIBLE


@dataclass(frozen=True)
class Seen:
    """A fault, how often it was seen, and when first and last in UTC."""

    signature: Signature
    times: int
    first_at: str
    last_at: str


class Folder:
    """The findings in a folder, which is created if it is not there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)

    def add(self, finding: Finding) -> Path | None:
        """The new folder of a finding, with its instance as found; None if it is known, and counted."""
        now = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}"
        with (self.path / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # For one process at a time.
            for folder, seen in self.all().items():
                if seen.signature == finding.signature:
                    _write_seen(folder, replace(seen, times=seen.times + 1, last_at=now))
                    return None
            # A session that was killed may have left a folder without its file.
            numbers = [int(path.name) for path in self.path.iterdir() if _is_number(path.name)]
            folder = self.path / f"{max(numbers, default=0) + 1:03}"
            folder.mkdir()
            (folder / "as-found.toml").write_text(as_toml(finding.table), encoding="utf-8")
            _write_seen(folder, Seen(finding.signature, 1, now, now))
        return folder

    def all(self) -> dict[Path, Seen]:
        """All faults, by their folders.

        Raises:
            RequestError: if the file of one cannot be read.
        """
        found = {}
        for file in sorted(file for file in self.path.glob("*/seen.json") if _is_number(file.parent.name)):
            try:
                values = json.loads(file.read_text(encoding="utf-8"))
                about = values.pop("signature")
                signature = Signature(**{**about, "kind": Kind(about["kind"])})
                found[file.parent] = Seen(signature, **values)
            except (OSError, ValueError, TypeError, KeyError, AttributeError):
                raise RequestError(f"{file}: it cannot be read; choose another --out") from None
        return found


def _write_seen(folder: Path, seen: Seen) -> None:
    """Writes how often a fault was seen to its folder; others may read it meanwhile."""
    replace_file(folder / "seen.json", json.dumps(asdict(seen), indent=1) + "\n")


def _is_number(name: str) -> bool:
    """Whether a folder's name is one that a fault may have."""
    return name.isascii() and name.isdigit()
