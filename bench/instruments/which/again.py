"""A/A: what the tests find between two repeats of the same runs, which differ in noise alone."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from bench.analysis.measurements import Measurement, Problem, measurements
from bench.analysis.tables import grouped
from bench.instruments.which.samples import LEAST_PROBLEMS, Sample, across, compared, of_samples
from bench.stats import SIGNIFICANT


def same_again(runs: pd.DataFrame) -> dict[str, float]:
    """What the tests find between the first and the second repeat of the same runs, as between two backends.

    Returns:
        kinds, across: how many comparisons there are on kinds of puzzles, and across kinds.
        found: how many of them find a difference after correction.
        uncorrected: the share of those on kinds whose p is below 5% before it; 5% are expected.
        largest: the largest factor between the two, of those on kinds.
        Nothing if a campaign has one repeat.
    """
    first, second = (_of(runs, repeat) for repeat in (1, 2))
    both = sorted(key for key in first.keys() & second if first[key].formulation == second[key].formulation)
    twins = []
    for keys in grouped(both, lambda key: (key[0].puzzle, key[0].task, key[1])).values():
        if len(keys) >= LEAST_PROBLEMS:
            one = first[keys[0]]
            columns = {one.label: first, "again": second}
            times = pd.DataFrame({name: [of[key].time_s for key in keys] for name, of in columns.items()})
            twins.append(Sample(one.puzzle, one.task, min(first[key].time_limit_s for key in keys), times))
    if not twins:
        return {}
    on_kinds = compared(twins)
    over_kinds = across(on_kinds)
    p = pd.concat([on_kinds["p_holm"], over_kinds["p_holm"]])
    return {
        "kinds": len(on_kinds),
        "across": len(over_kinds),
        "found": int((p <= SIGNIFICANT).sum()),
        "uncorrected": float((on_kinds["p"] <= SIGNIFICANT).mean()),
        "largest": float(np.maximum(on_kinds["ratio"], 1 / on_kinds["ratio"]).max()),
    }


def _of(runs: pd.DataFrame, repeat: int) -> Mapping[tuple[Problem, str], Measurement]:
    """Single runs of the first seed by problem, and backend with its solver."""
    chosen = runs[(runs["seed"] == runs["seed"].min()) & (runs["repeat"] == repeat)]
    measured = of_samples(measurements(chosen)) if len(chosen) else []
    return {(each.problem, f"{each.backend}:{each.solver}"): each for each in measured}
