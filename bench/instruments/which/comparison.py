"""CP-SAT, MIP and other solvers on the problems of a campaign; across kinds of puzzles each kind counts once.

What is not solved counts as the time limit. results/evidence/PROTOCOL.md has the definitions.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from math import inf, nan, sqrt
from operator import attrgetter
from typing import NamedTuple

import numpy as np
import pandas as pd

from bench import catalogue
from bench.analysis.measurements import Measurement, one_release
from bench.analysis.tables import is_variant
from bench.campaign.selection import SAMPLES, TEXTBOOK
from bench.contract import Task
from bench.stats import TAIL

CP = "cpsat"

HANDS = ("backtrack", "local", "native")
"""The backends that are no solvers: searches written by hand."""

_PROVED = ("proven", "infeasible")
"""The samples that were made with a proof, by CP-SAT, clingo or a hand search."""

FACTORS = {
    "the integer program in place of the constraint program, by CP-SAT": ("milp:cpsat", CP),
    "HiGHS in place of CP-SAT, on the integer program": ("milp:highs", "milp:cpsat"),
    "HiGHS in place of CP-SAT, on the constraint program": ("cpsat:highs", CP),
    "linearization level 2": ("cpsat:lp2", CP),
}
"""Solvers that tell model and solver apart; those that are named only here are nobody's choice."""

_APART = {"milp:cpsat", "cpsat:highs", "cpsat:lp2"}

_EARLY_S = 1.0
"""What is decided before search needs at most so long."""


@dataclass(frozen=True)
class Comparison:
    """Solvers on the problems of a task.

    Attributes:
        times: seconds, a row for each puzzle and instance, a column for each solver with the model that one
            writes first, or hand search with its first one: inf if that is no solution or proof, NaN if it
            was not tried.
        own: the same without building the model.
        branches: those of solved problems.
        further: times with other models, or more threads, by what is different, and the label of `times`.
        sources: where each problem is from.
    """

    task: Task
    limit_s: float
    times: pd.DataFrame
    own: pd.DataFrame
    branches: pd.DataFrame
    further: Mapping[tuple[str, str], "pd.Series[float]"]
    sources: "pd.Series[str]"

    @cached_property
    def mip(self) -> list[str]:
        """The MIP solvers."""
        return [label for label in self.times if label.startswith("milp") and label not in _APART]

    @cached_property
    def solvers(self) -> list[str]:
        """What one may choose."""
        return [label for label in self.times if label not in _APART.union(HANDS)]

    @cached_property
    def decided(self) -> "pd.Series[bool]":
        """Which problems CP-SAT and all MIP solvers solve early, without a branch but for MIP's root."""
        names = [CP, *self.mip]
        early = (self.times[names].max(axis=1) <= _EARLY_S) & self.times[names].notna().any(axis=1)
        return early & (self.branches[names] <= [name != CP for name in names]).all(axis=1)

    @cached_property
    def slowdowns(self) -> pd.DataFrame:
        """Logarithms of times relative to the fastest solver, of problems that one solves."""
        least = self.times[self.solvers].min(axis=1)
        solved = np.isfinite(least)
        return np.log(self.times[solved].clip(upper=self.limit_s).div(least[solved], axis=0))

    @cached_property
    def better_mip(self) -> dict[str, str]:
        """The MIP solver of each kind with the least geometric mean time."""
        logs = np.log(self.times[self.mip].clip(upper=self.limit_s)).groupby(level="puzzle").mean()
        return {str(kind): str(row.idxmin()) for kind, row in logs.iterrows() if row.notna().any()}

    @cached_property
    def primary(self) -> "pd.Series[float]":
        """Logarithms of the ratios of the better MIP solver's times to those of CP-SAT."""
        parts = [self.times.loc[[kind]] for kind in self.better_mip]
        pairs = zip(parts, self.better_mip.values(), strict=True)
        return pd.concat([self.logs(part[mip], part[CP]) for part, mip in pairs])

    @cached_property
    def unproved(self) -> "pd.Series[float]":
        """Those of `primary` on problems that no backend had to prove before they were taken."""
        return self.primary[~self.sources[self.primary.index].isin(_PROVED)]

    def logs(self, one: "pd.Series[float]", other: "pd.Series[float]") -> "pd.Series[float]":
        """Logarithms of the ratios of two columns, where at least one of the two solves."""
        both = pd.DataFrame({"one": one, "other": other}).dropna()
        capped = both[np.isfinite(both).any(axis=1)].clip(upper=self.limit_s)
        return np.log(capped["one"] / capped["other"])


def compared(measured: Iterable[Measurement]) -> list[Comparison]:
    """The comparisons of the tasks for one solution and the best one that CP-SAT and a MIP solver tried."""
    tried = [
        each
        for each in one_release(measured)
        if each.status.tried
        and (not is_variant(each.backend, each.solver) or f"{each.backend}:{each.solver}" in _APART)
    ]
    names = ["puzzle", "instance", "task", "backend", "solver", "formulation", "threads", "time_limit_s"]
    names += ["collection", "time_s", "unbuilt_s", "figures.branches"]
    table = pd.DataFrame(map(attrgetter(*names), tried), columns=[*names[:-3], "time", "own", "branches"])
    strata = {puzzle: _sources(puzzle) for puzzle in {*table["puzzle"]}}
    of_others = table["collection"].map(lambda name: "collections" if name else "published")
    made = [strata[puzzle].get(name) for puzzle, name in zip(table["puzzle"], table["instance"], strict=True)]
    table["source"] = pd.Series(made, table.index).fillna(of_others)
    several = table.groupby("backend")["solver"].transform("nunique") > 1
    named = several & (table["backend"] != table["solver"])
    table["label"] = table["backend"] + (":" + table["solver"]).where(named, "")
    table["plain"] = False
    for (puzzle, backend, _), models in table.groupby(["puzzle", "backend", "solver"])["formulation"]:
        table.loc[models.index, "plain"] = models == _plain(puzzle, backend, {*models})
    found = [_comparison(task, table[table["task"] == task]) for task in (Task.FIRST, Task.BEST)]
    return [each for each in found if CP in each.times and each.mip]


