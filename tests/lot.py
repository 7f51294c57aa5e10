"""Do the kinds that somebody chose predict those that were drawn by lot? results/collections is to say.

`python -m tests.lot` prints how long HiGHS needs for the integer program of the textbook, relative to CP-SAT
for its constraint program, on each kind; the interval in which a further kind lies with 80%, by those that
were chosen; and how many of those that were drawn lie there. It draws both.
"""

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from bench.analysis.measurements import Measurement, measurements
from bench.analysis.plots.drawing import save
from bench.analysis.plots.style import BAND, INK, MUTED, log_axis
from bench.analysis.tables import read_runs
from bench.analysis.units import factor
from bench.catalogue import ROOT
from bench.contract import Task
from bench.instruments.which.samples import CP, LEAST_PROBLEMS, MIP, compared, of_a_further_kind, samples
from bench.report.table import Table

DRAWN = ("tents", "yajilin", "abc_end_view", "hidato")
"""`random.Random(20261125).sample(names, 4)`, of the sorted names of the 30 folders of ../shared/corpora with
at least 100 instances of which nobody had asked for a model."""


def ratios() -> "tuple[pd.Series[float], list[str]]":
    """The ratio of each kind, on instances of others if there are any, else generated ones; kinds without."""
    recorded = [_pair(read_runs(ROOT / "results" / name)) for name in ("collections", "defaults")]
    others, ours = map(_ratios_of, recorded)
    found = pd.concat([others, ours[~ours.index.isin(others.index)]]).sort_values()
    tried = {each.puzzle for measured in recorded for each in measured}
    return found, sorted(tried - {*found.index})


def _pair(runs: pd.DataFrame) -> list[Measurement]:
    """CP-SAT and HiGHS with the textbook's models."""
    runs = runs[(runs["task"] == Task.FIRST) & (runs["formulation"] == "textbook")]
    pair = runs[(runs["solver"].isin(["cpsat", "highs"])) & runs["backend"].isin([CP, MIP])]
    return [replace(each, label=each.backend) for each in measurements(pair)]


def _ratios_of(pair: list[Measurement]) -> "pd.Series[float]":
    """Geometric means over the problems that either solves; what is not solved counts as the limit."""
    return np.exp(-compared(samples(pair)).set_index("puzzle")["mean_log"]).dropna()


def picture(chosen: "pd.Series[float]", drawn: "pd.Series[float]", interval: tuple[float, float]) -> Figure:
    """A row for each kind that was chosen, the interval, and a row for each that was drawn."""
    figure = Figure(figsize=(9, 6.2), layout="constrained")
    axes = figure.subplots()
    names = [*chosen.index, *drawn.index]
    values = np.array([*chosen, *drawn])
    log_axis(axes, 0.7 * values.min(), 1.4 * values.max())
    axes.axvspan(*interval, color=BAND, label="a further kind lies here with 80%")
    axes.axvline(1, color=MUTED, linewidth=1)
    rows = np.arange(len(names))
    axes.plot(chosen, rows[: len(chosen)], "o", color=MUTED, label="chosen by somebody")
    axes.plot(drawn, rows[len(chosen) :], "D", color=INK, label="drawn by lot")
    axes.set_yticks(rows, [name.replace("_", " ") for name in names])
    axes.invert_yaxis()
    figure.legend(loc="outside lower center", ncols=3, fontsize=9)
    axes.set_xlabel(
        "Time of HiGHS relative to CP-SAT, each with the textbook's model (left of 1: HiGHS is faster)"
    )
    return figure


def main() -> None:
    """Prints the table and the prediction, and draws both."""
    found, unknown = ratios()
    is_drawn = found.index.isin(DRAWN)
    chosen, drawn = found[~is_drawn], found[is_drawn]
    low, high = np.exp(of_a_further_kind(np.log(chosen)))
    rows = [[name, factor(ratio)] for name, ratio in chosen.items()]
    rows += [[f"**{name}**", f"**{factor(ratio)}**"] for name, ratio in drawn.items()]
    print(Table("", ["kind", "HiGHS relative to CP-SAT"], rows, ["kind"]).markdown())
    print(f"A further kind, with 80%: {factor(low)} to {factor(high)}, by {len(chosen)} kinds.")
    print(f"Solved by neither, or fewer than {LEAST_PROBLEMS} problems: {', '.join(unknown) or 'none'}.")
    print(f"{drawn.between(low, high).sum()} of {len(drawn)} that were drawn lie there.")
    save(ROOT / "results" / "collections" / "lot.png", partial(picture, chosen, drawn, (low, high)))


if __name__ == "__main__":
    main()
