"""Which times are longer, by more than noise and drift explain: two tests, for two kinds of comparison.

Times are judged in units: each measurement, and all measurements of a puzzle by a backend, which a slowdown
usually shares. Both tests correct for the number of units. docs/regressions.md has their error rates.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from bench.regression.drift import Drift, shifts_of, spread
from bench.regression.wording import name
from bench.stats import Floats, holm, signed_rank, walsh_median

ALPHA = 0.02
"""The chance that a gate may have to call something slower although nothing is, over all that it judges."""

SUSPECT = 0.1
"""In a comparison in turns, what is slower with a smaller p than this gets more pairs."""


FEW = 8
"""With fewer measurements, what all of them share cannot be told from what one of them has."""


@dataclass(frozen=True)
class Unit:
    """What is judged as one: some measurements, by their places in the table."""

    name: str
    rows: tuple[int, ...]


@dataclass(frozen=True)
class Slower:
    """A unit that takes longer: how many times as long, and what says so."""

    unit: Unit
    ratio: float
    evidence: str


def units(table: pd.DataFrame) -> list[Unit]:
    """Each measurement, and all measurements of a puzzle by a backend where there are several."""
    places = {place: number for number, place in enumerate(table.index)}
    named = table[["instance", "label", "formulation", "task"]].to_dict("records")
    found = [Unit(name(row), (number,)) for number, row in enumerate(named)]
    for (puzzle, label), rows in table.groupby(["puzzle", "label"], sort=False):
        if len(rows) > 1:
            found.append(Unit(f"{puzzle} {label}", tuple(places[place] for place in rows.index)))
    return found


def in_turns(table: pd.DataFrame, threshold: float, rounds: int) -> list[Slower]:
    """The units whose paired ratios are above 1, by Wilcoxon's test with Holm's correction, and large enough.

    If some measurements have more pairs than the rounds, the rounds were for choosing those (`suspects`):
    then only units with more pairs are judged, by these alone, since they were chosen for looking slow.
    """
    logs = differences(table)
    later = [repeats > rounds for repeats in table["repeats"]] if rounds else []
    if any(chosen.any() for chosen in later):
        logs = [pairs[more] for pairs, more in zip(logs, later, strict=True)]
    samples = {
        unit: np.concatenate([logs[number] for number in unit.rows])
        for unit in units(table)
        if all(len(logs[number]) for number in unit.rows)
    }
    p = holm(pd.Series(signed_rank(list(samples.values())), index=range(len(samples))))
    found = []
    for (unit, sample), chance in zip(samples.items(), p, strict=True):
        if chance < ALPHA and (times := float(np.exp(walsh_median(sample)))) > threshold:
            found.append(Slower(unit, times, f"{len(sample)} pairs, p = {chance:.2g} (of {len(p)} tests)"))
    return found


def suspects(table: pd.DataFrame) -> pd.DataFrame:
    """The measurements that get more pairs: the rows of every unit that looks slower at all."""
    logs, judged = differences(table), units(table)
    p = signed_rank([np.concatenate([logs[number] for number in unit.rows]) for unit in judged])
    chosen = {
        number for unit, chance in zip(judged, p, strict=True) if chance < SUSPECT for number in unit.rows
    }
    return table.iloc[sorted(chosen)]


def differences(table: pd.DataFrame) -> list[Floats]:
    """For each measurement the logarithms of the ratios of its pairs."""
    return [new - base for base, new in zip(table["logs_base"], table["logs_new"], strict=True)]


def between(table: pd.DataFrame, threshold: float, drift: Drift, slowdown: float | None) -> list[Slower]:
    """The units whose interval lies beyond the threshold, with what campaigns differ by as part of the error.

    What all measurements share is judged as a unit of its own and taken off the others: a machine that was
    slower for a while is no slower backend. On another machine only what differs from the reference load
    more than the others do is judged, since no A/A data tell what is usual.

    Args:
        slowdown: how many times as long new's machine takes for the reference load; None if it is the same.
    """
    from scipy.stats import t

    shifts, variances = shifts_of(table)
    if np.isnan(variances).all():
        return []
    judged = units(table)
    freedom = {}
    if slowdown is not None:
        shifts = shifts - np.log(slowdown)
        middle, own, common = 0.0, spread(shifts), 0.0
    elif len(table) < FEW:
        middle, own, common = 0.0, drift.own, drift.common
    else:
        middle, own, common = float(np.median(shifts)), drift.own, 0.0
    errors = {
        unit: own**2 + common**2 + variances[list(unit.rows)].mean() / len(unit.rows) for unit in judged
    }
    values = {unit: shifts[list(unit.rows)].mean() - middle for unit in judged}
    if slowdown is None and len(table) >= FEW:
        everything = Unit("everything together", tuple(range(len(table))))
        values[everything] = middle
        errors[everything] = drift.common**2 + np.pi / 2 * variances.mean() / len(table)
        freedom[everything] = max(1, drift.campaigns - 1) if drift.campaigns else np.inf
    # Times that never vary, as made-up ones may, leave no error at all.
    deviations = {unit: max(1e-9, float(np.sqrt(error))) for unit, error in errors.items()}
    p = holm(
        pd.Series(
            {
                unit: t.sf((value - np.log(threshold)) / deviations[unit], freedom.get(unit, np.inf))
                for unit, value in values.items()
            },
            dtype=float,
        )
    )
    return [
        Slower(unit, float(np.exp(value)), f"beyond {threshold:g}: p = {p[unit]:.2g} (of {len(p)} tests)")
        for unit, value in values.items()
        if p[unit] < ALPHA
    ]
