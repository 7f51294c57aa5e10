"""The command `which`: conclusions from samples, on one page."""

from pathlib import Path
from typing import Annotated

from bench import catalogue
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
    apart: Annotated[
        list[str] | None,
        Option("A kind whose prediction is made apart, as it was drawn by lot; may be repeated.", "PUZZLE"),
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
    kinds = [catalogue.find_puzzle(name) for name in apart or ()]
    text = which_page(runs, home, out, kinds, draw=out is not None)
    if out is None:
        print(text, end="")
        return
    with writing(out, "choose another --out"):
        out.write_text(text, encoding="utf-8")
    print(out)
