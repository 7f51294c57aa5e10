"""Two campaigns side by side: for each measurement what became of its status, its counters and its time."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from bench.analysis.tables import MEASUREMENT, in_order, labels, read_runs, severity
from bench.campaign.validation import DONE
from bench.stats import bootstrap_ratios

KEYS = [*MEASUREMENT, "instance_sha256", "threads"]
"""What a measurement of one campaign and one of another must have in common to be compared."""

COUNTERS = [
    "variables", "constraints", "nonzeros", "presolved_variables", "presolved_constraints",
    "presolved_nonzeros", "branches", "failures", "propagations", "lp_iterations", "work",
]  # fmt: skip
"""The figures that are the same in every run of one model and seed with the same versions, on any machine."""

CHANGES = (
    "wrong",
    "contradicted",
    "other answer",
    "lost",
    "partly lost",
    "gone",
    "instance changed",
    "solved now",
    "added",
    "",
)
"""What may have become of a measurement, the worst first:

wrong            a solution that breaks the rules, or contradicts what is known
contradicted     another model counted otherwise, and no checked solutions decide
other answer     both solved it, with other answers or another number of solutions
lost             base solved it; new tried, and did not
partly lost      base always solved it; new did not always
gone             base solved it; new did not try
instance changed the file is another one, so there is nothing to compare
solved now       new solved it; base tried, and did not
added            base did not try
"""


@dataclass(frozen=True)
class Comparison:
    """Two campaigns, measurement by measurement.

    Attributes:
        table: a row for each of KEYS, in the order of all tables. The columns of each side end in _base and
            _new: runs, done (how many of them did what was asked), status (the worst), error, solver_version,
            solutions, answer, the limits, total_s (the median in seconds), logs (see `samples`), and each of
            COUNTERS (see `counters`). Beside them: label, change (one of CHANGES), ratio, ratio_low and
            ratio_high (new by base, with a 95% bootstrap interval), and a ratio for each of COUNTERS.
        paired: whether both are halves of one campaign that were run in turns.
        rounds: so many pairs of each measurement were made before some got more; 0 if that is not recorded.
        machines: host and processor of base and of new, in words.
        slowdown: time of the reference load in new divided by that in base; NaN if it was not measured.
    """

    table: pd.DataFrame
    paired: bool
    rounds: int
    machines: tuple[str, str]
    slowdown: float

    @property
    def same_machine(self) -> bool:
        """Whether the times of both may be compared as they are."""
        return self.machines[0] == self.machines[1]


def compare_folders(base: Path, new: Path) -> Comparison:
    """Compares two campaigns.

    Args:
        base, new: folders, or their runs.csv.

    Raises:
        RequestError: if one of them cannot be read.
    """
    return compare(read_runs(base), read_runs(new), rounds(new))


def rounds(folder: Path) -> int:
    """How many repeats the campaign's last session asked for; 0 if its machine.json does not tell."""
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
    table = side(base).add_suffix("_base").join(side(new).add_suffix("_new"), how="outer")
    table = (
        table.join(counters(base, new)).join(with_ratios(samples(base, new, paired), paired)).reset_index()
    )
    for which in ("base", "new"):
        numbers, texts = (
            [f"{name}_{which}" for name in names]
            for names in (["runs", "done"], ["status", "error", "solver_version", "python", "answer"])
        )
        table[numbers] = table[numbers].fillna(0).astype(int)
        table[texts] = table[texts].fillna("")
    table["label"] = labels(table)
    table["change"] = changes(table, ambiguous(base) | ambiguous(new))
    slowdown = float(new["sentinel_s"].median() / base["sentinel_s"].median())
    return Comparison(in_order(table), paired, rounds, (machine(base), machine(new)), slowdown)


def machine(runs: pd.DataFrame) -> str:
    """The machines of a campaign, in words."""
    return "; ".join(sorted(set(runs["host"] + ", " + runs["cpu"])))


def side(runs: pd.DataFrame) -> pd.DataFrame:
    """What one campaign says of each measurement, apart from its figures; a row for each KEYS."""
    done = runs["status"].isin(DONE)
    # What broke the rules is worse than what failed in another way.
    failed = runs[~done].sort_values("status", key=severity, kind="stable")
    groups = runs.assign(done=done).groupby(KEYS)
    table = pd.DataFrame({"runs": groups.size(), "done": groups["done"].sum()}).join(
        [
            groups[["time_limit_s", "memory_limit_mb", "solver_version", "python"]].first(),
            failed.groupby(KEYS)[["status", "error"]].first(),
            runs[done].groupby(KEYS).agg(outcome=("status", "first"), solutions=("solutions", "max")),
            runs[runs["answer"] != ""].groupby(KEYS)["answer"].first(),
        ]
    )
    table["status"] = table["status"].fillna(table.pop("outcome"))
    return table


def ambiguous(runs: pd.DataFrame) -> set[str]:
    """The sha256 of the instances that were counted to have several solutions, whose answers may differ."""
    counted = runs[(runs["task"] == "count") & runs["status"].isin(DONE) & (runs["solutions"] > 1)]
    return set(counted["instance_sha256"])


