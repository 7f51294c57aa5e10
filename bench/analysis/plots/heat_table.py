"""A table of problems and backends that is coloured by time or slowdown."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from textwrap import wrap

from matplotlib.colors import LinearSegmentedColormap, to_hex
from matplotlib.figure import Figure

from bench.analysis.measurements import Measurement
from bench.analysis.plots.style import BAD, MANY, MUTED, by_rank
from bench.analysis.plots.svg import tag
from bench.analysis.tables import TASKS
from bench.contract import Task

HEAT = LinearSegmentedColormap.from_list("heat", ["#f7fbff", "#9ecae1", "#2b6ca8"])
_FAILED_COLOUR = "#f4d6d2"

_NOT_RUN = "not run"
"""The text where a backend's best formulation was not run on a problem."""

_LETTERS, LINE = 12.0, 0.17
"""So many letters of a title fit on an inch, and so many inches high is a line of it."""


@dataclass(frozen=True)
class HeatCell:
    """A backend on a problem (in words): a text on a colour that shows the value, inf for unsolved."""

    task: Task
    problem: str
    label: str
    formulation: str
    text: str
    value: float


def heat_cell(measurement: Measurement, text: str, value: float) -> HeatCell:
    """The cell of a measurement."""
    problem = f"{measurement.puzzle}  {measurement.instance}"
    return HeatCell(measurement.task, problem, measurement.label, measurement.formulation, text, value)


def heat(value: float, least: float, most: float) -> tuple[str, str]:
    """The colours of a cell and of the text on it, on a logarithmic scale between two values."""
    if not math.isfinite(value):
        return _FAILED_COLOUR, BAD
    shade = math.log(value / least) / math.log(most / least)
    return to_hex(HEAT(shade)), "#ffffff" if shade > 0.75 else "#1a1a1a"


def colour_scale(times: Iterable[float]) -> tuple[float, float]:
    """The ends of the scale of `heat` for times in seconds: the shortest and the longest that are finite."""
    finite = [time for time in times if math.isfinite(time)]
    return (min(finite), max(*finite, 10 * min(finite))) if finite else (1e-3, 1.0)


def failure(measurement: Measurement) -> str:
    """The status of the runs that failed, with their number if others did not; empty if none failed."""
    failed = measurement.inconclusive
    if not failed:
        return ""
    status = measurement.status.value
    return f"{failed} of {measurement.runs} {status}" if measurement.conclusive else status


def draw_heat_table(cells: Sequence[HeatCell], scale: tuple[float, float], title: str) -> Figure:
    """Draws a row for each problem and a column for each backend; with more than MANY backends transposed.

    Args:
        scale: the least and the most value of the colours.
    """
    problems = list(dict.fromkeys(cell.problem for cell in cells))
    labels = by_rank(cell.label for cell in cells)
    transposed = len(labels) > MANY
    across, down = (problems, labels) if transposed else (labels, problems)
    tasks = [task for task in Task if any(cell.task == task for cell in cells)]
    width = 2.2 + len(tasks) * (0.4 + 0.95 * len(across))
    lines = wrap(title, int(_LETTERS * width))
    height = 1.3 + 0.34 * len(down) + transposed + LINE * (len(lines) - 1)
    figure = Figure(figsize=(width, height), layout="constrained")
    for axes, task in zip(figure.subplots(1, len(tasks), sharey=True, squeeze=False)[0], tasks, strict=True):
        shown = {(cell.problem, cell.label): cell for cell in cells if cell.task == task}
        for problem, label in product(problems, labels):
            place = problems.index(problem), labels.index(label)
            x, y = place if transposed else place[::-1]
            cell = shown.get((problem, label))
            colour, ink = heat(cell.value, *scale) if cell else ("none", MUTED)
            said = cell.text if cell else _NOT_RUN
            text = axes.text(x, y, said, ha="center", va="center", color=ink, fontsize=8.5)
            if cell is None:
                tag(text, f"{label}: {_NOT_RUN}", backend=label)
                continue
            patches = axes.bar(x, 0.94, bottom=y - 0.47, width=0.94, color=colour)
            for artist in (*patches, text):
                tag(artist, f"{label} {cell.formulation}".rstrip() + f": {cell.text}", backend=label)
        if transposed:
            names = [name.replace("  ", "\n") for name in across]
            axes.set_xticks(range(len(across)), names, rotation=40, ha="left", rotation_mode="anchor")
        else:
            axes.set_xticks(range(len(across)), across)
        axes.set_yticks(range(len(down)), down)
        axes.set(xlim=(-0.55, len(across) - 0.45), ylim=(len(down) - 0.45, -0.55))
        axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
        axes.spines[:].set_visible(False)
        axes.set_title(TASKS[task], loc="left")
    figure.suptitle("\n".join(lines), fontsize=10)
    return figure
