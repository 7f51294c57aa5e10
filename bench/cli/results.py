"""The commands that present a recorded campaign: `plot` and `report`."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from bench.cli.console import answers, console, existing
from bench.cli.progress import show_drawing
from bench.invocation import command_line

PAGE = "report.html"
Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The campaign's folder.")]


def publish(folder: Path, plots_too: bool, page: Path | None) -> list[Path]:
    """Draws the plots, writes the page, or both; returns the files written.

    Ctrl-C exits with one line and code 130.
    """
    from bench.analysis import report

    try:
        with show_drawing(console) as on_picture:
            published = report.publish(folder, plots_too, page, on_picture)
    except KeyboardInterrupt:
        again = command_line("report" if page else "plot", folder)
        answers.out(f"interrupted; all runs are recorded. To draw: {again}")
        sys.exit(130)
    for line in published.problems:
        console.print(f"[yellow]{escape(line)}[/]", soft_wrap=True)
    return published.files


def plot(folder: Folder) -> None:
    """Draw the plots of a campaign again, from its runs.csv."""
    written = publish(existing(folder), plots_too=True, page=None)
    print(f"{len(written)} files in {folder / 'plots'}")


def report(
    folder: Folder,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help=f"The file to write; by default {PAGE} in the folder.")
    ] = None,
) -> None:
    """Write the report of a campaign: one page that needs no other file, to read, mail or print."""
    (page,) = publish(existing(folder), plots_too=False, page=out or folder / PAGE)
    print(f"{page}: {page.stat().st_size / 1e6:.1f} MB, opens in any browser")
