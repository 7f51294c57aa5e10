"""Backends: the drivers in bench/drivers/, read without an import, as that would import a solver library."""

import ast
import importlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import cast

from bench.catalogue.errors import ROOT
from bench.catalogue.programs import BACKEND, programs
from bench.catalogue.puzzles import parsed
from bench.contract import Driver

_DRIVERS = ROOT / "bench" / "drivers"


def backend_names() -> list[str]:
    """The drivers of bench/drivers/."""
    return sorted(path.stem for path in _DRIVERS.glob("[!_]*.py"))


def is_core(backend: str) -> bool:
    """Whether a driver says `CORE = True`."""
    return says("CORE", backend)


def is_watched(backend: str) -> bool:
    """Whether a driver says `WATCHED = True`."""
    return says("WATCHED", backend)


def says(name: str, backend: str) -> bool:
    """Whether a driver has a line `NAME = True`."""
    return re.search(f"^{name} = True$", (_DRIVERS / f"{backend}.py").read_text(), re.MULTILINE) is not None


def solver_names(backend: str) -> list[str]:
    """The solvers in the table SOLVERS of a driver, and programs; only servers know those of MiniZinc."""
    return [*tables_in(_DRIVERS / f"{backend}.py", "SOLVERS"), *(programs() if backend == BACKEND else ())]


def variant_names(backend: str) -> list[str]:
    """The solvers in the table VARIANTS of a driver."""
    return tables_in(_DRIVERS / f"{backend}.py", "VARIANTS")


def tables_in(path: Path, name: str) -> list[str]:
    """The names in a table written at the top level of a Python file.

    They are the texts that are keys of a dictionary, or the functions that `by_name` is given.
    """
    names: list[str] = []
    for statement in parsed(path.read_bytes()).body if path.is_file() else ():
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=target)], value=table)
                | ast.AnnAssign(target=ast.Name(id=target), value=table)
            ) if target == name:
                match table:
                    case ast.Dict(keys=keys):
                        texts = [key.value for key in keys if isinstance(key, ast.Constant)]
                        names += [text for text in texts if isinstance(text, str)]
                    case ast.Call(func=ast.Name(id="by_name"), args=functions):
                        names += [function.id for function in functions if isinstance(function, ast.Name)]
    return names


def driver(backend: str) -> Driver[Callable[..., object], object]:
    """The driver of a backend; imports its solver library, so only servers and their workers call this.

    Raises:
        ImportError: if the library is not installed.
    """
    return cast("Driver[Callable[..., object], object]", importlib.import_module(f"bench.drivers.{backend}"))
