"""Whether a change made anything wrong, slower, or search more: the rules of docs/regressions.md."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from bench.analysis.tables import RESOLUTION_S
from bench.analysis.units import count, factor, plural, seconds, shortened
from bench.instruments.regression.compare import COUNTERS, Change, Comparison, counter_change
from bench.instruments.regression.significance import Drift, slower_between, slower_in_pairs


class Exit(IntEnum):
    """The exit codes of a gate; 2 is for requests that cannot be carried out."""

    PASS = 0
    SLOWER = 1
    WRONG = 3
    NOTHING = 4


@dataclass(frozen=True)
class Finding:
    """One line of a gate: what regressed, in how many measurements, or with Exit.PASS, what else to know."""

    exit: Exit
    what: str
    text: str
    measurements: int = 1


def judge(
    compared: Comparison,
    drift: Drift,
    time_threshold: float = 1.10,
    count_threshold: float = 1.05,
    times: bool = True,
    partial: bool = False,
) -> list[Finding]:
    """What regressed, the worst first, then what a reader should know; arguments as the options of `gate`."""
    found = list(_results(compared.changes, partial))
    if not compared.judged.any():
        wrong = [finding for finding in found if finding.what == Change.WRONG]
        other_files = Change.INSTANCE_CHANGED in set(compared.changes["change"])
        text = "new tried nothing that base solved" + " with the same instance file" * other_files
        return wrong or [Finding(Exit.NOTHING, "nothing measured", text)]
    found += _counters(compared.changes, count_threshold)
    if times:
        found += longer(compared, time_threshold, drift)
    return sorted(found, key=lambda finding: -finding.exit)


def code(findings: Sequence[Finding]) -> Exit:
    """The exit code of a gate."""
    return max((finding.exit for finding in findings), default=Exit.PASS)


def conclusion(compared: Comparison, findings: Sequence[Finding]) -> str:
    """The last line of a gate."""
    many = plural(compared.judged.sum(), "measurement")
    wrong = [finding for finding in findings if finding.exit == Exit.WRONG]
    bad = sum(finding.measurements for finding in wrong)
    gone = sum(finding.measurements for finding in wrong if finding.what == Change.GONE)
    # What is wrong counts even where base did not solve it.
    known = gone + (compared.judged | (compared.changes["change"] == Change.WRONG)).sum()
    part = "; if NEW measured only a part, add --partial" if gone else ""
    return {
        Exit.PASS: f"pass: nothing regressed in {many}",
        Exit.SLOWER: f"fail: slower or more search, of {many}",
        Exit.WRONG: f"fail: wrong or lost results: {bad} of {known} measurements{part}",
        Exit.NOTHING: "fail: nothing was measured that could be compared",
    }[code(findings)]


def several(changes: pd.DataFrame) -> str:
    """How many measurements these are, of which puzzles, and the names of the first."""
    puzzles, names = shortened([*changes["puzzle"].unique()]), shortened([*changes["name"]], 2)
    return f"{plural(len(changes), 'measurement')} of {puzzles}: {names}"


def _cause(*rows: Any) -> str:
    """The version of the solver or of Python, if it changed too and so may be the cause."""
    versions = {(row.label, row.solver_version_base, row.solver_version_new): None for row in rows}
    versions |= {("Python", row.python_base, row.python_new): None for row in rows}
    found = [f"{what} {base} became {new}" for what, base, new in versions if base and new and base != new]
    return f"; the likely cause: {', '.join(found)}" if found else ""


def _results(changes: pd.DataFrame, partial: bool) -> Iterator[Finding]:
    """The measurements that are wrong, lost, or answered otherwise."""
    for row in changes.itertuples():
        tried = f"{row.status_new} in {row.runs_new - row.done_new} of {count(row.runs_new)} runs"
        lost = f"{tried}{f' ({row.error_new})' if row.error_new else ''}{_cause(row)}"
        needed = f"{seconds(row.longest_s_base)} of {seconds(row.time_limit_s_base)}"
        sides = (row.solutions_base, row.answer_base), (row.solutions_new, row.answer_new)
        base, new = (
            plural(solutions, "solution") + (f", answer {answer}" if answer else "")
            for solutions, answer in sides
        )
        told = {
            Change.WRONG: (Exit.WRONG, row.error_new),
            Change.OTHER_ANSWER: (Exit.WRONG, f"base: {base}; new: {new}{_cause(row)}"),
            Change.LOST: (Exit.WRONG, f"base solved it; {lost}"),
            Change.PARTLY_LOST: (Exit.WRONG, f"base always solved it; {lost}"),
            Change.AT_LIMIT: (Exit.PASS, f"base needed {needed}; {tried}"),
            Change.INSTANCE_CHANGED: (Exit.PASS, "the file is another one, so it is not compared"),
        }
        # Nothing is said of a changed instance that only base measured.
        if row.change in told and row.runs_new:
            exit, text = told[row.change]
            yield Finding(exit, row.change, f"{row.name}: {text}")
    gone = changes[changes["change"] == Change.GONE]
    if len(gone) and not partial:
        text = f"{several(gone)}: base solved {'it' if len(gone) == 1 else 'them'}, new did not try"
        yield Finding(Exit.WRONG, Change.GONE, text, len(gone))


def _counters(changes: pd.DataFrame, threshold: float) -> Iterator[Finding]:
    """A line for each measurement whose model became larger, or its search longer."""
    for row in changes.itertuples():
        more = [
            counter_change(row, name)
            for name in COUNTERS
            if exceeds(getattr(row, f"{name}_base"), getattr(row, f"{name}_ratio"), threshold)
        ]
        if more:
            yield Finding(Exit.SLOWER, "more work", f"{row.name}: {', '.join(more)}{_cause(row)}")


def exceeds(base: float, ratio: float, threshold: float) -> bool:
    """Whether a counter grew to the threshold, rounded to a whole number either way."""
    return ratio > 1 and (ratio >= threshold or ratio * base + base.is_integer() > threshold * base)


def longer(compared: Comparison, threshold: float, drift: Drift) -> Iterator[Finding]:
    """What takes longer, as far as the times can tell; says where they cannot be compared as they are."""
    if compared.paired:
        yield from _report(compared.timed, slower_in_pairs(compared.timed, threshold, compared.rounds))
        return
    remark = partial(Finding, Exit.PASS, "times")
    if compared.hosts is not None:
        yield remark(compared.how)
    # A time that is still below timing resolution in new varies too much between campaigns.
    timed = compared.timed[compared.timed["total_s_new"] >= RESOLUTION_S]
    if timed.empty:
        return
    slowdown = None if compared.same_machine else compared.slowdown
    if slowdown is not None:
        what = f"another machine ({' became '.join(compared.machines)})"
        if np.isnan(slowdown):
            yield remark(f"{what} and no reference load: only counters are judged")
            return
        load = f"the reference load, which takes {factor(slowdown)} times as long"
        yield remark(f"{what}: counters are judged, and times divided by those of {load}")
    elif not drift.campaigns:
        yield remark(f"no A/A campaigns of this machine: campaigns are taken to differ by {drift.common:.0%}")
    if (timed[["logs_base", "logs_new"]].map(len) == 1).all(axis=None):
        yield remark("one run a side has no interval: times are not judged")
        return
    yield from _report(timed, slower_between(timed, threshold, drift, slowdown))


def _report(timed: pd.DataFrame, found: pd.DataFrame) -> Iterator[Finding]:
    """A line for each group that takes longer; a measurement is not named again beside its group."""
    covered = {place for members in found["members"] if len(members) > 1 for place in members}
    for slow in found.itertuples():
        rows: list[Any] = [*timed.iloc[slow.members].itertuples()]
        took = ""
        if len(rows) == 1:
            if slow.members[0] in covered:
                continue
            took = f" ({seconds(rows[0].total_s_base)} became {seconds(rows[0].total_s_new)})"
        text = f"{slow.name}: {slow.ratio:.2f} times as long{took}, {slow.evidence}{_cause(*rows)}"
        yield Finding(Exit.SLOWER, "slower", text)
