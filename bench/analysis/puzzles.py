"""The puzzles of a campaign as far as they are still available: a missing or broken one is no error here."""

from collections.abc import Sequence
from pathlib import Path

from bench import catalogue
from bench.catalogue import Instance
from bench.catalogue.errors import PuzzleError, RequestError
from models.shared.puzzle import Reported


def reported(puzzle: str) -> Sequence[Reported]:
    """The published results for a puzzle; none if it is not available or cannot be imported."""
    if not catalogue.is_puzzle(puzzle):
        return ()
    try:
        return tuple(catalogue.reported(puzzle))
    except PuzzleError:
        return ()


def rules(puzzle: str) -> str:
    """The rules of a puzzle in words; empty if it is not available."""
    return catalogue.rules(puzzle) if catalogue.is_puzzle(puzzle) else ""


def problems(puzzle: str) -> list[str]:
    """Why a puzzle cannot be imported, in one line; empty if it can, or is not available."""
    if not catalogue.is_puzzle(puzzle):
        return []
    try:
        catalogue.reported(puzzle)
    except PuzzleError as error:
        return [str(error)]
    return []


def instance_paths(puzzle: str) -> dict[str, Path]:
    """The real instances of a puzzle by name; none if it is not available: its name may be any text."""
    return catalogue.instance_paths(puzzle) if catalogue.is_puzzle(puzzle) else {}


def load(path: Path) -> Instance | str:
    """The instance in a file of a known puzzle, or the reason why it cannot be read, in one line."""
    try:
        return catalogue.load(path, adds=False)
    except RequestError as error:
        return str(error)


def says_how_many(puzzle: str, instance: str, sha256: str, files: Sequence[Path] = ()) -> bool:
    """Whether the file of an instance is available, with this sha256, and states the number of solutions.

    It is one of the project's, or of `files`.
    """
    families = catalogue.families(puzzle) if catalogue.is_puzzle(puzzle) else {}
    known = [instance_paths(puzzle), *families.values()]
    paths = [paths[instance] for paths in known if instance in paths]
    for path in [*paths, *(path for path in files if path.stem == instance)]:
        loaded = load(path)
        if isinstance(loaded, Instance) and loaded.sha256 == sha256:
            return loaded.expected.solutions is not None
    return False
