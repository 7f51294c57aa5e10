"""The commands `generate` and `export`."""

from pathlib import Path
from typing import Annotated

from bench import catalogue
from bench.campaign.selection import Request, backends_of, find_one
from bench.catalogue.errors import shown, writing
from bench.cli.command import Option
from bench.cli.console import answers, complain, console, fail
from bench.cli.options import InstanceArgument, OneFormulation, PuzzleArgument
from bench.contract import Unsupported
from bench.instruments.generate import exporter
from bench.instruments.generate.instance_file import Order, Wanted, generate


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
        bool, Option(names=("--hard",), help="The puzzle's hard instances, harder at equal size.")
    ] = False,
    solutions: Annotated[
        Wanted, Option(help="Number of solutions. any: one or more; one: exactly one; none: no solution.")
    ] = Wanted.ONE,
    time_limit: Annotated[
        float, Option(min=1, metavar="SECONDS", help="Time limit of the generator.")
    ] = 600.0,
    out: Annotated[
        Path | None, Option(metavar="FILE", help="The TOML file to write; by default the standard output.")
    ] = None,
) -> None:
    """Generate an instance with a guaranteed number of solutions; the same options give the same instance."""
    _refuse_existing(out)
    known = puzzle in catalogue.puzzle_names()
    name = catalogue.find_puzzle(puzzle)
    home = catalogue.elsewhere().get(name)
    if out and home and not known:
        found = catalogue.found_from(out, name)
        if not found or found.resolve() != home:
            there = shown(home / "instances" / out.name)
            fail(f"{out}: a file there does not find its puzzle, {name}; choose --out {there}")
    order = Order(name, size, seed, hardness, solutions, hard)
    doing = f"generating {name} of size {size}, for at most {time_limit:,.0f} s (--time-limit)"
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


def export(
    file: InstanceArgument,
    *,
    backend: Annotated[
        str,
        Option(
            metavar="BACKEND[:SOLVER]",
            help="The backend, as in milp; its solver matters only where the format depends on it.",
        ),
    ],
    formulation: OneFormulation = "",
    to: Annotated[
        str,
        Option(
            names=("--format",),
            metavar="FORMAT",
            help="The format; by default the first of the backend. docs/commands.md lists them.",
        ),
    ] = "",
    out: Annotated[
        Path | None, Option(metavar="FILE", help="The file to write; by default the standard output.")
    ] = None,
) -> None:
    """Write the model of an instance to a file that solvers read: MPS, LP, DIMACS, ..."""
    _refuse_existing(out)
    backends_of(Request(backends=[backend]))
    name, _, solver = backend.partition(":")
    try:
        text = exporter.export(catalogue.load(find_one(file)).path, name, solver, formulation, to)
    except Unsupported as reason:
        fail(f"{name}: unsupported: {reason}")
    if out:
        with writing(out, "choose another --out"):
            out.write_text(text, encoding="utf-8")
        answers.out(f"{out}: {len(text):,} characters")
    else:
        print(text, end="")


def _refuse_existing(out: Path | None) -> None:
    """Refuses to write over a file."""
    if out and out.exists():
        fail(f"{out}: this file exists already; choose another name")
