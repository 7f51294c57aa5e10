"""The commands that look for what became slower or wrong: `compare | gate | ab | history | bisect`."""

import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

from rich.markup import escape

from bench.campaign.plan import find_solver, refuse_other
from bench.campaign.releases import packages_for
from bench.campaign.selection import DEFAULT, backends_of, find_instances, find_one
from bench.catalogue.errors import RequestError
from bench.cli import options
from bench.cli.command import Argument, Option
from bench.cli.console import console, existing, interrupted, name_broken
from bench.environment import counting
from bench.environment.index import make_environment, releases_between
from bench.execution.pool import ServerPool
from bench.instruments.regression.interleaved import checked_out, find_base, run_interleaved

if TYPE_CHECKING:  # pandas takes a second to import.
    from matplotlib.figure import Figure
    from pandas import DataFrame

    from bench.instruments.regression.compare import Comparison
    from bench.instruments.regression.gate import Finding

_BASE = Annotated[Path, Argument("The folder of a campaign, or its runs.csv.", "BASE")]
_NEW = Annotated[Path, Argument("The same of another campaign, with the change.", "NEW")]
_CountThreshold = Annotated[float, Option("Ignore smaller increases of counters.", "RATIO", min=1.0)]


@dataclass(frozen=True)
class _Files:
    """Files to write a comparison or a history to."""

    csv: Annotated[Path | None, Option("Write a row for each measurement, or release, to it.", "FILE")] = None
    markdown: Annotated[Path | None, Option("Append tables, as for a pull request, to it.", "FILE")] = None
    plot: Annotated[Path | None, Option("Draw ratios to it (.svg, .png or .pdf).", "FILE")] = None

    def write(self, rows: "DataFrame", text: Callable[[], str], draw: "partial[Figure]") -> None:
        """Writes those that were asked for."""
        if self.csv:
            rows.to_csv(self.csv, index=False)
        if self.markdown:
            with self.markdown.open("a") as file:
                file.write(text())
        if self.plot:
            from bench.analysis.plots.drawing import save

            save(self.plot, draw)


def compare(base: _BASE, new: _NEW, *, files: _Files, skip_damaged: options.SkipDamaged = False) -> None:
    """Compare two campaigns: times with intervals, sizes, branches and other counters, what is solved."""
    from bench.instruments.regression import report
    from bench.instruments.regression.compare import compare_folders

    compared = compare_folders(existing(base, skip_damaged), existing(new, skip_damaged))
    report.print_changes(console.rich, compared)
    _write(compared, None, files)


def gate(
    base: _BASE,
    new: _NEW,
    *,
    count_threshold: _CountThreshold = 1.05,
    partial: Annotated[bool, Option("NEW may leave out what BASE measured.")] = False,
    files: _Files,
    skip_damaged: options.SkipDamaged = False,
) -> None:
    """Fail if a campaign is wrong, searches more, or needs more instructions; times are for `ab`.

    Exit codes: 0 pass, 1 more search or instructions, 3 wrong or lost results, 4 nothing measured.
    """
    from bench.analysis.tables import NothingRecorded
    from bench.instruments.regression import gate
    from bench.instruments.regression.compare import compare_folders

    try:
        compared = compare_folders(existing(base, skip_damaged), existing(new, skip_damaged))
    except NothingRecorded as error:
        print(f"nothing measured: {error}")
        sys.exit(gate.Exit.NOTHING)
    findings = gate.judge(compared, count_threshold=count_threshold, partial=partial)
    _conclude(compared, findings, files)


