"""The file that a driver writes the solver's own log to."""

import os
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

AGAIN = "\n----- solved again, with what was found so far cut off -----\n\n"


MOST_BYTES = 50_000_000
"""A log ends after so many: a program that never stops writing would fill the disk."""


class LogFile:
    """Appends to a log line by line, so that it can be followed, and is there after a kill.

    A disk that is full costs the log, not the run.

    Args:
        path: the file; None writes nothing.
    """

    def __init__(self, path: Path | None):
        self.file = path.open("a", buffering=1, errors="replace") if path else None
        self.left = MOST_BYTES - os.fstat(self.file.fileno()).st_size if self.file else 0

    def write(self, text: str) -> None:
        """Appends text, until there is too much of it."""
        if self.file and self.left > 0:
            self.left -= len(text)
            end = "" if self.left > 0 else "\n----- too long: the rest is left out -----\n"
            with suppress(OSError):
                self.file.write(text + end)

    def begin_solve(self) -> None:
        """Appends a line between one solve and the next."""
        if self.file:
            with suppress(OSError):
                begin_solve(self.file)


def log_with_figures(path: Path | None) -> IO[str]:
    """A file for a log that figures are read from: the one that is asked for, else a temporary one.

    A solver may append to it by its name.
    """
    if path:
        return path.open("a", buffering=1)
    return NamedTemporaryFile("a", suffix=".log", buffering=1)


def begin_solve(log: IO[str]) -> None:
    """Appends a line between one solve and the next, if the solver has written anything."""
    if os.fstat(log.fileno()).st_size:
        log.write(AGAIN)
