"""The command `validate`: is a puzzle as docs/adding.md says?"""

import sys
from contextlib import closing
from typing import Annotated

import typer
from rich.markup import escape

from bench import catalogue
from bench.authoring.inspection import Inspection
from bench.authoring.puzzle import inspect_puzzle
from bench.cli.console import answers, console
from bench.cli.options import PuzzleArgument
from bench.execution.pool import ServerPool


def validate(
    puzzle: PuzzleArgument,
    time_limit: Annotated[
        float,
        typer.Option(
            min=0.1, metavar="SECONDS", help="Time limit of a run; a run that exceeds it proves nothing."
        ),
    ] = 20.0,
) -> None:
    """Check a puzzle of your own: rules, models, generator. Each line says what is wrong or missing.

    Exit codes: 0 if nothing is wrong, else 1.
    """
    name = catalogue.find_puzzle(puzzle)
    # No cores are reserved, as times do not matter here.
    with closing(ServerPool()) as servers, console.status(name) as status:
        inspection = inspect_puzzle(name, servers, time_limit, lambda step: status.update(f"{name}: {step}"))
    for fault in inspection.faults:
        answers.print(escape(fault), soft_wrap=True)
    for note in inspection.notes:
        console.print(f"note: {escape(note)}", soft_wrap=True)
    answers.print(f"{name}: {conclusion(inspection)}", soft_wrap=True)
    sys.exit(1 if inspection.faults else 0)


def conclusion(inspection: Inspection) -> str:
    """The numbers of faults and of checks, in one line."""
    checked = ", ".join(
        f"{number:,} {name}{'' if number == 1 else 's'}" for name, number in inspection.checked.items()
    )
    faults = len(inspection.faults)
    found = f"{faults} thing{'' if faults == 1 else 's'} to fix" if faults else "valid"
    return f"{found} ({checked or 'nothing could be checked'})"
