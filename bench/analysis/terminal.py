"""The tables of a campaign on the terminal."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby, product
from pathlib import Path

import pandas as pd
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bench.analysis import claims, findings, hosts, trust
from bench.analysis.comparison import (
    ComparedModel,
    compared_instances,
    compared_models,
    compared_on,
    compared_task,
)
from bench.analysis.growth import Frontier
from bench.analysis.hints import hints
from bench.analysis.measurements import Measurement, on_main_host, usual_host
from bench.analysis.scores import best_formulations
from bench.analysis.speedup import Speedup
from bench.analysis.tables import PHASES, RESOLUTION_S, TASKS, grouped, rank
from bench.analysis.units import count, milliseconds, ratio_interval, seconds, shortened, span
from bench.campaign import machine_json
from bench.contract import Task

MOST_DETAILED = 12
"""Of more instances the terminal shows one table a task, and leaves the rest to the report."""


NAME_WIDTH, TIME_WIDTH = 26, 11
"""Columns of the terminal for the name of an instance, and for a time, in that table."""


def is_large(measurements: Iterable[Measurement]) -> bool:
    """Whether a campaign has more instances than the terminal shows in detail."""
    return len({(each.puzzle, each.instance) for each in measurements}) > MOST_DETAILED


def print_summary(console: Console, measurements: Sequence[Measurement]) -> None:
    """The times of all measurements, of many instances those of the best formulations; then the errors."""
    if is_large(measurements):
        print_overview(console, best_formulations(measurements))
    else:
        print_instances(console, measurements)
    print_errors(console, measurements)


def print_errors(console: Console, measurements: Iterable[Measurement]) -> None:
    """Each message of a measurement in red, with the first that has it."""
    failed = [each for each in measurements if each.error]
    for (status, error), group in grouped(failed, lambda each: (each.status, each.error)).items():
        names = [
            " ".join(filter(None, (each.puzzle, each.instance, each.model, each.task))) for each in group
        ]
        console.print(f"[red]{escape(shortened(names, 1))}: {status}: {escape(error)}[/]", soft_wrap=True)


def print_overview(console: Console, best: Sequence[Measurement]) -> None:
    """For each task a table with a line an instance and a column a backend: the median time or the status."""
    labels = sorted({each.label for each in best}, key=rank)
    usual = usual_host(best)
    fitting = max(5, (console.width - NAME_WIDTH) // TIME_WIDTH)
    parts = [labels[first : first + fitting] for first in range(0, len(labels), fitting)]
    for (task, of_task), part in product(grouped(best, lambda each: each.task).items(), parts):
        shown = compact(f"{TASKS[task]}: median total time{hosts.caption(usual)}", ["instance"], part)
        for puzzle, of_puzzle in grouped(of_task, lambda each: each.puzzle).items():
            shown.add_row(f"[bold]{escape(puzzle)}[/]")
            for instance, models in grouped(of_puzzle, lambda each: each.instance).items():
                texts = {each.label: short_timing(each, usual) for each in models}
                shown.add_row(f"  {escape(instance)}", *(texts.get(label, "") for label in part))
        console.print(shown)
    note = "Each backend with its best formulation for the puzzle."
    if any(each.below_resolution for each in best):
        note += f" ~: below timing resolution ({seconds(RESOLUTION_S)})."
    console.print(f"{note} The report has all, with intervals, sizes, branches and phases.")


def print_instances(console: Console, measurements: Sequence[Measurement]) -> None:
    """For each instance a line a model: time, interval and branches of each task; failures in red."""
    for (puzzle, instance), group in groupby(measurements, lambda each: (each.puzzle, each.instance)):
        models: dict[str, dict[Task, Measurement]] = defaultdict(dict)
        for each in group:
            models[each.model][each.task] = each
        tasks = [task for task in Task if any(task in model for model in models.values())]
        shown = compact(f"{puzzle} {instance}", ["backend"])
        for task in tasks:
            shown.add_column(
                TASKS[task] + on_main_host(model[task] for model in models.values() if task in model)
            )
            shown.add_column("branches", justify="right")
        if Task.COUNT in tasks:
            shown.add_column("found", justify="right")
        for name, model in models.items():
            line = [name]
            for task in tasks:
                line += [timing(model[task]), branches(model[task])] if task in model else ["", ""]
            if Task.COUNT in tasks:
                line.append(count(model[Task.COUNT].figures.solutions) if Task.COUNT in model else "")
            shown.add_row(*line)
        console.print(shown)
    note = "Median total time (95% interval; with fewer than 6 runs the range)."
    if any(each.below_resolution for each in measurements):
        note += f" ~: below timing resolution ({seconds(RESOLUTION_S)})."
    console.print(note)


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


def print_speedups(console: Console, rows: Iterable[Speedup]) -> None:
    """For each task a line a backend and number of threads: speed-up and CPU time, over all puzzles."""
    for task, group in grouped((row for row in rows if not row.puzzle), lambda row: row.task).items():
        what = f"{TASKS[task]}: several threads relative to one, medians over the problems"
        shown = compact(what, ["backend"], ["threads", "problems", "speed-up", "CPU time"])
        for row in group:
            figures = count(row.problems), ratio_interval(row.speedup), ratio_interval(row.cpu)
            shown.add_row(row.label, count(row.threads), *figures)
        console.print(shown)


def print_conclusion(console: Console, measurements: Sequence[Measurement]) -> None:
    """Which backend is faster, over all problems; the report has a sentence for each of them."""
    for line in filter(None, findings.conclusion(best_formulations(measurements))):
        console.print(escape(line), soft_wrap=True)


def print_trust(console: Console, runs: pd.DataFrame, folder: Path | None = None) -> None:
    """The overhead of the harness, how steady the machine was, disturbed runs, unconfirmed claims.

    With the folder of the campaign also what was measured in different sessions.
    """
    facts = machine_json.read_facts(folder) if folder else machine_json.Facts()
    for remark in trust.on_trust(runs) + trust.on_sessions(runs):
        shown = f"[yellow]{escape(remark.text)}[/]" if remark.warns else escape(remark.text)
        console.print(shown, soft_wrap=True)
    if unconfirmed := claims.unconfirmed(runs, machine_json.own_instances(facts)):
        console.print(escape(unconfirmed), soft_wrap=True)


def print_hints(
    console: Console, runs: pd.DataFrame, measurements: Sequence[Measurement], folder: Path
) -> None:
    """What was left out for the sake of time, and the commands that measure it."""
    for hint in hints(runs, measurements, machine_json.read_facts(folder), folder):
        console.print(escape(f"{hint.text} {hint.command}".rstrip()), soft_wrap=True)


def print_disagreements(console: Console, runs: pd.DataFrame) -> None:
    """The models that contradict each other, in red."""
    for line in claims.disagreements(runs):
        console.print(f"[bold red]disagreement: {escape(line)}[/]", soft_wrap=True)


SIZES = ("variables", "constraints", "branches")
TIMES = (*(phase.removesuffix("_s") for phase in PHASES), "total")
WIDE = 110
"""So many columns of the terminal hold sizes and times in one table; else there are two."""


def print_comparisons(console: Console, measurements: Sequence[Measurement]) -> None:
    """The models of each instance side by side: sizes, branches, phases; not those of a large campaign."""
    if is_large(measurements):
        return
    instances = compared_instances(measurements)
    for puzzle, instance in instances:
        models = compared_models(measurements, puzzle, instance)
        print_comparison(console, models, instance, compared_task(measurements, puzzle, instance))
    if instances:
        empty = "An empty field: the solver or the source gives no figure."
        console.print(f"a→b: before and after presolve. {empty}")
    for puzzle in dict.fromkeys(each.puzzle for each in measurements):
        if said := findings.on_left_out(measurements, puzzle):
            console.print(escape(f"{puzzle}: {said}"), soft_wrap=True)


def print_comparison(console: Console, models: Sequence[ComparedModel], instance: str, task: Task) -> None:
    """The models of one instance side by side, with published results if there are any."""
    title = f"{instance}: {TASKS[task]}{compared_on(models)}"
    published = [model for model in models if model.published]
    if published:
        title += ", with published results"
    lazy = any(model.figures.rounds is not None for model in models)
    sizes = (*SIZES, "rounds") if lazy else SIZES
    if console.width >= WIDE:
        console.print(comparison_table(f"{title} (times in ms)", models, (*sizes, *TIMES)))
    else:
        console.print(comparison_table(title, models, sizes))
        console.print(comparison_table("times in ms", models, TIMES))
    for model in published:
        if model.note:
            console.print(f"{escape(model.system)}: {escape(model.note)}")
    if said := findings.on_presolve(models):
        console.print(escape(said), soft_wrap=True)


def comparison_table(title: str, models: Sequence[ComparedModel], columns: Sequence[str]) -> Table:
    """Some columns (SIZES, TIMES) of the comparison: measured models, then published ones."""
    shown = compact(title)
    shown.add_column("model", overflow="fold")
    for name in columns:
        shown.add_column(name, justify="right", no_wrap=True)
    for published, group in groupby(models, lambda model: model.published):
        if published:
            shown.add_section()
        for model in group:
            name = f"{model.name}, published" if published else model.name
            texts = cells(model)
            shown.add_row(name, *(texts[column] for column in columns), style="italic" if published else None)
    return shown


def cells(model: ComparedModel) -> dict[str, str]:
    """The texts of a model in all columns; times are in milliseconds, long ones have their unit."""
    figures = model.figures
    return {
        "variables": change(figures.variables, figures.presolved_variables),
        "constraints": change(figures.constraints, figures.presolved_constraints),
        "branches": count(figures.branches),
        "rounds": count(figures.rounds),
        **{phase.removesuffix("_s"): phase_time(figures.phases.get(phase)) for phase in PHASES},
        "total": phase_time(model.total_s),
    }


def phase_time(value: float | None) -> str:
    """A time in milliseconds; from 1000 s on in another unit, which it then has."""
    return milliseconds(value) if value is None or value < 1000 else seconds(value)


def compact(title: str, names: Iterable[str] = (), figures: Iterable[str] = ()) -> Table:
    """A table with one line a row and little ornament, with these columns."""
    shown = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for name in names:
        shown.add_column(name, no_wrap=True)
    for name in figures:
        shown.add_column(name, justify="right")
    return shown


def timing(measurement: Measurement) -> str:
    """The median with its interval, and in red the status of what failed."""
    return with_failures(measurement, span(*measurement.total) if measurement.total else "")


def short_timing(measurement: Measurement, usual: str) -> str:
    """The median, with its host if that is not `usual`, and in red the status of what failed."""
    if not measurement.total:
        return with_failures(measurement, "")
    host = escape(hosts.on(measurement.host, usual))
    return with_failures(measurement, f"{seconds(measurement.total.median)}{host}")


def with_failures(measurement: Measurement, time: str) -> str:
    """A time, marked if it is below timing resolution, and in red the status of what failed."""
    parts = [("~" if measurement.below_resolution else "") + time] if time else []
    if failed := measurement.inconclusive:
        share = f", {failed} of {measurement.runs}" if measurement.conclusive else ""
        parts.append(f"[red]{measurement.status}{share}[/]")
    return " ".join(parts)


def branches(measurement: Measurement) -> str:
    """The median number of branches, with its range if that is wider."""
    middle = count(measurement.figures.branches)
    least, most = measurement.branches_range or (0, 0)
    return middle if least == most else f"{middle} ({count(least)} to {count(most)})"


def change(before: float | None, after: float | None) -> str:
    """A size before and after presolve, as far as known."""
    return "" if before is None and after is None else f"{count(before) or '?'}→{count(after) or '?'}"
