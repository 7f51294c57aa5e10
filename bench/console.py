"""Where the command line writes, and what several commands take."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)

TimeLimit = Annotated[float, typer.Option(min=0.01, help="Seconds that one run may take.")]
MemoryLimit = Annotated[int, typer.Option(min=16, help="Megabytes that one run may use.")]
Backends = Annotated[
    list[str] | None, typer.Option("--backend", help="Only this backend, or backend:solver (repeat).")
]
Formulations = Annotated[
    list[str] | None, typer.Option("--formulation", help="Only this formulation (repeat).")
]
Jobs = Annotated[int, typer.Option(min=1, help="How many runs at once; more than one makes times noisier.")]
Out = Annotated[Path | None, typer.Option(help="The campaign's folder; an existing one is resumed.")]
Plots = Annotated[bool, typer.Option(help="Draw the plots and the report at the end.")]
