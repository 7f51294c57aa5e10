"""The command `validate`: is a puzzle as docs/adding.md says?"""

import os
import sys
from contextlib import closing
from tempfile import TemporaryDirectory
from typing import Annotated

from bench import catalogue
from bench.analysis.units import plural
from bench.cli.command import Option
from bench.cli.console import answers, console
from bench.cli.options import PuzzleArgument
from bench.execution.pool import ServerPool
from bench.instruments.validate.checks import Effort, inspect_puzzle


def validate(
    puzzle: PuzzleArgument,
    time_limit: Annotated[
        float,
        Option(min=0.1, metavar="SECONDS", help="Of a run; a run that exceeds it proves nothing."),
    ] = 20.0,
) -> None:
    """Check a puzzle of your own: rules, models, generator. Each line says what is wrong or missing.

    Exit codes: 0 if nothing is wrong, else 1.
    """
    name = catalogue.find_puzzle(puzzle)
    # No cores are reserved, as times do not matter here.
    with (
        TemporaryDirectory() as scratch,
        closing(ServerPool()) as servers,
        console.rich.status(name) as status,
    ):
        # Hypothesis writes even without a database, by default to the current folder.
        os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", scratch)
        found = inspect_puzzle(name, servers, Effort(time_limit), status.update)
    for fault in found.faults:
        answers.out(fault)
    for note in found.notes:
        console.out(f"note: {note}")
    verdict = f"{plural(len(found.faults), 'thing')} to fix" if found.faults else "valid"
    checked = ", ".join(plural(number, what) for what, number in found.checked.items())
    answers.out(f"{name}: {verdict} ({checked or 'nothing could be checked'})")
    sys.exit(1 if found.faults else 0)
