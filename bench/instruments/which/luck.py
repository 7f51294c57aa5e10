"""How much of the order of two backends is luck: how often it is reversed with the seed, or in a repeat."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import inf
from operator import itemgetter

import numpy as np
import pandas as pd

from bench.analysis.measurements import Measurement, Problem, measurements
from bench.analysis.tables import grouped
from bench.contract import Task
from bench.instruments.which.samples import LEAST_PROBLEMS, Sample, across, compared, of_samples
from bench.stats import SIGNIFICANT

_Runs = Mapping[tuple[Problem, str], Measurement]
"""Single runs by problem, and backend with its solver: labels depend on which others were measured."""


def luck(runs: pd.DataFrame) -> dict[str, dict[Task, str]]:
    """How often the order of two backends on a problem is reversed with another seed, or in another run.

    Single runs are compared: the first of each seed, and the second of the first seed. A solver counts on a
    problem if it has all of them. What is stopped is slower than what is not; if both are, there is no order.
    Returns the figures by their description and task; none for a campaign with one seed.
    """
    seeds = sorted(set(runs["seed"]))
    if len(seeds) < 2:
        return {}
    columns = [_of(runs, seed, 1) for seed in seeds]
    again = _of(runs, seeds[0], 2)
    labels = {solver: each.label for (_, solver), each in columns[0].items()}
    rows: dict[str, dict[Task, str]] = defaultdict(dict)
    for task in Task:
        orders, repeated = _orders(columns, task), _orders([*columns, again], task)
        in_repeat = (repeated["left"] == 0) & (repeated["right"] == len(seeds))
        for words, of in {
            f"orders that another of {len(seeds)} seeds reverses": orders,
            "the same where one is at least twice as fast": orders[orders["far"]],
            "the same of what was repeated": repeated[repeated["right"] < len(seeds)],
            "of that, orders that another run with the same seed reverses": repeated[in_repeat],
        }.items():
            if len(of):
                rows[words][task] = f"{of['reversed'].mean():.1%}"
        by_solver = pd.concat([orders.set_index(name)["reversed"] for name in ("one", "other")])
        if by_solver.any():
            least_certain = labels[by_solver.groupby(level=0).mean().idxmax()]
            rows["backend whose orders are reversed most often"][task] = f"`{least_certain}`"
    return rows


def _of(runs: pd.DataFrame, seed: int, repeat: int) -> _Runs:
    chosen = runs[(runs["seed"] == seed) & (runs["repeat"] == repeat)]
    measured = of_samples(measurements(chosen)) if len(chosen) else []
    return {(each.problem, f"{each.backend}:{each.solver}"): each for each in measured}


def _orders(columns: Sequence[_Runs], task: Task) -> pd.DataFrame:
    """Every two solvers (`one`, `other`) on each problem, with every two of the columns (`left`, `right`).

    Returns:
        reversed: whether the left column and the right have different solvers as the faster one.
        far: whether in the left column one is at least twice as fast as the other.
    """
    first, *more = columns
    known = [key for key in first if key[0].task == task and all(key in column for column in more)]
    found = []
    for keys in grouped(known, itemgetter(0)).values():
        for one, other in combinations(keys, 2):
            for left, right in combinations(range(len(columns)), 2):
                pairs = [(of[one].time_s, of[other].time_s) for of in (columns[left], columns[right])]
                if (inf, inf) not in pairs:
                    before, after = (mine < theirs for mine, theirs in pairs)
                    far = max(pairs[0]) >= 2 * min(pairs[0])
                    found.append((one[1], other[1], left, right, before != after, far))
    return pd.DataFrame(found, columns=["one", "other", "left", "right", "reversed", "far"])


def same_again(runs: pd.DataFrame) -> dict[str, float]:
    """What the tests find between the first and the second repeat of the same runs, as between two backends.

    Returns:
        kinds, across: how many comparisons there are on kinds of puzzles, and across kinds.
        found: how many of them find a difference after correction.
        uncorrected: the share of those on kinds whose p is below 5% before it; 5% are expected.
        largest: the largest factor between the two, of those on kinds.
        Nothing if a campaign has one repeat.
    """
    first, second = (_of(runs, runs["seed"].min(), repeat) for repeat in (1, 2))
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
