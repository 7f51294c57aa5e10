"""The commands `generate` and `export`, of models and of campaigns."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from bench import catalogue
from bench.campaign.selection import Request, backends_of, find_one
from bench.catalogue.errors import shown, writing
from bench.cli.command import Argument, Option
from bench.cli.console import answers, complain, console, existing, fail
from bench.cli.options import OneFormulation, PuzzleArgument
from bench.contract import Unsupported
from bench.instruments.generate import exporter
from bench.instruments.generate.instance_file import Order, Wanted, generate

_Out = Annotated[Path | None, Option("The file to write; by default the standard output.", "FILE")]


def generate_(
    puzzle: PuzzleArgument,
    size: Annotated[
        int, Option("The size, in the unit of the puzzle's generator: cells on a side, edges, ...", min=1)
    ],
    seed: Annotated[int, Option("Each seed gives a different instance.", min=0)] = 1,
    hardness: Annotated[
        float,
        Option("The share of the clues that go; unless --solutions any, if they can.", "0..1", min=0, max=1),
    ] = 0.7,
    rule: Annotated[
        str, Option("The rule, where the puzzle is generated with several; by default the first.", "RULE")
    ] = "",
    solutions: Annotated[
        Wanted, Option("one: exactly one; none: no solution; both are proved. any: one or more.")
    ] = Wanted.ONE,
    time_limit: Annotated[float, Option("Time limit of the generator.", min=1)] = 600.0,
    out: _Out = None,
) -> None:
    """Generate an instance to order; the same options give the same instance."""
    _refuse_existing(out)
    known = puzzle in catalogue.puzzle_names()
    name = catalogue.find_puzzle(puzzle)
    home = catalogue.elsewhere().get(name)
    if out and home and not known:
        found = catalogue.found_from(out, name)
        if not found or found.resolve() != home:
            there = shown(home / "instances" / out.name)
            fail(f"{out}: a file there does not find its puzzle, {name}; choose --out {there}")
    order = Order(name, size, seed, hardness, solutions, rule)
    doing = f"generating {name} of size {size}, for at most {time_limit:,.0f} s (--time-limit)"
    if not (console.rich.is_terminal or console.quiet):
        complain(doing)
    with console.rich.status(doing):
        text = generate(order, time_limit)

    def described(path: Path) -> str:
        instance = catalogue.load(path)
        return f"{instance.title}; {instance.source}"

    _write(text, out, described)


def export(
    what: Annotated[
        str, Argument("The instance; for --aslib and --parquet a campaign's folder.", "INSTANCE")
    ],
    *,
    backend: Annotated[
        str, Option("The backend; its solver matters to some formats only.", "BACKEND[:SOLVER]")
    ] = "",
    formulation: OneFormulation = "",
    to: Annotated[
        str, Option("By default the backend's first (docs/commands.md).", "FORMAT", names=("--format",))
    ] = "",
    aslib: Annotated[bool, Option("Write a campaign as a scenario of ASlib, a new folder.")] = False,
    parquet: Annotated[bool, Option("Write a campaign as a Parquet file that defines its columns.")] = False,
    out: _Out = None,
) -> None:
    """Write the model of an instance for solvers (MPS, LP, ...), or a campaign for other programs."""
    _refuse_existing(out)
    if aslib or parquet:
        if aslib and parquet:
            fail("--aslib and --parquet are two exports; leave one of them out")
        if backend or formulation or to:
            fail("--backend, --formulation and --format are for models of instances; leave them out")
        if not out:
            fail(f"--out is missing; write it with the name of a new {'folder' if aslib else 'file'}")
        _export_campaign(existing(Path(what)), out, aslib)
        return
    if not backend:
        fail("--backend is missing, for the model of an instance; for a campaign, --aslib or --parquet")
    backends_of(Request(backends=[backend]))
    name, _, solver = backend.partition(":")
    try:
        text = exporter.export(catalogue.load(find_one(what)).path, name, solver, formulation, to)
    except Unsupported as reason:
        fail(f"{name}: unsupported: {reason}")
    _write(text, out, lambda _: f"{len(text):,} characters")


def _export_campaign(folder: Path, out: Path, aslib: bool) -> None:
    """Writes a campaign, given by its folder or its runs.csv, as a scenario or as a Parquet file."""
    # With pandas, which models do not need.
    from bench.analysis.tables import read_runs
    from bench.instruments.generate import parquet, scenario

    runs = read_runs(folder)
    with writing(out, "choose another --out"):
        if aslib:
            files = scenario.scenario(runs, out.name)
            out.mkdir()
            for name, text in files.items():
                (out / name).write_text(text, encoding="utf-8")
        else:
            machine = (folder if folder.is_dir() else folder.parent) / "machine.json"
            parquet.write(runs, machine, out)
    answers.out(f"{out}: {len(runs):,} runs of {runs['campaign'].iloc[-1]}")


def _refuse_existing(out: Path | None) -> None:
    """Refuses to write over a file."""
    if out and out.exists():
        fail(f"{out}: this file exists already; choose another name")


def _write(text: str, out: Path | None, describe: Callable[[Path], str]) -> None:
    """Writes a text to a file and says what is in it; prints the text if there is no file."""
    if not out:
        print(text, end="")
        return
    with writing(out, "choose another --out"):
        out.write_text(text, encoding="utf-8")
    answers.out(f"{out}: {describe(out)}")
