"""The command `which`: conclusions from samples, on one page."""

from pathlib import Path
from typing import Annotated

from bench.catalogue.errors import RequestError, writing
from bench.cli.command import Option
from bench.cli.console import existing
from bench.cli.options import SkipDamaged
from bench.cli.results import Folder


def which(
    folder: Folder,
    *,
    out: Annotated[
        Path | None,
        Option("The file to write, instead of printing; its pictures go to FOLDER/plots/.", "FILE"),
    ] = None,
    others: Annotated[
        Path | None,
        Option("Another campaign, such as one of a collection, whose slowdowns are shown, too.", "FOLDER"),
    ] = None,
    skip_damaged: SkipDamaged = False,
) -> None:
    """Write which backend to use for which kind of puzzle, and how sure that is."""
    from bench.analysis.tables import read_runs
    from bench.instruments.which.page import which_page

    if out and not out.parent.is_dir():
        raise RequestError(f"{out.parent}: there is no such folder; make it or choose another --out")
    runs = read_runs(existing(folder, skip_damaged))
    home = folder if folder.is_dir() else folder.parent
    beside = existing(others, skip_damaged) if others else None
    text = which_page(runs, home, out, draw=out is not None, others=beside)
    if out is None:
        print(text, end="")
        return
    with writing(out, "choose another --out"):
        out.write_text(text, encoding="utf-8")
    print(out)
