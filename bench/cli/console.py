"""What the command line prints, and where."""

import shlex
import sys
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from bench.catalogue.errors import RequestError, command_line, plain, this_command

if TYPE_CHECKING:
    from rich.console import Console

    from bench.campaign.selection import Request

_MOST_FAULTS = 20
"""At most so many lines about collections are printed; the rest are counted."""

_WIDTH = None if sys.stdout.isatty() else 120


class Terminal:
    """What commands print to; -q makes it `quiet`, -v `verbose`. The first table imports rich."""

    quiet = verbose = False

    @cached_property
    def rich(self) -> "Console":
        """What prints tables and colours."""
        from rich.console import Console

        return Console(highlight=False, width=_WIDTH, quiet=self.quiet)

    def out(self, text: object = "") -> None:
        """Prints a line as it is, but for what a terminal would obey."""
        if not self.quiet:
            print(plain(str(text)))

    def print(self, *objects: Any, **options: Any) -> None:
        """Prints tables, and texts with rich's markup."""
        self.rich.print(*objects, **options)


console = Terminal()
"""For progress and remarks, which -q hides."""

answers = Terminal()
"""For results, which -q shows too."""


def complain(text: str) -> None:
    """Prints a line to the standard error."""
    print(plain(text), file=sys.stderr)


def fail(message: str, code: int = 2) -> NoReturn:
    """Exits with one line on the standard error."""
    complain(f"error: {message}")
    sys.exit(code)


def interrupted(folder: Path, out: Path | None) -> NoReturn:
    """Exits after Ctrl-C, with the command that resumes the campaign; `out` is the value of --out."""
    from bench.campaign.results import read

    again = shlex.join([*this_command(), *(() if out else ("--out", str(folder)))])
    # `ab` has a folder for each side.
    recorded = sum(len(read(file, resume=True)) for file in folder.glob("**/runs.csv"))
    done = f"{recorded:,} completed {'run is' if recorded == 1 else 'runs are'} recorded"
    answers.out(f"interrupted; {done}. To resume: {again}")
    sys.exit(130)


def name_broken(request: "Request") -> bool:
    """Names what is left out because of a mistake, puzzles and instances; returns whether there is any."""
    from bench.campaign.selection import broken_puzzles

    broken = broken_puzzles(request)
    for error in broken:
        complain(f"left out: {error}")
    return name_faults(request.collections) or bool(broken)


def name_faults(collections: Sequence[str]) -> bool:
    """Names what is wrong in collections; returns whether that leaves any instance out."""
    from bench.campaign.collections import read_collection

    found = [read_collection(name) for name in collections]
    lines = [line for each in found for line in (*each.left_out, *each.findings)]
    for line in lines[:_MOST_FAULTS]:
        complain(line)
    if len(lines) > _MOST_FAULTS:
        complain(f"and {len(lines) - _MOST_FAULTS:,} more such lines")
    return any(each.left_out for each in found)


def existing(path: Path, skip_damaged: bool = False) -> Path:
    """The path of a campaign, a folder or its runs.csv or .csv.gz; raises RequestError if there is none."""
    from bench.campaign.results import located

    if not path.exists():
        file = path.suffix in (".csv", ".gz")
        raise RequestError(f"{path}: there is no such {'file' if file else 'folder'}")
    if path.is_file() and path.suffix not in (".csv", ".gz"):
        raise RequestError(f"{path}: this is no runs.csv; name the folder of a campaign")
    if path.is_dir() and not located(path / "runs.csv").exists():
        hint = f"`{command_line('run', '--out', path)} ...` would write it"
        raise RequestError(f"{path}: this folder has no runs.csv, so it is not a campaign's; {hint}")
    if skip_damaged:
        move_damaged(path if path.is_file() else path / "runs.csv")
    return path


def move_damaged(file: Path) -> None:
    """Moves the damaged rows of a runs.csv to another file, and says so; raises RequestError if it cannot."""
    from bench.campaign.recorder import damaged_beside, set_aside
    from bench.campaign.results import located

    if located(file, resume=True).exists() and (moved := set_aside(file)):
        rows = "1 damaged row was" if moved == 1 else f"{moved:,} damaged rows were"
        complain(f"{rows} moved to {damaged_beside(file)}")
