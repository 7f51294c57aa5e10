"""Solver releases that are known to give wrong answers."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """A range of releases with wrong answers.

    Attributes:
        solvers: as `backend:solver`.
        package: its name for pip.
        first, last: the first and the last release that were seen to be wrong.
        answers: what is wrong, in the words that follow "it".
        right: the release to install instead.
        source: the evidence, and where it is reported.
    """

    solvers: tuple[str, ...]
    package: str
    first: str
    last: str
    answers: str
    right: str
    source: str

    def affects(self, solver: str, version: str) -> bool:
        """Whether a release of a solver has the fault."""
        return solver in self.solvers and numbers(self.first) <= numbers(version)[:3] <= numbers(self.last)


FAULTS = (
    Fault(
        # Not variants without presolve, such as milp:nopresolve: there each of these releases was right.
        solvers=(
            "milp:highs", "milp:nocuts", "milp:noheuristics", "milp:nosymmetry", "milp:onlypresolve",
            "milp:root", "milp:presolved_relaxation", "cpmpy:highs",
        ),
        package="highspy", first="1.13.0", last="1.16.0",
        answers="declares feasible programs infeasible, so solutions may be missing from its counts",
        right="highspy 1.12.0, which has wheels for Python up to 3.13",
        source="tests/data/highs-*.mps; ERGO-Code/HiGHS issues 3216 and 3090",
    ),
)  # fmt: skip


def known_fault(backend: str, solver: str, version: str | None) -> str | None:
    """A sentence on the wrong answers of a solver's release, as in runs.csv; None if none are known."""
    for fault in FAULTS:
        if version and fault.affects(f"{backend}:{solver}", version):
            return (
                f"{fault.package} {version} is known to give wrong answers: it {fault.answers} "
                f"({fault.source}). Use {fault.right}."
            )
    return None


def numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version, for comparison: (1, 15, 1)."""
    return tuple(map(int, re.findall(r"\d+", version)))
