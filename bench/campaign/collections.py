"""Collections of instances that others made: each becomes an instance file, and is like any other then."""

import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from bench import catalogue
from bench.campaign.check import check
from bench.catalogue import Instance, errors
from bench.catalogue.errors import RequestError, one_line, writing
from bench.catalogue.sources import Record, files_of, notes_of, records_of, title_of
from bench.environment.files import cache_folder, replace_file
from models.shared.document import InstanceError


@dataclass
class Collection:
    """What a collection has.

    Attributes:
        left_out: a line for each instance that cannot be used: place, reason, remedy.
        findings: a line for each solution of the source that our checker refuses.
        unknown: how many instances there are of each kind that no puzzle has an adapter for.
    """

    instances: list[Instance] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    unknown: Counter[str] = field(default_factory=Counter)


def read_collection(collection: str) -> Collection:
    """Reads a collection, if it has changed since; writes its instances into the user's cache if they have.

    Raises RequestError if there is no such collection, or the cache cannot be written.
    """
    files = files_of(collection)
    files += sorted({note for file in files for note in notes_of(file, collection)})
    changed = tuple((file, file.stat().st_mtime_ns) for file in files if file.exists())
    with writing(folder := cache_of(collection), "set XDG_CACHE_HOME to a folder that can be written"):
        return _read(collection, folder, changed)


@cache
def _read(collection: str, folder: Path, changed: Sequence[object]) -> Collection:
    found, adapters = Collection(), catalogue.adapters()
    places: dict[Path, str] = {}
    for record in records_of(collection):
        if isinstance(record, str):
            found.left_out.append(record)
            continue
        if record.kind not in adapters:
            found.unknown[record.kind] += 1
            continue
        puzzle, adapter = adapters[record.kind]
        path = folder / puzzle / f"{_safe(record.name)}.toml"
        try:
            if path in places:
                raise RequestError(f"{path.stem} is the name of {places[path]}, too; rename one")
            instance, solution = _written(record, puzzle, adapter, path, title_of(collection))
            broken = check(instance, solution)[0] if solution is not None else []
        except (InstanceError, RequestError) as error:
            line = one_line(f"{record.place}: {str(error).removeprefix(f'{errors.shown(path)}: ')}")
            if not changed:  # It would be the same for each.
                raise RequestError(line) from None
            found.left_out.append(line)
            continue
        places[path] = record.place
        found.instances.append(instance)
        if broken:
            rule = f"its solution breaks a rule of {errors.shown(catalogue.source_of(puzzle))}: {broken[0]}"
            line = one_line(f"{record.place}: {instance.name}: {rule}")[:250]
            found.findings.append(f"{line}; one of the two is wrong")
    return found


def cache_of(collection: str) -> Path:
    """The folder in the user's cache with the instances of a collection, in a folder for each puzzle."""
    name = _safe(title_of(collection))
    # Others may have the same name. An address may be too long for Path.exists.
    if os.path.exists(collection):  # noqa: PTH110
        name += f"-{hashlib.sha256(os.path.realpath(collection).encode()).hexdigest()[:8]}"
    return cache_folder("collections") / name


def _safe(name: str) -> str:
    """A name as one of a file."""
    return re.sub(r"[^\w.-]+", "-", name)[:60].strip("-.") or "unnamed"


def _written(
    record: Record, puzzle: str, adapter: ModuleType, path: Path, title: str
) -> tuple[Instance, Any]:
    """The instance of a record, whose file is there then, and the published solution."""
    fields = record.fields
    own, solution = catalogue.call(puzzle, "adapt", lambda: adapter.adapt(fields))
    table = {
        "puzzle": puzzle,
        "title": one_line(str(fields.get("title") or record.name))[:200],
        "source": one_line(str(fields.get("source") or title)),
        "collection": title,
        **({"license": record.license[:200]} if record.license else {}),
        "redistributable": record.redistributable,
        **own,
        **({"expected": {"solutions": 1}} if fields.get("unique") is True else {}),
    }
    content = _toml(table).encode()
    instance = catalogue.load(path, written=(content, table))
    if not path.is_file() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, content, durable=False)
    return instance, solution


def _toml(table: Mapping[str, Any]) -> str:
    """A table as TOML; the texts can be printed but for line breaks, and the last value may be a table."""
    # By tomlkit 1,000 tables take 0.9 s, half of the time for reading a collection of so many.
    lines = []
    for key, value in table.items():
        if isinstance(value, dict):
            lines.append(f"\n[{key}]\n{_toml(value)}")
        elif isinstance(value, str) and "\n" in value:
            lines.append(f'{key} = """\n{value}\n"""\n')
        else:
            lines.append(f"{key} = {json.dumps(value, ensure_ascii=False)}\n")
    return "".join(lines)
