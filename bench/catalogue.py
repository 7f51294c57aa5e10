"""Finds puzzles, instances and backends by looking at folders; imports no solver by itself.

A puzzle of the project has its folders models/NAME and instances/NAME. One from elsewhere is one folder, with
the files of both: NAME/puzzle.py, NAME/instances/*.toml. It is imported as models.NAME too.
"""

import ast
import difflib
import hashlib
import importlib
import importlib.util
import keyword
import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from bench import blame, imports
from bench.contract import Driver
from bench.invoked import command_line
from models.shared.document import Document, Expected, InstanceError, read_document, shorten
from models.shared.generator import Generator
from models.shared.puzzle import Puzzle, Reported

ROOT = blame.ROOT
MODELS = ROOT / "models"
INSTANCES = ROOT / "instances"
MAX_BYTES = 1_000_000

MOST_NAMES = 8
"""A line that refuses a name lists no more of those that there are."""

PUZZLES = "BENCH_PUZZLES"
"""The environment variable that lists the folders of puzzles from elsewhere; child processes inherit it."""

NAME = re.compile(r"[a-z][a-z0-9_]*")
"""What a puzzle may be called: its name is a Python package's."""


class RequestError(Exception):
    """A request that cannot be carried out; the message is one line that says what to change."""


class PuzzleError(RequestError):
    """A mistake in the files of `puzzle`; the message names the file, and the line where there is one."""

    def __init__(self, puzzle: str, message: str) -> None:
        super().__init__(message)
        self.puzzle = puzzle


@dataclass(frozen=True)
class Instance:
    """One instance file, read."""

    name: str
    path: Path
    sha256: str
    puzzle_name: str
    title: str
    source: str
    expected: Expected
    puzzle: Puzzle


def puzzle_names() -> list[str]:
    """The puzzles of the project, and those from elsewhere that this process was told of."""
    own = (path.parent.name for path in MODELS.glob("*/puzzle.py") if path.parent.name != "shared")
    return sorted({*own, *elsewhere()})


def is_puzzle(name: str) -> bool:
    """Whether there is a puzzle of this name; workers ask within a run, so it looks at one file."""
    return name.isidentifier() and name != "shared" and source_of(name).is_file()


def elsewhere() -> dict[str, Path]:
    """The folders of the puzzles from elsewhere, by name; what else is listed is left out."""
    return {path.name: path for path in listed() if is_home(path)}


def listed() -> list[Path]:
    """The paths that the environment variable lists."""
    return [Path(text) for text in os.environ.get(PUZZLES, "").split(os.pathsep) if text]


def is_home(path: Path) -> bool:
    """Whether this is the absolute path of a folder with a puzzle."""
    return path.is_absolute() and (path / "puzzle.py").is_file()


def forget_vanished() -> list[str]:
    """Takes out of the environment variable what is no puzzle's folder; a line on each."""
    vanished = [path for path in listed() if not is_home(path)]
    if vanished:
        os.environ[PUZZLES] = os.pathsep.join(str(path) for path in listed() if is_home(path))
    return [
        f"left out: {PUZZLES}: {path} is not the absolute path of a folder with puzzle.py"
        for path in vanished
    ]


def find_puzzle(text: str) -> str:
    """The name of a puzzle, from its name or from a path to its folder.

    From then on this process, and those that it starts, know the puzzle in that folder.

    Raises:
        RequestError: if there is no such puzzle, or its name cannot be used.
    """
    names = puzzle_names()
    if text in names:
        return text
    path = Path(text).resolve()
    if not path.is_dir():
        raise RequestError(unknown("puzzle", text, names))
    return add_puzzle(path, called=text)


