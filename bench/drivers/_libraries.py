"""One solver library per process: some cannot share one, and PuLP and CPMpy import every one they find."""

import importlib
import re
import sys
from collections.abc import Iterable

from bench.contract import Unsupported

TOO_LARGE = re.compile(r"size.limited|size limits? exceeded|promotional version|CPLEX Error +1016", re.I)
"""How the free editions of CPLEX and Gurobi refuse a model that is too large for them."""


def import_only(wanted: Iterable[str], known: Iterable[str]) -> None:
    """Imports the wanted libraries and hides all other known ones from this process, for good.

    Raises:
        ImportError: if one is not installed.
    """
    for library in {*known} - {*wanted}:
        # `import` fails for a module that is None here.
        sys.modules[library] = None  # type: ignore[assignment]
    for library in wanted:
        importlib.import_module(library)


def installed(package: str) -> str | None:
    """Returns the version of a package, None if it is not installed."""
    # It takes a while to import, and the driver of programs needs it only where there is no compiler.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return None


def refuse_if_too_large(solver: str, message: str) -> None:
    """Raises Unsupported if a solver's message refuses the model as too large for its free edition."""
    if TOO_LARGE.search(message):
        raise Unsupported(f"the model is too large for the free edition of {solver}: {message}") from None
