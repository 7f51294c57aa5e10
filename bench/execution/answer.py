"""What became of a run in its process, before its solutions are checked."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from bench.contract import Outcome, Status

LARGEST = 1e300
"""All figures are smaller."""


def _is_figure(value: object) -> bool:
    """Whether a value can be recorded as a number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < LARGEST


class Killed(StrEnum):
    """Why a run was ended from outside."""

    TIME = "time"
    MEMORY = "memory"
    STOP = "stop"


@dataclass(frozen=True)
class Answer:
    """What is known of a run when its process has ended, or could not begin; what is not known is None.

    Attributes:
        claim: the status that the run claims; None if its process ended without a result.
        error: why the claim is no result, in one line.
        traceback: of a run that crashed.
        outcome: what the driver read from its solver.
        build_s, total_s: seconds until the model was built, and until the run was done.
        waited_s: seconds for which its threads were ready and had no core.
        base_mb: megabytes that its process had before it began.
        killed, signal, exit: how its process ended.
        cpu_s, peak_mb, switches, stolen_s: what the operating system counted.
        clock_set_s: by how much the clock of the system was set forward during the run.
        tail: the end of what it printed.
    """

    claim: Status | None = None
    error: str = ""
    traceback: str = ""
    outcome: Outcome | None = None
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
            if name not in ("complete", "stopped") and value is not None and not _is_figure(value)
        }
        if not self.outcome or not wrong:
            return self
        values = ", ".join(f"{name} = {value!r}, not a number" for name, value in wrong.items())
        without: dict[str, Any] = dict.fromkeys(wrong)
        return replace(
            self,
            claim=Status.CRASHED,
            error=f"the driver of {backend} hands back {values}",
            outcome=replace(self.outcome, **without),
        )
