"""The command `validate`: is a puzzle as docs/adding.md says?"""

import sys
from contextlib import closing
from typing import Annotated

from bench import catalogue
from bench.authoring.puzzle import inspect_puzzle
from bench.cli.command import Option
from bench.cli.console import answers, console
from bench.cli.options import PuzzleArgument
from bench.execution.pool import ServerPool


def validate(
    puzzle: PuzzleArgument,
    time_limit: Annotated[
        float,
        Option(min=0.1, metavar="SECONDS", help="Time limit of a run; a run that exceeds it proves nothing."),
    ] = 20.0,
) -> None:
    """Check a puzzle of your own: rules, models, generator. Each line says what is wrong or missing.

    Exit codes: 0 if nothing is wrong, else 1.
    """
    name = catalogue.find_puzzle(puzzle)
    # No cores are reserved, as times do not matter here.
    with closing(ServerPool()) as servers, console.rich.status(name) as status:
        inspection = inspect_puzzle(name, servers, time_limit, lambda step: status.update(f"{name}: {step}"))
    for fault in inspection.faults:
        answers.out(fault)
    for note in inspection.notes:
        console.out(f"note: {note}")
    found = plural(len(inspection.faults), "thing") + " to fix" if inspection.faults else "valid"
    checked = ", ".join(plural(number, what) for what, number in inspection.checked.items())
    answers.out(f"{name}: {found} ({checked or 'nothing could be checked'})")
    sys.exit(1 if inspection.faults else 0)


def plural(number: int, what: str) -> str:
    """A number of things, as in "2 instances"."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
