"""A/A: each backend against itself under two names, where there is no difference to find."""

from dataclasses import dataclass
from operator import attrgetter

import pandas as pd

from bench.analysis.conclusions.across import SIGNIFICANT, across
from bench.analysis.conclusions.kinds import LEAST_PROBLEMS, Sample, kind_pairs, of_samples
from bench.analysis.measurements import Measurement, measurements
from bench.analysis.tables import grouped


@dataclass(frozen=True)
class SameAgain:
    """What the tests find between two repeats of the same runs, made as between two backends.

    Attributes:
        kinds, across: how many comparisons there are on kinds of puzzles, and across kinds.
        found: how many of them find a difference after correction.
        least_p: the smallest corrected p.
        largest: the largest factor between the two, of those on kinds.
    """

    kinds: int
    across: int
    found: int
    least_p: float
    largest: float


def same_again(runs: pd.DataFrame) -> SameAgain | None:
    """Compares the first repeat of everything with the second; None if a campaign has one repeat.

    Args:
        runs: of `tables.read_runs`.
    """
    on_kinds = kind_pairs(twins(runs))
    over_kinds = across(on_kinds)
    p = [pair.p_holm for pair in on_kinds] + [pair.p_holm for pair in over_kinds]
    factors = [max(pair.ratio.value, 1 / pair.ratio.value) for pair in on_kinds]
    if not p:
        return None
    found = sum(each < SIGNIFICANT for each in p)
    return SameAgain(len(on_kinds), len(over_kinds), found, min(p), max(factors))


def twins(runs: pd.DataFrame) -> list[Sample]:
    """For each backend, kind and task a sample with two columns, its first and its second repeat."""
    first, second = (of_repeat(runs, repeat) for repeat in (1, 2))
    there = {name(each): each for each in second}
    both = [(each, there[name(each)]) for each in first if name(each) in there]
    found = []
    for key, group in grouped(both, lambda pair: attrgetter("puzzle", "task", "label")(pair[0])).items():
        puzzle, task, label = key
        if len(group) >= LEAST_PROBLEMS:
            columns = {
                label: [one.time_s for one, _ in group],
                f"{label} again": [two.time_s for _, two in group],
            }
            limit_s = max(one.time_limit_s for one, _ in group)
            found.append(Sample(puzzle, task, limit_s, pd.DataFrame(columns)))
    return found


def of_repeat(runs: pd.DataFrame, repeat: int) -> list[Measurement]:
    """The measurements of the samples by the runs of one repeat, of the first seed."""
    chosen = runs[(runs["repeat"] == repeat) & (runs["seed"] == runs["seed"].min())]
    return of_samples(measurements(chosen)) if len(chosen) else []


def name(measurement: Measurement) -> tuple[object, ...]:
    """What two measurements of the same model on the same problem have in common."""
    return measurement.problem, measurement.label, measurement.formulation
