"""The command `generate`."""

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from bench import catalogue
from bench.cli.console import answers, fail
from bench.cli.options import PuzzleArgument
from bench.generation.instance_file import generate
from bench.generation.order import Order, Wanted


def generate_(
    puzzle: PuzzleArgument,
    size: Annotated[
        int, typer.Option(min=1, metavar="N", help="How large: cells, edges, or what else the puzzle counts.")
    ],
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Another seed gives another instance.")] = 1,
    hardness: Annotated[
        float,
        typer.Option(
            min=0, max=1, metavar="0..1", help="0: as many clues as there can be; 1: as few as possible."
        ),
    ] = 0.7,
    solutions: Annotated[
        Wanted, typer.Option(help="How many solutions it has: any is one or more, one is exactly one.")
    ] = Wanted.ONE,
    time_limit: Annotated[
        float, typer.Option(min=1, metavar="SECONDS", help="How long it may take.")
    ] = 600.0,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The TOML file to write. Without it the standard output."),
    ] = None,
) -> None:
    """Make an instance with a guaranteed number of solutions, the same for the same seed and version."""
    if out and out.exists():
        fail(f"{out}: there is such a file already; choose another name")
    text = generate(Order(catalogue.find_puzzle(puzzle), size, seed, hardness, solutions), time_limit)
    if out:
        out.write_text(text, encoding="utf-8")
        made = catalogue.load(out)
        answers.print(escape(f"{out}: {made.title}; {made.source}"), soft_wrap=True)
    else:
        print(text, end="")