def changes(table: pd.DataFrame, several: set[str]) -> "pd.Series[str]":
    """What became of each measurement, one of CHANGES.

    Args:
        several: the sha256 of the instances that have several solutions.
    """
    base, new = ((table[f"runs_{which}"] > 0, table[f"done_{which}"] > 0) for which in ("base", "new"))
    all_base, all_new = (table[f"done_{which}"] == table[f"runs_{which}"] for which in ("base", "new"))
    less = table["time_limit_s_new"] < table["time_limit_s_base"]
    excused = less & (table["status_new"] == "timeout")
    less = table["memory_limit_mb_new"] < table["memory_limit_mb_base"]
    excused |= less & (table["status_new"] == "memout")
    counted = (table["task"] == "count") & (table["solutions_base"] != table["solutions_new"])
    outcome = (table["solutions_base"] > 0) != (table["solutions_new"] > 0)
    answers = [table[f"answer_{which}"] for which in ("base", "new")]
    answered = (answers[0] != answers[1]) & (answers[0] != "") & (answers[1] != "")
    answered &= ~table["instance_sha256"].isin(several)
    found = {
        "wrong": table["status_new"] == "wrong",
        "contradicted": table["status_new"] == "contradicted",
        "other answer": base[1] & new[1] & (counted | outcome | answered),
        "lost": base[1] & new[0] & ~new[1] & ~excused,
        "partly lost": base[1] & all_base & new[1] & ~all_new & ~excused,
        "gone": base[1] & ~new[0],
        "solved now": base[0] & ~base[1] & new[1],
        "added": ~base[0],
    }
    change = pd.Series(np.select(list(found.values()), list(found), ""), table.index)
    moved = change.isin(["gone", "added"])
    files = table[moved].groupby(MEASUREMENT)["instance_sha256"].transform("nunique")
    return change.mask(files.reindex(table.index, fill_value=0) > 1, "instance changed")


def counters(base: pd.DataFrame, new: pd.DataFrame) -> pd.DataFrame:
    """For each of KEYS the COUNTERS of both sides and their ratio, over the seeds that both solved.

    The ratio is the least that the repeats allow: the least of new by the largest of base. They only differ
    where a solver is not deterministic.
    """
    sides = []
    for which, runs, bound in (("base", base, "max"), ("new", new, "min")):
        groups = runs[runs["status"].isin(DONE)].groupby([*KEYS, "seed"])[COUNTERS]
        sides.append(groups.median().join(groups.agg(bound).add_suffix("_bound")).add_suffix(f"_{which}"))
    both = sides[0].join(sides[1], how="inner")
    sums = both.groupby(KEYS).sum(min_count=1)
    for counter in COUNTERS:
        least, most = sums.pop(f"{counter}_bound_new"), sums.pop(f"{counter}_bound_base")
        sums[f"{counter}_ratio"] = (least / most).mask((least == 0) & (most == 0), 1.0)
    return sums


def samples(base: pd.DataFrame, new: pd.DataFrame, paired: bool) -> pd.DataFrame:
    """For each of KEYS that both solved the times of both sides, over the seeds that both solved.

    Returns:
        Columns total_s_base and total_s_new (medians in seconds), logs_base and logs_new: arrays of the
        logarithms of the times over base's median for the same seed, so that what seeds vary is not taken for
        noise. If paired, the runs of a pair stand at the same place, and `repeats` has their numbers.
    """
    keys = [*KEYS, "seed"]
    sides = [runs[runs["status"].isin(DONE)].dropna(subset="total_s") for runs in (base, new)]
    if paired:
        matched = [*keys, "repeat"]
        common = sides[0][matched].merge(sides[1][matched])
        sides = [runs.merge(common).sort_values(matched) for runs in sides]
    medians = [runs.groupby(keys)["total_s"].median().rename("unit") for runs in sides]
    both = medians[0].index.intersection(medians[1].index)
    if both.empty:
        none = medians[0].groupby(KEYS).median().index[:0]
        return pd.DataFrame(
            index=none, columns=["total_s_base", "total_s_new", "logs_base", "logs_new"], dtype=float
        )
    columns = {}
    for which, runs, median in zip(("base", "new"), sides, medians, strict=True):
        runs = runs.join(medians[0].loc[both], on=keys, how="inner")
        groups = runs.assign(log=np.log(runs["total_s"] / runs["unit"])).groupby(KEYS)
        columns[f"total_s_{which}"] = median.loc[both].groupby(KEYS).median()
        columns[f"logs_{which}"] = groups["log"].agg(np.array)
        if paired:
            columns["repeats"] = groups["repeat"].agg(np.array)
    return pd.DataFrame(columns)


def with_ratios(table: pd.DataFrame, paired: bool) -> pd.DataFrame:
    """The rows of `samples` with ratio, ratio_low and ratio_high."""
    ratios = bootstrap_ratios(list(table["logs_base"]), list(table["logs_new"]), paired)
    return table.assign(
        ratio=[ratio.value for ratio in ratios],
        ratio_low=[ratio.low for ratio in ratios],
        ratio_high=[ratio.high for ratio in ratios],
    )


def written(table: pd.DataFrame) -> pd.DataFrame:
    """The table as a file has it: without the single times."""
    return table.drop(columns=["logs_base", "logs_new", "repeats"], errors="ignore")
