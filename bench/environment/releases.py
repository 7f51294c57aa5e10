"""Releases of packages: which give wrong answers, which are not tested, how to install what is missing."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.catalogue import ROOT
from bench.environment.processes import or_none


@dataclass(frozen=True)
class Fault:
    """A range of releases with wrong answers: `first` and `last` were seen to be wrong.

    Attributes:
        solvers: as `backend:solver`.
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

    def has(self, version: str) -> bool:
        """Whether a release lies in the range."""
        return numbers(self.first) <= numbers(version)[:3] <= numbers(self.last)


# Without what no model here shows, as HiGHS 1.5.3 to 1.15.1 on mixed programs (docs/found.md).
FAULTS = (
    Fault(
        # Not variants without presolve, such as milp:nopresolve: there each of these releases was right.
        solvers=(
            "milp:highs", "milp:nocuts", "milp:noheuristics", "milp:nosymmetry", "milp:onlypresolve",
            "milp:root", "milp:presolved_relaxation", "cpsat:highs", "cpmpy:highs",
        ),
        package="highspy", first="1.13.0", last="1.16.0",
        answers="declares feasible programs infeasible, so solutions may be missing from its counts",
        right="highspy 1.12.0, which has wheels for Python up to 3.13",
        source="tests/data/highs-*.mps; ERGO-Code/HiGHS issues 3216 and 3090",
    ),
    Fault(
        solvers=("cpmpy:scip",),
        package="pyscipopt", first="6.0.0", last="6.3.0",
        answers="declares feasible programs infeasible, as the magic hexagon's",
        right="pyscipopt 5.7.1",
        source="docs/found.md",
    ),
    Fault(
        solvers=("csp:recursive", "csp:backtracking", "csp:optimized", "csp:smallest"),
        package="python-constraint2", first="2.2.3", last="2.7.3",
        answers="loses solutions of sums with negative coefficients, as the Golomb ruler's",
        right="python-constraint2 2.8.0 or newer",
        source="docs/found.md; python-constraint/python-constraint issue 33",
    ),
)  # fmt: skip


def known_fault(backend: str, solver: str, version: str | None) -> str | None:
    """A sentence on the wrong answers of a solver's release; None if none are known."""
    for fault in FAULTS:
        if version and f"{backend}:{solver}" in fault.solvers and fault.has(version):
            return (
                f"{fault.package} {version} is known to give wrong answers: it {fault.answers} "
                f"({fault.source}). Use {fault.right}."
            )
    return None


def numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version, as (1, 15, 1)."""
    return tuple(map(int, re.findall(r"\d+", version)))


_PIP = re.compile(r"pip install ((?:(?!and )[\w.-]+ ?)+)")
"""The packages in the hint of a driver on how to install a solver."""


def how_to_install(missing: str) -> str:
    """A driver's hint; in a checkout, for packages of an extra, the command with the extra and the pins."""
    if "No module named" in missing:
        return f"{missing}; {pip_line()}"

    def better(hint: "re.Match[str]") -> str:
        space = " " if hint[0].endswith(" ") else ""
        packages = {*hint[1].split()}
        of = next((name for name in ("solvers", "parquet") if packages <= extra(name)), None)
        return pip_line(of) + space if of else hint[0]

    return _PIP.sub(better, missing) if _is_checkout() else missing


def extra(name: str) -> set[str]:
    """The packages of an extra of this project; of the empty name, those that it always needs."""
    line = re.compile(r"([\w.-]+)(?:.*;.*extra == ['\"]([\w.-]+)['\"])?")
    found = filter(None, map(line.match, _requirements()))
    return {package[1] for package in found if (package[2] or "") == name}


def bounds() -> dict[str, str]:
    """The newest release that was tested of each package of a solver."""
    found: dict[str, str] = {}
    for text in _requirements():
        # One package may have several, for versions of Python.
        if bound := re.match(r"([\w.-]+)[^;]*<=([\w.]+)", text):
            found[bound[1]] = max(found.get(bound[1], "0"), bound[2], key=numbers)
    return found


def untested() -> Iterator[tuple[str, str]]:
    """Yields packages that are newer than what was tested, pyproject.toml's upper bound; and that bound."""
    for package, bound in bounds().items():
        if (there := installed(package)) and numbers(there) > numbers(bound):
            yield f"{package} {there}", bound


def _requirements() -> list[str]:
    """What the metadata of this project ask for; nothing where it is not installed."""
    from importlib.metadata import requires

    return or_none(lambda: requires("puzzle-bench")) or []


def _is_checkout() -> bool:
    """Whether this is a clone, whose extras pip can install; this project is on no package index."""
    return (ROOT / "constraints.txt").exists()


def installed(package: str) -> str | None:
    """The version of a package; None if it is not installed."""
    # Slow to import, and seldom needed.
    from importlib.metadata import version

    return or_none(lambda: version(package))


def pip_line(*extras: str) -> str:
    """The command that installs this project with extras; without a checkout, what it needs and lacks."""
    if not _is_checkout():
        needed = sorted(extra(""))
        missing = [package for package in needed if not installed(package)]
        return f"pip install {' '.join(missing or needed)}"
    suffix = f"[{','.join(extras)}]" if extras else ""
    if Path.cwd() == ROOT:
        return f"pip install -c constraints.txt -e '.{suffix}'"
    return f"pip install -c {ROOT / 'constraints.txt'} -e '{ROOT}{suffix}'"
