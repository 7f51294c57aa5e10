"""What collections hold: a reader for each source, whatever the puzzle (docs/collections.md)."""

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bench.catalogue.errors import RequestError, one_line, read_bytes, shown

_MOST_BYTES = 2_000_000  # Of a line.
_MOST_SEEDS = 10_000  # Of a request.
_GENERATE_S = 60.0  # For one seed.

_PPBENCH, _KEY = "ppbench", b"ppbench"
"""The package, and the key by which it hides its solutions from those who train models on text."""

_SOLO = "solo"
_SGT = re.compile(r"sgt:(?:([a-z]+):)?([0-9a-z.]+)#([0-9]{1,9})(?:-([0-9]{1,9}))?")
"""The game, by default Solo, its parameters, and the first and the last seed."""

ADDRESS = re.compile(r"https?://[^?\s]+\?([a-z]+)/(\S+)")
"""An address of puzz.link: the kind of a puzzle, and its grid."""


@dataclass(frozen=True)
class Record:
    """An instance as a collection has it.

    Attributes:
        kind: what the source calls the puzzle.
        place: its file and line, as messages begin.
        fields: what the puzzle's adapter reads, and `title`, `source` and `unique`, where known.
        license: of the data; empty if nothing says.
        redistributable: whether the source says that its licence allows passing the data on.
    """

    name: str
    kind: str
    place: str
    fields: Mapping[str, Any]
    license: str = ""
    redistributable: bool = False


def title_of(collection: str) -> str:
    """What rows call a collection."""
    if ADDRESS.fullmatch(collection):
        return "puzz.link"
    if found := _SGT.fullmatch(collection):
        return f"sgt-{found[1] or _SOLO}"
    return one_line(Path(collection).resolve().name.removesuffix(".jsonl"))


def files_of(collection: str) -> list[Path]:
    """The files of a collection, none if it is generated or an address; raises RequestError if not there."""
    if collection == _PPBENCH:
        from importlib import metadata  # Every command would wait for it.

        try:
            package = metadata.distribution(_PPBENCH)
        except metadata.PackageNotFoundError:
            raise RequestError("ppbench is not installed: pip install --no-deps 'ppbench<=0.1.0'") from None
        return [Path(str(package.locate_file("ppbench/bundled/golden_300.jsonl")))]
    if _SGT.fullmatch(collection) or ADDRESS.fullmatch(collection):
        return []
    if not os.path.lexists(collection):
        known = (
            "a folder or file of JSON lines, ppbench, sgt:GAME:PARAMS#FIRST-LAST or an address of puzz.link"
        )
        raise RequestError(f"--collection {collection}: there is no such collection; write {known}")
    # Links to folders are not followed.
    files = [Path(folder, name) for folder, _, names in os.walk(collection) for name in names]
    if not files and not Path(collection).is_dir():
        return [Path(collection)]
    if not (files := sorted(file for file in files if file.suffix == ".jsonl")):
        raise RequestError(f"--collection {collection}: this folder has no file *.jsonl; put one into it")
    return files


def records_of(collection: str) -> Iterator[Record | str]:
    """The instances of a collection; a line for each that cannot be read, with its place and the remedy.

    Raises RequestError if there is no such collection, or it cannot be read at all.
    """
    if found := _SGT.fullmatch(collection):
        yield from _generated(found[1] or _SOLO, found[2], int(found[3]), int(found[4] or found[3]))
    elif found := ADDRESS.fullmatch(collection):
        told = {"puzzlink": found[2], "source": collection}
        name = f"{found[1]}_{hashlib.sha256(os.fsencode(collection)).hexdigest()[:8]}"
        yield Record(name, found[1], collection, told)
    for file in files_of(collection):
        note: Mapping[str, Any] = {}
        try:
            existing = (path for path in notes_of(file, collection) if path.exists())
            note = next((_note(read_bytes(path, _MOST_BYTES)) for path in existing), {})
        except (RequestError, OSError, ValueError) as error:
            why = f"its licence is unknown, as collection.json cannot be read ({error})"
            yield one_line(f"{shown(file)}: {why}")
        ours = collection == _PPBENCH
        read: Callable[..., Record] = _of_ppbench if ours else partial(_of_line, file=file, note=note)
        try:
            for number, line in enumerate(_lines(file), 1):
                place = f"{shown(file)}:{number}"
                try:
                    if line.strip():
                        yield read(_object(line), place)
                except (ValueError, TypeError, KeyError, RecursionError) as error:
                    yield one_line(f"{place}: cannot be read: {error}")[:250] + "; mend the line or remove it"
        except (OSError, ValueError) as error:
            yield one_line(f"{shown(file)}: {error}; mend the file or remove it")


