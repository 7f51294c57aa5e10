"""The pictures of a campaign, drawn from its table: SVG and PNG side by side in plots/."""

import json
from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

from bench import catalogue
from bench.reading.tables import PHASES, cells, compared_instances, comparison, read_runs
from bench.reading.units import seconds

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7a5195", "#666666")
"""Okabe and Ito's colours, which people with colour-blindness can tell apart."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
CORE = ("cpsat", "milp", "csp", "backtrack")
PHASE_COLOURS = {
    "build_s": "#bdbdbd",
    "translate_s": "#80b1d3",
    "presolve_s": "#fdb462",
    "search_s": "#b35806",
}
SOURCE_COLOUR = "#555555"


def style(backend: str) -> tuple[str, str]:
    """The colour and the marker of a backend, the same in every picture."""
    names = [*CORE, *(name for name in catalogue.backend_names() if name not in CORE)]
    number = names.index(backend) if backend in names else len(names)
    return COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)]


def draw_all(folder: Path) -> list[Path]:
    """Draws every picture of the campaign in `folder` from its runs.csv alone.

    Returns:
        The files written: times-*, comparison-* (with its table as CSV) and solution-*.

    Raises:
        RequestError: if there is no runs.csv with rows.
    """
    runs = read_runs(folder)
    table = cells(runs)
    plots = folder / "plots"
    plots.mkdir(exist_ok=True)
    written: list[Path] = []
    with mpl.rc_context(
        {"font.size": 9, "svg.fonttype": "none", "svg.hashsalt": "bench", "axes.titlesize": 10}
    ):
        for puzzle in dict.fromkeys(table["puzzle"]):
            written += save(draw_times(table[table["puzzle"] == puzzle], puzzle), plots / f"times-{puzzle}")
        for puzzle, instance in compared_instances(table):
            compared = comparison(table, puzzle, instance)
            path = plots / f"comparison-{instance}.csv"
            compared.to_csv(path, index=False)
            written += [path, *save(draw_comparison(compared, instance), plots / path.stem)]
        for instance, figure in draw_solutions(runs):
            written += save(figure, plots / f"solution-{instance}")
    return written


def save(figure: Figure, stem: Path) -> list[Path]:
    """Writes the picture as SVG and as PNG."""
    paths = [stem.with_name(stem.name + ending) for ending in (".svg", ".png")]
    for path in paths:
        metadata = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(path, dpi=130, facecolor="white", metadata=metadata)
    return paths


def time_axis(axes: Axes, rows: pd.DataFrame) -> None:
    """A logarithmic axis that holds the times of the rows, with room for a label on the right."""
    axes.set_xscale("log")
    times = rows["times"].explode().dropna()
    if len(times):
        low, high = times.min(), times.max()
        axes.set_xlim(low / 2, max(high * 5, low * 20))
    axes.xaxis.set_major_formatter(FuncFormatter(seconds))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.grid(axis="x", color="#dddddd", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def draw_times(table: pd.DataFrame, puzzle: str) -> Figure:
    """Median total times with their intervals: a row of panels an instance, a column a task."""
    instances = list(dict.fromkeys(table["instance"]))
    heights = [
        table[table["instance"] == instance]["formulation"].groupby(table["task"]).size().max()
        for instance in instances
    ]
    figure = Figure(figsize=(10, 0.9 + sum(0.27 * height + 0.75 for height in heights)), layout="constrained")
    panels = figure.subplots(
        len(instances), 2, squeeze=False, sharex="col", height_ratios=[h + 1 for h in heights]
    )
    for row, instance in enumerate(instances):
        for column, (task, title) in enumerate((("first", "one solution"), ("count", "all solutions"))):
            rows = table[(table["instance"] == instance) & (table["task"] == task)]
            panels[row, column].set_title(f"{instance}: {title}", loc="left", parse_math=False)
            draw_times_panel(panels[row, column], rows.sort_values("total_s", na_position="last"))
    for axes, task in zip(panels.T.flat, np.repeat(["first", "count"], len(instances)), strict=True):
        time_axis(axes, table[table["task"] == task])
    figure.supxlabel(
        "median total time (log scale), its 95% interval, a tick for every run; ~: coarse, below 10 ms",
        fontsize=9,
    )
    figure.suptitle(f"{puzzle}: time to solve, build and translation included", fontsize=12)
    return figure


def draw_times_panel(axes: Axes, rows: pd.DataFrame) -> None:
    """One dot a row with its interval and a tick a run; what is not solved stands as its status, in words."""
    if rows.empty:
        axes.axis("off")
        return
    for position, (_, row) in enumerate(rows.iterrows()):
        colour, marker = style(row["backend"])
        if row["done"]:
            axes.plot(
                [row["total_low"], row["total_high"]], [position] * 2, color=colour, linewidth=2.5, alpha=0.5
            )
            axes.plot(
                row["times"], [position] * len(row["times"]), "|", color=colour, markersize=8, alpha=0.6
            )
            axes.plot(row["total_s"], position, marker, color=colour, markersize=6)
            text = f"  {'~' if row['coarse'] else ''}{seconds(row['total_s'])}"
            if row["done"] < row["runs"]:
                text += f"  ({row['runs'] - row['done']:.0f} of {row['runs']:.0f} {row['status']})"
            axes.annotate(
                text,
                (max(row["times"]), position),
                (4, 0),
                textcoords="offset points",
                va="center",
                fontsize=8,
            )
        else:
            axes.text(
                0.02,
                position,
                row["status"],
                transform=axes.get_yaxis_transform(),
                va="center",
                color="#a00000",
            )
    axes.set_yticks(range(len(rows)), [f"{row['label']} {row['formulation']}" for _, row in rows.iterrows()])
    axes.set_ylim(len(rows) - 0.4, -0.6)


def draw_comparison(compared: pd.DataFrame, instance: str) -> Figure:
    """The seed comparison: sizes before and after presolve, branches, and where the time goes."""
    names = [
        f"{row['system']}{' ' if row['formulation'] else ''}{row['formulation']}"
        + ("\n(reported)" if row["reported"] else "")
        for _, row in compared.iterrows()
    ]
    figure = Figure(figsize=(13, 1.7 + 0.5 * len(compared)), layout="constrained")
    panels = figure.subplots(1, 4, sharey=True, width_ratios=[1, 1, 0.8, 1.5])
    draw_dumbbells(panels[0], compared, "variables")
    draw_dumbbells(panels[1], compared, "constraints")
    draw_branches(panels[2], compared)
    draw_phases(panels[3], compared)
    panels[0].set_yticks(range(len(names)), names)
    panels[0].set_ylim(len(names) - 0.4, -0.6)
    for axes in panels:
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_axisbelow(True)
        axes.grid(axis="x", color="#dddddd", linewidth=0.8)
        for position, reported in enumerate(compared["reported"]):
            if reported:
                axes.axhspan(position - 0.5, position + 0.5, color="#f3f3f3", zorder=0)
    figure.suptitle(
        f"{instance}: what each backend makes of it, for one solution", fontsize=12, parse_math=False
    )
    return figure


def row_colour(row: "pd.Series[object]") -> str:
    """The colour of a row's backend; one grey for what sources reported."""
    return SOURCE_COLOUR if row["reported"] else style(str(row["system"]).split(":")[0])[0]


