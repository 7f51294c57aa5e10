"""The picture of two campaigns side by side: the ratio of each measurement with its interval."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, NullLocator

from bench.analysis.plots.style import BAD, INK, MUTED, style, tag
from bench.analysis.tables import rank
from bench.regression.compare import COUNTERS, Comparison
from bench.regression.wording import Row, moved_in_words, moves, name

MOST = 100
"""Of more measurements the picture has those whose ratio is farthest from 1."""


def draw_changes(compared: Comparison) -> Figure:
    """A line for each measurement, by puzzle: its ratio and interval, and the counters that changed."""
    table = compared.table
    far = np.abs(np.log(table["ratio"])).fillna(np.inf).rank(method="first", ascending=False)
    rows = table[far <= MOST].to_dict("records")
    by_puzzle: dict[str, list[Row]] = {}
    for row in rows:
        by_puzzle.setdefault(row["puzzle"], []).append(row)
    heights = [len(members) for members in by_puzzle.values()]
    figure = Figure(figsize=(9.5, 1.5 + 0.19 * sum(heights) + 0.35 * len(heights)), layout="constrained")
    panels = figure.subplots(len(heights), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    known = [row[end] for row in rows for end in ("ratio", "ratio_low", "ratio_high") if row[end] > 0]
    reach = max([1.25, *known, *(1 / value for value in known)]) * 1.05
    for axes, (puzzle, members) in zip(panels, by_puzzle.items(), strict=True):
        axes.set_xscale("log")
        axes.axvline(1, color=MUTED, linewidth=1)
        axes.grid(axis="x")
        for place, row in enumerate(members):
            colour, marker = style(row["backend"])
            ends = [value if value > 0 else row["ratio"] for value in (row["ratio_low"], row["ratio_high"])]
            said = note(row)
            line = axes.plot(ends, [place, place], color=colour, linewidth=1.4)
            dot = axes.plot(row["ratio"], place, marker, color=colour, markersize=4.5)
            for artist in (*line, *dot):
                tag(
                    artist,
                    f"{row['label']} {row['formulation']}: {row['ratio']:.3f} {said}",
                    backend=row["label"],
                )
            text = f" {said}" if said else ""
            axes.text(
                1.01, place, text, transform=axes.get_yaxis_transform(), va="center", fontsize=7, color=BAD
            )
        axes.set_yticks(
            range(len(members)),
            [name(row) for row in members],
            fontsize=7,
        )
        axes.set_ylim(len(members) - 0.4, -0.6)
        axes.set_xlim(1 / reach, reach)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xticks([tick for tick in TICKS if 1 / reach <= tick <= reach])
        axes.tick_params(axis="y", length=0)
        axes.set_title(puzzle, loc="left")
        axes.set_facecolor("none")
    panels[-1].set_xlabel("total time, new / base, with 95% interval (right of 1: slower)", color=INK)
    labels = sorted({row["backend"] for row in rows}, key=rank)
    handles = [
        Line2D([], [], color=style(label)[0], marker=style(label)[1], label=label, markersize=4.5)
        for label in labels
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False)
    left_out = f", the {MOST} of {len(table)} that changed most" if len(table) > MOST else ""
    figure.suptitle(f"{'Run in turns' if compared.paired else 'Two campaigns'}{left_out}", fontsize=10)
    return figure


TICKS = [0.1, 0.2, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 5, 10]


def note(row: Row) -> str:
    """What changed beside the time."""
    moved = [
        moved_in_words(row, counter)
        for counter in COUNTERS
        if row[f"{counter}_ratio"] > 0 and moves(row, counter)
    ]
    parts = [part for part in (row["change"], *moved[:1]) if part]
    return ", ".join(parts) + (f" and {len(moved) - 1} more" if len(moved) > 1 else "")
