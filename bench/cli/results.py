"""The commands that present a recorded campaign: `plot` and `report`."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from rich.markup import escape

from bench import catalogue
from bench.catalogue.errors import command_line
from bench.cli.command import Argument, Option
from bench.cli.console import answers, console, existing
from bench.cli.options import SkipDamaged
from bench.cli.progress import show_count
from bench.environment.files import refuse_unwritable

PAGE = "report.html"
Folder = Annotated[Path, Argument(metavar="FOLDER", help="The campaign's folder.")]
_Drawing = Annotated[
    list[str] | None,
    Option(
        "The folder of a puzzle that is not the project's: its code is executed, to draw. May be repeated.",
        "FOLDER",
        names=("--puzzle",),
    ),
]


def publish(folder: Path, plots: bool, page: Path | None, puzzles: Sequence[str] = ()) -> list[Path]:
    """Draws the plots, writes the page, or both; returns the files written. Ctrl-C exits with code 130.

    Args:
        puzzles: folders of puzzles whose solutions are drawn, beside those that are known.
    """
    from bench.report import page as pages

    for puzzle in puzzles:
        catalogue.find_puzzle(puzzle)
    try:
        with show_count(console, "pictures") as on_picture:
            files, problems = pages.publish(folder, plots, page, on_picture)
    except KeyboardInterrupt:
        words = ["report", folder] if page else ["plot", folder]
        words += [word for puzzle in puzzles for word in ("--puzzle", puzzle)]
        again = command_line(*words, *(("--out", page) if page and page != folder / PAGE else ()))
        answers.out(f"interrupted; all runs are recorded. To draw: {again}")
        sys.exit(130)
    for line in problems:
        console.print(f"[yellow]{escape(line)}[/]", soft_wrap=True)
    return files


def _home(path: Path, skip_damaged: bool) -> Path:
    """The folder of a campaign, from its path as `existing` has it."""
    return path.parent if existing(path, skip_damaged).is_file() else path


def plot(folder: Folder, *, puzzle: _Drawing = None, skip_damaged: SkipDamaged = False) -> None:
    """Draw the plots of a campaign again, from its runs.csv: as PNG, too, for documents."""
    from bench.analysis.plots.drawing import NOTHING_LOST

    home = _home(folder, skip_damaged)
    refuse_unwritable(home / "plots", NOTHING_LOST)
    written = publish(home, plots=True, page=None, puzzles=puzzle or ())
    print(f"{len(written)} files in {home / 'plots'}")


def report(
    folder: Folder,
    *,
    out: Annotated[
        Path | None, Option(f"The file to write; by default {PAGE} in the folder.", "FILE")
    ] = None,
    puzzle: _Drawing = None,
    skip_damaged: SkipDamaged = False,
) -> None:
    """Write the report of a campaign: one page that needs no other file, to read, mail or print."""
    home = _home(folder, skip_damaged)
    out = out or home / PAGE
    refuse_unwritable(out.parent, "choose another --out")
    (page,) = publish(home, plots=False, page=out, puzzles=puzzle or ())
    print(f"{page}: {page.stat().st_size / 1e6:.1f} MB, opens in any browser")
