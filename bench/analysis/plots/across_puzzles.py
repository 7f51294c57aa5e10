"""The pictures across puzzles: overview, ratios to the fastest, cactus plot, performance profile."""

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, Literal

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, NullLocator, PercentFormatter, StrMethodFormatter

from bench.analysis import old_scores as scores
from bench.analysis.old_scores import SHIFT_S, VIRTUAL_BEST
from bench.analysis.plots.style import BAD, INK, MANY, MUTED, PAPER, dashes, style, tag, time_axis
from bench.analysis.tables import TASKS, rank
from bench.analysis.units import factor, plural, seconds

HEAT = LinearSegmentedColormap.from_list("heat", ["#f7fbff", "#9ecae1", "#2b6ca8"])
FAILED_COLOUR = "#f4d6d2"
NOT_RUN = "not run"
"""What a cell says that has no run of the backend's leading formulation."""

MOST_DOTS = 60
"""A curve of more problems than this has no marker for each."""

MOST_ROWS = 30
"""With more instances a picture shows puzzles, or evenly chosen instances; the tables have all of them."""


def by_rank(labels: "Sequence[str] | pd.Series[str]") -> list[str]:
    """The labels, each once, in the order of every picture."""
    return sorted(set(labels), key=rank)


def heat(time_s: float, least_s: float, most_s: float) -> tuple[str, str]:
    """The colours of a cell and of the text on it, on a logarithmic scale between two times."""
    if not math.isfinite(time_s):
        return FAILED_COLOUR, BAD
    shade = math.log(time_s / least_s) / math.log(most_s / least_s)
    return to_hex(HEAT(shade)), "#ffffff" if shade > 0.75 else "#1a1a1a"


def heat_scale(led: pd.DataFrame) -> tuple[float, float]:
    """The ends of the heat map's scale: the shortest and the longest median."""
    known = led.loc[np.isfinite(led["time_s"]), "time_s"]
    return (known.min(), max(known.max(), 10 * known.min())) if len(known) else (1e-3, 1.0)


def draw_overview(led: pd.DataFrame) -> Figure:
    """The heat map: instances and backends, median total times, and the status of what failed.

    With more than MOST_ROWS instances puzzles stand for them, with shifted geometric means.

    Args:
        led: of `scores.leading`.
    """
    many = led["instance"].nunique() > MOST_ROWS
    if many:
        led = by_puzzle(led)
    else:
        led = led.assign(
            problem=led["puzzle"] + "  " + led["instance"],
            text=[cell_text(row) for row in led.to_dict("records")],
        )
    what = (
        f"shifted geometric mean over instances (shift {seconds(SHIFT_S)})" if many else "median total time"
    )
    title = f"{what}, each backend's leading formulation; darker: longer, red: not solved"
    return draw_heat(led.assign(heat=led["time_s"]), heat_scale(led), title)


def draw_heat(cells: pd.DataFrame, scale: tuple[float, float], title: str) -> Figure:
    """A coloured table: a row a problem and a column a backend; with more than MANY backends turned.

    Args:
        cells: columns task, problem, label, formulation, text, heat (what the colour tells).
        scale: the ends of the scale of `heat`.
        title: stands above.
    """
    problems, labels = list(dict.fromkeys(cells["problem"])), by_rank(cells["label"])
    turned = len(labels) > MANY
    across, down = (problems, labels) if turned else (labels, problems)
    tasks = [task for task in TASKS if task in set(cells["task"])]
    width = 2.2 + len(tasks) * (0.4 + 0.95 * len(across))
    figure = Figure(figsize=(width, 1.3 + 0.34 * len(down) + turned), layout="constrained")
    panels = figure.subplots(1, len(tasks), sharey=True, squeeze=False)[0]
    for axes, task in zip(panels, tasks, strict=True):
        shown = cells[cells["task"] == task]
        there = set(zip(shown["problem"], shown["label"], strict=True))
        for problem, label in product(problems, labels):
            if (problem, label) not in there:
                place = problems.index(problem), labels.index(label)
                empty = axes.text(
                    *(place if turned else place[::-1]), NOT_RUN, ha="center", va="center", color=MUTED,
                    fontsize=8.5,
                )  # fmt: skip
                tag(empty, f"{label}: {NOT_RUN}", backend=label)
        for row in shown.to_dict("records"):
            place = problems.index(row["problem"]), labels.index(row["label"])
            x, y = place if turned else place[::-1]
            colour, ink = heat(row["heat"], *scale)
            patches = axes.bar(x, 0.94, bottom=y - 0.47, width=0.94, color=colour)
            text = axes.text(x, y, row["text"], ha="center", va="center", color=ink, fontsize=8.5)
            for artist in (*patches, text):
                tag(artist, f"{row['label']} {row['formulation']}: {row['text']}", backend=row["label"])
        if turned:
            names = [name.replace("  ", "\n") for name in across]
            axes.set_xticks(range(len(across)), names, rotation=40, ha="left", rotation_mode="anchor")
        else:
            axes.set_xticks(range(len(across)), across)
        axes.set_yticks(range(len(down)), down)
        axes.set(xlim=(-0.55, len(across) - 0.45), ylim=(len(down) - 0.45, -0.55))
        axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
        axes.spines[:].set_visible(False)
        axes.set_title(TASKS[task], loc="left")
    figure.suptitle(title, fontsize=10)
    return figure


