"""What fuzzing finds: a run whose claim is false, with the evidence against it."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bench.campaign.results import Row
from bench.contract import Run
from models.shared.puzzle import Solution

Table = dict[str, Any]
"""An instance as the table of its TOML file."""


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
    """Findings with the same one are the same fault: solver, release, kind, and place.

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
        table: the instance.
        run: with which it shows; its path is that of a file that may be gone.
        row: what the run said, as a row of runs.csv.
        truth: what is true, in one sentence, with who says so.
        solutions: how many solutions the instance has, if that was counted exhaustively; None if not.
        witness: a solution that passed the checker, and that the run denies; None if there is none.
    """

    kind: Kind
    table: Table
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
        solver = f"{self.run.backend}:{self.run.solver}"
        return Signature(solver, self.run.solver_version, self.kind, place)
