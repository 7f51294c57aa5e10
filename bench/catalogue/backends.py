"""Backends, and what their models consist of: read from files, as an import needs solver libraries."""

import ast
import hashlib
import importlib
import os
import re
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import suppress
from functools import cache
from importlib.util import resolve_name
from itertools import accumulate
from pathlib import Path
from typing import cast

from bench.catalogue import puzzles
from bench.catalogue.errors import ROOT
from bench.catalogue.programs import BACKEND, programs
from bench.catalogue.puzzles import elsewhere, folder, parsed, source_of
from bench.contract import Driver

_DRIVERS = ROOT / "bench" / "drivers"

SHARED = ROOT / "models" / "shared"
"""Where compilers look for files that programs of all puzzles include."""


def backend_names() -> list[str]:
    """The drivers of bench/drivers/."""
    return sorted(path.stem for path in _DRIVERS.glob("[!_]*.py"))


def is_core(backend: str) -> bool:
    """Whether a driver says `CORE = True`."""
    return says("CORE", backend)


def says(name: str, backend: str) -> bool:
    """Whether a driver has a line `NAME = True`."""
    return re.search(f"^{name} = True$", (_DRIVERS / f"{backend}.py").read_text(), re.MULTILINE) is not None


def solver_names(backend: str, variants: bool = False) -> list[str]:
    """The solvers in a driver's table SOLVERS, but those of MiniZinc, and programs; or those in VARIANTS."""
    if variants:
        return tables_in(_DRIVERS / f"{backend}.py", "VARIANTS")
    return [*tables_in(_DRIVERS / f"{backend}.py", "SOLVERS"), *(programs() if backend == BACKEND else ())]


def tables_in(path: Path, name: str) -> list[str]:
    """The names in a table of a Python file: keys of a dictionary, or the functions given to `by_name`."""
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
    """The driver of a backend; imports its library, so only in servers and workers; may raise ImportError."""
    return cast("Driver[Callable[..., object], object]", importlib.import_module(f"bench.drivers.{backend}"))


def model_sha256(puzzle: str, backend: str) -> str:
    """A hash of a model's file, what it imports of models/, and the `sources_beside` with what they include.

    Any change to one of these files changes it, comments too. Empty if there is no such file.
    """
    source = source_of(puzzle, backend)
    if not source.is_file():
        return ""
    digest = hashlib.sha256()
    found = _sources(f"models.{puzzle}.{backend}")
    for named in sources_beside(puzzle, backend):
        found |= with_included(named)
    for name, content in sorted((_name_of(path), content) for path, content in found.items()):
        # With its length before it, no content can be taken for another name.
        digest.update(f"{name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def rules_sha256(puzzle: str) -> str:
    """A hash of puzzle.py and what it imports of models/, as `model_sha256`."""
    return model_sha256(puzzle, "puzzle")


def sources_beside(puzzle: str, backend: str) -> list[Path]:
    """The files of other languages beside a model file that it names, such as asp.lp or search.c."""
    source = source_of(puzzle, backend)
    if not source.is_file():
        return []
    content = source.read_bytes()
    beside = (path for path in sorted(source.parent.iterdir()) if path.suffix != ".py")
    # Most model files name none, and need not be parsed.
    perhaps = [path for path in beside if path.name.encode() in content and path.is_file()]
    return [path for path in perhaps if path.name in _texts_in(content)]


@cache
def _texts_in(source: bytes) -> Set[str]:
    """The texts that a source file has as values; none if it is not Python."""
    constants = (node.value for node in ast.walk(parsed(source)) if isinstance(node, ast.Constant))
    return {value for value in constants if isinstance(value, str)}


def with_included(source: Path) -> dict[Path, bytes]:
    """A file of C or of an answer set program and those that it includes; their contents.

    What is not where a file says is looked for from SHARED, as a puzzle from elsewhere has its own folder.
    """
    found: dict[Path, bytes] = {}
    wanted = [source]
    while wanted:
        path = wanted.pop()
        found[path] = path.read_bytes()
        for name in re.findall(rb'^\s*#include\s+"([^"]+)"', found[path], re.MULTILINE):
            places = [Path(os.path.normpath(folder / os.fsdecode(name))) for folder in (path.parent, SHARED)]
            wanted += [place for place in places if place.is_file() and place not in found][:1]
    return found


def _name_of(path: Path) -> str:
    """A source file from models/ on, where a puzzle from elsewhere would lie as well; else its name alone."""
    for name, home in elsewhere().items():
        if path.is_relative_to(home):
            return (Path(name) / path.relative_to(home)).as_posix()
    return path.relative_to(puzzles.MODELS).as_posix() if path.is_relative_to(puzzles.MODELS) else path.name


def _sources(module: str) -> dict[Path, bytes]:
    """The files that a module consists of and imports, directly or not, and their contents.

    Only those of models/ and of puzzles from elsewhere. Imports within functions and for types count; what is
    imported by a computed name is not seen.
    """
    found: dict[Path, bytes] = {}
    # Most names are imported by several files, and to locate one asks the file system.
    located, no_packages = set[str](), set[str]()
    wanted = [*_with_parents(module)]
    while wanted:
        name = wanted.pop()
        parent = name.rpartition(".")[0]
        if name in located or parent in no_packages:
            continue
        located.add(name)
        path = _file_of(name)
        if path is None or path in found:
            continue
        found[path] = path.read_bytes()
        package = name if path.name == "__init__.py" else parent
        if package != name:
            no_packages.add(name)
        for imported in _imported_by(found[path], package):
            wanted += _with_parents(imported)
    return found


def _file_of(module: str) -> Path | None:
    """The source file of a module of models/ or of a puzzle from elsewhere; None for any other module."""
    top, *names = module.split(".")
    if top != "models":
        return None
    path = folder(names[0]).joinpath(*names[1:]) if names else puzzles.MODELS
    files = (path / "__init__.py", path.with_name(f"{path.name}.py"))
    return next((file for file in files if file.is_file()), None)


@cache
def _with_parents(module: str) -> Sequence[str]:
    """A module and the packages that it is in, which are imported before it: a.b.c, a.b, a."""
    return [*accumulate(module.split("."), "{}.{}".format)][::-1]


@cache
def _imported_by(source: bytes, package: str) -> Sequence[str]:
    """The full names of what a source file imports; a name in a module is given as if it were one.

    `package` is what relative imports start from.
    """
    found: list[str] = []
    for node in _statements(parsed(source)):
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # A relative import may climb beyond the top.
            with suppress(ImportError):
                start = resolve_name("." * node.level + (node.module or ""), package)
                found += [f"{start}.{alias.name}" for alias in node.names]
    return found


def _statements(within: ast.AST) -> Iterator[ast.AST]:
    """All statements within a node; expressions are most of a source file, and have none."""
    for part in ("body", "handlers", "cases", "orelse", "finalbody"):
        for statement in getattr(within, part, ()):
            yield statement
            yield from _statements(statement)
