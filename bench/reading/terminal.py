"""The tables of a campaign on the terminal."""

import pandas as pd
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bench.reading.plots import seconds
from bench.reading.tables import PHASES


def print_summary(console: Console, table: pd.DataFrame) -> None:
    """One line a measurement: median total time with its interval, branches; what failed in red."""
    shown = Table(title="Median total time, with its 95% interval", title_justify="left")
    for name in ("puzzle", "instance", "task", "backend", "formulation"):
        shown.add_column(name, overflow="fold")
    for name in ("solved", "median", "interval", "branches", "solutions"):
        shown.add_column(name, justify="right")
    shown.add_column("status")
    previous = None
    for _, row in table.iterrows():
        group = (row["puzzle"], row["instance"], row["task"])
        if previous and group != previous:
            shown.add_section()
        first = group != previous
        previous = group
        good = row["done"] == row["runs"]
        status = row["status"] if good else f"[red]{row['status']}: {escape(row['error'][:80])}[/]"
        shown.add_row(
            *(value if first else "" for value in group),
            row["label"],
            row["formulation"],
            f"{row['done']}/{row['runs']}",
            time(row["total_s"]),
            f"{time(row['total_low'])} to {time(row['total_high'])}" if row["done"] else "",
            count(row["branches"]),
            count(row["solutions"]) if row["task"] == "count" else "",
            status,
        )
    console.print(shown)
    if (table["runs"] < 6).any():
        console.print("With fewer than 6 runs the interval is the range of the values.")


def print_comparison(console: Console, compared: pd.DataFrame, instance: str) -> None:
    """The seed comparison beside the figures that the sources reported."""
    shown = Table(title=f"{instance}: our backends beside what the sources reported", title_justify="left")
    for name in ("backend", "formulation"):
        shown.add_column(name)
    for name in ("variables", "constraints", "branches", "build", "translate", "presolve", "search", "total"):
        shown.add_column(name, justify="right")
    section = False
    for _, row in compared.iterrows():
        if row["reported"] and not section:
            shown.add_section()
            section = True
        shown.add_row(
            f"{row['system']}, reported" if row["reported"] else row["system"],
            row["formulation"],
            change(row["variables"], row["presolved_variables"]),
            change(row["constraints"], row["presolved_constraints"]),
            count(row["branches"]),
            *(time(row[phase]) for phase in PHASES),
            time(row["total_s"]),
        )
    console.print(shown)
    console.print("a → b: before and after presolve; an empty field: the solver or the source gives no figure.")
    for note in dict.fromkeys(row["note"] for _, row in compared.iterrows() if row["reported"] and row["note"]):
        system = compared.loc[compared["note"] == note, "system"].iloc[0]
        console.print(f"{escape(system)}: {escape(note)}")


def time(value: float) -> str:
    """A time, or nothing if there is none."""
    return "" if pd.isna(value) else seconds(value)


def count(value: float) -> str:
    """A count, or nothing if there is none."""
    return "" if pd.isna(value) else f"{value:,.0f}"


def change(before: float, after: float) -> str:
    """A size before and after presolve, as far as known."""
    return "" if pd.isna(before) and pd.isna(after) else f"{count(before) or '?'} → {count(after) or '?'}"
