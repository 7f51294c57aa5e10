"""The options that several commands share; a command has a parameter for each group of them."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from bench.campaign.resume import Redo
from bench.campaign.selection import Request
from bench.catalogue.errors import RequestError
from bench.cli import completion
from bench.contract import Task


class Failed(StrEnum):
    """What --redo accepts."""

    FAILED = Redo.FAILED
    ALL = Redo.ALL


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
OneTask = Annotated[Task, typer.Option("--task", help="first: find one solution; count: find all.")]
Threads = Annotated[
    int,
    typer.Option(
        min=1,
        metavar="N",
        help="Threads (and cores) that each run may use; solvers that know only one run with one.",
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
PuzzleArgument = Annotated[
    str,
    typer.Argument(
        metavar="PUZZLE",
        autocompletion=completion.puzzles,
        help="The puzzle: its name, or the path to its folder.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="One JSON object, for programs.")]


@dataclass(frozen=True)
class Filters:
    """What a campaign is restricted to; each filter may be given several times."""

    puzzle: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            autocompletion=completion.puzzles,
            help="Only this puzzle: its name, or the path to its folder. May be repeated.",
        ),
    ] = None
    instance: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME|FILE",
            autocompletion=completion.instances,
            help="Only this instance: its name, or a TOML file. May be repeated.",
        ),
    ] = None
    backend: Backends = None
    formulation: Formulations = None
    task: Annotated[
        list[Task] | None,
        typer.Option(help="first: find one solution; count: find all. Without it both. May be repeated."),
    ] = None

    def request(self, limits: "RunLimits") -> Request:
        """Returns the request for what passes these filters."""
        return Request(
            puzzles=self.puzzle or (),
            instances=self.instance or (),
            backends=self.backend or (),
            formulations=self.formulation or (),
            tasks=tuple(dict.fromkeys(self.task or Task)),
            time_limit_s=limits.time_limit,
            memory_limit_mb=limits.memory_limit,
        )


@dataclass(frozen=True)
class RunLimits:
    """What one run may use."""

    time_limit: Annotated[
        float,
        typer.Option(min=0.01, metavar="SECONDS", help="How long one run may take; then it is ended."),
    ] = 60.0
    memory_limit: Annotated[
        int,
        typer.Option(min=16, metavar="MB", help="How much memory one run may use; then it is ended."),
    ] = 4096


@dataclass(frozen=True)
class Recording:
    """How a campaign is executed, and where it is recorded."""

    jobs: Annotated[
        int,
        typer.Option(min=1, metavar="N", help="How many runs at once; more than one makes times noisier."),
    ] = 1
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Where to record. If the folder has a campaign, what is missing is added to it. Without it "
            "results/ gets a new folder, to which results/latest then points.",
        ),
    ] = None
    keep: Annotated[
        bool,
        typer.Option(
            "--keep",
            help="Run nothing again that is recorded in --out: neither what crashed nor what has changed "
            "since.",
        ),
    ] = False
    redo: Annotated[
        Failed | None,
        typer.Option(
            help="Run again what is recorded in --out: everything (all), or all that was not solved "
            "(failed). Without it only what crashed or was wrong, or has changed since.",
        ),
    ] = None
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Run nothing; show what would be run, how many runs, and about how long."
        ),
    ] = False
    plots: Annotated[bool, typer.Option(help="Draw the plots and write the report at the end.")] = True

    @property
    def again(self) -> Redo:
        """Which recorded runs are executed again.

        Raises:
            RequestError: if --keep and --redo contradict each other.
        """
        if self.keep and self.redo:
            said = f"--keep runs nothing again, --redo {self.redo} does"
            raise RequestError(f"{said}; leave one of them out")
        return Redo.KEEP if self.keep else Redo(self.redo or Redo.STALE)


@dataclass(frozen=True)
class ComparisonFiles:
    """The files that a comparison is written to."""

    csv: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a row for each measurement to this file.")
    ] = None
    markdown: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Add a comment for a pull request to the end of this file."),
    ] = None
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the ratios to this file (.svg, .png or .pdf)."),
    ] = None
