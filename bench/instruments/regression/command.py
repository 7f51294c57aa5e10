"""The commands that look for what a change made slower: `python -m bench compare | gate | ab`.

Exit codes of `gate` and `ab`: 0 pass, 1 slower or more search, 3 wrong or lost results, 4 nothing measured;
as everywhere 2 for what cannot be carried out and 130 for Ctrl-C.
"""

import sys
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rich.markup import escape

from bench.campaign.plan import refuse_other
from bench.campaign.selection import backends_of, find_instances
from bench.catalogue.errors import RequestError
from bench.cli.command import Argument, Option
from bench.cli.console import console, existing, interrupted, name_broken
from bench.cli.options import ComparisonFiles, Filters, RunLimits, SkipDamaged
from bench.cli.progress import show_progress
from bench.instruments.regression.checkout import checked_out, find_base
from bench.instruments.regression.interleaved import run_interleaved
from bench.invocation import this_command

if TYPE_CHECKING:  # pandas takes a second to import.
    from bench.instruments.regression.change import Comparison
    from bench.instruments.regression.gate import Finding


Base = Annotated[Path, Argument(metavar="BASE", help="The folder of a campaign, or its runs.csv.")]
New = Annotated[Path, Argument(metavar="NEW", help="The same of another campaign, with the change.")]
_CountThreshold = Annotated[
    float,
    Option(min=1.0, metavar="RATIO", help="From this ratio on, larger counters are a regression."),
]


def compare(base: Base, new: New, *, files: ComparisonFiles, skip_damaged: SkipDamaged = False) -> None:
    """Compare two campaigns: times with intervals, sizes, branches and other counters, what is solved."""
    from bench.instruments.regression import compare, terminal

    compared = compare.compare_folders(*(existing(path, skip_damaged) for path in (base, new)))
    terminal.print_changes(console.rich, compared)
    write(compared, None, files)


def gate(
    base: Base,
    new: New,
    *,
    time_threshold: Annotated[
        float,
        Option(
            min=1.0,
            metavar="RATIO",
            help="Longer times are a regression if their whole interval lies beyond this ratio.",
        ),
    ] = 1.10,
    count_threshold: _CountThreshold = 1.05,
    times: Annotated[bool, Option(help="Judge times too; counters and results always are.")] = True,
    partial: Annotated[
        bool, Option(names=("--partial",), help="NEW may leave out what BASE measured.")
    ] = False,
    aa: Annotated[
        Path | None,
        Option(
            metavar="FOLDER",
            help="Campaigns of one commit on this machine, from which the usual variation is learnt.",
        ),
    ] = None,
    files: ComparisonFiles,
    skip_damaged: SkipDamaged = False,
) -> None:
    """Fail if a campaign is wrong, slower, or searches more than another; docs/regressions.md has the rules.

    Exit codes: 0 pass, 1 slower or more search, 3 wrong or lost results, 4 nothing measured.
    """
    from bench.analysis.tables import NothingRecorded
    from bench.instruments.regression import compare, drift, gate

    try:
        compared = compare.compare_folders(*(existing(path, skip_damaged) for path in (base, new)))
    except NothingRecorded as error:
        print(f"nothing measured: {error}")
        sys.exit(gate.Exit.NOTHING)
    usual = drift.learn(drift.recorded(compared.machines[1], aa or drift.RECORDED))
    thresholds = gate.Thresholds(time_threshold, count_threshold)
    findings = gate.judge(compared, thresholds, usual, times, partial)
    write(compared, findings, files)
    _conclude(compared, findings)


def ab(
    revision: Annotated[
        str,
        Argument(
            metavar="REVISION",
            help="The base: a commit, branch or tag of this project, or of the repository that the folder "
            "of --puzzle is in.",
        ),
    ],
    *,
    filters: Filters,
    pairs: Annotated[
        int, Option(min=4, metavar="N", help="How many pairs of runs for each measurement.")
    ] = 10,
    confirm: Annotated[
        int,
        Option(min=0, metavar="N", help="How many more pairs where it then looks slower; these decide."),
    ] = 20,
    time_threshold: Annotated[
        float, Option(min=1.0, metavar="RATIO", help="Ignore smaller slowdowns.")
    ] = 1.05,
    count_threshold: _CountThreshold = 1.05,
    limits: RunLimits,
    python: Annotated[
        Path | None,
        Option(
            metavar="FILE",
            help="The Python of an environment that has what REVISION needs. Without it one is made.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        Option(metavar="FOLDER", help="The folder for both sides; an existing one is resumed."),
    ] = None,
    files: ComparisonFiles,
) -> None:
    """Fail if this project, or a puzzle of yours, is wrong, slower, or searches more than in REVISION.

    Runs of both are interleaved on this machine: base new, new base, ...

    REVISION gets a folder of its own, and if it is one of this project an environment of its own.

    Exit codes: 0 pass, 1 slower or more search, 3 wrong or lost results, 4 nothing measured.
    """
    request = filters.request(limits)
    # A typing mistake is told before an environment is made.
    instances = find_instances(request)
    name_broken(request)
    backends_of(request)
    base = find_base(revision, request, instances)
    folder = out or Path("results") / f"ab-{datetime.now():%Y-%m-%d-%H%M%S}"
    refuse_other(folder, marks=("base",))
    if not base.is_project:
        if python:
            raise RequestError("--python: both sides of such a puzzle use this environment; leave it out")
        what = f"{revision} of {base.repository} is compared with the files that are there now"
        console.print(escape(f"{what}, both with this project and its environment"))
    elif not python:
        console.print(f"making an environment for {escape(revision)}: about a minute")
    try:
        with checked_out(base, python, instances) as checkout:
            notes = run_interleaved(
                request, instances, base, checkout, folder, pairs, confirm, show_progress(console),
                this_command(),
            )  # fmt: skip
    except KeyboardInterrupt:
        interrupted(folder, out)
    from bench.instruments.regression import compare, gate, terminal
    from bench.instruments.regression.drift import Drift

    compared = compare.compare_folders(folder / "base", folder / "new")
    findings = gate.judge(compared, gate.Thresholds(time_threshold, count_threshold), Drift(), partial=True)
    findings += [gate.Finding(gate.Exit.PASS, "note", line) for line in notes]
    terminal.print_changes(console.rich, compared)
    write(compared, findings, files)
    print(f"{folder}: base/ and new/, each with runs.csv and machine.json")
    _conclude(compared, findings)


def write(compared: "Comparison", findings: "Sequence[Finding] | None", files: ComparisonFiles) -> None:
    """Writes the files that were asked for."""
    if files.csv:
        from bench.instruments.regression.compare import to_frame

        to_frame(compared.changes).to_csv(files.csv, index=False)
    if files.markdown:
        from bench.instruments.regression.markdown import comment

        with files.markdown.open("a") as file:
            file.write(comment(compared, findings))
    if files.plot:
        from bench.analysis.plots.drawing import save
        from bench.instruments.regression.plot import draw_changes

        save(files.plot, partial(draw_changes, compared))


def _conclude(compared: "Comparison", findings: "Sequence[Finding]") -> None:
    """Says what was found, a line each, and ends with the exit code."""
    from bench.instruments.regression import gate

    for finding in findings:
        print(f"{finding.what}: {finding.text}")
    print(gate.conclusion(compared, findings))
    sys.exit(gate.code(findings))
