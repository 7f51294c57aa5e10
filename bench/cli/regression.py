"""The commands that look for what a change made slower: `python -m bench compare | gate | ab`.

Exit codes of `gate` and `ab`: 0 pass, 1 slower or more search, 3 wrong or lost results, 4 nothing measured;
as everywhere 2 for what cannot be carried out and 130 for Ctrl-C.
"""

import shlex
import sys
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from bench.campaign.selection import Request, backends_of, find_instances
from bench.cli.console import answers, console, existing, name_broken
from bench.cli.options import Backends, Formulations, Instances, MemoryLimit, Puzzles, Tasks, TimeLimit
from bench.cli.progress import show_progress
from bench.contract import Task
from bench.invocation import this_command
from bench.regression.interleaved import checked_out, run_in_turns

if TYPE_CHECKING:  # pandas takes a second to import.
    from bench.regression.compare import Comparison
    from bench.regression.gate import Finding


Base = Annotated[Path, typer.Argument(metavar="BASE", help="The folder of a campaign, or its runs.csv.")]
New = Annotated[Path, typer.Argument(metavar="NEW", help="The same of another campaign, with the change.")]
Csv = Annotated[
    Path | None,
    typer.Option("--csv", metavar="FILE", help="Write a row for each measurement to this file."),
]
Markdown = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Add a comment for a pull request to the end of this file."),
]
Plot = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Draw the ratios to this file (.svg, .png or .pdf).")
]
CountThreshold = Annotated[
    float,
    typer.Option(min=1.0, metavar="RATIO", help="From this ratio on, larger counters are a regression."),
]


def compare(base: Base, new: New, csv: Csv = None, markdown: Markdown = None, plot: Plot = None) -> None:
    """Compare two campaigns: times with intervals, sizes, branches and other counters, what is solved."""
    from bench.regression import compare, terminal

    compared = compare.compare_folders(existing(base), existing(new))
    terminal.print_changes(console, compared)
    write(compared, None, csv, markdown, plot)


def gate(
    base: Base,
    new: New,
    time_threshold: Annotated[
        float,
        typer.Option(
            min=1.0,
            metavar="RATIO",
            help="Longer times are a regression if their whole interval lies beyond this ratio.",
        ),
    ] = 1.10,
    count_threshold: CountThreshold = 1.05,
    times: Annotated[bool, typer.Option(help="Judge times too; counters and results always are.")] = True,
    partial: Annotated[bool, typer.Option("--partial", help="NEW may leave out what BASE measured.")] = False,
    aa: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Campaigns of one commit on this machine, from which the usual variation is learnt.",
        ),
    ] = None,
    csv: Csv = None,
    markdown: Markdown = None,
    plot: Plot = None,
) -> None:
    """Fail if a campaign is wrong, slower, or searches more than another; docs/regressions.md has the rules.

    Exit codes: 0 pass, 1 slower or more search, 3 wrong or lost results, 4 nothing measured.
    """
    from bench.analysis.tables import NothingRecorded
    from bench.regression import compare, drift, gate

    try:
        compared = compare.compare_folders(existing(base), existing(new))
    except NothingRecorded as error:
        print(f"nothing measured: {error}")
        sys.exit(gate.Exit.NOTHING)
    usual = drift.learn(drift.recorded(compared.machines[1], aa or drift.RECORDED))
    thresholds = gate.Thresholds(time_threshold, count_threshold)
    findings = gate.judge(compared, thresholds, usual, times, partial)
    write(compared, findings, csv, markdown, plot)
    conclude(compared, findings)


def ab(
    revision: Annotated[
        str, typer.Argument(metavar="REVISION", help="The base: a commit, branch or tag of this project.")
    ],
    puzzle: Puzzles = None,
    instance: Instances = None,
    backend: Backends = None,
    formulation: Formulations = None,
    task: Tasks = None,
    pairs: Annotated[
        int, typer.Option(min=4, metavar="N", help="How many pairs of runs for each measurement.")
    ] = 10,
    confirm: Annotated[
        int,
        typer.Option(
            min=0, metavar="N", help="How many more pairs where it then looks slower; these decide."
        ),
    ] = 20,
    time_threshold: Annotated[
        float,
        typer.Option(min=1.0, metavar="RATIO", help="Times that are longer by less are no regression."),
    ] = 1.05,
    count_threshold: CountThreshold = 1.05,
    time_limit: TimeLimit = 60.0,
    memory_limit: MemoryLimit = 4096,
    python: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The Python of an environment that has what REVISION needs. Without it one is made.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="The folder for both sides; an existing one is resumed."),
    ] = None,
    csv: Csv = None,
    markdown: Markdown = None,
    plot: Plot = None,
) -> None:
    """Fail if this project is wrong, slower, or searches more than another revision of it.

    Both are run in turns on this machine, base new, new base, ..., REVISION in a folder and an environment of
    its own. Exit codes: 0 pass, 1 slower or more search, 3 wrong or lost results, 4 nothing measured.
    """
    request = Request(
        puzzles=puzzle or (),
        instances=instance or (),
        backends=backend or (),
        formulations=formulation or (),
        tasks=tuple(dict.fromkeys(task or Task)),
        time_limit_s=time_limit,
        memory_limit_mb=memory_limit,
    )
    # A typing mistake is told before an environment is made.
    find_instances(request)
    name_broken(request)
    backends_of(request)
    folder = out or Path("results") / f"ab-{datetime.now():%Y-%m-%d-%H%M%S}"
    command = this_command()
    if not python:
        console.print(f"making an environment for {escape(revision)}: about a minute")
    try:
        with checked_out(revision, python) as (tree, commit):
            only = run_in_turns(
                request, tree, commit, folder, pairs, confirm, show_progress(console), command
            )
    except KeyboardInterrupt:
        again = shlex.join([*command, *(() if out else ("--out", str(folder)))])
        answers.print(f"interrupted; what is finished is recorded. To go on: {escape(again)}", soft_wrap=True)
        sys.exit(130)
    from bench.regression import compare, gate, terminal
    from bench.regression.drift import Drift

    compared = compare.compare_folders(folder / "base", folder / "new")
    findings = gate.judge(compared, gate.Thresholds(time_threshold, count_threshold), Drift(), partial=True)
    terminal.print_changes(console, compared)
    for line in only:
        print(line)
    write(compared, findings, csv, markdown, plot)
    print(f"{folder}: base/ and new/, each with runs.csv and machine.json")
    conclude(compared, findings)


def write(
    compared: "Comparison",
    findings: "Sequence[Finding] | None",
    csv: Path | None,
    markdown: Path | None,
    plot: Path | None,
) -> None:
    """Writes what was asked for: a table, a comment, a picture."""
    if csv:
        from bench.regression.compare import written

        written(compared.table).to_csv(csv, index=False)
    if markdown:
        from bench.regression.markdown import comment

        with markdown.open("a") as file:
            file.write(comment(compared, findings))
    if plot:
        from bench.analysis.plots.drawing import save
        from bench.regression.plot import draw_changes

        save(plot, partial(draw_changes, compared))


def conclude(compared: "Comparison", findings: "Sequence[Finding]") -> None:
    """Says what was found, a line each, and ends with the exit code."""
    from bench.regression import gate

    for finding in findings:
        print(f"{finding.what}: {finding.text}")
    print(gate.conclusion(compared, findings))
    sys.exit(gate.code(findings))
