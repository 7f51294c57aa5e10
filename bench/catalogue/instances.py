"""Instances: where their files are, and what they hold."""

import hashlib
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.catalogue import errors, puzzles
from bench.catalogue.errors import PuzzleError, RequestError, meant, unknown
from bench.contract import Task
from models.shared.document import Document, Expected, InstanceError, read_document, shorten
from models.shared.puzzle import Objective, Optimised, Puzzle, Sense

_MAX_BYTES = 2_000_000


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
    collection: str = ""
    license: str = ""
    redistributable: bool = True

    @property
    def objective(self) -> Objective | None:
        """What is to be least or most, None if the puzzle asks for any solution."""
        return self.puzzle.objective if isinstance(self.puzzle, Optimised) else None

    @property
    def tasks(self) -> Sequence[Task]:
        """What the puzzle asks for."""
        return (Task.BEST,) if self.objective else (Task.FIRST, Task.COUNT)


def instance_paths(puzzle: str) -> dict[str, Path]:
    """The real instances of a puzzle by name."""
    return {path.stem: path for path in sorted(puzzles.instances_folder(puzzle).glob("*.toml"))}


def families(puzzle: str) -> dict[str, dict[str, Path]]:
    """The generated instances of a puzzle by name, of each of its families: the folders family-NAME.

    Shorter names come first: 9 before 10.
    """
    return {
        folder.name.removeprefix("family-"): {
            path.stem: path
            for path in sorted(folder.glob("*.toml"), key=lambda path: (len(path.stem), path.stem))
        }
        for folder in sorted(puzzles.instances_folder(puzzle).glob("family-*/"))
    }


def unchanged(puzzle: str, name: str, sha256: str, files: Sequence[Path] = ()) -> Instance | None:
    """The instance of this name and content, the project's or in one of `files`; None if there is none."""
    paths = [path for path in files if path.stem == name]
    if puzzles.is_puzzle(puzzle):
        known = [instance_paths(puzzle), *families(puzzle).values()]
        paths += [of_family[name] for of_family in known if name in of_family]
    for path in paths:
        with suppress(RequestError):
            instance = load(path, adds=False)
            if instance.sha256 == sha256:
                return instance
    return None


def all_instances() -> dict[str, Path]:
    """The instances of all puzzles, those of families too, by `puzzle/name`."""
    return {
        f"{puzzle}/{stem}": file
        for puzzle in puzzles.puzzle_names()
        for paths in (instance_paths(puzzle), *families(puzzle).values())
        for stem, file in paths.items()
    }


def instances_called(name: str) -> dict[str, Path]:
    """The instances, those of families too, that `name` or `puzzle/name` means, by `puzzle/name`."""
    return {key: path for key, path in all_instances().items() if name in (key, path.stem)}


def find_instance(name: str) -> Path:
    """The file of an instance: a path, `name` or `puzzle/name`; raises RequestError if there is not one."""
    path = Path(name)
    if path.suffix == ".toml":
        if not path.is_file():
            raise RequestError(f"{name}: there is no such file")
        return path
    matches = instances_called(name)
    if len(matches) > 1:
        raise RequestError(f"instance {name!r} is ambiguous; write one of {', '.join(matches)}")
    if not matches:
        raise RequestError(unknown("instance", name, [key.split("/")[1] for key in all_instances()]))
    return next(iter(matches.values()))


def _read(path: Path) -> tuple[bytes, dict[str, Any]]:
    """The content of an instance file, and its table; raises RequestError if there is none."""
    if not path.stem.isprintable():
        raise RequestError(f"{str(path)!r}: this name has a character that cannot be shown; rename the file")
    try:
        content = errors.read_bytes(path, _MAX_BYTES + 1)
    except OSError as error:
        raise RequestError(f"{errors.shown(path)}: {error.strerror or error}") from None
    if len(content) > _MAX_BYTES:
        raise RequestError(f"{errors.shown(path)}: larger than {_MAX_BYTES} bytes; no instance needs that")
    try:
        return content, tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError:
        raise RequestError(f"{errors.shown(path)}: not a text file in UTF-8") from None
    except (ValueError, RecursionError) as error:
        reason = " ".join(str(error).split()) or "nested too deeply"
        raise RequestError(f"{errors.shown(path)}: not TOML: {reason}") from None


