"""Hashes of all that a model, or the rules of a puzzle, consist of."""

import hashlib
from pathlib import Path

from bench.catalogue import imports, puzzles
from bench.catalogue.puzzles import elsewhere, folder, source_of


def model_sha256(puzzle: str, backend: str) -> str:
    """A hash of all that a model consists of: its file, what that imports of models/, and others.

    The others are those in the same folder that it names, such as asp.lp, and what they include. Whatever
    is changed in one of these files changes it, comments too. Empty if there is no such file.
    """
    source = source_of(puzzle, backend)
    if not source.is_file():
        return ""
    digest = hashlib.sha256()
    found = imports.sources(f"models.{puzzle}.{backend}", file_of)
    for named in sources_beside(puzzle, backend):
        found |= imports.with_included(named)
    for name, content in sorted((name_of(path), content) for path, content in found.items()):
        # With its length before it, no content can be taken for another name.
        digest.update(f"{name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def sources_beside(puzzle: str, backend: str) -> list[Path]:
    """The files of other languages beside a model file that it names, such as asp.lp or search.c."""
    source = source_of(puzzle, backend)
    return imports.named_in(source) if source.is_file() else []


def rules_sha256(puzzle: str) -> str:
    """A hash of puzzle.py and what it imports of models/, as `model_sha256`."""
    return model_sha256(puzzle, "puzzle")


def file_of(module: str) -> Path | None:
    """The source file of a module of models/ or of a puzzle from elsewhere; None for any other module."""
    top, *names = module.split(".")
    if top != "models":
        return None
    path = folder(names[0]).joinpath(*names[1:]) if names else puzzles.MODELS
    files = (path / "__init__.py", path.with_name(f"{path.name}.py"))
    return next((file for file in files if file.is_file()), None)


def name_of(path: Path) -> str:
    """A source file from models/ on, where a puzzle from elsewhere would lie as well; else its name alone."""
    for name, home in elsewhere().items():
        if path.is_relative_to(home):
            return (Path(name) / path.relative_to(home)).as_posix()
    return path.relative_to(puzzles.MODELS).as_posix() if path.is_relative_to(puzzles.MODELS) else path.name
