"""What a request or a puzzle gets wrong, in one line that names the file, the line and what to change."""

import difflib
import os
import shlex
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The project's folder."""

CALLED_FROM = "BENCH_CALLED_FROM"
"""The environment variable that tells processes in which folder the user called the program."""

PROGRAM = "puzzle-bench"
"""The console script."""

_MOST_NAMES = 8
"""A line that refuses a name lists no more of those that there are."""


class RequestError(Exception):
    """A request that cannot be carried out; the message is one line that says what to change."""


class PuzzleError(RequestError):
    """A mistake in the files of `puzzle`; the message names the file, and the line where there is one."""

    def __init__(self, puzzle: str, message: str) -> None:
        super().__init__(message)
        self.puzzle = puzzle


def invoked() -> str:
    """`puzzle-bench` if the user called that, else `python -m bench`."""
    return PROGRAM if Path(sys.argv[0]).name == PROGRAM else "python -m bench"


def command_line(*arguments: object) -> str:
    """A command of this program as the user would type it, for hints that can be copied."""
    return f"{invoked()} {shlex.join(map(str, arguments))}"


def this_command() -> list[str]:
    """The words of the command that is running."""
    return [*invoked().split(), *sys.argv[1:]]


def where(error: BaseException, root: Path, otherwise: str = "") -> str:
    """The line of a puzzle's files that an exception comes from (`place`), and the exception, in one line.

    For instance "models/towers/puzzle.py:41: ValueError: a row is missing"; without such a line it begins
    with `otherwise`.
    """
    at = place(error, root) or otherwise
    return f"{at}: {words(error, at)}" if at else words(error)


def words(error: BaseException, at: str = "") -> str:
    """An exception in one line: its name and its message; of a SyntaxError the place, unless it is `at`."""
    text = str(error)
    if isinstance(error, SyntaxError):
        # Its message names the file without the folder.
        own = [f"{shown(Path(file).resolve())}:{line}" for file, line in _syntax_place(error)]
        text = " ".join([error.msg, *(f"({place})" for place in own if place != at)])
    message = " ".join(plain(text).split())
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def place(error: BaseException, root: Path) -> str:
    """The innermost line of the folder's files that an exception passed through, "" if there is none.

    If a library raised it, that is the line that called it.
    """
    folder = root.resolve()
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        frames = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(cause.__traceback__)]
        for file, line in [*_syntax_place(cause), *reversed(frames)]:
            path = Path(file).resolve()
            # "<string>" is no file.
            if not file.startswith("<") and path.is_relative_to(folder):
                return f"{shown(path)}:{line}"
        cause = cause.__cause__ or cause.__context__
    return ""


def _syntax_place(error: BaseException) -> list[tuple[str, int]]:
    """File and line of what Python cannot read, where they are known."""
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return [(error.filename, error.lineno)]
    return []


def shown(path: Path) -> str:
    """A path as the user finds it: relative to the folder of the call or else to the project, if below it."""
    homes = (Path(os.environ.get(CALLED_FROM) or Path.cwd()), ROOT)
    home = next((home for home in homes if path.is_relative_to(home)), None)
    return str(path.relative_to(home) if home else path)


def read_bytes(path: Path, most: int = -1) -> bytes:
    """The content of a file, or its first bytes; raises OSError if it cannot be read.

    Raises RequestError if it is no regular file: of a pipe or a device there may be no end.
    """
    if path.exists() and not path.is_file():
        raise RequestError(f"{path}: this is no regular file; put one in its place")
    with path.open("rb") as file:
        return file.read(most)


@contextmanager
def writing(path: Path, advice: str) -> Iterator[None]:
    """Turns an OSError into a RequestError that names the file; the error of a full disk does not.

    `advice` says what to do, or what is not lost.
    """
    try:
        yield
    except OSError as error:
        raise RequestError(f"{path}: {error.strerror or error}; {advice}") from None


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """The line that refuses a name, with the one that may have been meant."""
    return f"unknown {kind} {name!r}; {meant(name, known)}"


def meant(name: str, known: Iterable[str]) -> str:
    """A hint: the name that may have been meant, the names that there are, or what lists them."""
    names = sorted(set(known))
    close = difflib.get_close_matches(name, names, n=1)
    if close:
        return f"did you mean {close[0]}?"
    if not names:
        return "there is none"
    if len(names) <= _MOST_NAMES:
        return f"known are {', '.join(names)}"
    return f"`{command_line('list')}` shows the {len(names)} that there are"


def plain(text: str) -> str:
    """The text with a ? for whatever a terminal would obey or a file cannot hold, but for line breaks."""
    if text.isprintable():
        return text
    text = text.replace("\r\n", "\n").expandtabs()
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text)


def one_line(text: str) -> str:
    """The text without line breaks, cut off after 300 characters."""
    flat = " ".join(plain(text).split())
    return flat if len(flat) <= 300 else flat[:297] + "..."
