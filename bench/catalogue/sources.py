"""What collections hold: a reader for each source, whatever the puzzle (docs/collections.md)."""

import base64
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from itertools import count
from pathlib import Path
from typing import Any

from bench.catalogue.errors import RequestError, one_line, read_bytes, shown

_MOST_BYTES = 2_000_000
"""Of a line: no instance needs more."""

_MOST_SEEDS, _GENERATE_S = 10_000, 60.0
"""Seeds of a request, and seconds for each of them."""

_NOTE = "collection.json"
"""This file has the licence of all that lies beside and below it."""

_PPBENCH, _KEY = "ppbench", b"ppbench"
"""The package, and the key by which it hides its solutions from those who train models on text."""

_SGT = re.compile(r"sgt:(?:([a-z]+):)?([0-9a-z]+)#([0-9]{1,9})(?:-([0-9]{1,9}))?")
_ADDRESS = re.compile(r"https?://[^?\s]+\?([a-z]+)/(\S+)")


@dataclass(frozen=True)
class Record:
    """An instance as a collection has it.

    Attributes:
        name: the source's.
        kind: what the source calls the puzzle.
        place: its file and line, as messages begin.
        fields: what the puzzle's adapter reads, and `title`, `source` and `unique`, where known.
        collection: its title.
        license: of the data; empty if nothing says.
        redistributable: whether the licence is said to allow to pass the data on.
    """

    name: str
    kind: str
    place: str
    fields: Mapping[str, Any]
    collection: str
    license: str = ""
    redistributable: bool = False


def title_of(collection: str) -> str:
    """What rows call a collection: not its seeds or its folder."""
    if found := _SGT.fullmatch(collection):
        return f"sgt-{found[1] or 'solo'}"
    return "puzz.link" if _ADDRESS.fullmatch(collection) else one_line(Path(collection).resolve().stem)


def files_of(collection: str) -> list[Path]:
    """The files of a collection, none if it is generated or an address.

    Raises:
        RequestError: if there is no such collection.
    """
    if collection == _PPBENCH:
        try:
            found = metadata.distribution(_PPBENCH).locate_file("ppbench/bundled/golden_300.jsonl")
        except metadata.PackageNotFoundError:
            raise RequestError("--collection ppbench is not installed: pip install --no-deps ppbench") from None
        return [Path(str(found))]
    path = Path(collection)
    if _SGT.fullmatch(collection) or _ADDRESS.fullmatch(collection):
        return []
    if not path.is_dir() and not os.path.lexists(path):
        known = "a folder or file of JSON lines, ppbench, sgt:PARAMS#FIRST-LAST or an address of puzz.link"
        raise RequestError(f"--collection {collection}: there is no such collection; write {known}")
    if not path.is_dir():
        return [path]
    # Links to folders are not followed.
    files = [Path(folder, name) for folder, _, names in os.walk(path) for name in names]
    if not (files := sorted(file for file in files if file.suffix == ".jsonl")):
        raise RequestError(f"--collection {collection}: this folder has no file *.jsonl; put one into it")
    return files


def records_of(collection: str) -> Iterator[Record | str]:
    """The instances of a collection; a line for each that cannot be read, with its place and the remedy.

    Raises:
        RequestError: if there is no such collection, or it cannot be read at all.
    """
    title = title_of(collection)
    if found := _SGT.fullmatch(collection):
        yield from _generated(found[1] or "solo", found[2], int(found[3]), int(found[4] or found[3]))
    elif found := _ADDRESS.fullmatch(collection):
        told = {"puzzlink": found[2], "source": collection}
        yield Record(f"{found[1]}_{found[2][-8:]}", found[1], collection, told, title)
    for file in files_of(collection):
        note: Mapping[str, Any] = {}
        if collection != _PPBENCH:
            try:
                note = _note_on(file, Path(collection))
            except (RequestError, OSError, ValueError) as error:
                yield one_line(f"{shown(file.parent)}: its {_NOTE} cannot be read ({error}); mend it")
        for number, fields in _lines(file):
            place = f"{shown(file)}:{number}" if number else shown(file)
            try:
                if isinstance(fields, str):
                    raise ValueError(fields)
                kind = file.absolute().parent.name
                is_package = collection == _PPBENCH
                yield _ppbench(fields, place) if is_package else _record(fields, place, kind, title, note)
            except (ValueError, TypeError, KeyError) as error:
                yield one_line(f"{place}: {error}; mend the line or remove it")