def _puzzle_name(path: Path, table: Mapping[str, object], adds: bool = True) -> str:
    """The puzzle that the table of an instance file says it is of; raises RequestError if it cannot be used.

    If it `adds`, a puzzle that is `found_from` the file becomes known.
    """
    puzzle_name = table.get("puzzle")
    if adds and isinstance(puzzle_name, str):
        home = home_of(path)
        if not home:
            home = None if puzzles.is_puzzle(puzzle_name) else found_from(path, puzzle_name)
        elif home.name != puzzle_name:
            lies = f"the file lies with the puzzle {home.name}; write puzzle = {home.name!r}"
            raise RequestError(f"{errors.shown(path)}: puzzle is {shorten(puzzle_name)}, but {lies}")
        if home:
            puzzles.add_puzzle(home, called=str(path))
    if not isinstance(puzzle_name, str) or not puzzles.is_puzzle(puzzle_name):
        own = "no folder of this name with puzzle.py is here or beside the file"
        say = "this key is missing; add it"
        if puzzle_name is not None:
            say = f"{shorten(puzzle_name)} is unknown, and {own}"
        known = meant(str(puzzle_name or ""), puzzles.puzzle_names())
        raise RequestError(f"{errors.shown(path)}: puzzle: {say}; {known}")
    return puzzle_name


def puzzle_in(path: Path) -> str:
    """The puzzle that an instance file says it is of, not imported; raises RequestError as `load`."""
    return _puzzle_name(path, _read(path)[1])


def load(path: Path, adds: bool = True, written: tuple[bytes, dict[str, Any]] | None = None) -> Instance:
    """Reads an instance file; raises RequestError naming the file, the place in it and the remedy.

    If it `adds`, the puzzle that the file lies with becomes known, and its code is executed: not if somebody
    else named the file, as the results of a campaign do. What is being written there, the content and its
    table, is not read.
    """
    content, table = written or _read(path)
    puzzle_name = table["puzzle"] if written else _puzzle_name(path, table, adds)
    rules = puzzles.puzzle_module(puzzle_name)
    try:
        puzzle = puzzles.call(puzzle_name, "parse", lambda: rules.parse(table))
        head = read_document(
            Document, {key: table[key] for key in Document.__dataclass_fields__ if key in table}
        )
        size = puzzles.call(puzzle_name, "size", lambda: puzzle.size)
    except InstanceError as error:
        raise RequestError(f"{errors.shown(path)}: {error}") from None
    except PuzzleError as error:
        raise PuzzleError(puzzle_name, f"{errors.shown(path)}: {error}") from error
    wrong, objective = "", getattr(puzzle, "objective", None)
    if type(size) is not int:
        wrong = f"the size is {shorten(size)}, not a whole number"
    elif objective is not None and not isinstance(getattr(objective, "sense", None), Sense):
        wrong = f"the objective is {shorten(objective)}, and not as Objective(Sense.MOST, 'people')"
    if wrong:
        at = errors.shown(puzzles.source_of(puzzle_name))
        raise PuzzleError(puzzle_name, f"{errors.shown(path)}: {at}: {wrong}")
    return Instance(
        name=path.stem, path=path, sha256=hashlib.sha256(content).hexdigest(), puzzle_name=puzzle_name,
        title=head.title, source=head.source, expected=head.expected, puzzle=puzzle,
        collection=head.collection, license=head.license, redistributable=head.redistributable,
    )  # fmt: skip


def found_from(path: Path, name: str) -> Path | None:
    """The folder of this puzzle, if the file lies in it or beside it, or it is in the current folder."""
    home = home_of(path)
    if home and home.name == name:
        return home
    homes = (path.resolve().parent / name, Path.cwd() / name) if puzzles.is_usable(name) else ()
    return next((home for home in homes if (home / "puzzle.py").is_file()), None)


def home_of(path: Path) -> Path | None:
    """The folder of the puzzle whose instance or family a file is by where it lies; None in the project."""
    instances = next((parent for parent in path.resolve().parents[:2] if parent.name == "instances"), None)
    return instances.parent if instances and (instances.parent / "puzzle.py").is_file() else None