def draw_dumbbells(axes: Axes, compared: pd.DataFrame, what: str) -> None:
    """Sizes as built (open) and after presolve (filled), joined."""
    for position, (_, row) in enumerate(compared.iterrows()):
        colour = row_colour(row)
        before, after = row[what], row[f"presolved_{what}"]
        if pd.notna(before) and pd.notna(after):
            axes.plot([before, after], [position] * 2, color=colour, linewidth=2, alpha=0.45)
        grows = pd.notna(before) and pd.notna(after) and after > before
        for value, face, right in ((before, "white", not grows), (after, colour, grows)):
            shift, side = (6, "left") if right else (-6, "right")
            if pd.notna(value):
                axes.plot(value, position, "o", markerfacecolor=face, markeredgecolor=colour, markersize=6)
                axes.annotate(
                    f"{value:,.0f}", (value, position), (shift, 0), textcoords="offset points",
                    ha=side, va="center", fontsize=7.5,
                )  # fmt: skip
        if pd.isna(before) and pd.isna(after):
            no_figure(axes, position)
    count_axis(axes, compared[[what, f"presolved_{what}"]].to_numpy(dtype=float))
    axes.set_title(f"{what}\n○ as built  ● after presolve", loc="left")


def draw_branches(axes: Axes, compared: pd.DataFrame) -> None:
    """Branches of the search."""
    for position, (_, row) in enumerate(compared.iterrows()):
        if pd.isna(row["branches"]):
            no_figure(axes, position)
            continue
        axes.barh(position, row["branches"], color=row_colour(row), height=0.5)
        axes.annotate(
            f"{row['branches']:,.0f}", (row["branches"], position), (4, 0), textcoords="offset points",
            va="center", fontsize=8,
        )  # fmt: skip
    count_axis(axes, compared["branches"].to_numpy(dtype=float))
    axes.set_title("branches\n(log scale)", loc="left")


