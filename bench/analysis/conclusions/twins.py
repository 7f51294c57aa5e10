"""A/A: each backend against itself under two names, where there is no difference to find."""

from dataclasses import dataclass
from operator import attrgetter

import numpy as np
import pandas as pd

from bench.analysis.conclusions.across import across
from bench.analysis.conclusions.kinds import LEAST_PROBLEMS, Sample, kind_pairs, of_samples
from bench.analysis.measurements import Measurement, measurements
from bench.analysis.tables import grouped
from bench.stats import SIGNIFICANT


@dataclass(frozen=True)
class SameAgain:
    """What the tests find between two repeats of the same runs, made as between two backends.

    Only the noise of timing is tested: what was stopped has no second repeat.

    Attributes:
        kinds, across: how many comparisons there are on kinds of puzzles, and across kinds.
        found: how many of them find a difference after correction.
        uncorrected: the share of those on kinds whose p is below 5% before it; 5% are expected.
        largest: the largest factor between the two, of those on kinds.
    """

    kinds: int
    across: int
    found: int
    uncorrected: float
    largest: float


def same_again(runs: pd.DataFrame) -> SameAgain | None:
    """Compares the first repeat of everything with the second; None if a campaign has one repeat.

    Args:
        runs: of `tables.read_runs`.
    """
    on_kinds = kind_pairs(twins(runs))
    if not on_kinds:
        return None
    over_kinds = across(on_kinds)
    p = [pair.p_holm for pair in on_kinds] + [pair.p_holm for pair in over_kinds]
    return SameAgain(
        kinds=len(on_kinds),
        across=len(over_kinds),
        found=sum(each <= SIGNIFICANT for each in p),
        uncorrected=float(np.mean([pair.p <= SIGNIFICANT for pair in on_kinds])),
        largest=max(max(pair.ratio.value, 1 / pair.ratio.value) for pair in on_kinds),
    )


def twins(runs: pd.DataFrame) -> list[Sample]:
    """For each backend, kind and task a sample with two columns, its first and its second repeat."""
    first, second = (of_repeat(runs, repeat) for repeat in (1, 2))
    there = {key(each): each for each in second}
    both = [(each, there[key(each)]) for each in first if key(each) in there]
    found = []
    for names, group in grouped(both, lambda pair: attrgetter("puzzle", "task", "label")(pair[0])).items():
        if len(group) >= LEAST_PROBLEMS:
            puzzle, task, label = names
            one, two = ([pair[place].time_s for pair in group] for place in (0, 1))
            limit_s = min(each.time_limit_s for each, _ in group)
            found.append(Sample.of(puzzle, task, limit_s, pd.DataFrame({label: one, f"{label} again": two})))
    return found


def of_repeat(runs: pd.DataFrame, repeat: int) -> list[Measurement]:
    """The measurements of the samples by the runs of one repeat, of the first seed."""
    chosen = runs[(runs["repeat"] == repeat) & (runs["seed"] == runs["seed"].min())]
    return of_samples(measurements(chosen)) if len(chosen) else []


def key(measurement: Measurement) -> tuple[object, ...]:
    """What two measurements of the same model on the same problem and kind of host have in common."""
    # Labels depend on which other solvers were measured.
    return (
        measurement.problem,
        measurement.backend,
        measurement.solver,
        measurement.formulation,
        measurement.host,
    )
