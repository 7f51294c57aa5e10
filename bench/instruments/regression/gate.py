"""Whether a change made anything wrong, slower, or search more: what `gate` and `ab` decide by.

Counters are the same in every run, so any difference is real, and only its size is asked; significance.py
judges times. docs/regressions.md has the rules with their error rates.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import partial

import numpy as np

from bench.analysis.tables import RESOLUTION_S
from bench.analysis.units import count, factor, plural, seconds, shortened
from bench.instruments.regression.compare import Change, Comparison, Counter, Kind
from bench.instruments.regression.significance import Drift, Slower, slower_between, slower_in_pairs


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
    """What regressed, the worst first, then what a reader should know.

    Args:
        time_threshold, count_threshold: from which ratio on a time, and a counter, is a regression.
        times: whether times are judged; counters, statuses and answers always are.
        partial: whether new may leave out what base measured.
    """
    found = list(_results(compared.changes, partial))
    if not any(change.judged for change in compared.changes):
        wrong = [finding for finding in found if finding.what == Kind.WRONG]
        other_files = any(change.kind == Kind.INSTANCE_CHANGED for change in compared.changes)
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
    many = f"{sum(change.judged for change in compared.changes)} measurements"
    wrong = [finding for finding in findings if finding.exit == Exit.WRONG]
    bad = sum(finding.measurements for finding in wrong)
    gone = sum(finding.measurements for finding in wrong if finding.what == Kind.GONE)
    # What is wrong counts even where base did not solve it.
    known = gone + sum(change.judged or change.kind == Kind.WRONG for change in compared.changes)
    part = "; if NEW measured only a part, add --partial" if gone else ""
    return {
        Exit.PASS: f"pass: nothing regressed in {many}",
        Exit.SLOWER: f"fail: slower or more search, of {many}",
        Exit.WRONG: f"fail: wrong or lost results: {bad} of {known} measurements{part}",
        Exit.NOTHING: "fail: nothing was measured that could be compared",
    }[code(findings)]


def several(changes: Sequence[Change]) -> str:
    """How many measurements these are, of which puzzles, and the names of the first."""
    puzzles = shortened([*dict.fromkeys(change.puzzle for change in changes)])
    names = shortened([change.name for change in changes], 2)
    return f"{plural(len(changes), 'measurement')} of {puzzles}: {names}"


def _cause(changes: Iterable[Change]) -> str:
    """The version of the solver or of Python, if it changed too and so may be the cause."""
    versions = []
    for change in changes:
        versions.append((change.label, change.base.solver_version, change.new.solver_version))
        versions.append(("Python", change.base.python, change.new.python))
    found = [f"{what} {base} became {new}" for what, base, new in versions if base and new and base != new]
    return f"; the likely cause: {', '.join(dict.fromkeys(found))}" if found else ""


def _results(changes: Sequence[Change], partial: bool) -> Iterator[Finding]:
    """The measurements that are wrong, lost, or answered otherwise."""
    for change in changes:
        base, new = change.base, change.new
        tried = f"{new.status} in {new.runs - new.conclusive} of {count(new.runs)} runs"
        error = f" ({new.error})" if new.error else ""
        why = _cause([change])
        answers = [
            plural(side.solutions, "solution") + (f", answer {side.answer}" if side.answer else "")
            for side in (base, new)
        ]
        bad = {
            Kind.WRONG: new.error,
            Kind.OTHER_ANSWER: f"base: {answers[0]}; new: {answers[1]}{why}",
            Kind.LOST: f"base solved it; {tried}{error}{why}",
            Kind.PARTLY_LOST: f"base always solved it; {tried}{error}{why}",
        }
        excused = {
            Kind.AT_LIMIT: f"base needed {seconds(base.longest_s)} of {seconds(base.time_limit_s)}; {tried}",
            Kind.INSTANCE_CHANGED: "the file is another one, so it is not compared",
        }
        if change.kind in bad:
            yield Finding(Exit.WRONG, change.kind, f"{change.name}: {bad[change.kind]}")
        elif change.kind in excused and new.runs:
            yield Finding(Exit.PASS, change.kind, f"{change.name}: {excused[change.kind]}")
    gone = [change for change in changes if change.kind == Kind.GONE]
    if gone and not partial:
        text = f"{several(gone)}: base solved {'it' if len(gone) == 1 else 'them'}, new did not try"
        yield Finding(Exit.WRONG, Kind.GONE, text, len(gone))


def _counters(changes: Iterable[Change], threshold: float) -> Iterator[Finding]:
    """A line for each measurement whose model became larger, or its search longer."""
    for change in changes:
        more = [f"{name} {each}" for name, each in change.counters.items() if exceeds(each, threshold)]
        if more:
            text = f"{change.name}: {', '.join(more)}{_cause([change])}"
            yield Finding(Exit.SLOWER, "more work", text)


def exceeds(counter: Counter, threshold: float) -> bool:
    """Whether a counter grew to the threshold, rounded to a whole number either way."""
    base, _, ratio = counter
    return ratio > 1 and (ratio >= threshold or ratio * base + base.is_integer() > threshold * base)


def longer(compared: Comparison, threshold: float, drift: Drift) -> Iterator[Finding]:
    """What takes longer, as far as the times can tell; says where they cannot be compared as they are."""
    if compared.paired:
        yield from _report(slower_in_pairs(compared.timed, threshold, compared.rounds))
        return
    remark = partial(Finding, Exit.PASS, "times")
    if compared.hosts is not None:
        yield remark(compared.how)
    # A time that is still below timing resolution in new varies too much between campaigns.
    changes = [change for change in compared.timed if change.times and change.times.new_s >= RESOLUTION_S]
    if not changes:
        return
    slowdown = None
    if not compared.same_machine:
        slowdown = compared.slowdown
        what = f"another machine ({compared.machines[0]} became {compared.machines[1]})"
        if np.isnan(slowdown):
            yield remark(f"{what} and no reference load: only counters are judged")
            return
        yield remark(
            f"{what}: counters are judged, and times divided by those of the reference load, which takes "
            f"{factor(slowdown)} times as long"
        )
    elif not drift.campaigns:
        yield remark(f"no A/A campaigns of this machine: campaigns are taken to differ by {drift.common:.0%}")
    if all(len(change.times.base) == len(change.times.new) == 1 for change in changes if change.times):
        yield remark("one run a side has no interval: times are not judged")
        return
    yield from _report(slower_between(changes, threshold, drift, slowdown))


def _report(found: Sequence[Slower]) -> Iterator[Finding]:
    """A line for each group that takes longer; a measurement is not named again beside its group."""
    covered = {change for slow in found if len(slow.members) > 1 for change in slow.members}
    for slow in found:
        first, *others = slow.members
        if not others and first in covered:
            continue
        took = ""
        if not others and first.times:
            took = f" ({seconds(first.times.base_s)} became {seconds(first.times.new_s)})"
        text = f"{slow.name}: {slow.ratio:.2f} times as long{took}, {slow.evidence}{_cause(slow.members)}"
        yield Finding(Exit.SLOWER, "slower", text)
