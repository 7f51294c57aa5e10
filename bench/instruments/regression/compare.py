"""Two campaigns side by side: for each measurement what became of its status, its counters and its time."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from bench.analysis.measurements import is_conclusive
from bench.analysis.tables import MEASUREMENT, in_order, labels, read_runs, severity
from bench.campaign.machine_json import read_facts
from bench.contract import Status, Task
from bench.instruments.regression.change import COUNTERS, Change, Comparison, Counter, Kind, Side, Times
from bench.stats import NO_RATIO, bootstrap_ratios

_KEYS = [*MEASUREMENT, "instance_sha256"]
"""What a measurement of one campaign and one of another must have in common to be compared."""

Key = tuple[Any, ...]
"""The values of _KEYS."""


def compare_folders(base: Path, new: Path) -> Comparison:
    """Compares two campaigns, given by their folders or their runs.csv.

    Raises:
        RequestError: if one of them cannot be read.
    """
    return compare(read_runs(base), read_runs(new), rounds(new))


def rounds(folder: Path) -> int:
    """The number of repeats that the campaign's last session asked for; 0 if machine.json does not say."""
    sessions = read_facts(folder.parent if folder.is_file() else folder).sessions
    return (sessions[-1].request.times or 0) if sessions else 0


def compare(base: pd.DataFrame, new: pd.DataFrame, rounds: int = 0) -> Comparison:
    """Compares two campaigns as `tables.read_runs` gives them; for `rounds` see Comparison."""
    paired = set(base["campaign"]) == set(new["campaign"]) and base["campaign"].nunique() == 1
    slowdown = float(new["reference_s"].median() / base["reference_s"].median())
    changes = list(_changes_between(base, new, paired))
    return Comparison(
        changes, paired, rounds, (machine(base), machine(new)), slowdown, _common_hosts(base, new)
    )


def machine(runs: pd.DataFrame) -> str:
    """The machines of a campaign, in words."""
    return "; ".join(sorted(set(runs["host"] + ", " + runs["cpu"])))


def _common_hosts(base: pd.DataFrame, new: pd.DataFrame) -> list[str] | None:
    """The hosts that both campaigns have, if one of them has several; else None."""
    sides = [set(runs["host"]) for runs in (base, new)]
    return sorted(sides[0] & sides[1]) if max(map(len, sides)) > 1 else None


def _changes_between(base: pd.DataFrame, new: pd.DataFrame, paired: bool) -> Iterator[Change]:
    """Compares each measurement of two campaigns, in the order of all tables."""
    counted = counters(base, new)
    sides = _sides_of(base), _sides_of(new)
    times = samples(base, new, paired)
    logs = [sample.base for sample in times.values()], [sample.new for sample in times.values()]
    ratios = dict(zip(times, bootstrap_ratios(*logs, paired), strict=True))
    keys = pd.DataFrame(sorted({**sides[0], **sides[1]}), columns=_KEYS)
    ambiguous = _with_several_solutions(base) | _with_several_solutions(new)
    files = keys.groupby(MEASUREMENT)["instance_sha256"].transform("nunique") > 1
    table = in_order(keys.assign(label=labels(keys), other_file=files))
    for row in table.itertuples(index=False):
        key = tuple(getattr(row, column) for column in _KEYS)
        was, now = (known.get(key, Side()) for known in sides)
        task = Task(row.task)
        kind = _kind_of(was, now, task, row.instance_sha256 in ambiguous)
        if row.other_file and kind in (Kind.GONE, Kind.ADDED):
            kind = Kind.INSTANCE_CHANGED
        yield Change(
            **dict(zip(_KEYS, key, strict=True)) | {"task": task},
            label=row.label,
            kind=kind,
            base=was,
            new=now,
            ratio=ratios.get(key, NO_RATIO),
            counters=counted.get(key, {}),
            times=times.get(key),
        )


def _kind_of(base: Side, new: Side, task: Task, ambiguous: bool) -> Kind:
    """What became of a measurement.

    Args:
        ambiguous: whether the instance has several solutions, whose answers may differ.
    """
    if new.status == Status.WRONG:
        return Kind.WRONG
    if not base.runs:
        return Kind.ADDED
    if not base.solved:
        return Kind.SOLVED_NOW if new.solved else Kind.NONE
    if not new.runs:
        return Kind.GONE
    # A smaller limit excuses what it ends.
    excused = (new.status == Status.TIMEOUT and new.time_limit_s < base.time_limit_s) or (
        new.status == Status.MEMOUT and new.memory_limit_mb < base.memory_limit_mb
    )
    if new.solved and _answers_differ(base, new, task, ambiguous):
        return Kind.OTHER_ANSWER
    # On a busy machine, or a slower one, a run may need three times as long.
    if not new.solved and new.status == Status.TIMEOUT and 3 * base.longest_s > new.time_limit_s:
        return Kind.AT_LIMIT
    if not new.solved and not excused:
        return Kind.LOST
    partly = new.solved and base.conclusive == base.runs and new.conclusive < new.runs
    return Kind.PARTLY_LOST if partly and not excused else Kind.NONE


def _answers_differ(base: Side, new: Side, task: Task, ambiguous: bool) -> bool:
    """Whether two sides that solved a measurement found different numbers of solutions, or other answers."""
    counted = task == Task.COUNT and base.solutions != new.solutions
    outcome = (base.solutions > 0) != (new.solutions > 0)
    answered = base.answer != new.answer and base.answer != "" and new.answer != ""
    return counted or outcome or (answered and not ambiguous)