def ab(
    revision: Annotated[
        str,
        Argument("The base: a commit, branch or tag of the project or of --puzzle's repository.", "REVISION"),
    ],
    *,
    filters: options.Filters,
    instructions: options.Instructions = False,
    pairs: Annotated[
        int | None, Option("Pairs of runs a measurement; by default 10, with --instructions 3.", min=1)
    ] = None,
    confirm: Annotated[
        int | None, Option("More pairs where it looks slower; by default 20, with --instructions 4.", min=0)
    ] = None,
    time_threshold: Annotated[float, Option("Ignore smaller slowdowns.", "RATIO", min=1.0)] = 1.05,
    count_threshold: _CountThreshold = 1.05,
    instruction_threshold: Annotated[
        float, Option("Ignore smaller increases of instructions.", "RATIO", min=1.0)
    ] = 1.003,
    limits: options.RunLimits,
    python: Annotated[
        Path | None,
        Option("The Python of an environment for REVISION; one is made if it needs other packages.", "FILE"),
    ] = None,
    out: Annotated[
        Path | None, Option("The folder for both sides; an existing one is resumed.", "FOLDER")
    ] = None,
    files: _Files,
) -> None:
    """Fail if this project, or a puzzle of yours, is wrong, slower, or searches more than in REVISION.

    Runs of both are interleaved on this machine: base new, new base, ...

    REVISION gets a folder of its own, and if it needs other packages an environment of its own.

    Exit codes: 0 pass, 1 slower, more search or instructions, 3 wrong or lost results, 4 nothing measured.
    """
    request = replace(filters.request(limits), instructions=instructions)
    if instructions and (missing := counting.missing()):
        raise RequestError(f"--instructions: {missing}")
    pairs = pairs or (3 if instructions else 10)
    confirm = (4 if instructions else 20) if confirm is None else confirm
    if not instructions and pairs < 4:
        raise RequestError(f"--pairs {pairs}: times need at least 4, instructions 1")
    # Mistakes in names are told before an environment is made.
    instances = find_instances(request)
    name_broken(request)
    backends_of(request)
    options.refuse_misspelt(request)
    base = find_base(revision, request, instances)
    folder = out or Path("results") / f"ab-{datetime.now():%Y-%m-%d-%H%M%S}"
    refuse_other(folder, marks=("base",))
    if not base.is_project:
        if python:
            raise RequestError("--python: both sides of such a puzzle use this environment; leave it out")
        what = f"{revision} of {base.repository} is compared with the files that are there now"
        console.print(escape(f"{what}, both with this project and its environment"))
    elif not python and base.needs_environment:
        console.print(f"making an environment for {escape(revision)}: about a minute")
    try:
        with checked_out(base, python, instances) as checkout:
            notes = run_interleaved(request, instances, base, checkout, folder, pairs, confirm)
    except KeyboardInterrupt:
        interrupted(folder, out)
    from bench.instruments.regression import gate, report
    from bench.instruments.regression.compare import compare_folders

    compared = compare_folders(folder / "base", folder / "new")
    findings = gate.judge(compared, time_threshold, count_threshold, instruction_threshold, partial=True)
    if instructions and compared.counted.empty:
        findings.append(gate.Finding(gate.Exit.NOTHING, "nothing counted", "no instructions on both sides"))
    findings += [gate.Finding(gate.Exit.PASS, "note", line) for line in notes]
    report.print_changes(console.rich, compared)
    print(f"{folder}: base/ and new/, each with runs.csv and machine.json")
    _conclude(compared, findings, files)


def history(
    folder: Annotated[
        list[Path], Argument("Campaigns with releases or instructions, or folders of them.", "FOLDER...")
    ],
    *,
    files: _Files,
) -> None:
    """Show what changed from release to release of solvers, else in instructions from commit to commit."""
    from pandas import DataFrame

    from bench.analysis.measurements import measurements, without_variants
    from bench.analysis.plots.releases import draw_releases
    from bench.analysis.releases import figures, histories
    from bench.analysis.tables import read_runs
    from bench.instruments.regression.history import read_history
    from bench.report.tables import releases

    within = (sorted(file.parent for file in path.glob("*/runs.csv*")) or [path] for path in folder)
    folders = [existing(path) for path in chain(*within)]
    found = [each for path in folders for each in histories(without_variants(measurements(read_runs(path))))]
    commits = None if found else read_history(folders)
    table = commits.table() if commits else releases(found)
    console.print(table.for_terminal())
    rows = DataFrame(figures(found)) if found else DataFrame(table.rows, columns=[*table.columns])
    files.write(rows, table.markdown, partial(commits.draw) if commits else partial(draw_releases, found))


