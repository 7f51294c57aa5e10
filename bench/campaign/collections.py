"""Collections of instances that others made: each becomes an instance file, and is like any other then."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from bench import catalogue
from bench.campaign.check import check
from bench.catalogue import Instance, errors
from bench.catalogue.errors import RequestError, one_line, writing
from bench.catalogue.sources import Record, files_of, records_of, title_of
from bench.environment.files import cache_folder, replace_file
from models.shared.document import InstanceError


@dataclass
class _Collected:
    """A collection.

    Attributes:
        left_out: a line for each instance that cannot be used: place, reason, remedy.
        findings: a line for each solution of the source that our checker refuses.
        unknown: the numbers of instances of each kind that no puzzle has an adapter for.
    """

    instances: list[Instance] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    unknown: Counter[str] = field(default_factory=Counter)


def collected(collection: str) -> _Collected:
    """Reads a collection; writes its instances into the user's cache where they are not there as they are.

    Raises:
        RequestError: if there is no such collection, or the cache cannot be written.
    """
    changed = [(file, file.stat().st_mtime_ns if file.exists() else 0) for file in files_of(collection)]
    return _collected(collection, tuple(changed))


def instance_files(collection: str) -> list[Path]:
    """The instance files of a collection that were written, whether it is there or not."""
    return sorted(folder_of(collection).glob("*/*.toml"))


@lru_cache(maxsize=8)
def _collected(collection: str, changed: object) -> _Collected:
    """The same of files that have not changed since."""
    found, adapters, folder = _Collected(), catalogue.adapters(), folder_of(collection)
    names: dict[Path, str] = {}
    for record in records_of(collection):
        if isinstance(record, str):
            found.left_out.append(record)
        elif record.kind not in adapters:
            found.unknown[record.kind] += 1
        else:
            puzzle, adapter = adapters[record.kind]
            path = folder / puzzle / f"{_safe(record.name)}.toml"
            if first := names.get(path):
                found.left_out.append(f"{record.place}: {path.stem} is the name of {first}, too; rename one")
                continue
            try:
                instance, finding = _written(record, puzzle, adapter, path)
            except (InstanceError, RequestError) as error:
                place, said = record.place, str(error)
                line = one_line(f"{place}: {said.removeprefix(f'{place}: ')}")
                if not files_of(collection):  # It would be the same of each.
                    raise RequestError(line) from None
                found.left_out.append(line)
                continue
            names[path] = record.place
            found.instances.append(instance)
            found.findings += [finding] if finding else []
    return found


def folder_of(collection: str) -> Path:
    """The folder in the user's cache that the instances of a collection lie in, by puzzle."""
    name, path = _safe(title_of(collection)), Path(collection)
    if path.exists():  # Others may have the same name.
        name += f"-{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:8]}"
    return cache_folder("collections") / name


def _safe(name: str) -> str:
    """A name as one of a file."""
    return re.sub(r"[^\w.-]+", "-", name)[:60].strip("-.") or "unnamed"


def _written(record: Record, puzzle: str, adapter: ModuleType, path: Path) -> tuple[Instance, str]:
    """The instance of a record, whose file is there then; and a line if its solution breaks our rules."""
    fields = record.fields
    own, solution = catalogue.call(puzzle, "adapt", lambda: adapter.adapt(fields))
    table = {
        "puzzle": puzzle,
        "title": one_line(str(fields.get("title") or record.name))[:200],
        "source": one_line(str(fields.get("source") or record.collection)),
        "collection": record.collection,
        **({"license": record.license[:200]} if record.license else {}),
        "redistributable": record.redistributable,
        **own,
        **({"expected": {"solutions": 1}} if fields.get("unique") is True else {}),
    }
    content = _toml(table).encode()
    instance = catalogue.made_of(table, content, path, puzzle, record.place)
    with writing(path, "set XDG_CACHE_HOME to a folder that can be written"):
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, content, durable=False)
    broken = check(instance, solution)[0] if solution is not None else []
    if not broken:
        return instance, ""
    rules = errors.shown(catalogue.source_of(puzzle))
    against = f"the solution of {record.collection} breaks a rule of {rules}: {broken[0]}"
    return instance, one_line(f"{record.place}: {instance.name}: {against}; one of the two is wrong")


def _toml(table: Mapping[str, Any]) -> str:
    """A table as TOML; its texts can be printed, but for line breaks, and its last value may be a table."""
    lines = []
    for key, value in table.items():
        if isinstance(value, dict):
            lines.append(f"\n[{key}]\n{_toml(value)}")
        elif isinstance(value, str) and "\n" in value:
            lines.append(f'{key} = """\n{value}\n"""\n')
        else:
            lines.append(f"{key} = {json.dumps(value, ensure_ascii=False)}\n")
    return "".join(lines)
