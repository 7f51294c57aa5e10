"""What the harness, the servers and the workers of runs say to each other, in lines of JSON.

A server first says what its backend offers. The harness sends it a Run, which it passes on to its worker, and
receives solutions as they are found and finally an Answer. The worker reports solutions, and parts of the
Answer as they become known; the last of them has the claim. A server parses no solutions and no
answers: it shares its memory with the worker that it forked ahead, and every page that it changes is copied.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

from bench.contract import Backend, Outcome, Run, Solver, Status, Task
from models.shared.puzzle import Solution

LARGEST = 1e300
"""All figures are smaller."""


class Killed(StrEnum):
    """Why a run was ended from outside."""

    TIME = "time"
    MEMORY = "memory"
    STOP = "stop"


@dataclass(frozen=True)
class Answer:
    """What is known of a run when its process has ended, or could not begin; what is not known is None.

    docs/columns.md defines what is also a column of runs.csv.

    Attributes:
        claim: the status that the run claims; None if its process ended without a result.
        error: why the claim is no result, in one line.
        clock_set_s: by how much the clock of the system was set forward during the run.
        tail: the end of what it printed.
    """

    claim: Status | None = None
    error: str = ""
    traceback: str = ""
    outcome: Outcome | None = None
    reasoning_s: float | None = None
    build_s: float | None = None
    total_s: float | None = None
    waited_s: float | None = None
    base_mb: float | None = None
    killed: Killed | None = None
    signal: int | None = None
    exit: int | None = None
    cpu_s: float | None = None
    peak_mb: float | None = None
    switches: int | None = None
    stolen_s: float | None = None
    clock_set_s: float | None = None
    tail: str = ""

    def checked(self, backend: str) -> "Answer":
        """This answer; that of a crash if the backend's driver handed back figures that are no numbers."""
        figures = vars(self.outcome) if self.outcome else {}
        wrong = {
            name: value
            for name, value in figures.items()
            if name not in ("complete", "stopped")
            and value is not None
            # True is an int to isinstance.
            and (type(value) not in (int, float) or not 0 <= value < LARGEST)
        }
        if not self.outcome or not wrong:
            return self
        values = ", ".join(f"{name} = {value!r}, not a number" for name, value in wrong.items())
        without: dict[str, Any] = dict.fromkeys(wrong)
        error = f"the driver of {backend} hands back {values}"
        return replace(self, claim=Status.CRASHED, error=error, outcome=replace(self.outcome, **without))


STOP = b"stop"
"""The line by which the harness ends a run, because one of its solutions was refused."""

FOUND = b'{"found": '
"""How a line with solutions begins."""

CLAIM = b'{"claim": '
"""How the last part of a worker's answer begins."""

_VERSION = 2
"""Of these lines; raised when one changes its meaning. Fields that one side does not know are ignored."""

Found = tuple[Solution, int, float, float | None]
"""A solution, how many it stands for, when it was found (s), and None; or None, 0, when, and a bound."""


def backend_line(backend: Backend) -> bytes:
    """The line of a server that says what its backend offers."""
    return json.dumps(asdict(backend) | {"protocol": _VERSION}).encode()


def read_backend(line: bytes) -> Backend:
    """What the line of a server offers; raises ValueError if its revision has another protocol."""
    offers = json.loads(line)
    if offers.get("protocol") != _VERSION:
        raise ValueError(f"its revision answers in another form than protocol {_VERSION}")
    solvers = {name: Solver(**known(Solver, solver)) for name, solver in offers["solvers"].items()}
    return Backend(**known(Backend, offers) | {"solvers": solvers})


def known(kind: type[Backend | Solver | Outcome | Answer | Run], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that are fields of a class; another revision may send more."""
    return {name: value for name, value in values.items() if name in kind.__dataclass_fields__}


def run_line(run: Run) -> bytes:
    """The line that asks a server to execute a run."""
    return json.dumps(vars(run)).encode()


def read_run(line: bytes) -> Run:
    """The run that a line asks for."""
    values = json.loads(line)
    return Run(**known(Run, values) | {"task": Task(values["task"])})


def found_line(found: Iterable[Found]) -> bytes:
    """The line that sends solutions; raises TypeError if one cannot be written as JSON."""
    return FOUND + json.dumps(list(found)).encode() + b"}"


def figure_part(name: bytes, figure: float) -> bytes:
    """The part of an answer with one figure."""
    return b'{"%b": %r}' % (name, figure)


def answer_part(answer: Answer) -> bytes:
    """The part of an answer that is known at the end: its fields with a value."""
    part = {name: value for name, value in vars(answer).items() if value is not None and value != ""}
    if answer.outcome:
        part["outcome"] = vars(answer.outcome)
    return json.dumps(part).encode()


def answer_line(parts: Iterable[bytes]) -> bytes:
    """The line with an answer, from its parts; a later part replaces values of those before."""
    return b"[" + b", ".join(parts) + b"]"


def read_answer(line: bytes) -> tuple[list[Found], Answer | None]:
    """The solutions that a line sends, and the answer if it is one."""
    values = json.loads(line)
    if line.startswith(FOUND):
        return values["found"], None
    answer = known(Answer, {name: value for part in values for name, value in part.items()})
    for name, kind in (("claim", Status), ("killed", Killed)):
        if name in answer:
            answer[name] = kind(answer[name])
    if "outcome" in answer:
        answer["outcome"] = Outcome(**known(Outcome, answer["outcome"]))
    return [], Answer(**answer)
