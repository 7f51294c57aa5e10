"""A comparison on the terminal."""

import math

import numpy as np
from rich.console import Console
from rich.markup import escape

from bench.analysis import tables
from bench.analysis.units import plural
from bench.instruments.regression import wording
from bench.instruments.regression.change import Comparison
from bench.report.terminal import compact


def print_changes(console: Console, compared: Comparison) -> None:
    """What became of each measurement of two campaigns, the fastest first, and the spread of the ratios."""
    shown = compact("Total time and counters: new / base")
    shown.add_column("measurement", overflow="fold")
    for title in ("base", "new", "ratio", "95% interval"):
        shown.add_column(title, justify="right", no_wrap=True)
    shown.add_column("counters, results", overflow="fold")
    timed = sorted(compared.timed, key=lambda change: change.ratio.value)
    others = (change for change in compared.changes if not (change.times or change.one_sided))
    for change in (*timed, *others):
        shown.add_row(*(escape(text) for text in wording.in_words(change)))
    console.print(shown)
    for title, (least, most) in {**tables.SPANS, "all": (0, math.inf)}.items():
        ratios = [
            change.ratio.value for change in timed if change.times and least <= change.times.base_s < most
        ]
        if len(ratios) >= 4:  # Of fewer the table says all.
            low, first, middle, third, high = np.quantile(ratios, [0, 0.25, 0.5, 0.75, 1])
            console.print(
                f"{title}: {plural(len(ratios), 'ratio')}, median {middle:.3f}, "
                f"half of them {first:.3f} to {third:.3f}, all {low:.3f} to {high:.3f}"
            )
    for line in wording.only_in(compared):
        console.print(escape(line), soft_wrap=True)
    console.print(wording.how(compared))
