"""Where the command line writes."""

import shlex
import sys
from pathlib import Path
from typing import NoReturn

from rich.console import Console
from rich.markup import escape

from bench.campaign.selection import Request, broken_puzzles
from bench.catalogue.errors import RequestError
from bench.invocation import command_line, this_command

WIDTH = None if sys.stdout.isatty() else 120


class Terminal(Console):
    """The terminal; `quiet` (of rich) and `verbose` are what -q and -v ask for."""

    verbose = False


console = Terminal(highlight=False, width=WIDTH)
"""For what a command says on its way; nothing of it is shown with -q."""

answers = Console(highlight=False, width=WIDTH)
"""For what a command was asked for; shown with -q too."""


def complain(text: str) -> None:
    """Writes a line to the standard error."""
    print(text, file=sys.stderr)


def fail(message: str, code: int = 2) -> NoReturn:
    """Ends with one line on the standard error."""
    complain(f"error: {message}")
    sys.exit(code)


def interrupted(folder: Path, out: Path | None) -> NoReturn:
    """Ends a campaign after Ctrl-C, with the command that goes on with it.

    Args:
        folder: of the campaign.
        out: what --out says.
    """
    again = shlex.join([*this_command(), *(() if out else ("--out", str(folder)))])
    answers.print(f"interrupted; completed runs are recorded. To go on: {escape(again)}", soft_wrap=True)
    sys.exit(130)


def name_broken(request: Request) -> bool:
    """Says which puzzles a request leaves out as they have a mistake, and why; whether there are any."""
    broken = broken_puzzles(request)
    for error in broken:
        complain(f"left out: {error}")
    return bool(broken)


def existing(path: Path) -> Path:
    """A campaign's folder, or its runs.csv.

    Raises:
        RequestError: if there is neither.
    """
    if not path.exists():
        raise RequestError(f"{path}: there is no such {'file' if path.suffix == '.csv' else 'folder'}")
    if path.is_dir() and not (path / "runs.csv").exists():
        say = f"`{command_line('run', '--out', path)} ...` would write it"
        raise RequestError(f"{path}: this folder has no runs.csv, so it is no campaign's; {say}")
    return path
