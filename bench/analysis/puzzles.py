"""What is at hand of the puzzles that a campaign ran: one that is broken or gone by now harms no reading."""

from collections.abc import Sequence
from pathlib import Path

from bench import catalogue
from bench.catalogue import Instance
from bench.catalogue.errors import PuzzleError, RequestError
from models.shared.puzzle import Reported


def reported(puzzle: str) -> Sequence[Reported]:
    """What the sources reported about a puzzle; nothing if it is not at hand or cannot be imported."""
    if puzzle not in catalogue.puzzle_names():
        return ()
    try:
        return tuple(catalogue.reported(puzzle))
    except PuzzleError:
        return ()


def problems(puzzle: str) -> list[str]:
    """Why a puzzle that is at hand cannot be imported, in one line; nothing if it can, or is not at hand."""
    if puzzle not in catalogue.puzzle_names():
        return []
    try:
        catalogue.reported(puzzle)
    except PuzzleError as error:
        return [str(error)]
    return []


def load(path: Path) -> Instance | str:
    """An instance, or in one line why it cannot be read."""
    try:
        return catalogue.load(path)
    except RequestError as error:
        return str(error)


def says_how_many(puzzle: str, instance: str, sha256: str, files: Sequence[Path] = ()) -> bool:
    """Whether the file of an instance is at hand unchanged and states the number of solutions.

    Args:
        puzzle: its puzzle.
        instance: its name.
        sha256: of the contents with which it was measured.
        files: instances that are not among the project's.
    """
    known = [catalogue.instance_paths(puzzle), *catalogue.families(puzzle).values()]
    paths = [paths[instance] for paths in known if instance in paths]
    for path in [*paths, *(path for path in files if path.stem == instance)]:
        loaded = load(path)
        if isinstance(loaded, Instance) and loaded.sha256 == sha256:
            return loaded.expected.solutions is not None
    return False
