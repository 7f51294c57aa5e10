"""Whether a change made anything wrong, slower, or search more: what `gate` and `ab` decide by.

Counters are the same in every run, so any difference is real, and only its size is asked. How times are
judged is in slower.py. docs/regressions.md has the rules with their error rates.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
import pandas as pd

from bench.analysis.tables import RESOLUTION_S
from bench.analysis.units import count, factor, seconds
from bench.regression import significance
from bench.regression.compare import COUNTERS, Comparison
from bench.regression.drift import Drift
from bench.regression.wording import ANOTHER, Row, moved_in_words, name


class Exit(IntEnum):
    """The exit codes of a gate; 2 is for requests that cannot be carried out."""

    PASS = 0
    SLOWER = 1
    WRONG = 3
    NOTHING = 4


@dataclass(frozen=True)
class Finding:
    """One line of a gate: what regressed, or with Exit.PASS, what a reader should know."""

    exit: Exit
    what: str
    text: str


@dataclass(frozen=True)
class Thresholds:
    """From which ratio on a time, and a counter, counts as a regression."""

    time: float = 1.10
    count: float = 1.05


def judge(
    compared: Comparison, thresholds: Thresholds, drift: Drift, times: bool = True, partial: bool = False
) -> list[Finding]:
    """What regressed, the worst first, then what a reader should know.

    Args:
        times: whether times are judged; counters, statuses and answers always are.
        partial: whether new may leave out what base measured.
    """
    table = compared.table
    found = list(results(table, partial))
    if not measured(table).any():
        wrong = [finding for finding in found if finding.what in ("wrong", "contradicted")]
        others = " with the same instance file" if (table["change"] == ANOTHER).any() else ""
        return wrong or [
            Finding(Exit.NOTHING, "nothing measured", f"new tried nothing that base solved{others}")
        ]
    found += counters(table, thresholds.count)
    if times:
        found += longer(compared, thresholds.time, drift)
    return sorted(found, key=lambda finding: -finding.exit)


def code(findings: Sequence[Finding]) -> Exit:
    """The exit code of a gate."""
    return max((finding.exit for finding in findings), default=Exit.PASS)


def conclusion(compared: Comparison, findings: Sequence[Finding]) -> str:
    """The last line of a gate."""
    many = f"{measured(compared.table).sum()} measurements"
    return {
        Exit.PASS: f"pass: nothing regressed in {many}",
        Exit.SLOWER: f"fail: slower or more search, of {many}",
        Exit.WRONG: f"fail: wrong or lost results, of {many}",
        Exit.NOTHING: "fail: nothing was measured that could be compared",
    }[code(findings)]


def measured(table: pd.DataFrame) -> "pd.Series[bool]":
    """Which measurements base solved and new tried: those that a gate can say something about."""
    return (table["done_base"] > 0) & (table["runs_new"] > 0)


def cause(rows: pd.DataFrame) -> str:
    """What else changed that explains it: the version of the solver or of Python."""
    changed: dict[str, None] = {}
    for title, column in (("", "solver_version"), ("Python ", "python")):
        for row in rows.drop_duplicates([f"{column}_base", f"{column}_new"]).to_dict("records"):
            versions = row[f"{column}_base"], row[f"{column}_new"]
            if versions[0] != versions[1] and all(versions):
                changed[f"{title or row['label'] + ' '}{versions[0]} became {versions[1]}"] = None
    return f"; the likely cause: {', '.join(changed)}" if changed else ""


def results(table: pd.DataFrame, partial: bool) -> Iterator[Finding]:
    """What is wrong, lost, or answered otherwise."""
    changed = table[table["change"] != ""]
    for place, row in zip(changed.index, changed.to_dict("records"), strict=True):
        why = cause(table.loc[[place]])
        tried = f"{row['status_new']} in {row['runs_new'] - row['done_new']} of {count(row['runs_new'])} runs"
        error = f" ({row['error_new']})" if row["error_new"] else ""
        say = {
            "wrong": f"{row['error_new']}",
            "contradicted": f"{row['error_new']}",
            "other answer": f"base: {said(row, 'base')}; new: {said(row, 'new')}{why}",
            "lost": f"base solved it; {tried}{error}{why}",
            "partly lost": f"base always solved it; {tried}{error}{why}",
            "gone": "base solved it; new did not try it",
        }
        what = str(row["change"])
        if what == "gone" and partial:
            continue
        if what in say:
            yield Finding(Exit.WRONG, what, f"{name(row)}: {say[what]}")
        elif what == ANOTHER and row["runs_new"]:
            yield Finding(Exit.PASS, what, f"{name(row)}: the file is another one, so it is not compared")


def said(row: Mapping[str, Any], which: str) -> str:
    """What a side found."""
    solutions = row[f"solutions_{which}"]
    found = f"{count(solutions)} solution{'' if solutions == 1 else 's'}"
    return f"{found}, answer {row[f'answer_{which}']}" if row[f"answer_{which}"] else found


def counters(table: pd.DataFrame, threshold: float) -> Iterator[Finding]:
    """Where a model became larger, or its search longer: a line for each measurement."""
    for place, row in zip(table.index, table.to_dict("records"), strict=True):
        more = [counter for counter in COUNTERS if exceeds(row, counter, threshold)]
        if more:
            figures = ", ".join(moved_in_words(row, counter) for counter in more)
            yield Finding(Exit.SLOWER, "more work", f"{name(row)}: {figures}{cause(table.loc[[place]])}")


def exceeds(row: Row, counter: str, threshold: float) -> bool:
    """Whether a counter grew to the threshold, rounded to a whole number either way."""
    base, ratio = row[f"{counter}_base"], row[f"{counter}_ratio"]
    if not ratio > 1:
        return False
    rounded = 1 if base == int(base) else 0
    return bool(ratio >= threshold or ratio * base + rounded > threshold * base)


def longer(compared: Comparison, threshold: float, drift: Drift) -> Iterator[Finding]:
    """What takes longer, as far as the times can tell; says where they cannot be compared as they are."""
    table = compared.table[compared.table["ratio"].notna()]
    if not compared.paired:
        # A time that is still coarse in new varies too much from one campaign to another.
        table = table[table["total_s_new"] >= RESOLUTION_S]
    if table.empty:
        return
    if compared.paired:
        yield from report(significance.in_turns(table, threshold, compared.rounds), table)
        return
    if not compared.same_machine:
        what = f"another machine ({compared.machines[0]} became {compared.machines[1]})"
        if np.isnan(compared.slowdown):
            yield Finding(Exit.PASS, "times", f"{what} and no reference load: only counters are judged")
            return
        yield Finding(
            Exit.PASS, "times",
            f"{what}: counters are judged, and times divided by those of the reference load, which takes "
            f"{factor(compared.slowdown)} times as long",
        )  # fmt: skip
    elif not drift.campaigns:
        yield Finding(
            Exit.PASS, "times",
            f"no A/A campaigns of this machine: campaigns are taken to differ by {drift.common:.0%}",
        )  # fmt: skip
    if table[["logs_base", "logs_new"]].map(len).eq(1).all(axis=None):
        yield Finding(Exit.PASS, "times", "one run a side has no interval: times are not judged")
        return
    slowdown = None if compared.same_machine else compared.slowdown
    yield from report(significance.between(table, threshold, drift, slowdown), table)


def report(found: Sequence[significance.Slower], table: pd.DataFrame) -> Iterator[Finding]:
    """A line for each unit that takes longer; a measurement is not named again beside its group."""
    groups = {place for slow in found for place in slow.unit.rows if len(slow.unit.rows) > 1}
    for slow in found:
        if len(slow.unit.rows) == 1 and slow.unit.rows[0] in groups:
            continue
        rows = table.iloc[list(slow.unit.rows)]
        took = " ".join(
            f"({seconds(row['total_s_base'])} became {seconds(row['total_s_new'])})"
            for row in rows.to_dict("records")
            if len(rows) == 1
        )
        text = f"{slow.unit.name}: {slow.ratio:.2f} times as long {took}".rstrip()
        yield Finding(Exit.SLOWER, "slower", f"{text}, {slow.evidence}{cause(rows)}")
