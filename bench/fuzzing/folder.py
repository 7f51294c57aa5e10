"""The folder of findings: one folder for each fault, 001, 002, ..., which several processes may add to."""

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from bench.catalogue.errors import RequestError
from bench.environment.files import replace_file
from bench.fuzzing.finding import Finding, Kind, Signature
from bench.generation.instance_file import as_toml

SEEN = "seen.json"
"""The file that says which fault a folder is about, and how often it was seen."""


@dataclass(frozen=True)
class Seen:
    """A fault, and how often it was seen.

    Attributes:
        first_at, last_at: dates and times in UTC.
    """

    signature: Signature
    times: int
    first_at: str
    last_at: str

    def write(self, folder: Path) -> None:
        """Writes it to the folder of the fault; others may read it meanwhile."""
        replace_file(folder / SEEN, json.dumps(asdict(self), indent=1) + "\n")

    @staticmethod
    def read(folder: Path) -> "Seen":
        """Reads what `write` wrote.

        Raises:
            RequestError: if it is something else.
        """
        try:
            values = json.loads((folder / SEEN).read_text(encoding="utf-8"))
            about = values.pop("signature")
            return Seen(Signature(**{**about, "kind": Kind(about["kind"])}), **values)
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            raise RequestError(f"{folder / SEEN}: it cannot be read; choose another --out") from None


class Folder:
    """The findings in a folder, which is created if it is not there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)

    def add(self, finding: Finding) -> bool:
        """Adds a finding, with its instance as found; returns whether it is new, else it is counted."""
        now = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}"
        with self.locked():
            known = self.all()
            for folder, seen in known.items():
                if seen.signature == finding.signature:
                    replace(seen, times=seen.times + 1, last_at=now).write(folder)
                    return False
            # A session that was killed may have left a folder without its file.
            numbers = [int(path.name) for path in self.path.iterdir() if is_number(path.name)]
            folder = self.path / f"{max(numbers, default=0) + 1:03}"
            folder.mkdir()
            (folder / "as-found.toml").write_text(as_toml(finding.table), encoding="utf-8")
            Seen(finding.signature, 1, now, now).write(folder)
        return True

    def all(self) -> dict[Path, Seen]:
        """All faults, by their folders."""
        found = sorted(file.parent for file in self.path.glob(f"*/{SEEN}"))
        return {folder: Seen.read(folder) for folder in found if is_number(folder.name)}

    def of(self, signature: Signature) -> Path:
        """The folder of a fault that was added."""
        return next(folder for folder, seen in self.all().items() if seen.signature == signature)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Holds the lock of the folder, for one process at a time."""
        with (self.path / ".lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def is_number(name: str) -> bool:
    """Whether a folder's name is one that a fault may have."""
    return name.isascii() and name.isdigit()
