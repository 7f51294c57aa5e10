"""Two campaigns side by side: for each measurement what became of its status, its counters and its time."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from bench.analysis.measurements import is_conclusive
from bench.analysis.tables import MEASUREMENT, in_order, labels, read_runs, severity
from bench.analysis.units import count, factor, shortened
from bench.campaign.machine_json import read_facts
from bench.contract import Status, Task
from bench.stats import paired_ratio, ratio
from models.shared.puzzle import Sense

COUNTERS = [
    "variables", "constraints", "nonzeros", "presolved_variables", "presolved_constraints",
    "presolved_nonzeros", "branches", "failures", "propagations", "lp_iterations", "work",
]  # fmt: skip
"""The figures that are the same in every run of one model and seed with the same versions, on any machine."""


_KEYS = [*MEASUREMENT, "instance_sha256"]
"""What measurements of two campaigns must have in common to be compared."""

_ABSENT: dict[str, Any] = {
    "runs": 0, "done": 0, "solver_version": "", "python": "", "status": "", "error": "", "answer": ""
}  # fmt: skip
"""What a campaign says of a measurement that it lacks; figures are NaN."""


class Change(StrEnum):
    """What became of a measurement, the worst first."""

    WRONG = "wrong"  # A solution breaks the rules, or what is known or another run contradicts a claim.
    OTHER_ANSWER = "other answer"  # Both solved it, with other answers or another number of solutions.
    AT_LIMIT = "at its limit"  # Base solved it in more than a third of the time limit; new was stopped there.
    LOST = "lost"  # Base solved it; new tried, and did not.
    PARTLY_LOST = "partly lost"  # Base always solved it; new did not always.
    WORSE = "worse value"  # Base found a better solution in at most a third of the time limit.
    GONE = "gone"  # Base solved it; new did not try.
    INSTANCE_CHANGED = "instance changed"  # The instance file is another one: nothing to compare.
    SOLVED_NOW = "solved now"  # New solved it; base tried, and did not.
    ONLY_NEW = "only in NEW"  # Base did not try.
    NONE = ""


@dataclass(frozen=True)
class Comparison:
    """Two campaigns, measurement by measurement.

    Attributes:
        changes: a row for each measurement, in the order of all tables. Columns that both campaigns have end
            in _base and _new: how many `runs`, how many of them `done` (conclusive), the worst `status`,
            `longest_s` of a conclusive run, value of the `best` and `worst` run (less is better), `reached_s`
            until all had theirs; and if both solved it, the COUNTERS (a _ratio is the least of new by the
            largest of base, as a solver may not be deterministic) and what `samples` gives of times.
            Of `instructions` the least of the runs counts, with a _ratio of the whole and of the phases
            `building` and `solving`; `spread` is a side's most to its least, `least_ratio` new's least to
            base's most.
            `ratio` is that of the times with a 95% interval, `change` a Change, and `only_in` the campaign
            that alone has it, if there is no more to say.
        paired: whether both are halves of one campaign whose runs were interleaved.
        rounds: the number of pairs of each measurement before some got more; 0 if that is not recorded.
        machines: host and processor of base and of new.
        slowdown: time of the reference load in new divided by that in base; NaN if it was not measured.
        hosts: if a campaign has several hosts, those that both have: times are compared on each of them.
    """

    changes: pd.DataFrame
    paired: bool
    rounds: int
    machines: tuple[str, str]
    slowdown: float
    hosts: Sequence[str] | None = None

    @property
    def timed(self) -> pd.DataFrame:
        """The measurements that have a ratio of times."""
        return self.changes.dropna(subset="total_s_base")

    @property
    def counted(self) -> pd.DataFrame:
        """The measurements whose instructions both have."""
        return self.changes.dropna(subset=["instructions_base", "instructions_new"])

    @property
    def judged(self) -> "pd.Series[bool]":
        """Which measurements base has a result of and new tried, so that a gate can judge them."""
        had = (self.changes["done_base"] > 0) | (self.changes["worst_base"] < np.inf)
        return had & (self.changes["runs_new"] > 0)

    @property
    def how(self) -> str:
        """How the times were compared, and how far the result can be trusted."""
        if self.paired:
            times = "Interleaved: the ratio is that of pairs of runs."
            return "Instructions of a side are the least of its runs." if len(self.counted) else times
        if self.hosts:
            where = f"those on the same host ({shortened(self.hosts)})"
            medians = "of the first of these that executed the measurement in both campaigns"
            return f"Several hosts: each time is compared with {where}, and the medians are {medians}."
        if self.hosts is not None:
            return "Several hosts, none of which both campaigns have: counters can be compared, times cannot."
        if self.machines[0] != self.machines[1]:
            load = f"; the reference load takes {factor(self.slowdown)} times as long"
            machines = " became ".join(self.machines) + f"){load if self.slowdown > 0 else ''}"
            return f"Different machines ({machines}: counters can be compared, times cannot as they are."
        return (
            "Two campaigns: the intervals cover the noise within each, not what the machine does differently "
            "from one to the next; to compare two revisions, use `ab`."
        )

    @property
    def rows(self) -> pd.DataFrame:
        """The changes for a CSV file."""
        return self.changes.drop(columns=["logs_base", "logs_new", "repeats", "name", "only_in"])


def compare_folders(base: Path, new: Path) -> Comparison:
    """Compares two campaigns by their folders or runs.csv; raises RequestError if one cannot be read."""
    sessions = read_facts(new.parent if new.is_file() else new).sessions
    return compare(read_runs(base), read_runs(new), (sessions[-1].request.times or 0) if sessions else 0)


def compare(base: pd.DataFrame, new: pd.DataFrame, rounds: int = 0) -> Comparison:
    """Compares two campaigns as `tables.read_runs` gives them; for `rounds` see Comparison."""
    paired = set(base["campaign"]) == set(new["campaign"]) and base["campaign"].nunique() == 1
    slowdown = float(new["reference_s"].median() / base["reference_s"].median())
    was, now = ("; ".join(sorted(set(runs["host"] + ", " + runs["cpu"]))) for runs in (base, new))
    changes = _changes_between(base, new, paired)
    return Comparison(changes, paired, rounds, (was, now), slowdown, _common_hosts(base, new))


def _common_hosts(base: pd.DataFrame, new: pd.DataFrame) -> list[str] | None:
    """The hosts that both campaigns have, if one of them has several; else None."""
    sides = set(base["host"]), set(new["host"])
    return sorted(sides[0] & sides[1]) if max(map(len, sides)) > 1 else None


def _changes_between(base: pd.DataFrame, new: pd.DataFrame, paired: bool) -> pd.DataFrame:
    """Compares each measurement of two campaigns, in the order of all tables."""
    was, now = (_by_measurement(runs) for runs in (base, new))
    both = was.add_suffix("_base").join(now.add_suffix("_new"), how="outer")
    absent = {f"{name}_{side}": value for name, value in _ABSENT.items() for side in ("base", "new")}
    both = both.fillna(absent).astype({name: int for name, value in absent.items() if value == 0})
    times = samples(base, new, paired)
    figures = [_counters(base, new), _instructions(base, new), times, _ratios(times, paired)]
    changes = both.join(figures).reset_index()
    changes = in_order(changes.assign(label=labels(changes)))
    words = changes[["instance", "label", "formulation", "task"]].itertuples(index=False, name=None)
    changes["name"] = [" ".join(filter(None, each)) for each in words]
    runs = pd.concat([base, new])
    several = is_conclusive(runs) & (runs["task"] == Task.COUNT) & (runs["solutions"] > 1)
    ambiguous = changes["instance_sha256"].isin(runs.loc[several, "instance_sha256"])
    other_file = changes.groupby(MEASUREMENT)["instance_sha256"].transform("nunique") > 1
    became = map(_change_of, changes.itertuples(), ambiguous, other_file)
    changes["change"] = pd.Series([*became], changes.index, dtype=object)
    alone = changes["change"].isin([Change.GONE, Change.ONLY_NEW, Change.NONE])
    lacking = [alone & (changes["runs_new"] == 0), alone & (changes["runs_base"] == 0)]
    return changes.assign(only_in=np.select(lacking, ["BASE", "NEW"], ""))


def _change_of(row: Any, ambiguous: bool, other_file: bool) -> Change:
    """What became of the measurement of a row.

    Args:
        ambiguous: whether the instance has several solutions, whose answers may differ.
        other_file: whether its instance is another file in one of the campaigns.
    """
    if row.status_new == Status.WRONG:
        return Change.WRONG
    if not row.runs_base:
        return Change.INSTANCE_CHANGED if other_file else Change.ONLY_NEW
    if not row.done_base:
        # Each run of new is worse than any of base, though it had three times as long.
        worse = row.best_new > row.worst_base and 3 * row.reached_s_base <= row.time_limit_s_new
        return Change.SOLVED_NOW if row.done_new else Change.WORSE if worse else Change.NONE
    if not row.runs_new:
        return Change.INSTANCE_CHANGED if other_file else Change.GONE
    # A smaller limit excuses what it ends.
    late = row.status_new in (Status.TIMEOUT, Status.FEASIBLE)
    excused = (late and row.time_limit_s_new < row.time_limit_s_base) or (
        row.status_new == Status.MEMOUT and row.memory_limit_mb_new < row.memory_limit_mb_base
    )
    if row.done_new:
        other_count = row.task == Task.COUNT and row.solutions_base != row.solutions_new
        both_answered = row.answer_base and row.answer_new
        other_answer = both_answered and row.answer_base != row.answer_new and not ambiguous
        if other_count or (row.solutions_base > 0) != (row.solutions_new > 0) or other_answer:
            return Change.OTHER_ANSWER
        partly = row.done_base == row.runs_base and row.done_new < row.runs_new
        return Change.PARTLY_LOST if partly and not excused else Change.NONE
    # On a busy machine, or a slower one, a run may need three times as long.
    if late and 3 * row.longest_s_base > row.time_limit_s_new:
        return Change.AT_LIMIT
    return Change.NONE if excused else Change.LOST


def _by_measurement(runs: pd.DataFrame) -> pd.DataFrame:
    """What one campaign says of each measurement."""
    # The smaller, the better; inf without a solution.
    cost = runs["objective"].where(runs["sense"] == Sense.LEAST, -runs["objective"]).fillna(np.inf)
    runs = runs.assign(solved=is_conclusive(runs), severity=severity(runs["status"]), cost=cost)
    table = runs.groupby(_KEYS).agg(
        runs=("solved", "size"),
        done=("solved", "sum"),
        **{"best": ("cost", "min"), "worst": ("cost", "max"), "reached_s": ("best_s", "max")},
        **{name: (name, "first") for name in ("time_limit_s", "memory_limit_mb", "solver_version", "python")},
    )
    # What broke the rules is worse than what failed in another way.
    worst_first = runs.sort_values(["solved", "severity"], kind="stable").groupby(_KEYS)
    solved = runs[runs["solved"]].groupby(_KEYS)
    answers = runs[runs["solved"] & (runs["answer"] != "")].groupby(_KEYS)["answer"].first()
    longest_s = solved["total_s"].max().rename("longest_s")
    worst = worst_first[["status", "error"]].first()
    return table.join([worst, solved["solutions"].max(), answers, longest_s])


def _counters(base: pd.DataFrame, new: pd.DataFrame) -> pd.DataFrame:
    """The counters of each measurement, summed over the seeds that both solved."""
    was, now = (runs[is_conclusive(runs)].groupby([*_KEYS, "seed"])[COUNTERS] for runs in (base, new))
    by_seed = was.median(), now.median(), was.max(), now.min()
    both = by_seed[0].index.intersection(by_seed[1].index)
    before, after, most, least = (each.loc[both].groupby(_KEYS).sum(min_count=1) for each in by_seed)
    ratios = (least / most).mask((least == 0) & (most == 0), 1.0)
    tables = {"_base": before, "_new": after, "_ratio": ratios}
    return pd.concat([table.add_suffix(suffix) for suffix, table in tables.items()], axis=1)


def _instructions(base: pd.DataFrame, new: pd.DataFrame) -> pd.DataFrame:
    """The instructions of each measurement, summed over the seeds that both counted."""
    counted = [runs[is_conclusive(runs)].dropna(subset="instructions") for runs in (base, new)]
    by_seed = [
        runs.groupby([*_KEYS, "seed"])[["instructions", "build_instructions"]].agg(["min", "max"])
        for runs in counted
    ]
    both = by_seed[0].index.intersection(by_seed[1].index)
    sides = [side.loc[both].groupby(_KEYS).sum() for side in by_seed]
    was, now = (side.xs("min", axis=1, level=1) for side in sides)
    table = was.add_suffix("_base").join(now.add_suffix("_new"))
    phases = [(each["instructions"], each["build_instructions"]) for each in (now, was)]
    return table.assign(
        instructions_ratio=phases[0][0] / phases[1][0],
        building_ratio=phases[0][1] / phases[1][1],
        solving_ratio=(phases[0][0] - phases[0][1]) / (phases[1][0] - phases[1][1]),
        least_ratio=sides[1]["instructions", "min"] / sides[0]["instructions", "max"],
        spread=np.fmax(*(side["instructions", "max"] / side["instructions", "min"] for side in sides)),
    )


def counter_change(row: Any, name: str) -> str:
    """A counter of a row of changes before and after."""
    base, new = getattr(row, f"{name}_base"), getattr(row, f"{name}_new")
    shown = [count(value) if value == int(value) else f"{value:.4g}" for value in (base, new)]
    return f"{name} {' to '.join(shown)}" + (f" ({new / base - 1:+.1%})" if base else "")


def samples(base: pd.DataFrame, new: pd.DataFrame, paired: bool) -> pd.DataFrame:
    """The total times of each measurement that both solved, over the seeds and hosts that both have.

    Returns:
        total_s_base, total_s_new: medians in seconds; of several hosts those of the first one.
        logs_base, logs_new: logarithms of each time over base's median for its seed and host, so that these
            do not count as noise. If paired, the runs of a pair stand at the same place.
        repeats: the number of each of new's runs.
    """
    where = [] if _common_hosts(base, new) is None else ["host"]
    keys = [*_KEYS, *where, "seed"]
    sides = [runs[is_conclusive(runs)].dropna(subset="total_s") for runs in (base, new)]
    if paired:
        matched = [*keys, "repeat"]
        common = sides[0][matched].merge(sides[1][matched])
        sides = [runs.merge(common).sort_values(matched) for runs in sides]
    by_seed = [runs.groupby(keys)["total_s"].median().rename("median_s") for runs in sides]
    both = by_seed[0].index.intersection(by_seed[1].index)
    medians = [side.loc[both].groupby([*_KEYS, *where]).median().groupby(_KEYS).first() for side in by_seed]
    sides = [runs.merge(by_seed[0].loc[both].reset_index(), on=keys) for runs in sides]
    logs = [np.log(runs["total_s"] / runs["median_s"]).to_numpy() for runs in sides]
    # Positions, as a table for each measurement would take most of the time.
    positions = [runs.groupby(_KEYS).indices for runs in sides]
    repeats = sides[1]["repeat"].to_numpy()
    table = pd.DataFrame({"total_s_base": medians[0], "total_s_new": medians[1]})
    return table.assign(
        logs_base=[logs[0][positions[0][key]] for key in table.index],
        logs_new=[logs[1][positions[1][key]] for key in table.index],
        repeats=[repeats[positions[1][key]] for key in table.index],
    )


def _ratios(times: pd.DataFrame, paired: bool) -> pd.DataFrame:
    """The ratios of the times of `samples` with their 95% intervals, as reports have them."""
    sides = zip(times["logs_new"], times["logs_base"], strict=True)
    found = [paired_ratio(new - base) if paired else ratio(np.exp(new), np.exp(base)) for new, base in sides]
    return pd.DataFrame(found, times.index, ["ratio", "ratio_low", "ratio_high"], dtype=float)
