"""What the command line prints, and where."""

import shlex
import sys
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from bench.catalogue.errors import RequestError
from bench.invocation import command_line, this_command

if TYPE_CHECKING:
    from rich.console import Console

    from bench.campaign.selection import Request

WIDTH = None if sys.stdout.isatty() else 120


if TYPE_CHECKING:

    class Terminal(Console):
        """The terminal; -q sets `quiet`, and -v `verbose`."""

        verbose = False

else:

    class Terminal:
        """The same, with rich imported when more than a line is printed."""

        quiet = verbose = False

        def __init__(self, **options):
            self.options = {"highlight": False, "width": WIDTH, **options}

        def out(self, text):
            """Prints a line as it is."""
            if not self.quiet:
                print(text, file=self.options.get("file"))

        @cached_property
        def rich(self):
            """What prints tables and colours."""
            from rich.console import Console

            return Console(quiet=self.quiet, **self.options)

        def __getattr__(self, name):
            """Returns what rich has of this name."""
            return getattr(self.rich, name)

        def __enter__(self):
            """Begins to collect what is printed; `with` looks it up in the class."""
            return self.rich.__enter__()

        def __exit__(self, *error):
            """Prints what was collected."""
            return self.rich.__exit__(*error)


console = Terminal()
"""For progress and remarks, which -q hides."""

answers = Terminal()
"""For results, which -q shows too."""


def complain(text: str) -> None:
    """Prints a line to the standard error."""
    print(text, file=sys.stderr)


def fail(message: str, code: int = 2) -> NoReturn:
    """Exits with one line on the standard error."""
    complain(f"error: {message}")
    sys.exit(code)


def interrupted(folder: Path, out: Path | None) -> NoReturn:
    """Exits after Ctrl-C, with the command that resumes the campaign; `out` is the value of --out."""
    from bench.campaign.results import read

    again = shlex.join([*this_command(), *(() if out else ("--out", str(folder)))])
    # `compare` has a folder for each side.
    recorded = sum(len(read(file, resume=True)) for file in folder.glob("**/runs.csv"))
    done = f"{recorded:,} completed {'run is' if recorded == 1 else 'runs are'} recorded"
    answers.out(f"interrupted; {done}. To resume: {again}")
    sys.exit(130)


def name_broken(request: "Request") -> bool:
    """Names the puzzles that are left out because of a mistake; returns whether there are any."""
    from bench.campaign.selection import broken_puzzles

    broken = broken_puzzles(request)
    for error in broken:
        complain(f"left out: {error}")
    return bool(broken)


def existing(path: Path) -> Path:
    """The path of a campaign, a folder or its runs.csv.

    Raises:
        RequestError: if there is no campaign.
    """
    if not path.exists():
        raise RequestError(f"{path}: there is no such {'file' if path.suffix == '.csv' else 'folder'}")
    if path.is_dir() and not (path / "runs.csv").exists():
        hint = f"`{command_line('run', '--out', path)} ...` would write it"
        raise RequestError(f"{path}: this folder has no runs.csv, so it is not a campaign's; {hint}")
    return path