def by_puzzle(led: pd.DataFrame) -> pd.DataFrame:
    """A row for each puzzle, task and backend in place of its many instances."""
    shifted = np.log(np.minimum(led["time_s"], led["time_limit_s"]) + SHIFT_S)
    groups = led.assign(shifted=shifted, solved=np.isfinite(led["time_s"])).groupby(
        ["puzzle", "task", "label", "formulation"], as_index=False
    )
    table = groups.agg(shifted=("shifted", "mean"), solved=("solved", "sum"), instances=("solved", "size"))
    times = np.exp(table["shifted"]) - SHIFT_S
    return table.assign(
        problem=table["puzzle"],
        time_s=times.where(table["solved"] > 0, np.inf),
        text=[
            f"{seconds(time)}\n{solved} of {instances}" if solved < instances else seconds(time)
            for time, solved, instances in zip(times, table["solved"], table["instances"], strict=True)
        ],
    )


def cell_text(row: Mapping[str, Any]) -> str:
    """A cell of the overview: the time, or the status, or both with how many runs have it."""
    if not row["done"]:
        return failure(row)
    return f"{'~' if row['coarse'] else ''}{seconds(row['total_s'])}\n{failure(row)}".rstrip()


def draw_ratios(compared: pd.DataFrame) -> Figure:
    """How many times as long each backend takes as the fastest one, with intervals: a row an instance.

    More than MANY backends stand in a coloured table instead.

    Args:
        compared: of `scores.against_fastest`.
    """
    labels = by_rank(compared["label"])
    if len(labels) > MANY:
        return draw_ratios_table(compared)
    tasks = [task for task in TASKS if task in set(compared["task"])]
    most = max(compared[compared["task"] == task]["instance"].nunique() for task in tasks)
    rows = min(most, MOST_ROWS)
    figure = Figure(figsize=(11, 1.4 + 0.5 * rows), layout="constrained")
    panels = figure.subplots(1, len(tasks), squeeze=False)[0]
    for axes, task in zip(panels, tasks, strict=True):
        draw_ratios_panel(axes, compared[compared["task"] == task], labels)
        axes.set_title(TASKS[task] + (f" ({rows} of {most} instances)" if rows < most else ""), loc="left")
    handles = [
        panels[0].plot([], [], style(label)[1], color=style(label)[0], linestyle="none")[0]
        for label in labels
    ]
    draw_legend(figure, handles, labels, "outside upper center")
    figure.supxlabel("times as long as the fastest backend (log scale), with 95% intervals", fontsize=9)
    return figure


def draw_ratios_table(compared: pd.DataFrame) -> Figure:
    """The ratios as a coloured table, evenly chosen instances of more than MOST_ROWS."""
    problems = compared["puzzle"] + "  " + compared["instance"]
    names = problems.drop_duplicates().tolist()
    chosen = np.linspace(0, len(names) - 1, min(len(names), MOST_ROWS)).round().astype(int)
    compared = compared.assign(
        problem=problems, text=[ratio_text(row) for row in compared.to_dict("records")]
    )
    compared = compared[problems.isin([names[number] for number in chosen])]
    title = "time, times that of the fastest backend (named with its time); ≈: the 95% interval reaches 1"
    return draw_heat(compared.assign(heat=compared["ratio"]), (1.0, 1000.0), title)


