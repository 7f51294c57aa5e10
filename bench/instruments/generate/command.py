"""The command `generate`."""

from pathlib import Path
from typing import Annotated

from bench import catalogue
from bench.catalogue.errors import shown, writing
from bench.cli.command import Option
from bench.cli.console import answers, complain, console, fail
from bench.cli.options import PuzzleArgument
from bench.instruments.generate.instance_file import generate
from bench.instruments.generate.order import Order, Wanted


def generate_(
    puzzle: PuzzleArgument,
    size: Annotated[
        int,
        Option(
            min=1,
            metavar="N",
            help="The size, in the unit of the puzzle's generator: cells on a side, edges, ...",
        ),
    ],
    seed: Annotated[int, Option(min=0, metavar="N", help="Each seed gives a different instance.")] = 1,
    hardness: Annotated[
        float,
        Option(min=0, max=1, metavar="0..1", help="0: as many clues as possible; 1: as few as possible."),
    ] = 0.7,
    hard: Annotated[
        bool,
        Option(
            names=("--hard",),
            help="The puzzle's hard instances, harder at equal size.",
        ),
    ] = False,
    solutions: Annotated[
        Wanted,
        Option(help="Number of solutions. any: one or more; one: exactly one; none: no solution."),
    ] = Wanted.ONE,
    time_limit: Annotated[
        float, Option(min=1, metavar="SECONDS", help="Time limit of the generator.")
    ] = 600.0,
    out: Annotated[
        Path | None,
        Option(metavar="FILE", help="The TOML file to write; by default the standard output."),
    ] = None,
) -> None:
    """Generate an instance with a guaranteed number of solutions; the same options give the same instance."""
    if out and out.exists():
        fail(f"{out}: this file exists already; choose another name")
    known = puzzle in catalogue.puzzle_names()
    name = catalogue.find_puzzle(puzzle)
    home = catalogue.elsewhere().get(name)
    if out and home and not known:
        found = catalogue.found_from(out, name)
        if not found or found.resolve() != home:
            there = shown(home / "instances" / out.name)
            fail(f"{out}: a file there does not find its puzzle, {name}; choose --out {there}")
    order = Order(name, size, seed, hardness, solutions, hard)
    limit = f"for at most {time_limit:,.0f} s (--time-limit)"
    doing = f"generating {order.puzzle} of size {size}, {limit}"
    if not (console.rich.is_terminal or console.quiet):
        complain(doing)
    with console.rich.status(doing):
        text = generate(order, time_limit)
    if out:
        with writing(out, "choose another --out"):
            out.write_text(text, encoding="utf-8")
        instance = catalogue.load(out)
        answers.out(f"{out}: {instance.title}; {instance.source}")
    else:
        print(text, end="")
