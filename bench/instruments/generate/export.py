"""The command `export`."""

from pathlib import Path
from typing import Annotated

from bench import catalogue
from bench.campaign.selection import Request, backends_of, find_one
from bench.catalogue.errors import writing
from bench.cli import completion
from bench.cli.command import Option
from bench.cli.console import answers, fail
from bench.cli.options import InstanceArgument, OneFormulation
from bench.contract import Unsupported
from bench.instruments.generate import exporter


def _formats(incomplete: str) -> list[str]:
    """The formats of model files that any backend writes."""
    written = (name for backend in catalogue.backend_names() for name in exporter.formats(backend))
    return completion.starting(incomplete, written)


def export(
    file: InstanceArgument,
    *,
    backend: Annotated[
        str,
        Option(
            metavar="BACKEND[:SOLVER]",
            completed=completion.backends,
            help="The backend, as in milp; its solver matters only where the format depends on it.",
        ),
    ],
    formulation: OneFormulation = "",
    to: Annotated[
        str,
        Option(
            names=("--format",),
            metavar="NAME",
            completed=_formats,
            help="The format; by default the first of the backend. docs/commands.md lists them.",
        ),
    ] = "",
    out: Annotated[
        Path | None,
        Option(metavar="FILE", help="The file to write; by default the standard output."),
    ] = None,
) -> None:
    """Write the model of an instance to a file that solvers read: MPS, LP, DIMACS, ..."""
    if out and out.exists():
        fail(f"{out}: this file exists already; choose another name")
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
