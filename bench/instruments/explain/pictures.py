"""The pictures of a campaign with variants, drawn as those of `bench.analysis.plots.pictures` are."""

from collections.abc import Iterator, Sequence
from functools import partial

import pandas as pd

from bench.analysis.measurements import Measurement
from bench.analysis.plots.drawing import Picture
from bench.analysis.tables import grouped
from bench.instruments.explain.decided import shares
from bench.instruments.explain.decided_plot import draw_decided, draw_decline
from bench.instruments.explain.decline import declines, in_detail, of_no_family
from bench.instruments.explain.mechanisms import explained
from bench.instruments.explain.plot import draw_why


def why_pictures(runs: pd.DataFrame, measured: Sequence[Measurement]) -> Iterator[Picture]:
    """What mechanisms contribute: decided, why-PUZZLE-NAME-TASK; of families decline-PUZZLE-FAMILY-TASK."""
    found = explained(runs, measured)
    declining = grouped(declines(measured, found), lambda each: each.family)
    alone = {problem: found[problem] for problem in of_no_family(found, declining)}
    if len(decided := shares(measured, alone)) > 1:
        yield Picture("decided", partial(draw_decided, decided))
    for problem in in_detail(found, declining):
        yield Picture(f"why-{'-'.join(problem)}", partial(draw_why, found[problem], problem))
    for family, models in declining.items():
        yield Picture(f"decline-{'-'.join(family)}", partial(draw_decline, models))
