"""Puzzles: their names, their folders, and what their files define."""

import ast
import importlib
import importlib.util
import keyword
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from itertools import filterfalse
from pathlib import Path
from threading import Lock, current_thread, main_thread
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from bench.alarm import alarm
from bench.catalogue import errors
from bench.catalogue.errors import ROOT, PuzzleError, RequestError, one_line, unknown
from bench.contract import TimeLimit
from models.shared.document import InstanceError, shorten
from models.shared.generator import Generator
from models.shared.puzzle import Ingredient, Reported

if TYPE_CHECKING:
    from models.shared.random_instances import RandomInstances

T = TypeVar("T")

MODELS = ROOT / "models"
INSTANCES = ROOT / "instances"

CALL_S = 10.0
"""A function of puzzle.py that has not returned after so many seconds never will."""

_PARSING = Lock()
"""CPython 3.11 fails where two threads parse and the garbage collector calls Python code, as in Dask."""

os.register_at_fork(
    before=_PARSING.acquire, after_in_parent=_PARSING.release, after_in_child=_PARSING.release
)

PUZZLES = "BENCH_PUZZLES"
"""The environment variable that lists the folders of puzzles from elsewhere; child processes inherit it."""


def puzzle_names() -> list[str]:
    """The puzzles of the project, and those from elsewhere that this process was told of."""
    own = (path.parent.name for path in MODELS.glob("*/puzzle.py") if path.parent.name != "shared")
    return sorted({*own, *elsewhere()})


def is_puzzle(name: str) -> bool:
    """Whether there is a puzzle of this name; workers ask within a run, so it looks at one file."""
    return is_usable(name) and source_of(name).is_file()


def is_usable(name: str) -> bool:
    """Whether a puzzle may have this name; file systems refuse to look for much longer ones."""
    return name.isidentifier() and len(name) <= 100 and name != "shared"


def elsewhere() -> dict[str, Path]:
    """The folders of the puzzles from elsewhere, by name; what else is listed is left out."""
    return {path.name: path for path in filter(_is_home, _listed())}


def _listed() -> list[Path]:
    return [Path(text) for text in os.environ.get(PUZZLES, "").split(os.pathsep) if text]


def _is_home(path: Path) -> bool:
    return path.is_absolute() and (path / "puzzle.py").is_file()


def forget_vanished() -> list[str]:
    """Takes out of the environment variable what is no puzzle's folder; a line on each."""
    if vanished := list(filterfalse(_is_home, _listed())):
        os.environ[PUZZLES] = os.pathsep.join(map(str, elsewhere().values()))
    reason = "is not the absolute path of a folder with puzzle.py"
    return [f"left out: {PUZZLES}: {path} {reason}" for path in vanished]


def find_puzzle(text: str) -> str:
    """The name of a puzzle, from its name or its folder, which becomes known; raises RequestError if none."""
    names = puzzle_names()
    if text in names:
        return text
    path = Path(text).resolve()
    if not (text and path.is_dir()):
        if text.startswith((".", os.sep)):
            raise RequestError(f"{text}: there is no such folder")
        for name in names:
            if (instances_folder(name) / f"{text}.toml").is_file():
                raise RequestError(f"{text} is an instance of {name}, and a puzzle is wanted; write {name}")
        raise RequestError(unknown("puzzle", text, names))
    return add_puzzle(path, called=text)


def add_puzzle(path: Path, called: str) -> str:
    """Makes the puzzle in a folder known; returns its name, or raises RequestError if it cannot be used.

    Messages name the folder as it was `called`.
    """
    name = path.name
    if not (path / "puzzle.py").is_file():
        raise RequestError(f"{called}: this folder has no puzzle.py, so it is no puzzle")
    if name in puzzle_names() and folder(name).resolve() == path:
        return name
    try:
        check_name(name, "rename the folder")
    except RequestError as error:
        raise RequestError(f"{called}: {error}") from None
    if os.pathsep in str(path):
        raise RequestError(f"{called}: its path has a {os.pathsep!r}; no folder above it may have one")
    os.environ[PUZZLES] = os.pathsep.join([*map(str, elsewhere().values()), str(path)])
    return name


