"""Solvers over the releases of their packages: each relative to the newest, and what changed with which."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import exp, inf, log
from operator import attrgetter
from typing import NamedTuple

import pandas as pd

from bench.analysis.compare import FAR, compare
from bench.analysis.measurements import Measurement, Problem
from bench.analysis.tables import RESOLUTION_S, Label, grouped, parts, rank
from bench.analysis.units import factor, plural, shortened
from bench.contract import Status
from bench.environment.releases import known_fault
from bench.stats import SIGNIFICANT, Ratio, holm, mean_ratio, paired_ratio, signed_rank

_Side = Mapping[tuple[Problem, str], Measurement]
"""The measurements of a release, by problem and formulation."""


class _Released(NamedTuple):
    """A solver with one release: how many measurements it tried, and problems it is wrong on.

    The ratios, of variables after presolve too, are to its newest release, over what both solve: the `time`
    is without building the model, `whole` with it.
    """

    label: str
    version: str
    tried: int
    solved: int
    wrong: int
    known_wrong: bool
    crashed: int
    untried: int
    time: Ratio
    whole: Ratio
    branches: Ratio
    presolved: Ratio


class SolverHistory(NamedTuple):
    """A solver with at least two releases of a package, the oldest first; a sentence for each step."""

    solver: str
    package: str
    releases: Sequence[_Released]
    steps: Sequence[str]


def histories(measured: Iterable[Measurement]) -> list[SolverHistory]:
    """The history of each solver, with each number of threads, and each package with several releases.

    Times are without building the model: of earlier releases that is partly code of ours.
    """

    def solver(each: Measurement) -> Label:
        return parts(each.label)._replace(release=each.release.partition("==")[0])

    found = []
    solving_alone = [replace(each, sample=each.unbuilt) for each in measured if each.release]
    for key, own in grouped(solving_alone, solver).items():
        by_label = sorted(grouped(own, attrgetter("label")).items(), key=lambda of: rank(of[0]))
        sides = [{(each.problem, each.formulation): each for each in group} for _, group in by_label]
        if len(sides) > 1:
            solving = [side for side in sides if any(each.solved for each in side.values())]
            rows = [_released(side, (solving or sides)[-1]) for side in sides]
            steps = [_step(old, new, len(sides) - 1) for old, new in pairwise(sides)]
            name = key.option + f", {plural(key.threads, 'thread')}" * (key.threads > 0)
            found.append(SolverHistory(name, key.release, rows, [step for step in steps if step]))
    return found


def figures(found: Iterable[SolverHistory]) -> list[dict[str, object]]:
    """A row for each release: names and figures, the bounds of the time's interval beside it."""
    return [
        {
            "solver": each.solver, "package": each.package, **row._asdict(), "time": row.time.value,
            "time_low": row.time.low, "time_high": row.time.high, "whole": row.whole.value,
            "branches": row.branches.value, "presolved": row.presolved.value,
        }
        for each in found
        for row in each.releases
    ]  # fmt: skip


def _released(side: _Side, newest: _Side) -> _Released:
    one, *_ = own = list(side.values())
    pairs = [(each, newest[key]) for key, each in side.items() if key in newest]
    solved = [(each, other) for each, other in pairs if each.solved and other.solved]
    compared = [found.log for found in (compare(*pair) for pair in solved) if not found.apart]

    def relative(figure: str) -> Ratio:
        figures = [[getattr(each.figures, figure) for each in pair] for pair in solved]
        return mean_ratio([log(ours / theirs) for ours, theirs in figures if ours and theirs])

    package, _, version = one.release.partition("==")
    statuses = [each.status for each in own]
    return _Released(
        one.label, version, sum(status.tried for status in statuses), sum(each.solved for each in own),
        len({each.problem for each in own if each.status is Status.WRONG}),
        (known_fault(one.backend, one.solver, version) or "").startswith(f"{package} "),
        statuses.count(Status.CRASHED), sum(not status.tried for status in statuses),
        mean_ratio(compared),
        mean_ratio([log(a.total_s / b.total_s) for a, b in solved if a.total_s and b.total_s]),
        relative("branches"), relative("presolved_variables"),
    )  # fmt: skip


def _step(old: _Side, new: _Side, steps: int) -> str:
    """What one of so many releases changed since the one before, in a sentence; empty if it changed nothing.

    Times are tested by Wilcoxon's signed-rank test on the pairs of runs, all and those of each puzzle, with
    Holm's correction. A single problem is named if it is FAR times as fast or slow, and `compare` agrees.
    """
    outcomes, logs, far = defaultdict[str, set[str]](set), defaultdict[str, list[float]](list), {}
    for one, other in ((new[key], old[key]) for key in new if key in old):
        if not (one.status.tried and other.status.tried):
            continue
        found, name = compare(one, other), f"{one.instance} {one.task}"
        if (one.status is Status.WRONG) != (other.status is Status.WRONG):
            outcomes["wrong" if one.status is Status.WRONG else "no longer wrong"].add(name)
        elif one.solved != other.solved and found.verdict:
            outcomes["solved that were not" if one.solved else "no longer solved"].add(name)
        if one.solved and other.solved and not found.apart:
            times = zip(one.sample, other.sample, strict=False)
            ratios = [0.0 if ours == theirs else log(ours) - log(theirs) for ours, theirs in times]
            logs["everything"] += ratios
            logs[one.puzzle] += ratios
            if found.verdict and abs(found.log) >= log(FAR) and max(one.time_s, other.time_s) >= RESOLUTION_S:
                far[one.puzzle, name] = exp(found.log)
    if len(logs) == 2:  # Of a single puzzle.
        del logs["everything"]
    p = holm(pd.Series({name: signed_rank(own)[0] for name, own in logs.items()}, dtype=float))
    moved = {name: paired_ratio(own).value for name, own in logs.items() if p[name] <= SIGNIFICANT / steps}
    # Smaller changes are no steps, as in `ab`.
    moved = {name: value for name, value in moved.items() if 0 < value < 1 / 1.05 or 1.05 < value < inf}
    moved |= {name: value for (puzzle, name), value in far.items() if puzzle not in moved}
    order = sorted(moved, key=lambda name: (name != "everything", -abs(log(moved[name]))))
    said = [f"{len(own)} {words} ({shortened(sorted(own))})" for words, own in sorted(outcomes.items())[::-1]]
    if order:
        said.append(f"times as long: {shortened([f'{name} {factor(moved[name])}' for name in order])}")
    return f"{next(iter(new.values())).label}: {'; '.join(said)}." if said else ""
