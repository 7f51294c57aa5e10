"""What `run` and `scale` print when a campaign has ended; the report has the rest."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import pandas as pd
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from bench.analysis import claims, hosts, trust
from bench.analysis.growth import Frontier
from bench.analysis.hints import hints
from bench.analysis.measurements import Measurement, without_variants
from bench.analysis.scores import best_formulations, by_problem, scores, shared, slowdowns
from bench.analysis.tables import TASKS, grouped
from bench.analysis.units import count, factor, plural, seconds, shortened
from bench.campaign import machine_json
from bench.contract import Task
from bench.invocation import command_line
from bench.report import findings

MOST_LINES = 23
"""Of the ending; two more say where the files are."""

_MOST_BACKENDS = 8
"""Of more the report has the others."""

Cells = Mapping[tuple[str, Task], tuple[str, ...]]
"""By backend and task a text for each column of the task."""


def print_ending(console: Console, runs: pd.DataFrame, measured: Sequence[Measurement], folder: Path) -> None:
    """What won and by how much, what failed, what to do next, and how far to trust it, in MOST_LINES lines.

    Args:
        runs: of `tables.read_runs`.
        measured: `measurements` of these runs, with variants.
        folder: of the campaign.
    """
    best = best_formulations(without_variants(measured))
    room = MOST_LINES
    if any(each.status.tried for each in best):
        table = standings(best)
        console.print(table)
        room -= len(console.render_lines(table))
    facts = machine_json.read_facts(folder)
    remarks = [f"[bold red]disagreement: {escape(line)}[/]" for line in claims.disagreements(runs)]
    remarks += on_errors(each for each in measured if each.status.faulty)
    remarks += map(escape, findings.conclusion(best))
    hinted = hints(runs, measured, facts, folder)
    remarks += [escape(f"{hint.text} {hint.command}".rstrip()) for hint in hinted]
    remarks += on_errors(each for each in measured if not each.status.faulty)
    remarks += on_reliability(runs, facts)
    while remarks:
        remark = Text.from_markup(remarks[0])
        left = f"{plural(len(remarks), 'more remark')}: {command_line('report', folder)}"
        room -= _height(console, remark)
        # Room is kept to say how many are left out.
        if room < (_height(console, Text(left)) if len(remarks) > 1 else 0):
            console.print(left, markup=False, soft_wrap=True)
            return
        console.print(remark, soft_wrap=True)
        del remarks[0]


def _height(console: Console, text: Text) -> int:
    return len(text.wrap(console, console.width))


def standings(best: Sequence[Measurement]) -> Table:
    """A line for each backend, those that solve the most first: of one instance its times, else its score."""
    instances = {(each.puzzle, each.instance): each.instance for each in best}
    one = len(instances) == 1
    tried = [each for each in best if each.status.tried]
    titles, cells = _of_instance(tried) if one else _of_problems(tried)
    tasks = [task for task in Task if any(each.task == task for each in tried)]
    names = {each.label: each.model if one else each.label for each in tried}
    where = next(iter(instances.values())) if one else f"{len(instances)} instances"
    asked = " and ".join(TASKS[task] for task in tasks)
    shown = compact(f"{where}, best formulations, {asked}; slowdown: relative to the fastest")
    shown.padding = 0  # Names and figures then fit into 80 columns.
    shown.add_column("backend", overflow="fold")
    for task in tasks:
        for number, title in enumerate(titles):
            shown.add_column(
                f"{'' if number else TASKS[task].split()[0]}\n{title}", justify="right", no_wrap=True
            )
    order = sorted(names, key=lambda label: _place(tried, label))
    for label in order[:_MOST_BACKENDS]:
        none = ("",) * len(titles)
        shown.add_row(names[label], *(text for task in tasks for text in cells.get((label, task), none)))
    if len(order) > _MOST_BACKENDS:
        shown.add_row(f"and {len(order) - _MOST_BACKENDS} more")
    return shown


def _place(tried: Iterable[Measurement], label: str) -> tuple[int, float]:
    """Where a backend stands: by what it does not solve, then by the sum of its times in seconds."""
    own = [each for each in tried if each.label == label]
    return sum(not each.solved for each in own), sum(each.par2_s for each in own)


def _of_instance(tried: Sequence[Measurement]) -> tuple[tuple[str, ...], Cells]:
    """Titles and cells for one instance."""
    cells = {}
    for one in slowdowns(tried):
        each = one.measurement
        below = "~" if each.below_resolution else ""
        time = f"{below}{seconds(each.time_s)}" if each.solved else f"[red]{each.status}[/]"
        slowdown = factor(one.ratio.value) if each.solved else ""
        cells[each.label, each.task] = time, slowdown, count(each.figures.branches)
    return ("time", "slowdown", "branches"), cells


def _of_problems(tried: Sequence[Measurement]) -> tuple[tuple[str, ...], Cells]:
    """Titles and cells for several instances; slowdowns are of the problems that all backends tried."""
    means = {(score.label, score.task): score.mean_s for score in scores(shared(tried)[0])}
    least = {task: min((mean for (_, of), mean in means.items() if of == task), default=0.0) for task in Task}
    wins = Counter(
        (findings.winner(problem)[0], problem[0].measurement.task)
        for problem in by_problem(slowdowns(tried)).values()
    )
    cells = {}
    for (label, task), own in grouped(tried, lambda each: (each.label, each.task)).items():
        solved = f"{sum(each.solved for each in own)} of {len(own)}"
        slowdown = factor(means[label, task] / least[task]) if (label, task) in means else ""
        cells[label, task] = solved, slowdown, count(wins[label, task])
    return ("solved", "slowdown", "fastest"), cells


def on_errors(measurements: Iterable[Measurement]) -> list[str]:
    """Each message of a measurement in red, with the first that has it."""
    failed = [each for each in measurements if each.error]
    said = []
    for (status, error), group in grouped(failed, lambda each: (each.status, each.error)).items():
        names = [
            " ".join(filter(None, (each.puzzle, each.instance, each.model, each.task))) for each in group
        ]
        said.append(f"[red]{escape(shortened(names, 1))}: {status}: {escape(error)}[/]")
    return said


def on_reliability(runs: pd.DataFrame, facts: machine_json.Facts | None = None) -> Iterator[str]:
    """Warnings in yellow, the overhead of the harness and how steady the machine was, unconfirmed claims.

    With the facts of the campaign also what was measured in different sessions.
    """
    facts = facts or machine_json.Facts()
    remarks = trust.on_trust(runs) + trust.on_sessions(runs)
    for remark in sorted(remarks, key=lambda remark: not remark.warns):
        yield f"[yellow]{escape(remark.text)}[/]" if remark.warns else escape(remark.text)
    if unconfirmed := claims.unconfirmed(runs, machine_json.own_instances(facts)):
        yield escape(unconfirmed)


def print_frontier(console: Console, reached: Iterable[Frontier]) -> None:
    """For each family a line a model: the largest size solved, its time, the next size, the growth."""
    for family, rows in groupby(reached, lambda each: each.family):
        where = f"{family.puzzle}, family {family.name}, {TASKS[family.task]}"
        what = f"{where}: largest size at which most instances are solved"
        shown = compact(what, ["backend"], ["size", "time", "next size"])
        for title in ("for example", "time grows as size to the power"):
            shown.add_column(title)
        for each in rows:
            shown.add_row(
                f"{each.label} {each.formulation}".rstrip() + hosts.on(each.host),
                count(each.size) or "none",
                "" if each.total_s is None else seconds(each.total_s),
                f"{count(each.failed)}: {each.status}" if each.failed else "",
                each.example,
                str(each.rate or ""),
            )
        console.print(shown)


def compact(title: str, names: Iterable[str] = (), figures: Iterable[str] = ()) -> Table:
    """A table with one line a row and little ornament, with these columns."""
    shown = Table(
        title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False,
        padding=(0, 1, 0, 0),
    )  # fmt: skip
    for name in names:
        shown.add_column(name, no_wrap=True)
    for name in figures:
        shown.add_column(name, justify="right")
    return shown
