"""Two campaigns side by side: for each measurement what became of its status, its counters and its time."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from bench.analysis.tables import MEASUREMENT, in_order, labels, read_runs, severity
from bench.contract import Status, Task
from bench.regression.change import COUNTERS, Change, Comparison, Kind, Side, Times, no_counters
from bench.stats import NO_RATIO, bootstrap_ratios

KEYS = [*MEASUREMENT, "instance_sha256", "threads"]
"""What a measurement of one campaign and one of another must have in common to be compared."""

Key = tuple[Any, ...]
"""The values of KEYS."""


def compare_folders(base: Path, new: Path) -> Comparison:
    """Compares two campaigns.

    Args:
        base, new: folders, or their runs.csv.

    Raises:
        RequestError: if one of them cannot be read.
    """
    return compare(read_runs(base), read_runs(new), rounds(new))


def rounds(folder: Path) -> int:
    """The number of repeats that the campaign's last session asked for; 0 if machine.json does not say."""
    path = folder.parent if folder.is_file() else folder
    try:
        return int(json.loads((path / "machine.json").read_text())["sessions"][-1]["request"]["times"])
    except (OSError, ValueError, LookupError, TypeError):
        return 0


def compare(base: pd.DataFrame, new: pd.DataFrame, rounds: int = 0) -> Comparison:
    """Compares two campaigns.

    Args:
        base, new: of `tables.read_runs`.
        rounds: see Comparison.
    """
    paired = set(base["campaign"]) == set(new["campaign"]) and base["campaign"].nunique() == 1
    slowdown = float(new["sentinel_s"].median() / base["sentinel_s"].median())
    changes = list(changes_between(base, new, paired))
    return Comparison(changes, paired, rounds, (machine(base), machine(new)), slowdown)


def machine(runs: pd.DataFrame) -> str:
    """The machines of a campaign, in words."""
    return "; ".join(sorted(set(runs["host"] + ", " + runs["cpu"])))


def changes_between(base: pd.DataFrame, new: pd.DataFrame, paired: bool) -> Iterator[Change]:
    """Compares each measurement of two campaigns, in the order of all tables."""
    counted = counters(base, new)
    sides = side(base), side(new)
    times = samples(base, new, paired)
    logs = [sample.base for sample in times.values()], [sample.new for sample in times.values()]
    ratios = dict(zip(times, bootstrap_ratios(*logs, paired), strict=True))
    keys = pd.DataFrame(sorted({**sides[0], **sides[1]}), columns=KEYS)
    ambiguous = with_several_solutions(base) | with_several_solutions(new)
    files = keys.groupby(MEASUREMENT)["instance_sha256"].transform("nunique") > 1
    table = in_order(keys.assign(label=labels(keys), other_file=files))
    for row in table.itertuples(index=False):
        key = tuple(getattr(row, column) for column in KEYS)
        was, now = (known.get(key, Side()) for known in sides)
        if found := counted.get(key):
            was, now = replace(was, counters=found.base), replace(now, counters=found.new)
        task = Task(row.task)
        kind = kind_of(was, now, task, row.instance_sha256 in ambiguous)
        if row.other_file and kind in (Kind.GONE, Kind.ADDED):
            kind = Kind.INSTANCE_CHANGED
        yield Change(
            **dict(zip(KEYS, key, strict=True)) | {"task": task},
            label=row.label,
            kind=kind,
            base=was,
            new=now,
            ratio=ratios.get(key, NO_RATIO),
            counter_ratios=found.ratios if found else no_counters(),
            times=times.get(key),
        )


def kind_of(base: Side, new: Side, task: Task, ambiguous: bool) -> Kind:
    """What became of a measurement.

    Args:
        ambiguous: whether the instance has several solutions, whose answers may differ.
    """
    if new.status in (Status.WRONG, Status.CONTRADICTED):
        return Kind(new.status)
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
    if new.solved and answers_differ(base, new, task, ambiguous):
        return Kind.OTHER_ANSWER
    if not new.solved and not excused:
        return Kind.LOST
    if new.solved and base.always_solved and not new.always_solved and not excused:
        return Kind.PARTLY_LOST
    return Kind.NONE


def answers_differ(base: Side, new: Side, task: Task, ambiguous: bool) -> bool:
    """Whether two sides that solved a measurement found different numbers of solutions, or other answers."""
    counted = task == Task.COUNT and base.solutions != new.solutions
    outcome = (base.solutions > 0) != (new.solutions > 0)
    answered = base.answer != new.answer and base.answer != "" and new.answer != ""
    return counted or outcome or (answered and not ambiguous)


def side(runs: pd.DataFrame) -> dict[Key, Side]:
    """What one campaign says of each measurement, but for its counters."""
    conclusive = runs["status"].map(is_conclusive)
    # What broke the rules is worse than what failed in another way.
    failed = runs[~conclusive].sort_values("status", key=severity, kind="stable")
    groups = runs.assign(conclusive=conclusive).groupby(KEYS)
    table = pd.DataFrame({"runs": groups.size(), "conclusive": groups["conclusive"].sum()}).join(
        [
            groups[["time_limit_s", "memory_limit_mb", "solver_version", "python"]].first(),
            failed.groupby(KEYS)[["status", "error"]].first(),
            runs[conclusive].groupby(KEYS).agg(outcome=("status", "first"), solutions=("solutions", "max")),
            runs[runs["answer"] != ""].groupby(KEYS)["answer"].first(),
        ]
    )
    table["status"] = table["status"].fillna(table.pop("outcome"))
    table[["error", "answer"]] = table[["error", "answer"]].fillna("")
    return {
        row.Index: Side(
            runs=int(row.runs),
            conclusive=int(row.conclusive),
            time_limit_s=row.time_limit_s,
            memory_limit_mb=row.memory_limit_mb,
            solver_version=row.solver_version,
            python=row.python,
            status=Status(row.status),
            error=row.error,
            solutions=row.solutions,
            answer=row.answer,
        )
        for row in table.itertuples()
    }


