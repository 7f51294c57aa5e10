"""The tables of a campaign on the terminal."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bench.analysis import findings, scores, tables
from bench.analysis.growth import FAMILY
from bench.analysis.tables import PHASES, TASKS
from bench.analysis.units import count, milliseconds, seconds, span
from bench.campaign import machine_json


def print_summary(console: Console, table: pd.DataFrame) -> None:
    """For each instance a line a model: time, interval and branches of each task; failures in red."""
    for (puzzle, instance), rows in table.groupby(["puzzle", "instance"], sort=False):
        tasks = [task for task in TASKS if task in set(rows["task"])]
        shown = compact(f"{puzzle} {instance}")
        shown.add_column("backend", no_wrap=True)
        for task in tasks:
            shown.add_column(TASKS[task])
            shown.add_column("branches", justify="right")
        if "count" in tasks:
            shown.add_column("found", justify="right")
        for (label, formulation), models in rows.groupby(["label", "formulation"], sort=False):
            line = [f"{label} {formulation}"]
            for task in tasks:
                cell = models[models["task"] == task]
                line += [timing(cell.iloc[0]), branches(cell.iloc[0])] if len(cell) else ["", ""]
            counted = models.loc[models["task"] == "count", "solutions"]
            shown.add_row(
                *line, *([count(counted.iloc[0]) if len(counted) else ""] if "count" in tasks else [])
            )
        console.print(shown)
    coarse = " ~: coarse, below 10 ms." if table["coarse"].any() else ""
    console.print(f"Median total time (its 95% interval; with fewer than 6 runs the range).{coarse}")
    for _, row in table[table["error"] != ""].iterrows():
        model = f"{row['instance']} {row['label']} {row['formulation']} {row['task']}"
        console.print(f"[red]{escape(model)}: {row['status']}: {escape(row['error'])}[/]", soft_wrap=True)


def print_frontier(console: Console, reached: pd.DataFrame) -> None:
    """For each family a line a model: the largest size solved, its time, what came next, the growth."""
    for (puzzle, family, task), rows in reached.groupby(FAMILY, sort=False):
        shown = compact(f"{puzzle}, family {family}, {TASKS[task]}: largest size of which most is solved")
        shown.add_column("backend", no_wrap=True)
        for title in ("size", "time", "next size"):
            shown.add_column(title, justify="right")
        for title in ("that is", "time grows as size to the"):
            shown.add_column(title)
        for row in rows.to_dict("records"):
            shown.add_row(
                f"{row['label']} {row['formulation']}",
                count(row["size"]) or "none",
                "" if pd.isna(row["total_s"]) else seconds(row["total_s"]),
                "" if pd.isna(row["failed"]) else f"{count(row['failed'])}: {row['status']}",
                row["example"],
                str(row["rate"]),
            )
        console.print(shown)


def print_findings(console: Console, table: pd.DataFrame) -> None:
    """A sentence a problem: who is fastest, as far as the runs can tell."""
    for problem in scores.by_problem(scores.leading(table)).values():
        console.print(escape(findings.on_times(problem)), soft_wrap=True)


def print_trust(console: Console, runs: pd.DataFrame, folder: Path | None = None) -> None:
    """What the harness added, how steady the machine was, what was disturbed, and what nothing confirms.

    With the folder of the campaign also what was not measured in one session.
    """
    facts = machine_json.read_facts(folder) if folder else machine_json.Facts()
    for said in findings.on_trust(runs) + findings.on_sessions(runs, machine_json.begun(facts)):
        shown = f"[yellow]{escape(said.text)}[/]" if said.warns else escape(said.text)
        console.print(shown, soft_wrap=True)
    files = machine_json.own_instances(facts, folder) if folder else ()
    if alone := findings.on_claims(runs, files):
        console.print(escape(alone), soft_wrap=True)


def print_more_runs(console: Console, runs: pd.DataFrame, table: pd.DataFrame, folder: Path) -> None:
    """Where runs are too few for intervals how many more are needed, and the command that adds them."""
    more, option = findings.too_few(runs, table)
    if said := findings.on_more_runs(more):
        command = machine_json.more_runs(machine_json.read_facts(folder), folder, option)
        console.print(escape(f"{said} {command}"), soft_wrap=True)


def print_disagreements(console: Console, runs: pd.DataFrame) -> None:
    """The models that contradict each other, in red."""
    for line in tables.disagreements(runs):
        console.print(f"[bold red]disagreement: {escape(line)}[/]", soft_wrap=True)


SIZE_COLUMNS = {
    "variables": lambda row: change(row["variables"], row["presolved_variables"]),
    "constraints": lambda row: change(row["constraints"], row["presolved_constraints"]),
    "branches": lambda row: count(row["branches"]),
}
TIME_COLUMNS = {
    phase.removesuffix("_s"): lambda row, phase=phase: milliseconds(row[phase])
    for phase in (*PHASES, "total_s")
}
WIDE = 110
"""So many columns of the terminal hold sizes and times in one table; else there are two."""


def print_comparisons(console: Console, table: pd.DataFrame) -> None:
    """Of each puzzle's instances, or some of many, the models side by side: sizes, branches, phases.

    Args:
        table: of `tables.cells`.
    """
    compared = tables.compared_instances(table)
    for puzzle, instance in compared:
        rows = tables.comparison(table, puzzle, instance)
        print_comparison(console, rows, instance, tables.compared_task(table, puzzle, instance))
    if compared:
        console.print(
            "a→b: before and after presolve. An empty field: the solver or the source gives no figure."
        )
    for puzzle in table["puzzle"].unique():
        if said := findings.on_left_out(table, puzzle):
            console.print(escape(f"{puzzle}: {said}"), soft_wrap=True)


def print_comparison(console: Console, compared: pd.DataFrame, instance: str, task: str) -> None:
    """The models of one instance side by side, and the figures that sources reported if there are any."""
    title = f"{instance}: {TASKS[task]}"
    if compared["reported"].any():
        title += ", beside what the sources reported"
    if console.width >= WIDE:
        console.print(comparison_table(f"{title} (times in ms)", compared, SIZE_COLUMNS | TIME_COLUMNS))
    else:
        console.print(comparison_table(title, compared, SIZE_COLUMNS))
        console.print(comparison_table("times in ms", compared, TIME_COLUMNS))
    for _, row in compared[compared["reported"] & (compared["note"] != "")].iterrows():
        console.print(f"{escape(row['system'])}: {escape(row['note'])}")
    if said := findings.on_presolve(compared):
        console.print(escape(said), soft_wrap=True)


def comparison_table(
    title: str, compared: pd.DataFrame, columns: Mapping[str, Callable[["pd.Series[Any]"], str]]
) -> Table:
    """Some columns of the seed comparison: ours, then what was reported."""
    shown = compact(title)
    shown.add_column("model", overflow="fold")
    for name in columns:
        shown.add_column(name, justify="right", no_wrap=True)
    for reported, rows in compared.groupby("reported", sort=True):
        if reported:
            shown.add_section()
        for _, row in rows.iterrows():
            name = f"{row['system']} {row['formulation']}".strip()
            shown.add_row(
                f"{name}, reported" if reported else name,
                *(text(row) for text in columns.values()),
                style="italic" if reported else None,
            )
    return shown


def compact(title: str) -> Table:
    """A table with one line a row and little ornament."""
    return Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)


def timing(row: "pd.Series[float]") -> str:
    """The median with its interval, or in red the status of what did not work."""
    parts = []
    if row["done"]:
        parts.append(
            ("~" if row["coarse"] else "") + span(row["total_s"], row["total_low"], row["total_high"])
        )
    if row["done"] < row["runs"]:
        failed = row["runs"] - row["done"]
        share = f", {failed:.0f} of {row['runs']:.0f}" if row["done"] else ""
        parts.append(f"[red]{row['status']}{share}[/]")
    return " ".join(part for part in parts if part)


def branches(row: "pd.Series[float]") -> str:
    """The median number of branches, with its range if seeds vary it."""
    if row["branches_low"] == row["branches_high"] or pd.isna(row["branches"]):
        return count(row["branches"])
    return f"{count(row['branches'])} ({count(row['branches_low'])} to {count(row['branches_high'])})"


def change(before: float, after: float) -> str:
    """A size before and after presolve, as far as known."""
    return "" if pd.isna(before) and pd.isna(after) else f"{count(before) or '?'}→{count(after) or '?'}"