def _comparison(task: Task, table: pd.DataFrame) -> Comparison:
    limit_s = table["time_limit_s"].min()
    late = table["time"] > limit_s
    table = table.assign(time=table["time"].mask(late, inf), own=table["own"].mask(late, inf))
    one, problem = table["threads"] == table["threads"].min(), ["puzzle", "instance"]

    def wide(rows: pd.DataFrame, value: str) -> pd.DataFrame:
        once = rows.drop_duplicates([*problem, "label"])
        return once.pivot(index=problem, columns="label", values=value)

    kinds = {"a tuned model": one & ~table["plain"]}
    kinds |= {
        f"{number} threads": table["plain"] & (table["threads"] == number)
        for number in sorted({*table["threads"][~one]})
    }
    further = {
        (words, label): column
        for words, rows in kinds.items()
        for label, column in wide(table[rows], "time").items()
    }
    plain = table[one & table["plain"]]
    times, own, branches = (wide(plain, value) for value in ("time", "own", "branches"))
    return Comparison(task, limit_s, times, own, branches, further, plain.groupby(problem)["source"].first())


def _sources(puzzle: str) -> dict[str, str]:
    """The stratum of each of a puzzle's samples, by name."""
    families = catalogue.families(puzzle) if puzzle in catalogue.puzzle_names() else {}
    return {name: stratum for stratum in SAMPLES for name in families.get(stratum, ())}


def _plain(puzzle: str, backend: str, names: Set[str]) -> str:
    """The formulation that one writes first, of these; else the first of the backend's file."""
    if TEXTBOOK in names or len(names) == 1:
        return TEXTBOOK if TEXTBOOK in names else next(iter(names))
    written = catalogue.tables_in(catalogue.source_of(puzzle, backend), "FORMULATIONS")
    return next((name for name in written if name in names), min(names))


class Effect(NamedTuple):
    """A mean logarithm, half its 95% interval, and half that of what is predicted of a further kind."""

    mean: float
    reach: float
    further: float


def reach(logs: "pd.Series[float]", level: float = 1 - TAIL) -> float:
    """So far from the mean lies Student's quantile of this level."""
    from scipy.special import stdtrit

    size = len(logs)
    return float(stdtrit(size - 1, level)) * float(logs.std()) / sqrt(size) if size > 1 else nan


def only(logs: "pd.Series[float]", kinds: Sequence[str]) -> "pd.Series[float]":
    """Those of these kinds."""
    return logs[logs.index.isin(kinds, level="puzzle")]


def of_kinds(logs: "pd.Series[float]") -> "pd.Series[float]":
    """The mean of each kind."""
    return logs.groupby(level="puzzle").mean()


def predicted(kinds: pd.DataFrame, own: float = 0.0) -> Effect:
    """The mean over kinds, and what to expect of a further kind, whose mean has the variance `own`.

    Each kind counts once; the variance between kinds is that of their means less what is within them.

    Args:
        kinds: the mean, variance and size of each, at least two.

    Source:
        Hedges and Olkin: Statistical Methods for Meta-Analysis (1985), chapter 9, for the moments.
    """
    from scipy.special import stdtrit

    spread, within, k = float(kinds["mean"].var()), kinds["var"] / kinds["size"], len(kinds)
    between = max(0.0, spread - float(within.fillna(0.0).mean()))
    t = float(stdtrit(k - 1, 1 - TAIL))
    further = t * sqrt(between + spread / k + own)
    return Effect(float(kinds["mean"].mean()), t * sqrt(spread / k), further)


def inside(kinds: pd.DataFrame, others: pd.DataFrame) -> int:
    """How many of the kinds lie where the others predict them; none is among those that predict it."""
    number = 0
    for kind, row in kinds.iterrows():
        found = predicted(others.drop(kind, errors="ignore"), float(np.nan_to_num(row["var"] / row["size"])))
        number += abs(row["mean"] - found.mean) <= found.further
    return number


def choices(
    comparison: Comparison, made_of: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, "pd.Series[float]"]]:
    """Ways to choose a solver for each kind, and what each loses to the fastest one of each problem.

    Only solvers with a model of every kind are chosen from; there is none if nothing is solved.
    """
    slow = comparison.slowdowns[comparison.solvers]
    means = slow.groupby(level="puzzle").mean().dropna(axis=1)
    if means.empty:
        return
    rest = {kind: means.drop(kind) for kind in means.index}
    alike = {
        kind: others[[bool({*made_of[kind]} & {*made_of[other]}) for other in others.index]]
        for kind, others in rest.items()
    }
    ways = {f"`{label}` for all": dict.fromkeys(rest, label) for label in means.mean().sort_values().index}
    if len(means) > 1:
        ways["the best of all other kinds"] = {kind: others.mean().idxmin() for kind, others in rest.items()}
        ways["the best of other kinds with an ingredient in common"] = {
            kind: (others if len(others) else rest[kind]).mean().idxmin() for kind, others in alike.items()
        }
    ways["the best of the kind"] = means.idxmin(axis=1).to_dict()
    for name, chosen in ways.items():
        yield name, pd.concat([slow.loc[[kind], label] for kind, label in chosen.items()])
