"""The options that several commands share."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from bench.campaign.resume import Redo
from bench.cli import completion
from bench.contract import Task


class Failed(StrEnum):
    """What --redo accepts."""

    FAILED = Redo.FAILED
    ALL = Redo.ALL


TimeLimit = Annotated[
    float, typer.Option(min=0.01, metavar="SECONDS", help="How long one run may take; then it is ended.")
]
MemoryLimit = Annotated[
    int, typer.Option(min=16, metavar="MB", help="How much memory one run may use; then it is ended.")
]
Threads = Annotated[
    int,
    typer.Option(
        min=1,
        metavar="N",
        help="Threads (and cores) that each run may use; solvers that know only one run with one.",
    ),
]
Jobs = Annotated[
    int,
    typer.Option(min=1, metavar="N", help="How many runs at once; more than one makes times noisier."),
]
Puzzles = Annotated[
    list[str] | None,
    typer.Option(
        "--puzzle",
        metavar="NAME",
        autocompletion=completion.puzzles,
        help="Only this puzzle: its name, or the path to its folder. May be repeated.",
    ),
]
Instances = Annotated[
    list[str] | None,
    typer.Option(
        "--instance",
        metavar="NAME|FILE",
        autocompletion=completion.instances,
        help="Only this instance: its name, or a TOML file. May be repeated.",
    ),
]
InstanceArgument = Annotated[
    str,
    typer.Argument(
        metavar="INSTANCE",
        autocompletion=completion.instances,
        help="The name of an instance, or a TOML file; of a puzzle with one instance, the puzzle.",
    ),
]
Families = Annotated[
    list[str] | None,
    typer.Option(
        "--family",
        metavar="NAME",
        autocompletion=completion.families,
        help="The generated instances of this family, which are left out otherwise. May be repeated.",
    ),
]
Backends = Annotated[
    list[str] | None,
    typer.Option(
        "--backend",
        metavar="BACKEND[:SOLVER]",
        autocompletion=completion.backends,
        help="Only this backend, as in cpsat, or this solver of it, as in milp:highs. May be repeated.",
    ),
]
Formulations = Annotated[
    list[str] | None,
    typer.Option(
        "--formulation",
        metavar="NAME",
        autocompletion=completion.formulations,
        help="Only this formulation; `all` for every one there is. Without it the default one and those that"
        " repeat a published model. May be repeated.",
    ),
]
Tasks = Annotated[
    list[Task] | None,
    typer.Option(
        "--task", help="first: find one solution; count: find all. Without it both. May be repeated."
    ),
]
OneTask = Annotated[Task, typer.Option("--task", help="first: find one solution; count: find all.")]
Out = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Where to record. If the folder has a campaign, what is missing is added to it. Without it "
        "results/ gets a new folder, to which results/latest then points.",
    ),
]
Plots = Annotated[bool, typer.Option(help="Draw the plots and write the report at the end.")]
Keep = Annotated[
    bool,
    typer.Option(
        "--keep",
        help="Run nothing again that is recorded in --out: neither what crashed nor what has changed since.",
    ),
]
Again = Annotated[
    Failed | None,
    typer.Option(
        "--redo",
        help="Run again what is recorded in --out: everything (all), or all that was not solved (failed). "
        "Without it only what crashed or was wrong, or has changed since.",
    ),
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Run nothing; show what would be run, how many runs, and about how long."),
]
