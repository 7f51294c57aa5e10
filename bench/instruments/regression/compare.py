"""Two campaigns side by side: for each measurement what became of its status, its counters and its time."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from math import nan
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from bench.analysis.measurements import is_conclusive
from bench.analysis.tables import MEASUREMENT, in_order, labels, read_runs, severity
from bench.analysis.units import count, factor, shortened
from bench.campaign.machine_json import read_facts
from bench.contract import Status, Task
from bench.stats import NO_RATIO, Floats, Ratio, bootstrap_ratios

COUNTERS = [
    "variables", "constraints", "nonzeros", "presolved_variables", "presolved_constraints",
    "presolved_nonzeros", "branches", "failures", "propagations", "lp_iterations", "work",
]  # fmt: skip
"""The figures that are the same in every run of one model and seed with the same versions, on any machine."""

_KEYS = [*MEASUREMENT, "instance_sha256"]
"""What a measurement of one campaign and one of another must have in common to be compared."""

_Key = tuple[Any, ...]
"""The values of _KEYS."""


class Kind(StrEnum):
    """What became of a measurement, the worst first."""

    WRONG = "wrong"  # A solution breaks the rules, or what is known or another run contradicts a claim.
    OTHER_ANSWER = "other answer"  # Both solved it, with other answers or another number of solutions.
    AT_LIMIT = "at its limit"  # Base solved it in more than a third of the time limit; new was stopped there.
    LOST = "lost"  # Base solved it; new tried, and did not.
    PARTLY_LOST = "partly lost"  # Base always solved it; new did not always.
    GONE = "gone"  # Base solved it; new did not try.
    INSTANCE_CHANGED = "instance changed"  # The instance file is another one: nothing to compare.
    SOLVED_NOW = "solved now"  # New solved it; base tried, and did not.
    ONLY_NEW = "only in NEW"  # Base did not try.
    NONE = ""


@dataclass(frozen=True)
class Side:
    """What one campaign says of a measurement: how many runs, how many conclusive ones, the worst status.

    `longest_s` is the longest total time of a conclusive run in seconds.
    """

    runs: int = 0
    conclusive: int = 0
    time_limit_s: float = nan
    memory_limit_mb: float = nan
    solver_version: str = ""
    python: str = ""
    status: Status | None = None
    error: str = ""
    solutions: float = nan
    answer: str = ""
    longest_s: float = nan


class Counter(NamedTuple):
    """A counter of both sides, summed over the seeds that both solved; NaN for no figure.

    `ratio` is the least of new by the largest of base; they only differ from the sums where a solver is not
    deterministic.
    """

    base: float = nan
    new: float = nan
    ratio: float = nan

    def __str__(self) -> str:
        """Before and after."""
        shown = (count(value) if value == int(value) else f"{value:.4g}" for value in self[:2])
        return " to ".join(shown) + (f" ({self.new / self.base - 1:+.1%})" if self.base else "")


@dataclass(frozen=True, eq=False)
class Times:
    """The total times of a measurement that both campaigns solved, over the seeds that both solved.

    Attributes:
        base_s, new_s: medians in seconds; of several hosts those of the first one.
        base, new: logarithms of each time over base's median for its seed, and of several hosts for its host,
            so that differences between seeds and hosts are not taken for noise. If paired, the runs of a
            pair stand at the same place.
        repeats: the number of each pair; empty if they are not paired.
    """

    base_s: float
    new_s: float
    base: Floats
    new: Floats
    repeats: Floats = field(default_factory=lambda: np.empty(0))


@dataclass(frozen=True, eq=False)
class Change:
    """A measurement in two campaigns.

    Attributes:
        label: the backend, with its solver where the campaigns have several of it.
        ratio: of the total times, new by base, with a 95% bootstrap interval.
        counters: each of COUNTERS; none if one of the campaigns did not solve it.
        times: None if one of the campaigns did not solve it.
    """

    puzzle: str
    instance: str
    backend: str
    solver: str
    formulation: str
    task: Task
    instance_sha256: str
    threads: float
    label: str
    kind: Kind
    base: Side
    new: Side
    ratio: Ratio = NO_RATIO
    counters: Mapping[str, Counter] = field(default_factory=dict)
    times: Times | None = None

    @property
    def name(self) -> str:
        """The measurement in a few words."""
        return " ".join(filter(None, (self.instance, self.label, self.formulation, self.task)))

    @property
    def only_in(self) -> str:
        """The campaign that alone has it, if there is no more to say; else empty."""
        if self.kind not in (Kind.GONE, Kind.ONLY_NEW, Kind.NONE) or (self.base.runs and self.new.runs):
            return ""
        return "BASE" if self.base.runs else "NEW"

    @property
    def judged(self) -> bool:
        """Whether base solved it and new tried it, so that a gate can say something about it."""
        return self.base.conclusive > 0 and self.new.runs > 0

    @property
    def changed_counters(self) -> list[str]:
        """The counters that are not the same on both sides, before and after."""
        return [
            f"{name} {each}"
            for name, each in self.counters.items()
            if each.base != each.new and each.ratio >= 0
        ]


@dataclass(frozen=True)
class Comparison:
    """Two campaigns, measurement by measurement.

    Attributes:
        changes: in the order of all tables.
        paired: whether both are halves of one campaign whose runs were interleaved.
        rounds: the number of pairs of each measurement before some got more; 0 if that is not recorded.
        machines: host and processor of base and of new, in words.
        slowdown: time of the reference load in new divided by that in base; NaN if it was not measured.
        hosts: if a campaign has several hosts, those that both have: times are compared on each of them.
    """

    changes: Sequence[Change]
    paired: bool
    rounds: int
    machines: tuple[str, str]
    slowdown: float
    hosts: Sequence[str] | None = None

    @property
    def same_machine(self) -> bool:
        """Whether the times of both may be compared as they are."""
        return self.hosts is not None or self.machines[0] == self.machines[1]

    @property
    def timed(self) -> list[Change]:
        """The changes that have a ratio of times."""
        return [change for change in self.changes if change.times]

    @property
    def how(self) -> str:
        """How the times were compared, and how far the result can be trusted."""
        if self.paired:
            return "Interleaved: the ratio is the median of the ratios of pairs."
        if self.hosts:
            where = f"those on the same host ({shortened(self.hosts)})"
            medians = "of the first of these that executed the measurement in both campaigns"
            return f"Several hosts: each time is compared with {where}, and the medians are {medians}."
        if self.hosts is not None:
            return "Several hosts, none of which both campaigns have: counters can be compared, times cannot."
        if not self.same_machine:
            load = f"; the reference load takes {factor(self.slowdown)} times as long"
            machines = " became ".join(self.machines) + f"){load if self.slowdown > 0 else ''}"
            return f"Different machines ({machines}: counters can be compared, times cannot as they are."
        return (
            "Two campaigns: the intervals cover the noise within each, not what the machine does differently "
            "from one to the next; to compare two revisions, use `ab`."
        )


def compare_folders(base: Path, new: Path) -> Comparison:
    """Compares two campaigns, given by their folders or their runs.csv.

    Raises:
        RequestError: if one of them cannot be read.
    """
    sessions = read_facts(new.parent if new.is_file() else new).sessions
    return compare(read_runs(base), read_runs(new), (sessions[-1].request.times or 0) if sessions else 0)


def compare(base: pd.DataFrame, new: pd.DataFrame, rounds: int = 0) -> Comparison:
    """Compares two campaigns as `tables.read_runs` gives them; for `rounds` see Comparison."""
    paired = set(base["campaign"]) == set(new["campaign"]) and base["campaign"].nunique() == 1
    slowdown = float(new["reference_s"].median() / base["reference_s"].median())
    changes = list(_changes_between(base, new, paired))
    machines = machine(base), machine(new)
    return Comparison(changes, paired, rounds, machines, slowdown, _common_hosts(base, new))


def machine(runs: pd.DataFrame) -> str:
    """The machines of a campaign, in words."""
    return "; ".join(sorted(set(runs["host"] + ", " + runs["cpu"])))


def _common_hosts(base: pd.DataFrame, new: pd.DataFrame) -> list[str] | None:
    """The hosts that both campaigns have, if one of them has several; else None."""
    sides = set(base["host"]), set(new["host"])
    return sorted(sides[0] & sides[1]) if max(map(len, sides)) > 1 else None


def _changes_between(base: pd.DataFrame, new: pd.DataFrame, paired: bool) -> Iterator[Change]:
    """Compares each measurement of two campaigns, in the order of all tables."""
    counted = _counters(base, new)
    sides = _sides_of(base), _sides_of(new)
    times = samples(base, new, paired)
    logs = [sample.base for sample in times.values()], [sample.new for sample in times.values()]
    ratios = dict(zip(times, bootstrap_ratios(*logs, paired), strict=True))
    keys = pd.DataFrame(sorted({**sides[0], **sides[1]}), columns=_KEYS)
    both = pd.concat([base, new])
    several = is_conclusive(both) & (both["task"] == Task.COUNT) & (both["solutions"] > 1)
    ambiguous = set(both.loc[several, "instance_sha256"])
    files = keys.groupby(MEASUREMENT)["instance_sha256"].transform("nunique") > 1
    table = in_order(keys.assign(label=labels(keys), other_file=files))
    for row in table.itertuples(index=False):
        key = tuple(getattr(row, column) for column in _KEYS)
        was, now = (known.get(key, Side()) for known in sides)
        task = Task(row.task)
        kind = _kind_of(was, now, task, row.instance_sha256 in ambiguous)
        if row.other_file and kind in (Kind.GONE, Kind.ONLY_NEW):
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
        return Kind.ONLY_NEW
    if not base.conclusive:
        return Kind.SOLVED_NOW if new.conclusive else Kind.NONE
    if not new.runs:
        return Kind.GONE
    # A smaller limit excuses what it ends.
    excused = (new.status == Status.TIMEOUT and new.time_limit_s < base.time_limit_s) or (
        new.status == Status.MEMOUT and new.memory_limit_mb < base.memory_limit_mb
    )
    if new.conclusive:
        other_count = task == Task.COUNT and base.solutions != new.solutions
        other_answer = base.answer != new.answer and base.answer and new.answer and not ambiguous
        if other_count or (base.solutions > 0) != (new.solutions > 0) or other_answer:
            return Kind.OTHER_ANSWER
        partly = base.conclusive == base.runs and new.conclusive < new.runs
        return Kind.PARTLY_LOST if partly and not excused else Kind.NONE
    # On a busy machine, or a slower one, a run may need three times as long.
    if new.status == Status.TIMEOUT and 3 * base.longest_s > new.time_limit_s:
        return Kind.AT_LIMIT
    return Kind.NONE if excused else Kind.LOST


def _sides_of(runs: pd.DataFrame) -> dict[_Key, Side]:
    """What one campaign says of each measurement."""
    runs = runs.assign(solved=is_conclusive(runs), severity=severity(runs["status"]))
    table = runs.groupby(_KEYS).agg(
        runs=("solved", "size"),
        conclusive=("solved", "sum"),
        **{name: (name, "first") for name in ("time_limit_s", "memory_limit_mb", "solver_version", "python")},
    )
    # What broke the rules is worse than what failed in another way.
    worst_first = runs.sort_values(["solved", "severity"], kind="stable").groupby(_KEYS)
    solved = runs[runs["solved"]].groupby(_KEYS)
    answers = runs[runs["answer"] != ""].groupby(_KEYS)["answer"].first()
    longest_s = solved["total_s"].max().rename("longest_s")
    table = table.join(
        [worst_first[["status", "error"]].first(), solved["solutions"].max(), answers, longest_s]
    )
    table["status"] = table["status"].map(Status)
    table["answer"] = table["answer"].fillna("")
    return {key: Side(**said) for key, said in table.to_dict("index").items()}


def _counters(base: pd.DataFrame, new: pd.DataFrame) -> dict[_Key, dict[str, Counter]]:
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


def samples(base: pd.DataFrame, new: pd.DataFrame, paired: bool) -> dict[_Key, Times]:
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
    rows = []
    for change in changes:
        row: dict[str, object] = {column: getattr(change, column) for column in _KEYS}
        for which in ("base", "new"):
            row |= {f"{name}_{which}": value for name, value in asdict(getattr(change, which)).items()}
        for number, which in enumerate(Counter._fields):
            row |= {f"{name}_{which}": change.counters.get(name, Counter())[number] for name in COUNTERS}
        row |= {f"total_s_{which}": getattr(change.times, f"{which}_s", nan) for which in ("base", "new")}
        ratio = dict(zip(("ratio", "ratio_low", "ratio_high"), vars(change.ratio).values(), strict=True))
        rows.append(row | ratio | {"label": change.label, "change": change.kind})
    table = pd.DataFrame(rows)
    return table.rename(columns={"conclusive_base": "done_base", "conclusive_new": "done_new"})