def is_conclusive(status: str) -> bool:
    """Whether a run with this status did what its task asks."""
    return Status(status).conclusive


def with_several_solutions(runs: pd.DataFrame) -> set[str]:
    """The sha256 of the instances that were counted to have several solutions."""
    counted = runs[(runs["task"] == Task.COUNT) & (runs["solutions"] > 1)]
    return set(counted.loc[counted["status"].map(is_conclusive), "instance_sha256"])


@dataclass(frozen=True)
class Counted:
    """The COUNTERS of both sides, summed over the seeds that both solved, and their ratios.

    A ratio is the least that the repeats allow: the least of new by the largest of base. They only differ
    where a solver is not deterministic.
    """

    base: Mapping[str, float]
    new: Mapping[str, float]
    ratios: Mapping[str, float]


def counters(base: pd.DataFrame, new: pd.DataFrame) -> dict[Key, Counted]:
    """The counters of each measurement that both solved."""
    sides = []
    for which, runs, bound in (("base", base, "max"), ("new", new, "min")):
        groups = runs[runs["status"].map(is_conclusive)].groupby([*KEYS, "seed"])[COUNTERS]
        sides.append(groups.median().join(groups.agg(bound).add_suffix("_bound")).add_suffix(f"_{which}"))
    sums = sides[0].join(sides[1], how="inner").groupby(KEYS).sum(min_count=1)
    figures = {}
    for which in ("base", "new"):
        figures[which] = sums[[f"{counter}_{which}" for counter in COUNTERS]].to_numpy()
    least = sums[[f"{counter}_bound_new" for counter in COUNTERS]].to_numpy()
    most = sums[[f"{counter}_bound_base" for counter in COUNTERS]].to_numpy()
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where((least == 0) & (most == 0), 1.0, least / most)
    return {
        key: Counted(*(dict(zip(COUNTERS, values.tolist(), strict=True)) for values in rows))
        for key, *rows in zip(sums.index, figures["base"], figures["new"], ratios, strict=True)
    }


def samples(base: pd.DataFrame, new: pd.DataFrame, paired: bool) -> dict[Key, Times]:
    """The times of each measurement that both solved."""
    keys = [*KEYS, "seed"]
    sides = [runs[runs["status"].map(is_conclusive)].dropna(subset="total_s") for runs in (base, new)]
    if paired:
        matched = [*keys, "repeat"]
        common = sides[0][matched].merge(sides[1][matched])
        sides = [runs.merge(common).sort_values(matched) for runs in sides]
    by_seed = [runs.groupby(keys)["total_s"].median().rename("median_s") for runs in sides]
    both = by_seed[0].index.intersection(by_seed[1].index)
    if both.empty:
        return {}
    medians = [seconds.loc[both].groupby(KEYS).median() for seconds in by_seed]
    groups = []
    for runs in sides:
        runs = runs.join(by_seed[0].loc[both], on=keys, how="inner")
        groups.append(dict(iter(runs.assign(log=np.log(runs["total_s"] / runs["median_s"])).groupby(KEYS))))
    return {
        key: Times(
            base_s=float(base_s),
            new_s=float(new_s),
            base=groups[0][key]["log"].to_numpy(),
            new=groups[1][key]["log"].to_numpy(),
            repeats=groups[1][key]["repeat"].to_numpy() if paired else np.empty(0),
        )
        for key, base_s, new_s in zip(medians[0].index, *medians, strict=True)
    }


IN_FILES = {"conclusive": "done"}
"""Names of columns that differ from those of the attributes."""


def to_frame(changes: Sequence[Change]) -> pd.DataFrame:
    """The changes as a file has them: a row each, the columns of the sides ending in _base and _new."""
    return pd.DataFrame([columns_of(change) for change in changes])


def columns_of(change: Change) -> dict[str, object]:
    """A row of `to_frame`."""
    row: dict[str, object] = {column: getattr(change, column) for column in KEYS}
    sides = {"base": change.base, "new": change.new}
    for which, said in sides.items():
        figures = {
            field.name: getattr(said, field.name) for field in fields(Side) if field.name != "counters"
        }
        figures |= {"status": said.status or ""}
        row |= {f"{IN_FILES.get(name, name)}_{which}": value for name, value in figures.items()}
    for which, said in sides.items():
        row |= {f"{counter}_{which}": said.counters[counter] for counter in COUNTERS}
    row |= {f"{counter}_ratio": change.counter_ratios[counter] for counter in COUNTERS}
    times = change.times
    return row | {
        "total_s_base": times.base_s if times else nan,
        "total_s_new": times.new_s if times else nan,
        "ratio": change.ratio.value,
        "ratio_low": change.ratio.low,
        "ratio_high": change.ratio.high,
        "label": change.label,
        "change": change.kind,
    }