def check_name(name: str, remedy: str) -> None:
    """Raises RequestError for a name that no further puzzle can have, saying why, and the remedy."""
    # Its name is that of a Python package.
    if not re.fullmatch("[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        form = "a lower-case letter, then lower-case letters, digits and _, and no keyword of Python"
        raise RequestError(f"a puzzle cannot be called {name!r}; {remedy}: {form}")
    if name in puzzle_names() or (MODELS / name).exists():
        home = errors.shown(folder(name))
        raise RequestError(f"the name {name} is taken by the puzzle in {home}; {remedy}")


def folder(puzzle: str) -> Path:
    """The folder with the rules and the models of a puzzle."""
    return elsewhere().get(puzzle, MODELS / puzzle)


def source_of(puzzle: str, module: str = "puzzle") -> Path:
    """The file of a puzzle that has its rules, or its models for a backend, or its generator."""
    return folder(puzzle) / f"{module}.py"


def parsed(source: bytes) -> ast.Module:
    """The syntax tree of a source file; empty if it is not Python. Several threads may parse at once."""
    with (
        _PARSING,
        warnings.catch_warnings(action="ignore"),
        suppress(SyntaxError, ValueError, RecursionError),
    ):
        return ast.parse(source)
    return ast.Module([], [])


def rules(puzzle: str) -> str:
    """The rules of a puzzle: the docstring of puzzle.py, which is not imported, up to its first section."""
    file = source_of(puzzle)
    text = ast.get_docstring(parsed(file.read_bytes())) if file.is_file() else None
    return (text or "").partition("\n## ")[0].strip()


def instances_folder(puzzle: str) -> Path:
    """The folder with the instances of a puzzle."""
    path = elsewhere().get(puzzle)
    return path / "instances" if path else INSTANCES / puzzle


def formulations(puzzle: str, backend: str) -> Mapping[str, Callable[..., Any]]:
    """The formulations of a puzzle for a backend, the default first; empty if it has no model.

    Imports the solver library, so only a server calls this; raises PuzzleError for a mistake in the file.
    """
    file = source_of(puzzle, backend)
    if not file.exists():
        return {}
    table = getattr(_import_file(puzzle, backend), "FORMULATIONS", None)
    functions = table.items() if isinstance(table, Mapping) else ()
    wrong = [
        name
        for name, function in functions
        if not (isinstance(name, str) and name.strip() and name.isprintable() and callable(function))
    ]
    if wrong or not functions:
        found = "missing" if table is None else "no table of functions by name"
        found += f" (entry {shorten(wrong[0])})" if wrong else ""
        remedy = 'write FORMULATIONS = {"name": function}'
        raise PuzzleError(puzzle, f"{errors.shown(file)}: FORMULATIONS is {found}; {remedy}")
    return cast(Mapping[str, Callable[..., Any]], table)


def _import_file(puzzle: str, module: str) -> ModuleType:
    """A file of a puzzle, as the module models.PUZZLE.MODULE; raises PuzzleError if it raises."""
    before, path = sys.dont_write_bytecode, elsewhere().get(puzzle)
    try:
        if path:
            # A compiled file from before a change within the same second would pass for new.
            sys.dont_write_bytecode = True
            _make_package(f"models.{puzzle}", path)
        return importlib.import_module(f"models.{puzzle}.{module}")
    except (Exception, SystemExit) as error:
        raise PuzzleError(puzzle, blamed(error, puzzle, module)) from error
    finally:
        if path:
            sys.dont_write_bytecode = before


def blamed(error: BaseException, puzzle: str, module: str) -> str:
    """An exception that a file of a puzzle raised, with file and line, in one line."""
    if isinstance(error, PuzzleError):
        return str(error)
    return errors.where(error, folder(puzzle), otherwise=errors.shown(source_of(puzzle, module)))


def call(puzzle: str, name: str, function: Callable[[], T]) -> T:
    """What code of puzzle.py returns, which is called `name` there.

    Raises InstanceError if it does; PuzzleError if it raises anything else, or does not return.
    """
    with _in_time(puzzle, name):
        try:
            return function()
        except InstanceError:
            raise
        except (Exception, SystemExit) as error:
            raise PuzzleError(puzzle, one_line(blamed(error, puzzle, "puzzle"))) from error


@contextmanager
def _in_time(puzzle: str, name: str) -> Iterator[None]:
    """Ends code of puzzle.py after CALL_S, with a PuzzleError; only the main thread can."""
    started = monotonic()
    try:
        with alarm(CALL_S) if current_thread() is main_thread() else nullcontext():
            yield
    except TimeLimit as late:
        if monotonic() - started < CALL_S:  # An alarm around this one has rung.
            raise
        place = errors.place(late, folder(puzzle)) or errors.shown(source_of(puzzle))
        reason = f"{place}: {name} of {puzzle} has not returned after {CALL_S:g} s"
        raise PuzzleError(puzzle, reason) from late


def _make_package(name: str, path: Path) -> None:
    """Makes a folder a package of this name, if it is not already."""
    if name in sys.modules and list(sys.modules[name].__path__) == [str(path)]:
        return
    for loaded in [key for key in sys.modules if key == name or key.startswith(f"{name}.")]:
        del sys.modules[loaded]
    init = path / "__init__.py"
    spec = importlib.util.spec_from_file_location(name, init, submodule_search_locations=[str(path)])
    assert spec is not None and spec.loader is not None
    sys.modules[name] = package = importlib.util.module_from_spec(spec)
    try:
        if init.exists():
            spec.loader.exec_module(package)
    except BaseException:
        del sys.modules[name]
        raise


def puzzle_module(name: str) -> ModuleType:
    """The rules of a puzzle; raises PuzzleError if puzzle.py cannot be imported, or not within CALL_S."""
    file = source_of(name)
    version = file, file.stat().st_mtime_ns if file.exists() else 0
    if version in _late:  # It would be as late for each instance.
        raise _late[version]
    try:
        with _in_time(name, "module-level code"):
            return _import_file(name, "puzzle")
    except PuzzleError as error:
        if isinstance(error.__cause__, TimeLimit):
            _late[version] = error
        raise


_late: dict[tuple[Path, int], PuzzleError] = {}
"""Why importing a puzzle.py did not end, by the file and when it was written."""


# These raise PuzzleError if the file cannot be imported.


def generator(puzzle: str) -> Generator:
    """What makes instances of a puzzle; imports CP-SAT where that is needed, so only a server calls this."""
    return cast(Generator, _import_file(puzzle, "generate"))


def adapters() -> dict[str, tuple[str, ModuleType]]:
    """The puzzles that collections have, each with its adapter.py, by what collections call them."""
    names = [name for name in puzzle_names() if source_of(name, "adapter").exists()]
    found = {name: _import_file(name, "adapter") for name in names}
    return {kind: (name, adapter) for name, adapter in found.items() for kind in adapter.KINDS}


def random_instances(puzzle: str) -> "RandomInstances | None":
    """What draws random instances of a puzzle; None if it has no such file. Imports Hypothesis."""
    if not source_of(puzzle, "random_instances").exists():
        return None
    return cast("RandomInstances", _import_file(puzzle, "random_instances"))


def ingredients(puzzle: str) -> Sequence[Ingredient]:
    """What a puzzle is made of; nothing if puzzle.py has no INGREDIENTS."""
    return cast(Sequence[Ingredient], getattr(puzzle_module(puzzle), "INGREDIENTS", ()))


def reported(puzzle: str) -> Sequence[Reported]:
    """The figures that the sources published about a puzzle; none if puzzle.py has no REPORTED."""
    return cast(Sequence[Reported], getattr(puzzle_module(puzzle), "REPORTED", ()))
