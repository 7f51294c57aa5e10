"""The solver's own log of each model's first run, in the folder `logs` of a campaign."""

import gzip
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from bench.campaign.results import measurement
from bench.catalogue.errors import RequestError
from bench.contract import Run
from bench.environment.files import TemporaryFolder, replace_file

LOGS = "logs"
"""The folder within that of a campaign."""

MOST_BYTES = 10_000_000
"""Of a longer log the middle is left out."""


def is_first(run: Run) -> bool:
    """Whether this is the run of its model whose log is kept."""
    return run.seed == 1 and run.repeat == 1


def path_of(folder: Path, puzzle: object, instance: object, *model: object) -> Path:
    """The file of a log in the folder of a campaign, by the values of MEASUREMENT.

    Its name has the number of threads if that is not 1.
    """
    within, name = (re.sub(r"[^\w.-]|^\.", "_", str(part)) for part in (puzzle, instance))
    *names, threads = map(str, model)
    file = re.sub(r"[^\w.-]", "_", "-".join([*names, *[f"{threads}-threads"] * (threads != "1")]))
    return folder / LOGS / within / name / f"{file}.log.gz"


@contextmanager
def temporary_log(wanted: bool) -> Iterator[str]:
    """Provides the path of a file for the log of a run; empty if none is wanted, or none can be written.

    It is no file of the server: that may end with the run.
    """
    path = ""
    with ExitStack() as stack:
        if wanted:
            with suppress(OSError):
                path = str(stack.enter_context(closing(TemporaryFolder())).path / "log")
        yield path


def compressed(path: str) -> bytes:
    """The content of a log, compressed; nothing if it is empty."""
    with suppress(OSError):
        if path and (size := Path(path).stat().st_size):
            with Path(path).open("rb") as log:
                text = log.read(min(size, MOST_BYTES))
                if size > MOST_BYTES:
                    half = MOST_BYTES // 2
                    log.seek(size - half)
                    cut = f"\n----- {size - 2 * half:,} bytes are left out here -----\n"
                    text = text[:half] + cut.encode() + log.read(half)
            return gzip.compress(text, mtime=0)
    return b""


class Logs:
    """The logs of a campaign; they are less than its rows: one that cannot be written is no reason to stop.

    Args:
        folder: of the campaign.
        on_note: called with a line if a log cannot be written, once.
    """

    def __init__(self, folder: Path, on_note: Callable[[str], None]):
        self.folder, self.on_note = folder, on_note
        self.failed = False

    def keep(self, run: Run, log: bytes) -> None:
        """Writes the log of a run in the place of an earlier one; without a log that goes."""
        if not is_first(run):
            return
        path = path_of(self.folder, *measurement(run))
        try:
            if not log:
                path.unlink(missing_ok=True)
                return
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, log)
        except OSError as error:
            if not self.failed:
                self.on_note(f"{path}: {error.strerror}: logs are missing; all runs are recorded")
            self.failed = True


def merge_logs(sources: Sequence[Path], out: Path) -> None:
    """Copies the logs of campaigns; of a model that several have, that of the first.

    Raises:
        RequestError: if one cannot be copied.
    """
    for folder in reversed(sources):
        if (folder / LOGS).is_dir():
            try:
                shutil.copytree(folder / LOGS, out / LOGS, dirs_exist_ok=True)
            except (OSError, shutil.Error) as error:
                reason = getattr(error, "strerror", None) or "not all logs can be copied"
                hint = "all runs are recorded; merge again to copy the logs"
                raise RequestError(f"{out / LOGS}: {reason}; {hint}") from None
