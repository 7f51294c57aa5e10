"""Whether a change made anything wrong, slower, or search more: the rules of docs/regressions.md."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import pandas as pd

from bench.analysis.units import count, plural, seconds, shortened
from bench.campaign.results import MOST_COUNTED
from bench.instruments.regression.compare import COUNTERS, Change, Comparison, counter_change
from bench.instruments.regression.significance import slower_in_pairs


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
    time_threshold: float = 1.05,
    count_threshold: float = 1.05,
    instruction_threshold: float = 1.003,
    partial: bool = False,
) -> list[Finding]:
    """What regressed, the worst first, then what a reader should know; arguments as the options of `ab`."""
    found = list(_results(compared.changes, partial))
    if not compared.judged.any():
        wrong = [finding for finding in found if finding.what == Change.WRONG]
        other_files = Change.INSTANCE_CHANGED in set(compared.changes["change"])
        text = "new tried nothing that base solved" + " with the same instance file" * other_files
        return wrong or [Finding(Exit.NOTHING, "nothing measured", text)]
    found += _counters(compared.changes, count_threshold)
    if len(compared.counted):
        found += _instructions(compared, instruction_threshold)
    if compared.counted.empty or compared.rounds > MOST_COUNTED:
        found += longer(compared, time_threshold)
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
            Change.WORSE: (Exit.WRONG, f"base was better after {seconds(row.reached_s_base)}; {lost}"),
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


_SAME = 50_000
"""Instructions, some 0.01 ms, by which equal code differs in another folder."""


def _instructions(compared: Comparison, threshold: float) -> Iterator[Finding]:
    """A line for each measurement that executes more instructions, and by how much in each phase."""
    if not compared.paired and compared.machines[0] != compared.machines[1]:
        yield Finding(Exit.PASS, "instructions", "not judged: they were counted on different machines")
        return
    for row in compared.counted.itertuples():
        more = row.instructions_new - row.instructions_base
        if row.least_ratio > threshold and more > _SAME:
            sides = f"{row.instructions_base / 1e6:,.1f} to {row.instructions_new / 1e6:,.1f} million"
            ratios = row.instructions_ratio, row.building_ratio, row.solving_ratio
            # -0.0% is none.
            whole, building, solving = (f"{round(ratio - 1, 3) + 0.0:+.1%}" for ratio in ratios)
            text = f"{row.name}: {sides} ({whole}: building {building}, solving {solving}){_cause(row)}"
            yield Finding(Exit.SLOWER, "more instructions", text)


def exceeds(base: float, ratio: float, threshold: float) -> bool:
    """Whether a counter grew to the threshold, rounded to a whole number either way."""
    return ratio > 1 and (ratio >= threshold or ratio * base + base.is_integer() > threshold * base)


def longer(compared: Comparison, threshold: float) -> Iterator[Finding]:
    """A line for each group whose pairs are slower; a measurement is not named again beside its group."""
    if not compared.paired:
        text = "not judged: two campaigns differ by what the machine did meanwhile; `ab` judges times"
        yield Finding(Exit.PASS, "times", text)
        return
    timed = compared.timed
    found = slower_in_pairs(timed, threshold, compared.rounds)
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