def _lines(file: Path) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """The objects of a file by their lines; or what is wrong with a line, of the file by line 0."""
    if not file.is_file():  # Of a pipe there may be no end.
        yield 0, "this is no regular file"
        return
    try:
        with file.open("rb") as content:
            for number in count(1):
                if not (line := content.readline(_MOST_BYTES)):
                    return
                if long := len(line) == _MOST_BYTES:
                    while line and not line.endswith(b"\n"):
                        line = content.readline(_MOST_BYTES)
                if long:
                    yield number, f"longer than {_MOST_BYTES} bytes; no instance needs that"
                elif line.strip():
                    yield number, _object(line)
    except OSError as error:
        yield 0, error.strerror or str(error)


def _object(line: bytes) -> dict[str, Any] | str:
    """The JSON object of a line, or what is wrong with it."""
    try:
        fields = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        return "not in UTF-8"
    except (ValueError, RecursionError) as error:
        return f"not JSON: {' '.join(str(error).split())[:100]}"
    return fields if isinstance(fields, dict) else "no JSON object, as in {...}"


def _note_on(file: Path, top: Path) -> Mapping[str, Any]:
    """What the nearest collection.json beside or above a file says, not above `top`; may raise."""
    for folder in (file.parent, *file.parent.parents):
        if (folder / _NOTE).exists():
            note = json.loads(read_bytes(folder / _NOTE, _MOST_BYTES))
            if not isinstance(note, dict):
                raise ValueError("no JSON object")
            return note
        if folder == top:
            break
    return {}


def _record(
    fields: Mapping[str, Any], place: str, folder: str, title: str, note: Mapping[str, Any]
) -> Record:
    """The record of a line, by default of the kind that its folder is called.

    What it says itself of its licence goes before what is noted for all.
    """
    kind = fields.get("kind", folder)
    for key, value in (("name", fields.get("name")), ("kind", kind)):
        if not isinstance(value, str) or not value:
            raise ValueError(f"{key} should be a text")
    said = fields if "license" in fields or "redistributable" in fields else note
    license_ = one_line(str(said.get("license") or ""))
    allowed = said.get("redistributable") is True and license_ != ""
    return Record(fields["name"], kind, place, fields, title, license_, allowed)


def _ppbench(fields: Mapping[str, Any], place: str) -> Record:
    """The record of a line of ppbench, named as by the package."""
    kind, url = fields["pid"], fields["puzzlink_url"]
    hidden = base64.b64decode(fields["solution_enc"])
    solution = json.loads(bytes(byte ^ _KEY[at % len(_KEY)] for at, byte in enumerate(hidden)))
    known = {"puzzlink": url.partition("?")[2].partition("/")[2], "moves": solution["moves_full"]}
    return Record(f"{kind}_{url[-8:]}", kind, place, {**known, "source": url}, _PPBENCH, "MIT", True)


def _generated(game: str, params: str, first: int, last: int) -> Iterator[Record]:
    """What sgt-puzzles generates by these parameters and seeds; the same each time, for the same release."""
    name = f"sgt-{game}"
    program = shutil.which(name, path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/games")
    if not program:
        raise RequestError(f"{name} is not installed: apt-get install sgt-puzzles")
    if not first <= last < first + _MOST_SEEDS:
        raise RequestError(f"sgt: seeds {first}-{last}: write at most {_MOST_SEEDS}, the least first")
    # With a display it might open a window.
    shielded = {key: value for key, value in os.environ.items() if "DISPLAY" not in key}
    for seed in range(first, last + 1):
        command = [name, "--generate", "1", f"{params}#{seed}"]
        try:
            done = subprocess.run(
                command, executable=program, env=shielded, stdin=subprocess.DEVNULL, capture_output=True,
                text=True, errors="replace", timeout=_GENERATE_S, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise RequestError(f"{' '.join(command)} has not ended after {_GENERATE_S:g} s") from None
        if done.returncode or not done.stdout:
            raise RequestError(one_line(f"{' '.join(command)}: {done.stderr or 'it prints nothing'}"))
        fields = {"sgt": done.stdout.strip(), "source": " ".join(command)}
        yield Record(f"{params}-{seed}", game, " ".join(command), fields, name, "MIT", True)
