"""The overview: the median time of each backend on each problem as a coloured table."""

import math
from collections.abc import Sequence
from statistics import fmean

from matplotlib.figure import Figure

from bench.analysis.measurements import Measurement
from bench.analysis.plots.heat_table import HeatCell, colour_scale, draw_heat_table, failure, heat_cell
from bench.analysis.scores import SHIFT_S
from bench.analysis.tables import RESOLUTION_S, grouped
from bench.analysis.units import seconds

MOST_ROWS = 30
"""With more instances a picture shows puzzles, or instances evenly spaced; the tables show all of them."""


def draw_overview(best: Sequence[Measurement]) -> Figure:
    """Draws median times, and the status of what failed; with more than MOST_ROWS instances by puzzle."""
    if len({(each.puzzle, each.instance) for each in best}) > MOST_ROWS:
        cells = by_puzzle(best)
        what = f"Shifted geometric mean of the times (shift {seconds(SHIFT_S)})"
        more = "n of m: instances solved"
    else:
        cells = [heat_cell(each, cell_text(each), each.time_s) for each in best]
        what, more = "Median total time", f"~: below timing resolution ({seconds(RESOLUTION_S)})"
    explained = (
        "each backend with its best formulation for the puzzle. Darker: slower, red: unsolved, and why"
    )
    scale = colour_scale(cell.value for cell in cells)
    return draw_heat_table(cells, scale, f"{what}, {explained}. {more}")


def cell_text(measurement: Measurement) -> str:
    """The median time, or the status, or both if some runs failed."""
    if measurement.total_s is None:
        return failure(measurement)
    about = "~" if measurement.below_resolution else ""
    return f"{about}{seconds(measurement.total_s)}\n{failure(measurement)}".rstrip()


def by_puzzle(best: Sequence[Measurement]) -> list[HeatCell]:
    """A cell for each puzzle, task and backend in place of many instances."""
    groups = grouped(best, lambda each: (each.puzzle, each.task, each.label, each.formulation))
    cells = []
    for (puzzle, task, label, formulation), group in groups.items():
        shifted = [math.log(min(each.time_s, each.time_limit_s) + SHIFT_S) for each in group]
        mean_s = math.exp(fmean(shifted)) - SHIFT_S
        solved = sum(each.solved for each in group)
        text = seconds(mean_s) + (f"\n{solved} of {len(group)}" if solved < len(group) else "")
        cells.append(HeatCell(task, puzzle, label, formulation, text, mean_s if solved else math.inf))
    return cells
