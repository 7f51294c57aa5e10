"""Where the command line writes, and what several commands take."""

import sys
from typing import Annotated

import typer
from rich.console import Console

console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)

TimeLimit = Annotated[float, typer.Option(min=0.01, help="Seconds that one run may take.")]
MemoryLimit = Annotated[int, typer.Option(min=16, help="Megabytes that one run may use.")]
