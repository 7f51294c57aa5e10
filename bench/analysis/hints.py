"""What a campaign left out for the sake of time, and the commands that measure it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from bench.analysis import findings
from bench.analysis.measurements import Measurement
from bench.analysis.units import are, listed, plural, seconds, shortened
from bench.campaign.machine_json import Asked, Facts, more_runs
from bench.campaign.selection import TIME_LIMIT_S
from bench.contract import Status


@dataclass(frozen=True)
class Hint:
    """A line, and the command that it ends with; some have none."""

    text: str
    command: str = ""


def hints(runs: pd.DataFrame, measured: Sequence[Measurement], facts: Facts, folder: Path) -> Iterator[Hint]:
    """Which runs were stopped early, were not repeated, or are too few; and how to execute more.

    Args:
        runs: of `tables.read_runs`.
        measured: `measurements` of these runs.
        facts: of the campaign in the folder.
    """
    asked = facts.sessions[-1].request if facts.sessions else Asked()
    stopped = [
        each for each in measured if each.status == Status.TIMEOUT and each.time_limit_s < TIME_LIMIT_S
    ]
    if stopped:
        # In a folder of its own: of one campaign the runs would count as repeats of those that were stopped.
        labels = Counter(each.label for each in stopped)
        option = " ".join([*(f"--backend {label}" for label in labels), f"--time-limit {TIME_LIMIT_S:g}"])
        yield Hint(f"{on_stopped(labels, stopped, measured)}:", more_runs(facts, None, option))
    within_budget = not asked.climb and asked.times is not None and asked.budget_s is not None
    if within_budget and (said := on_repeats(measured, asked)):
        yield Hint(said)
    more, option = findings.too_few(runs, measured)
    if more:
        # As the campaign did, without repeats of what failed.
        option += f" --budget {TIME_LIMIT_S:g}" if within_budget else ""
        yield Hint(findings.on_more_runs(more), more_runs(facts, folder, option))


def on_stopped(labels: Counter[str], stopped: Sequence[Measurement], measured: Sequence[Measurement]) -> str:
    """How many measurements ended at the time limit, and whose they are."""
    limits = listed([seconds(limit) for limit in sorted({each.time_limit_s for each in stopped})])
    whose = shortened([f"{label} {number}" for label, number in labels.most_common()])
    return (
        f"{len(stopped)} of {plural(len(measured), 'measurement')} {were(len(stopped))} stopped at the time "
        f"limit of {limits} ({whose}); to give them {seconds(TIME_LIMIT_S)}, in a campaign of their own"
    )


def on_repeats(measured: Sequence[Measurement], asked: Asked) -> str:
    """How many measurements have fewer runs than others, and why; empty if all have equally many."""
    tried = [each for each in measured if each.status.tried]
    most = max((each.runs for each in tried), default=0)
    fewer = [each for each in tried if each.runs < most]
    if not fewer:
        return ""
    failed = sum(each.inconclusive > 0 for each in fewer)
    reasons = [f"{failed} failed"] * (failed > 0)
    if others := len(fewer) - failed:
        reasons.append(f"{others} had lasted {seconds(asked.budget_s or 0.0)}")
    return (
        f"{len(fewer)} of {plural(len(tried), 'measurement')} {are(len(fewer))} of fewer than {most} runs: "
        f"{listed(reasons)} before (--repeat N repeats all of them)."
    )


def were(number: float) -> str:
    """The verb that agrees with a number."""
    return "was" if number == 1 else "were"