def bisect(
    solver: Annotated[str, Argument("The solver, as cpsat or milp:highs.", "SOLVER")],
    *,
    problem: Annotated[
        str, Option("An instance, or the folder of a finding (docs/found.md) with its show.py.", "INSTANCE")
    ],
    from_: Annotated[str, Option("A release that is right, as 9.10.", "RELEASE")],
    to: Annotated[str, Option("A later release that is at fault.", "RELEASE")],
    task: options.OneTask = None,
    formulation: options.OneFormulation = DEFAULT,
    slower: Annotated[float, Option("Slower by this factor is a fault, too.", "RATIO", min=1.1)] = 2.0,
    repeat: Annotated[int, Option("Runs of each release.", min=1)] = 3,
    limits: options.RunLimits,
    out: Annotated[
        Path | None, Option("The folder to record in; an existing one is resumed.", "FOLDER")
    ] = None,
) -> None:
    """Find the first release of a solver that is wrong, slower, or does not solve a problem any more.

    Each release that is tried has an environment of its own (docs/releases.md); its runs, and those of the
    release that is right, are interleaved.

    Exit codes: 0 found, 1 the last release is not at fault.
    """
    from bench.instruments.regression.bisect import SCRIPT, by_runs, by_script, first_at_fault

    finding = Path(problem) if (Path(problem) / SCRIPT).is_file() else None
    instance = [] if finding else [str(find_one(problem))]
    request = options.Filters(None, instance, [solver], None, [formulation], options.one_task(task)).request(
        limits
    )
    with closing(ServerPool()) as servers:
        backend, name = find_solver(solver, servers.offers(backends_of(request)))
    packages = backend.solver(name).packages
    if not packages:
        raise RequestError(f"{solver}: it comes with no package of Python, so there are no releases to try")
    # As in `--from cpmpy==1.0` of cpmpy:z3, whose own package is Z3's.
    (of, _, first), (_, _, last) = from_.rpartition("=="), to.rpartition("==")
    releases = [str(each) for each in releases_between(of or packages[0], first, last)]
    print(f"{len(releases)} releases from {releases[0]} to {releases[-1]}")
    folder = out or Path("results") / f"bisect-{datetime.now():%Y-%m-%d-%H%M%S}"
    refuse_other(folder, marks=("*==*",))
    judge = by_script(finding) if finding else by_runs(request, releases[0], repeat, slower, folder)
    untried = []

    def judged(release: str) -> str | None:
        try:
            make_environment(release, packages_for(backend, name))
            said = judge(release)
        except RequestError as error:
            print(f"{release}: cannot be tried: {error}")
            untried.append(release)
            return None
        print(f"{release}: {said or 'right'}")
        return said

    try:
        found = first_at_fault(releases, judged)
    except KeyboardInterrupt:
        interrupted(folder, out)
    if not found:
        print(f"{releases[-1]} is not at fault")
        sys.exit(1)
    right, fault = map(releases.index, found)
    left = [each for each in releases[right:fault] if each in untried]
    between = f"; {', '.join(left)} between cannot be tried" if left else ""
    print(f"The first release at fault is {found[1]}; {found[0]} is right{between}.")


def _write(compared: "Comparison", findings: "Sequence[Finding] | None", files: _Files) -> None:
    from bench.instruments.regression.report import comment, draw_changes

    files.write(compared.rows, partial(comment, compared, findings), partial(draw_changes, compared))


def _conclude(compared: "Comparison", findings: "Sequence[Finding]", files: _Files) -> NoReturn:
    """Writes the files, prints the findings, and ends with the exit code."""
    from bench.instruments.regression import gate

    _write(compared, findings, files)
    for finding in findings:
        print(f"{finding.what}: {finding.text}")
    print(gate.conclusion(compared, findings))
    sys.exit(gate.code(findings))