def count_axis(axes: Axes, values: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]") -> None:
    """A logarithmic axis of counts that has room for zero."""
    axes.set_xscale("symlog", linthresh=10)
    largest = np.nanmax(values, initial=10.0)
    axes.set_xlim(-4, 12 * largest)
    axes.set_xticks([0, *(10**power for power in range(1, int(np.log10(largest)) + 2))])
    axes.xaxis.set_minor_formatter(NullFormatter())


def draw_phases(axes: Axes, compared: pd.DataFrame) -> None:
    """The time of each phase, stacked; bars far beyond the others are cut, with an arrow."""
    totals = compared["total_s"].to_numpy(dtype=float)
    widest = min(np.nanmax(totals, initial=1e-3), 3 * np.nanpercentile([1e-3, *totals], 75))
    for position, (_, row) in enumerate(compared.iterrows()):
        if pd.isna(row["total_s"]):
            axes.annotate(
                str(row["note"])[:40] or "no figure", (0, position), (4, 0), textcoords="offset points",
                va="center", fontsize=8, color="#888888" if row["reported"] else "#a00000",
            )  # fmt: skip
            continue
        left = 0.0
        for phase in PHASES:
            if pd.notna(row[phase]):
                axes.barh(position, row[phase], left=left, color=PHASE_COLOURS[phase], height=0.5)
                left += row[phase]
        axes.barh(position, row["total_s"], color="none", edgecolor="#333333", height=0.5, linewidth=0.8)
        text = seconds(row["total_s"]) + (" →" if row["total_s"] > widest else "")
        axes.annotate(
            text, (min(row["total_s"], widest), position), (4, 0), textcoords="offset points",
            va="center", fontsize=8, bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )  # fmt: skip
    for phase in PHASES:
        axes.barh(np.nan, np.nan, color=PHASE_COLOURS[phase], label=phase.removesuffix("_s"))
    axes.set_xlim(0, widest * 1.25)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: seconds(value) if value else "0"))
    axes.legend(ncols=4, loc="lower left", bbox_to_anchor=(0, 1.0), frameon=False, borderpad=0, fontsize=8,
                handlelength=1, columnspacing=1)  # fmt: skip
    axes.set_title("median time of the phases; frame: total\n\n", loc="left")


def no_figure(axes: Axes, position: int) -> None:
    """Says that there is no figure."""
    axes.text(
        0.02,
        position,
        "no figure",
        transform=axes.get_yaxis_transform(),
        va="center",
        fontsize=7.5,
        color="#888888",
    )


def draw_solutions(runs: pd.DataFrame) -> Iterator[tuple[str, Figure]]:
    """Each solved instance whose file is among the project's instances, with its answer."""
    solved = runs[(runs["status"] == "solved") & (runs["solution"] != "")]
    for (puzzle, instance, sha256), group in solved.groupby(["puzzle", "instance", "instance_sha256"]):
        path = catalogue.instance_paths(puzzle).get(instance)
        if path is None or (loaded := catalogue.load(path)).sha256 != sha256:
            continue
        figure = Figure(figsize=(6, 6.3), layout="constrained")
        axes = figure.subplots()
        loaded.puzzle.draw(axes, json.loads(group["solution"].iloc[0]))
        axes.set_title(f"{loaded.title}\nanswer {group['answer'].iloc[0]}", fontsize=11, parse_math=False)
        yield instance, figure