def ratio_text(row: Mapping[str, Any]) -> str:
    """A cell of the table of ratios."""
    if row["label"] == row["fastest"]:
        return f"{seconds(row['time_s'])}\n{failure(row)}".rstrip()
    if not math.isfinite(row["ratio"]):
        return failure(row)
    close = "≈ " if row["ratio_low"] <= 1 else ""
    return f"{close}{factor(row['ratio'])}\n{failure(row)}".rstrip()


def draw_ratios_panel(axes: Axes, compared: pd.DataFrame, labels: list[str]) -> None:
    """The ratios of one task, backends a little below each other; at the right edge what failed."""
    problems = list(dict.fromkeys(zip(compared["puzzle"], compared["instance"], strict=True)))
    chosen = np.linspace(0, len(problems) - 1, min(len(problems), MOST_ROWS)).round().astype(int)
    places = {problems[number]: place for place, number in enumerate(chosen)}
    known = compared[["ratio", "ratio_low", "ratio_high"]].replace([0, np.inf], np.nan).to_numpy(dtype=float)
    least, most = np.nanmin(known, initial=0.85) / 1.2, 1.6 * np.nanmax(known, initial=10)
    failed = bool((compared["done"] < compared["runs"]).any())
    names = [instance for _, instance in places]
    for row in compared.to_dict("records"):
        place = places.get((row["puzzle"], row["instance"]))
        if place is None:
            continue
        if row["label"] == row["fastest"]:
            names[place] = f"{row['instance']}\n{row['fastest']} {seconds(row['time_s'])}"
        at = place + 0.6 * ((labels.index(row["label"]) + 0.5) / len(labels) - 0.5)
        colour, marker = style(row["label"])
        solved = math.isfinite(row["ratio"])
        face = colour if solved else PAPER
        artists: list[Artist] = [
            *axes.plot(
                np.clip([row["ratio_low"], row["ratio_high"]], least, most), [at, at],
                color=colour, linewidth=2, alpha=0.55,
            ),
            *axes.plot(min(row["ratio"], most), at, marker, color=colour, markersize=5, markerfacecolor=face),
        ]  # fmt: skip
        if share := failure(row):
            artists.append(
                axes.annotate(
                    share, (most, at), (6, 0), textcoords="offset points", va="center", fontsize=7, color=BAD
                )
            )
        said = f"{row['instance']}, {row['label']} {row['formulation']}: {share}"
        if solved:
            said += f"{', ' if share else ''}{factor(row['ratio'])} times {row['fastest']}"
        if solved and math.isfinite(row["ratio_high"]):
            said += f" ({factor(row['ratio_low'])} to {factor(row['ratio_high'])})"
        for artist in artists:
            tag(artist, said, backend=row["label"])
    axes.set_xscale("log")
    axes.set_xlim(least, most * (3 if failed else 1))
    axes.axvline(1, color=MUTED, linewidth=1)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,g}"))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.grid(axis="x")


def failure(row: Mapping[str, Any]) -> str:
    """The status of what failed, with how many runs have it if some were done; empty if none failed."""
    failed = row["runs"] - row["done"]
    if not failed:
        return ""
    return f"{failed:.0f} of {row['runs']:.0f} {row['status']}" if row["done"] else str(row["status"])


def draw_cactus(led: pd.DataFrame) -> Figure:
    """How many problems each backend solves within a time: sorted times, against their number.

    Args:
        led: of `scores.shared`.
    """
    figure, panels = curves(led, "problems solved within this time, each on its own")
    for axes, (task, matrix) in panels:
        time_axis(axes, matrix.to_numpy().ravel().tolist())
        best = matrix.min(axis=1)
        for label, times in [
            *((label, matrix[label]) for label in drawn(matrix)),
            (VIRTUAL_BEST, best),
        ]:
            ordered = sorted(time for time in times if math.isfinite(time))
            draw_curve(axes, label, ordered, [*range(1, len(ordered) + 1)], axes.get_xlim()[1])
        axes.set_ylim(0, len(matrix) * 1.04)
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        mark_frame(axes, "cactus", task)
    return finish_curves(figure, panels)