def add_puzzle(path: Path, called: str) -> str:
    """Makes the puzzle in a folder known; gives its name.

    Args:
        path: the absolute path of the folder.
        called: how messages call it.

    Raises:
        RequestError: if it has no puzzle, or one whose name cannot be used.
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


def check_name(name: str, mend: str) -> None:
    """Refuses a name that no further puzzle can have.

    Args:
        name: of the puzzle.
        mend: what to do about it, for the message.

    Raises:
        RequestError: saying why.
    """
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise RequestError(
            f"a puzzle cannot be called {name!r}; {mend}: a lower-case letter, then lower-case letters, "
            "digits and _, and no keyword of Python"
        )
    if name in puzzle_names() or (MODELS / name).exists():
        raise RequestError(f"the name {name} is taken by the puzzle in {blame.shown(folder(name))}; {mend}")


def folder(puzzle: str) -> Path:
    """The folder with the rules and the models of a puzzle."""
    return elsewhere().get(puzzle, MODELS / puzzle)


def source_of(puzzle: str, module: str = "puzzle") -> Path:
    """The file of a puzzle that has its rules, or its models for a backend, or its generator."""
    return folder(puzzle) / f"{module}.py"


def instances_folder(puzzle: str) -> Path:
    """The folder with the instances of a puzzle."""
    path = elsewhere().get(puzzle)
    return path / "instances" if path else INSTANCES / puzzle


def backend_names() -> list[str]:
    """The drivers of bench/drivers/."""
    return sorted(path.stem for path in (ROOT / "bench" / "drivers").glob("[!_]*.py"))


def is_core(backend: str) -> bool:
    """Whether a driver says `CORE = True`; read, as importing it would import its solver library."""
    text = (ROOT / "bench" / "drivers" / f"{backend}.py").read_text()
    return re.search(r"^CORE = True$", text, re.MULTILINE) is not None


def solver_names(backend: str) -> list[str]:
    """The solvers in the tables of a driver, read as they are written there.

    Whether they are installed only a worker knows, and which others MiniZinc brings.
    """
    return tables_in(ROOT / "bench" / "drivers" / f"{backend}.py")


def tables_in(path: Path, name: str = "") -> list[str]:
    """The names in a table written at the top level of a Python file, or in all its tables.

    They are the texts that are keys of a dictionary, or the functions that `by_name` is given. Read, as
    importing the file would import a solver library.
    """
    try:
        statements = ast.parse(path.read_text(encoding="utf-8")).body
    except (OSError, SyntaxError, ValueError):
        return []
    names: list[str] = []
    for statement in statements:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=target)], value=table)
                | ast.AnnAssign(target=ast.Name(id=target), value=table)
            ) if name in ("", target):
                names += names_in(table)
    return names


def names_in(table: ast.expr | None) -> list[str]:
    """The names in the expression for a table; none if it is another one."""
    match table:
        case ast.Dict(keys=keys):
            texts = [key.value for key in keys if isinstance(key, ast.Constant)]
            return [text for text in texts if isinstance(text, str)]
        case ast.Call(func=ast.Name(id="by_name"), args=functions):
            return [function.id for function in functions if isinstance(function, ast.Name)]
    return []


def driver(backend: str) -> Driver:
    """The driver of a backend; imports its solver library, so only a worker calls this.

    Raises:
        ImportError: if the library is not installed.
    """
    return cast(Driver, importlib.import_module(f"bench.drivers.{backend}"))


def formulations(puzzle: str, backend: str) -> Mapping[str, Callable[..., Any]]:
    """The ways in which a puzzle is modelled for a backend, the default first; empty if there is none.

    Imports the backend's solver library, so only a worker calls this.

    Raises:
        PuzzleError: if the file cannot be imported, or has no such table.
    """
    file = source_of(puzzle, backend)
    if not file.exists():
        return {}
    table = getattr(import_file(puzzle, backend), "FORMULATIONS", None)
    if (wrong := what_is_wrong(table)) is not None:
        mend = 'write FORMULATIONS = {"name": function}'
        raise PuzzleError(puzzle, f"{blame.shown(file)}: FORMULATIONS {wrong}; {mend}")
    return cast(Mapping[str, Callable[..., Any]], table)


def what_is_wrong(table: object) -> str | None:
    """What keeps an object from being a table of formulations, in words."""
    if table is None:
        return "is missing"
    if not isinstance(table, Mapping):
        return f"is a {type(table).__name__}"
    if not table:
        return "is empty"
    for name, function in table.items():
        if not (isinstance(name, str) and name.strip() and name.isprintable()):
            return f"has the name {shorten(name)}"
        if not callable(function):
            return f"has for {name!r} {shorten(function)}, which is no function"
    return None


def import_file(puzzle: str, module: str) -> ModuleType:
    """A file of a puzzle, as the module models.PUZZLE.MODULE.

    Raises:
        PuzzleError: if it raises.
    """
    try:
        if (path := elsewhere().get(puzzle)) is not None:
            make_package(f"models.{puzzle}", path)
        return importlib.import_module(f"models.{puzzle}.{module}")
    except (Exception, SystemExit) as error:
        raise PuzzleError(puzzle, blamed(error, puzzle, module)) from error


def blamed(error: BaseException, puzzle: str, module: str) -> str:
    """An exception that a file of a puzzle raised, with file and line, in one line."""
    place = blame.place(error, folder(puzzle)) or blame.shown(source_of(puzzle, module))
    return f"{place}: {blame.words(error)}"


def make_package(name: str, path: Path) -> None:
    """Makes a folder a package of this name, if it is not already."""
    found = sys.modules.get(name)
    if found is not None and list(found.__path__) == [str(path)]:
        return
    for loaded in [key for key in sys.modules if key == name or key.startswith(f"{name}.")]:
        del sys.modules[loaded]
    init = path / "__init__.py"
    if init.exists():
        spec = importlib.util.spec_from_file_location(name, init, submodule_search_locations=[str(path)])
    else:
        spec = ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = [str(path)]
    assert spec is not None
    package = sys.modules[name] = importlib.util.module_from_spec(spec)
    if init.exists() and spec.loader is not None:
        try:
            spec.loader.exec_module(package)
        except BaseException:
            del sys.modules[name]
            raise


def puzzle_module(name: str) -> ModuleType:
    """The rules of a puzzle.

    Raises:
        PuzzleError: if puzzle.py cannot be imported.
    """
    return import_file(name, "puzzle")


def model_sha256(puzzle: str, backend: str) -> str:
    """A hash of all that a model consists of: the file for this backend and what it imports of models/.

    Whatever is changed in one of these files changes it, comments too. Empty if there is no such file.
    """
    if not source_of(puzzle, backend).is_file():
        return ""
    digest = hashlib.sha256()
    found = imports.sources(f"models.{puzzle}.{backend}", file_of)
    for name, content in sorted((name_of(path), content) for path, content in found.items()):
        # With its length before it, no content can be taken for another name.
        digest.update(f"{name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def rules_sha256(puzzle: str) -> str:
    """A hash of puzzle.py and what it imports of models/, as `model_sha256`."""
    return model_sha256(puzzle, "puzzle")


def file_of(module: str) -> Path | None:
    """The source file of a module of models/ or of a puzzle from elsewhere; None for any other module."""
    top, *names = module.split(".")
    if top != "models":
        return None
    path = folder(names[0]).joinpath(*names[1:]) if names else MODELS
    files = (path / "__init__.py", path.with_name(f"{path.name}.py"))
    return next((file for file in files if file.is_file()), None)


def name_of(path: Path) -> str:
    """A source file from models/ on, where a puzzle from elsewhere would lie as well."""
    for name, home in elsewhere().items():
        if path.is_relative_to(home):
            return (Path(name) / path.relative_to(home)).as_posix()
    return path.relative_to(MODELS).as_posix()


def generator(puzzle: str) -> Generator:
    """What makes instances of a puzzle; imports CP-SAT where that is needed, so only a worker calls this.

    Raises:
        PuzzleError: if generate.py cannot be imported.
    """
    return cast(Generator, import_file(puzzle, "generate"))


def reported(puzzle: str) -> Sequence[Reported]:
    """The figures that the sources published about a puzzle; none if puzzle.py has no REPORTED.

    Raises:
        PuzzleError: if puzzle.py cannot be imported.
    """
    return cast(Sequence[Reported], getattr(puzzle_module(puzzle), "REPORTED", ()))


def instance_paths(puzzle: str) -> dict[str, Path]:
    """The real instances of a puzzle by name."""
    return {path.stem: path for path in sorted(instances_folder(puzzle).glob("*.toml"))}


def families(puzzle: str) -> dict[str, dict[str, Path]]:
    """The generated instances of a puzzle by name, of each of its families: the folders family-NAME.

    Shorter names come first: 9 before 10.
    """
    return {
        folder.name.removeprefix("family-"): {
            path.stem: path
            for path in sorted(folder.glob("*.toml"), key=lambda path: (len(path.stem), path.stem))
        }
        for folder in sorted(instances_folder(puzzle).glob("family-*/"))
    }


def all_instances() -> dict[str, Path]:
    """The instances of all puzzles, those of families too, by `puzzle/name`."""
    return {
        f"{puzzle}/{stem}": file
        for puzzle in puzzle_names()
        for paths in (instance_paths(puzzle), *families(puzzle).values())
        for stem, file in paths.items()
    }


def find_instance(name: str) -> Path:
    """The file of an instance: a path to a TOML file, `name` or `puzzle/name`.

    Raises:
        RequestError: if there is none, or more than one of that name.
    """
    path = Path(name)
    if path.suffix == ".toml":
        if not path.is_file():
            raise RequestError(f"{name}: there is no such file")
        return path
    known = all_instances()
    matches = [key for key in known if name in (key, key.split("/")[1])]
    if len(matches) > 1:
        raise RequestError(f"instance {name!r} is ambiguous; write one of {', '.join(matches)}")
    if not matches:
        raise RequestError(unknown("instance", name, [key.split("/")[1] for key in known]))
    return known[matches[0]]


def load(path: Path) -> Instance:
    """Reads an instance file.

    Raises:
        RequestError: naming the file, the place in it and the mend.
    """
    if not path.stem.isprintable():
        raise RequestError(f"{str(path)!r}: this name has a character that cannot be shown; rename the file")
    place = blame.shown(path)
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise RequestError(f"{place}: {error.strerror or error}") from None
    if len(content) > MAX_BYTES:
        raise RequestError(f"{place}: larger than {MAX_BYTES} bytes; no instance needs that")
    try:
        table = tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError:
        raise RequestError(f"{place}: not a text file in UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise RequestError(
            f"{place}: not TOML: {' '.join(str(error).split()) or 'nested too deeply'}"
        ) from None
    puzzle_name = table.get("puzzle")
    if not isinstance(puzzle_name, str) or not is_puzzle(puzzle_of(path, puzzle_name)):
        say = "this key is missing; add it" if puzzle_name is None else f"{shorten(puzzle_name)} is unknown"
        raise RequestError(f"{place}: puzzle: {say}; {meant(str(puzzle_name or ''), puzzle_names())}")
    rules = puzzle_module(puzzle_name)
    try:
        puzzle = rules.parse(table)
        head = read_document(Document, {key: table[key] for key in Document.model_fields if key in table})
        size = puzzle.size
    except InstanceError as error:
        raise RequestError(f"{place}: {error}") from None
    except (Exception, SystemExit) as error:
        raise PuzzleError(puzzle_name, f"{place}: {blamed(error, puzzle_name, 'puzzle')}") from error
    if type(size) is not int:
        message = f"{blame.shown(source_of(puzzle_name))}: the size is {shorten(size)}, not a whole number"
        raise PuzzleError(puzzle_name, f"{place}: {message}")
    return Instance(
        name=path.stem,
        path=path,
        sha256=hashlib.sha256(content).hexdigest(),
        puzzle_name=puzzle_name,
        title=head.title,
        source=head.source,
        expected=head.expected,
        puzzle=puzzle,
    )


def puzzle_of(path: Path, name: str) -> str:
    """The puzzle that an instance file says it is of; one from elsewhere becomes known by its instance.

    Raises:
        RequestError: if the file lies with a puzzle of this name that cannot be used.
    """
    home = home_of(path)
    return add_puzzle(home, called=str(path)) if home and home.name == name else name


def home_of(path: Path) -> Path | None:
    """The folder of the puzzle whose instance or family a file is by where it lies; None in the project."""
    instances = next((parent for parent in path.resolve().parents[:2] if parent.name == "instances"), None)
    return instances.parent if instances and (instances.parent / "puzzle.py").is_file() else None


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """The line that refuses a name, with the one that may have been meant."""
    return f"unknown {kind} {name!r}; {meant(name, known)}"


def meant(name: str, known: Iterable[str]) -> str:
    """A hint: the name that may have been meant, the names that there are, or what lists them."""
    names = sorted(set(known))
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    if close:
        return f"did you mean {close[0]}?"
    if not names:
        return "there is none"
    if len(names) <= MOST_NAMES:
        return f"known are {', '.join(names)}"
    return f"`{command_line('list')}` shows the {len(names)} that there are"
