"""What a request or a puzzle gets wrong, in one line that names the file, the line and what to change."""

import difflib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType

from bench.invocation import command_line

ROOT = Path(__file__).resolve().parents[2]
"""The project's folder."""

CALLED_FROM = "BENCH_CALLED_FROM"
"""The environment variable that tells processes in which folder the user called the program."""


def where(error: BaseException, root: Path) -> str:
    """The file and line of a puzzle that an exception comes from, and the exception, in one line.

    The line is the innermost one of the puzzle's own files: the call, if a library raised. Without any such
    line it is the exception alone.

    Args:
        error: as it was caught, with its traceback.
        root: the puzzle's folder.

    Returns:
        For instance "models/tents/puzzle.py:41: ValueError: a row is missing".
    """
    at = place(error, root)
    return f"{at}: {words(error)}" if at else words(error)


def words(error: BaseException) -> str:
    """An exception in one line: its name and its message."""
    # The message of a SyntaxError names the file once more, without its folder.
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    message = " ".join(text.split())
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def place(error: BaseException, root: Path) -> str:
    """The innermost line of the folder's files that an exception passed through, "" if there is none."""
    folder = root.resolve()
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        for file, line in reversed(list(lines(cause))):
            if inside(file, folder):
                return f"{shown(Path(file).resolve())}:{line}"
        cause = cause.__cause__ or cause.__context__
    return ""


def lines(error: BaseException) -> Iterator[tuple[str, int]]:
    """File and line of each frame of an exception, outermost first; of a SyntaxError also where it stands."""
    traceback: TracebackType | None = error.__traceback__
    while traceback is not None:
        yield traceback.tb_frame.f_code.co_filename, traceback.tb_lineno
        traceback = traceback.tb_next
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        yield error.filename, error.lineno


def inside(file: str, folder: Path) -> bool:
    """Whether a file, as a frame names it, is in a folder; "<string>" is in none."""
    return not file.startswith("<") and Path(file).resolve().is_relative_to(folder)


def shown(path: Path) -> str:
    """A path as the user finds it: relative to the folder of the call or else to the project, if below it."""
    homes = (Path(os.environ.get(CALLED_FROM) or Path.cwd()), ROOT)
    home = next((home for home in homes if path.is_relative_to(home)), None)
    return str(path.relative_to(home) if home else path)


MOST_NAMES = 8
"""A line that refuses a name lists no more of those that there are."""


class RequestError(Exception):
    """A request that cannot be carried out; the message is one line that says what to change."""


class PuzzleError(RequestError):
    """A mistake in the files of `puzzle`; the message names the file, and the line where there is one."""

    def __init__(self, puzzle: str, message: str) -> None:
        super().__init__(message)
        self.puzzle = puzzle


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """The line that refuses a name, with the one that may have been meant."""
    return f"unknown {kind} {name!r}; {meant(name, known)}"


def meant(name: str, known: Iterable[str]) -> str:
    """A hint: the name that may have been meant, the names that there are, or what lists them."""
    names = sorted(set(known))
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    if close:
        return f"did you mean {close[0]}?"
    if not names:
        return "there is none"
    if len(names) <= MOST_NAMES:
        return f"known are {', '.join(names)}"
    return f"`{command_line('list')}` shows the {len(names)} that there are"


def one_line(text: str, limit: int = 300) -> str:
    """The text without line breaks and not longer than `limit` characters."""
    flat = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return flat if len(flat) <= limit else flat[: limit - 3] + "..."