def draw_profile(led: pd.DataFrame) -> Figure:
    """Dolan and More's performance profile of each task.

    Args:
        led: of `scores.shared`.
    """
    figure, panels = curves(
        led, "share of the problems on which it takes at most so many times the best time"
    )
    for axes, (task, matrix) in panels:
        profile = scores.profile(matrix)
        solvable = max(1, int(np.isfinite(matrix).any(axis=1).sum()))
        largest = max([10.0, *(ratio for ratios in profile.values() for ratio in ratios)])
        axes.set_xscale("log")
        axes.set_xlim(1, largest * 1.5)
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,g}"))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.grid(axis="x")
        for label in drawn(matrix):
            shares = [number / solvable for number in range(1, len(profile[label]) + 1)]
            draw_curve(axes, label, profile[label], shares, axes.get_xlim()[1])
        axes.set_ylim(0, 1.04)
        axes.yaxis.set_major_formatter(PercentFormatter(1))
        mark_frame(axes, "profile", task)
    return finish_curves(figure, panels)


Panels = list[tuple[Axes, tuple[str, pd.DataFrame]]]


def curves(led: pd.DataFrame, title: str) -> tuple[Figure, Panels]:
    """A figure with a panel a task, and the times that belong into each; with all backends, drawn or not."""
    tasks = [task for task in TASKS if task in set(led["task"])]
    figure = Figure(figsize=(10, 4.2), layout="constrained")
    grid = figure.subplots(1, len(tasks), squeeze=False)[0]
    figure.suptitle(title, fontsize=10)
    return figure, [(axes, (task, scores.times(led, task))) for axes, task in zip(grid, tasks, strict=True)]


def drawn(matrix: pd.DataFrame) -> list[str]:
    """The backends that get a curve: of more than MANY those that solve most, then the fastest."""
    ranked = pd.DataFrame(
        {"solved": -np.isfinite(matrix).sum(), "mean": np.log(matrix.clip(upper=1e9)).mean()}
    )
    return by_rank(ranked.sort_values(["solved", "mean"]).index[:MANY].tolist())


def draw_curve(axes: Axes, label: str, xs: list[float], ys: Sequence[float], end: float) -> None:
    """A step curve that begins at 0 and goes on to the right edge."""
    steps = [0, *ys, ys[-1] if ys else 0]
    looks = look(label) | {"marker": ""}
    line = axes.step([axes.get_xlim()[0], *xs, end], steps, where="post", label=label, **looks)
    tag(line[0], label, backend=label, curve="1")
    if label != VIRTUAL_BEST and 0 < len(xs) <= MOST_DOTS:
        looks = look(label) | {"linestyle": "none"}
        dots = axes.plot(xs, ys, **looks, markersize=4, clip_on=False)
        tag(dots[0], label, backend=label, dots="1")


def look(label: str) -> dict[str, Any]:
    """How a backend's curve looks."""
    if label == VIRTUAL_BEST:
        return {"color": INK, "marker": "", "linestyle": "dotted", "linewidth": 1.2}
    colour, marker = style(label)
    return {"color": colour, "marker": marker, "linestyle": dashes(label), "linewidth": 1.8}


def mark_frame(axes: Axes, kind: str, task: str) -> None:
    """Says of a panel what a page needs to draw its curves again from the data."""
    (left, right), top = axes.get_xlim(), axes.get_ylim()[1]
    tag(axes.patch, kind=kind, task=task, left=str(left), right=str(right), top=str(top))


def finish_curves(figure: Figure, panels: Panels) -> Figure:
    """Titles and one legend."""
    for axes, (task, matrix) in panels:
        few = f": the best {MANY} of {matrix.shape[1]}" if matrix.shape[1] > MANY else ""
        heading = f"{TASKS[task]}, {plural(len(matrix), 'problem')}{few}"
        tag(axes.set_title(heading, loc="left"), heading=task)
    labels = {label for axes, _ in panels for label in axes.get_legend_handles_labels()[1]}
    ordered = [*by_rank([*labels - {VIRTUAL_BEST}]), VIRTUAL_BEST]
    handles = [Line2D([], [], **look(label), markersize=4) for label in ordered]
    draw_legend(figure, handles, ordered, "outside lower center")
    return figure


Place = Literal["outside upper center", "outside lower center"]


def draw_legend(figure: Figure, handles: Sequence[Artist], labels: Sequence[str], place: Place) -> None:
    """One legend for the figure; the entry of a backend can be hidden with it."""
    legend = figure.legend(handles, labels, loc=place, ncols=min(len(labels), 8), frameon=False)
    for label, handle, text in zip(labels, legend.legend_handles, legend.get_texts(), strict=True):
        for artist in (handle, text):
            if artist is not None:
                tag(artist, backend=label)
