"""The commands that install what is missing: in a checkout with its pins, elsewhere by package."""

import re
from collections.abc import Iterator
from pathlib import Path

from bench.catalogue import ROOT
from bench.environment.known_faults import numbers

SOLVERS = "solvers"
"""The extra with the solvers beyond the core ones."""

_PIP = re.compile(r"pip install ((?:(?!and )[\w.-]+ ?)+)")
"""The packages in the hint of a driver on how to install a solver."""


def how_to_install(missing: str) -> str:
    """A driver's hint; in a checkout, for packages of an extra, the command with the extra and the pins."""
    if "No module named" in missing:
        return f"{missing}; {pip_line()}"

    def better(hint: "re.Match[str]") -> str:
        space = " " if hint[0].endswith(" ") else ""
        return pip_line(SOLVERS) + space if set(hint[1].split()) <= extra(SOLVERS) else hint[0]

    return _PIP.sub(better, missing) if _is_checkout() else missing


def extra(name: str) -> set[str]:
    """The packages of an extra of this project; of the empty name, those that it always needs."""
    wanted = _requirements()
    beyond = re.compile(r".*;.*extra == ['\"]([\w.-]+)['\"].*")
    of = {text: found[1] if (found := beyond.fullmatch(text)) else "" for text in wanted}
    return {re.split(r"[^\w.-]", text)[0] for text in wanted if of[text] == name}


def untested() -> Iterator[tuple[str, str]]:
    """Yields packages that are newer than what was tested, pyproject.toml's upper bound; and that bound."""
    from importlib.metadata import version

    bounds: dict[str, str] = {}
    for text in _requirements():
        # One package may have several, for versions of Python.
        if found := re.match(r"([\w.-]+)[^;]*<=([\w.]+)", text):
            bounds[found[1]] = max(bounds.get(found[1], "0"), found[2], key=numbers)
    for package, bound in bounds.items():
        if not is_missing(package) and numbers(version(package)) > numbers(bound):
            yield f"{package} {version(package)}", bound


def _requirements() -> list[str]:
    """What the metadata of this project ask for; nothing where it is not installed."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        return requires("puzzle-bench") or []
    except PackageNotFoundError:
        return []


def _is_checkout() -> bool:
    """Whether this is a clone, whose extras pip can install; this project is on no package index."""
    return (ROOT / "constraints.txt").exists()


def is_missing(package: str) -> bool:
    """Whether a package is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        version(package)
    except PackageNotFoundError:
        return True
    return False


def pip_line(*extras: str) -> str:
    """The command that installs this project with extras; without a checkout, what it needs and lacks."""
    if not _is_checkout():
        needed = sorted(extra(""))
        return f"pip install {' '.join(filter(is_missing, needed)) or ' '.join(needed)}"
    suffix = f"[{','.join(extras)}]" if extras else ""
    if Path.cwd() == ROOT:
        return f"pip install -c constraints.txt -e '.{suffix}'"
    return f"pip install -c {ROOT / 'constraints.txt'} -e '{ROOT}{suffix}'"
