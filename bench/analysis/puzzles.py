"""The puzzles of a campaign as far as they are still available: a missing or broken one is no error here."""

from collections.abc import Sequence
from pathlib import Path

from bench import catalogue
from bench.catalogue import Instance
from bench.catalogue.errors import PuzzleError, RequestError
from models.shared.puzzle import Reported


def reported(puzzle: str) -> Sequence[Reported]:
    """The published results for a puzzle; none if it is not available or cannot be imported."""
    if puzzle not in catalogue.puzzle_names():
        return ()
    try:
        return tuple(catalogue.reported(puzzle))
    except PuzzleError:
        return ()


def rules(puzzle: str) -> str:
    """The rules of a puzzle in words; empty if it is not available."""
    return catalogue.rules(puzzle) if puzzle in catalogue.puzzle_names() else ""


def problems(puzzle: str) -> list[str]:
    """Why a puzzle cannot be imported, in one line; empty if it can, or is not available."""
    if puzzle not in catalogue.puzzle_names():
        return []
    try:
        catalogue.reported(puzzle)
    except PuzzleError as error:
        return [str(error)]
    return []


def load(path: Path) -> Instance | str:
    """The instance in a file, or the reason why it cannot be read, in one line."""
    try:
        return catalogue.load(path)
    except RequestError as error:
        return str(error)


def says_how_many(puzzle: str, instance: str, sha256: str, files: Sequence[Path] = ()) -> bool:
    """Whether the file of an instance is available, with this sha256, and states the number of solutions.

    It is one of the project's, or of `files`.
    """
    known = [catalogue.instance_paths(puzzle), *catalogue.families(puzzle).values()]
    paths = [paths[instance] for paths in known if instance in paths]
    for path in [*paths, *(path for path in files if path.stem == instance)]:
        loaded = load(path)
        if isinstance(loaded, Instance) and loaded.sha256 == sha256:
            return loaded.expected.solutions is not None
    return False