def _sides_of(runs: pd.DataFrame) -> dict[Key, Side]:
    """What one campaign says of each measurement."""
    runs = runs.assign(solved=is_conclusive(runs), severity=severity(runs["status"]))
    table = runs.groupby(_KEYS).agg(
        runs=("solved", "size"),
        conclusive=("solved", "sum"),
        **{name: (name, "first") for name in ("time_limit_s", "memory_limit_mb", "solver_version", "python")},
    )
    # What broke the rules is worse than what failed in another way.
    worst_first = runs.sort_values(["solved", "severity"], kind="stable").groupby(_KEYS)
    solutions = runs[runs["solved"]].groupby(_KEYS)["solutions"].max()
    answers = runs[runs["answer"] != ""].groupby(_KEYS)["answer"].first()
    longest_s = runs[runs["solved"]].groupby(_KEYS)["total_s"].max().rename("longest_s")
    table = table.join([worst_first[["status", "error"]].first(), solutions, answers, longest_s])
    table["status"] = table["status"].map(Status)
    table["answer"] = table["answer"].fillna("")
    return {key: Side(**said) for key, said in table.to_dict("index").items()}


def _with_several_solutions(runs: pd.DataFrame) -> set[str]:
    """The sha256 of the instances that were counted to have several solutions."""
    counted = is_conclusive(runs) & (runs["task"] == Task.COUNT) & (runs["solutions"] > 1)
    return set(runs.loc[counted, "instance_sha256"])


def counters(base: pd.DataFrame, new: pd.DataFrame) -> dict[Key, dict[str, Counter]]:
    """The counters of each measurement that both solved."""
    was, now = (runs[is_conclusive(runs)].groupby([*_KEYS, "seed"])[COUNTERS] for runs in (base, new))
    by_seed = was.median(), now.median(), was.max(), now.min()
    both = by_seed[0].index.intersection(by_seed[1].index)
    before, after, most, least = (each.loc[both].groupby(_KEYS).sum(min_count=1) for each in by_seed)
    ratios = (least / most).mask((least == 0) & (most == 0), 1.0)
    return {
        key: {name: Counter(*figures) for name, *figures in zip(COUNTERS, *rows, strict=True)}
        for key, *rows in zip(
            before.index, *(table.to_numpy().tolist() for table in (before, after, ratios)), strict=True
        )
    }


def samples(base: pd.DataFrame, new: pd.DataFrame, paired: bool) -> dict[Key, Times]:
    """The times of each measurement that both solved; of several hosts those on hosts that both have."""
    where = [] if _common_hosts(base, new) is None else ["host"]
    keys = [*_KEYS, *where, "seed"]
    sides = [runs[is_conclusive(runs)].dropna(subset="total_s") for runs in (base, new)]
    if paired:
        matched = [*keys, "repeat"]
        common = sides[0][matched].merge(sides[1][matched])
        sides = [runs.merge(common).sort_values(matched) for runs in sides]
    by_seed = [runs.groupby(keys)["total_s"].median().rename("median_s") for runs in sides]
    both = by_seed[0].index.intersection(by_seed[1].index)
    if both.empty:
        return {}
    medians = [
        seconds.loc[both].groupby([*_KEYS, *where]).median().groupby(_KEYS).first() for seconds in by_seed
    ]
    sides = [runs.join(by_seed[0].loc[both], on=keys, how="inner") for runs in sides]
    logs = [np.log(runs["total_s"] / runs["median_s"]).to_numpy() for runs in sides]
    # Positions, as a table for each measurement would take most of the time.
    positions = [runs.groupby(_KEYS).indices for runs in sides]
    repeats = sides[1]["repeat"].to_numpy()
    return {
        key: Times(
            base_s=float(base_s),
            new_s=float(new_s),
            base=logs[0][positions[0][key]],
            new=logs[1][positions[1][key]],
            repeats=repeats[positions[1][key]] if paired else np.empty(0),
        )
        for key, base_s, new_s in zip(medians[0].index, *medians, strict=True)
    }


def to_frame(changes: Sequence[Change]) -> pd.DataFrame:
    """The changes as a file has them: a row each, the columns of the sides ending in _base and _new."""
    table = pd.DataFrame([_columns_of(change) for change in changes])
    return table.rename(columns={"conclusive_base": "done_base", "conclusive_new": "done_new"})


def _columns_of(change: Change) -> dict[str, object]:
    """A row of `to_frame`."""
    row: dict[str, object] = {column: getattr(change, column) for column in _KEYS}
    for which, side in (("base", change.base), ("new", change.new)):
        row |= {f"{name}_{which}": value for name, value in asdict(side).items()}
    counted = {name: change.counters.get(name, Counter()) for name in COUNTERS}
    for which in ("base", "new", "ratio"):
        row |= {f"{name}_{which}": getattr(counter, which) for name, counter in counted.items()}
    return row | {
        "total_s_base": change.times.base_s if change.times else nan,
        "total_s_new": change.times.new_s if change.times else nan,
        "ratio": change.ratio.value,
        "ratio_low": change.ratio.low,
        "ratio_high": change.ratio.high,
        "label": change.label,
        "change": change.kind,
    }
