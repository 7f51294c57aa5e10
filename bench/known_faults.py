"""Solver releases that are known to give wrong answers, and what avoids them."""

import re
from dataclasses import dataclass

HIGHS_WITH_PRESOLVE = ("milp:highs", "cp:highs")
"""Not milp:nopresolve: without presolve every release that is named here was right."""

HIGHS_OPTIONS = {"presolve_rule_off": 1 << 16}
"""Switches off HiGHS's presolve rule `enumeration`, new in 1.13: with it 1.13.0 and 1.13.1 declare feasible
programs infeasible too (Block Party 15_3, formulation windows), without it they were right in all tests."""


@dataclass(frozen=True)
class Fault:
    """A range of releases with wrong answers.

    Attributes:
        solvers: as `backend:solver`.
        package: the name of the release for people.
        first, last: the releases, both included, that were seen to be wrong.
        answers: what is wrong, continuing "is known to give wrong answers: it ...".
        right: what to install instead.
        source: where it can be looked up, and what shows it.
    """

    solvers: tuple[str, ...]
    package: str
    first: str
    last: str
    answers: str
    right: str
    source: str

    def affects(self, solver: str, version: str) -> bool:
        """Whether this release of a solver is one of them."""
        return solver in self.solvers and parts(self.first) <= parts(version) <= parts(self.last)


FAULTS = (
    Fault(
        solvers=HIGHS_WITH_PRESOLVE,
        package="highspy",
        first="1.14.0",
        last="1.15.1",
        answers="declares feasible programs infeasible, so solutions are missing from its counts",
        right="highspy==1.13.1",
        source="tests/data/highs-presolve-infeasible.mps; similar: ERGO-Code/HiGHS issue 3090",
    ),
    Fault(
        solvers=HIGHS_WITH_PRESOLVE,
        package="highspy",
        first="1.7.2",
        last="1.12.0",
        answers="declares feasible programs infeasible",
        right="highspy==1.13.1",
        source="ERGO-Code/HiGHS issue 2585",
    ),
)


def known_fault(backend: str, solver: str, version: str | None) -> str | None:
    """A sentence on the wrong answers of a solver's release; None if no wrong ones are known.

    HiGHS 1.13 is always driven with HIGHS_OPTIONS here, so no runs of it are named.

    Args:
        backend: its name.
        solver: its name within the backend.
        version: as in the column `solver_version` of runs.csv.
    """
    for fault in FAULTS:
        if version and fault.affects(f"{backend}:{solver}", version):
            return (
                f"{fault.package} {version} is known to give wrong answers: it {fault.answers} "
                f"({fault.source}); {fault.right} is right."
            )
    return None


def parts(version: str) -> tuple[int, ...]:
    """The numbers of a version, for comparison: (1, 15, 1)."""
    return tuple(map(int, re.findall(r"\d+", version)[:3]))
