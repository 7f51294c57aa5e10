"""What `run` and `scale` print when a campaign has ended; the report has the rest."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd
from rich.console import Console
from rich.markup import escape
from rich.text import Text

from bench.analysis import trust
from bench.analysis.measurements import Measurement, without_variants
from bench.analysis.releases import histories
from bench.analysis.scores import best_formulations
from bench.analysis.tables import grouped
from bench.analysis.units import plural, shortened
from bench.campaign import machine_json
from bench.catalogue.errors import command_line
from bench.report import findings, tables

MOST_LINES = 23
"""Of the ending; two more say where the files are."""


def print_ending(console: Console, runs: pd.DataFrame, measured: Sequence[Measurement], folder: Path) -> None:
    """What won and by how much, what failed (of variants, too), what to do next, how far to trust it."""
    changed = histories(without_variants(measured))
    best = best_formulations(without_variants(measured))
    room = MOST_LINES
    if any(each.status.tried for each in best):
        # The last releases, of all solvers about 10.
        shown = [replace(tables.releases(changed, max(2, 10 // len(changed))), notes=())] if changed else []
        if not all(each.release for each in best):
            alone = len({each.puzzle for each in best}) == 1 and best[0].typical
            shown.append((tables.optimisation if alone else tables.standings)(best))
        for table in (each.for_terminal() for each in shown):
            table.padding = 0  # Names and figures then fit into 80 columns.
            console.print(table)
            room -= len(console.render_lines(table))
    facts = machine_json.read_facts(folder)
    remarks = on_errors(each for each in measured if each.status.faulty)
    remarks += [escape(step) for history in changed for step in history.steps[::-1]]
    remarks += map(escape, [*findings.on_textbook_pairs(measured), *findings.conclusion(best)])
    hints = trust.hints(runs, measured, facts, folder)
    remarks += [escape(f"{hint.text} {hint.command}".rstrip()) for hint in hints]
    remarks += on_errors(each for each in measured if not each.status.faulty)
    remarks += on_reliability(runs, facts)
    while remarks:
        remark = Text.from_markup(remarks[0])
        left = f"{plural(len(remarks), 'more remark')}: {command_line('report', folder)}"
        room -= len(remark.wrap(console, console.width))
        # Room is kept to say how many are left out.
        if room < (len(Text(left).wrap(console, console.width)) if len(remarks) > 1 else 0):
            console.print(left, markup=False, soft_wrap=True)
            return
        console.print(remark, soft_wrap=True)
        del remarks[0]


def on_errors(measurements: Iterable[Measurement]) -> list[str]:
    """Each message of a measurement in red, with the first that has it."""
    failed = [each for each in measurements if each.error]
    said = []
    for (status, error), group in grouped(failed, lambda each: (each.status, each.error)).items():
        names = [f"{each.puzzle} {each.instance} {each.model} {each.task}" for each in group]
        said.append(f"[red]{escape(shortened(names, 1))}: {status}: {escape(error)}[/]")
    return said


def on_reliability(runs: pd.DataFrame, facts: machine_json.Facts) -> Iterator[str]:
    """Warnings in yellow, the overhead of the harness, how steady the machine was, unconfirmed claims."""
    for remark in sorted(trust.on_trust(runs), key=lambda remark: not remark.warns):
        yield f"[yellow]{escape(remark.text)}[/]" if remark.warns else escape(remark.text)
    if unconfirmed := trust.unconfirmed(runs, facts.own_instances):
        yield escape(unconfirmed)
