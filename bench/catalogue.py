"""Finds puzzles, instances and backends by looking at folders; imports no solver by itself."""

import difflib
import hashlib
import importlib
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from bench.contract import Driver
from models.shared.document import Expected, InstanceError, shorten
from models.shared.draft import Generator
from models.shared.puzzle import Puzzle, Reported

ROOT = Path(__file__).resolve().parent.parent
INSTANCES = ROOT / "instances"
MAX_BYTES = 1_000_000


class RequestError(Exception):
    """A request that cannot be carried out; the message is one line that says what to change."""


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
    """The folders of models/ that state a puzzle."""
    return sorted(
        path.parent.name for path in (ROOT / "models").glob("*/puzzle.py") if path.parent.name != "shared"
    )


def backend_names() -> list[str]:
    """The drivers of bench/drivers/."""
    return sorted(path.stem for path in (ROOT / "bench" / "drivers").glob("[!_]*.py"))


def is_core(backend: str) -> bool:
    """Whether a driver says `CORE = True`; read, as importing it would import its solver library."""
    text = (ROOT / "bench" / "drivers" / f"{backend}.py").read_text()
    return re.search(r"^CORE = True$", text, re.MULTILINE) is not None


def driver(backend: str) -> Driver:
    """The driver of a backend; imports its solver library, so only a worker calls this.

    Raises:
        ImportError: if the library is not installed.
    """
    return cast(Driver, importlib.import_module(f"bench.drivers.{backend}"))


def formulations(puzzle: str, backend: str) -> Mapping[str, Callable[..., Any]]:
    """The ways in which a puzzle is modelled for a backend, the default first; empty if there is none.

    Imports the backend's solver library, so only a worker calls this.
    """
    if not (ROOT / "models" / puzzle / f"{backend}.py").exists():
        return {}
    module = importlib.import_module(f"models.{puzzle}.{backend}")
    return cast(Mapping[str, Callable[..., Any]], module.FORMULATIONS)


def puzzle_module(name: str) -> ModuleType:
    """The rules of a puzzle."""
    return importlib.import_module(f"models.{name}.puzzle")


def generator(puzzle: str) -> Generator:
    """What makes instances of a puzzle; imports CP-SAT where that is needed, so only a worker calls this."""
    return cast(Generator, importlib.import_module(f"models.{puzzle}.generate"))


def reported(puzzle: str) -> Sequence[Reported]:
    """The figures that the sources published about a puzzle."""
    return cast(Sequence[Reported], puzzle_module(puzzle).REPORTED)


def instance_paths(puzzle: str) -> dict[str, Path]:
    """The real instances of a puzzle by name."""
    return {path.stem: path for path in sorted((INSTANCES / puzzle).glob("*.toml"))}


def families(puzzle: str) -> dict[str, dict[str, Path]]:
    """The generated instances of a puzzle by name, of each of its families: the folders family-NAME.

    Shorter names come first: 9 before 10.
    """
    return {
        folder.name.removeprefix("family-"): {
            path.stem: path
            for path in sorted(folder.glob("*.toml"), key=lambda path: (len(path.stem), path.stem))
        }
        for folder in sorted((INSTANCES / puzzle).glob("family-*/"))
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
    known = {
        f"{puzzle}/{stem}": file
        for puzzle in puzzle_names()
        for paths in (instance_paths(puzzle), *families(puzzle).values())
        for stem, file in paths.items()
    }
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
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise RequestError(f"{path}: {error.strerror or error}") from None
    if len(content) > MAX_BYTES:
        raise RequestError(f"{path}: larger than {MAX_BYTES} bytes; no instance needs that")
    try:
        table = tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError:
        raise RequestError(f"{path}: not a text file in UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise RequestError(
            f"{path}: not TOML: {' '.join(str(error).split()) or 'nested too deeply'}"
        ) from None
    puzzle_name = table.get("puzzle")
    if puzzle_name not in puzzle_names():
        say = "this key is missing; add it" if puzzle_name is None else f"{shorten(puzzle_name)} is unknown"
        raise RequestError(f"{path}: puzzle: {say}; known are {', '.join(puzzle_names())}")
    try:
        puzzle = puzzle_module(puzzle_name).parse(table)
    except InstanceError as error:
        raise RequestError(f"{path}: {error}") from None
    return Instance(
        name=path.stem,
        path=path,
        sha256=hashlib.sha256(content).hexdigest(),
        puzzle_name=puzzle_name,
        title=table["title"],
        source=table["source"],
        expected=Expected(**table.get("expected", {})),
        puzzle=puzzle,
    )


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """The line that refuses a name, with the one that may have been meant."""
    names = sorted(set(known))
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"did you mean {close[0]}?" if close else f"known are {', '.join(names)}"
    return f"unknown {kind} {name!r}; {hint}"
