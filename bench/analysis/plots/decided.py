"""What is decided before any search: a table of instances and means, coloured by the share."""

from collections.abc import Mapping

from matplotlib.figure import Figure

from bench.analysis.measurements import Problem
from bench.analysis.plots.heat_table import HEAT
from bench.analysis.plots.svg import tag
from bench.analysis.tables import TASKS
from bench.analysis.why.decided import MEANS, Share, heading

DARK = 0.75
"""From this share on the text is white."""


def draw_decided(shares: Mapping[Problem, Mapping[tuple[str, str], Share]]) -> Figure:
    """Draws a row for each problem and a column for each means that any of them has."""
    problems = list(shares)
    columns = [means for means in MEANS if any(means in of for of in shares.values())]
    several = len({problem.task for problem in problems}) > 1
    figure = Figure(figsize=(3 + 0.98 * len(columns), 1.7 + 0.29 * len(problems)), layout="constrained")
    axes = figure.subplots()
    for y, problem in enumerate(problems):
        for x, means in enumerate(columns):
            if share := shares[problem].get(means):
                ink = "#ffffff" if share.value >= DARK else "#1a1a1a"
                colour = HEAT(share.value)
                patches = axes.bar(x, 0.92, bottom=y - 0.46, width=0.95, color=colour)
                text = axes.text(x, y, share.text, ha="center", va="center", color=ink, fontsize=8.5)
                for artist in (*patches, text):
                    said = " ".join(heading(*means).split())
                    tag(artist, f"{said} {share.formulation}: {share.text}", backend=means[0])
    tasks = [f", {TASKS[each.task]}" if several else "" for each in problems]
    names = [f"{each.puzzle}  {each.instance}{task}" for each, task in zip(problems, tasks, strict=True)]
    axes.set_yticks(range(len(problems)), names)
    axes.set_xticks(range(len(columns)), [heading(*means) for means in columns], fontsize=8.5)
    axes.set(xlim=(-0.55, len(columns) - 0.45), ylim=(len(problems) - 0.45, -0.55))
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    axes.spines[:].set_visible(False)
    figure.suptitle(
        "What is decided before any search, with each backend's best formulation\n"
        "relaxation: integral variables; presolve: variables removed; root node: runs that it solves; "
        "all others: values removed",
        fontsize=10,
    )
    return figure