def _lines(file: Path) -> Iterator[bytes]:
    """The lines of a file, cut off after _MOST_BYTES; raises OSError, or ValueError for a pipe."""
    if not file.is_file():
        raise ValueError("this is no regular file")
    with file.open("rb") as content:
        while line := content.readline(_MOST_BYTES):
            yield line
            while len(line) == _MOST_BYTES and not line.endswith(b"\n"):
                line = content.readline(_MOST_BYTES)


def _object(text: bytes) -> dict[str, Any]:
    """The JSON object in a text; raises ValueError or RecursionError."""
    if len(text) == _MOST_BYTES:
        raise ValueError(f"longer than {_MOST_BYTES} bytes; no instance needs that")
    if not isinstance(fields := json.loads(text.decode()), dict):
        raise ValueError("no JSON object, as in {...}")
    return fields


def _note(text: bytes) -> dict[str, Any]:
    """What is noted for all lines; raises ValueError or RecursionError."""
    note = _object(text)
    if unknown := note.keys() - {"license", "redistributable"}:
        raise ValueError(f"{min(unknown)} is no key of it: write license and redistributable")
    if not isinstance(note.get("redistributable", False), bool):
        raise ValueError("redistributable should be true or false")
    return note


def notes_of(file: Path, collection: str) -> list[Path]:
    """Where the licence of a file of a collection may be noted; the first that is there counts."""
    return [folder / "collection.json" for folder in (file.parent, Path(collection))]


def _of_line(fields: Mapping[str, Any], place: str, file: Path, note: Mapping[str, Any]) -> Record:
    """The record of a line; what it says itself of its licence goes before what is noted for all."""
    name, kind = fields.get("name"), fields.get("kind", file.absolute().parent.name)
    if not (isinstance(name, str) and isinstance(kind, str) and name and kind):
        raise ValueError("name and kind should be texts")
    for key in ("unique", "redistributable"):
        if not isinstance(fields.get(key), bool | None):
            raise ValueError(f"{key} should be true or false")
    said = fields if {"license", "redistributable"} & fields.keys() else note
    license_ = one_line(str(said.get("license") or ""))
    allowed = license_ != "" and said.get("redistributable") is True
    return Record(name, kind, place, fields, license_, allowed)


def _of_ppbench(fields: Mapping[str, Any], place: str) -> Record:
    """The record of a line of ppbench, named as by the package."""
    kind, url = fields["pid"], fields["puzzlink_url"]
    hidden = base64.b64decode(fields["solution_enc"])
    solution = json.loads(bytes(byte ^ _KEY[at % len(_KEY)] for at, byte in enumerate(hidden)))
    known = {
        "puzzlink": url.partition("?")[2].partition("/")[2],
        "moves": solution["moves_full"],
        "source": url,
    }
    return Record(f"{kind}_{url[-8:]}", kind, place, known, "MIT", True)


def _generated(game: str, params: str, first: int, last: int) -> Iterator[Record]:
    """What sgt-puzzles generates by these parameters and seeds; always the same, by the same release."""
    name = f"sgt-{game}"
    program = shutil.which(name, path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/games")
    if not program:
        raise RequestError(f"{name} is not installed: apt-get install sgt-puzzles, or mend the game's name")
    if not first <= last < first + _MOST_SEEDS:
        raise RequestError(f"sgt: seeds {first}-{last}: write at most {_MOST_SEEDS}, the least first")
    # With a display it might open a window.
    environment = {name: value for name, value in os.environ.items() if "DISPLAY" not in name}
    for seed in range(first, last + 1):
        words, place = [program, "--generate", "1", f"{params}#{seed}"], f"sgt:{game}:{params}#{seed}"
        try:
            done = subprocess.run(
                words, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                timeout=_GENERATE_S, check=True,
            )  # fmt: skip
        except subprocess.CalledProcessError as error:
            raise RequestError(one_line(f"{place}: {error.stderr}")) from None
        except subprocess.TimeoutExpired:
            raise RequestError(f"{place}: nothing is generated within {_GENERATE_S:g} s") from None
        fields = {"sgt": done.stdout.strip(), "source": f"{name} --generate 1 {params}#{seed}"}
        yield Record(f"{params}-{seed}", game, place, fields, "MIT", True)
