"""What brings what is missing: the line to type, in a checkout with its pins, elsewhere from the index."""

import re
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

from bench.catalogue import ROOT, RequestError
from bench.plan import Request, find_solver
from bench.workers import Backend

SOLVERS = "solvers"
"""The extra with the solvers beyond the core ones."""

PIP = re.compile(r"pip install ((?:(?!and )[\w.-]+ ?)+)")
"""What a driver says would bring a solver."""


def refuse_missing(request: Request, backends: Mapping[str, Backend]) -> None:
    """Refuses a request that names a backend or a solver that is not installed.

    Raises:
        RequestError: with the command that brings it.
    """
    for name in request.backends:
        backend, solver = find_solver(name, backends)
        if missing := backend.lacks(solver):
            raise RequestError(f"{name} is not installed: {how_to_install(missing)}")


def how_to_install(missing: str) -> str:
    """A driver's hint; for what an extra of this project brings, the command with the extra and the pins."""
    if "No module named" in missing:
        return f"{missing}; {pip_line()}"
    return PIP.sub(better, missing)


def better(hint: "re.Match[str]") -> str:
    """The command for the extra, if that brings all of these packages; else the hint as it stands."""
    packages = hint[1].split()
    space = " " if hint[0].endswith(" ") else ""
    return pip_line(SOLVERS) + space if set(packages) <= extra(SOLVERS) else hint[0]


def extra(name: str) -> set[str]:
    """The packages of an extra of this project."""
    try:
        wanted = requires("puzzle-bench") or []
    except PackageNotFoundError:
        return set()
    named = (re.fullmatch(rf"([\w.-]+)[^;]*;.*extra == ['\"]{name}['\"].*", text) for text in wanted)
    return {found[1] for found in named if found}


def pip_line(*extras: str) -> str:
    """The command that installs this project with extras."""
    suffix = f"[{','.join(extras)}]" if extras else ""
    if not (ROOT / "constraints.txt").exists():
        return f"pip install 'puzzle-bench{suffix}'"
    if Path.cwd() == ROOT:
        return f"pip install -c constraints.txt -e '.{suffix}'"
    return f"pip install -c {ROOT / 'constraints.txt'} -e '{ROOT}{suffix}'"
