"""What a campaign left out for the sake of time, and the commands that measure it."""

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

import pandas as pd

from bench import catalogue
from bench.analysis import tables
from bench.analysis.measurements import Measurement
from bench.analysis.scores import best_formulations, by_problem, far_slower, ranked, sample_sizes, time_ratio
from bench.analysis.tables import MEASUREMENT
from bench.analysis.units import MOST_NAMED, are, listed, plural, seconds, shortened
from bench.campaign.machine_json import Asked, Facts, more_runs
from bench.campaign.schedule import SMALLEST_SAMPLE
from bench.campaign.selection import TIME_LIMIT_S
from bench.contract import Status


@dataclass(frozen=True)
class _Hint:
    """A line, and the command that it ends with; some have none."""

    text: str
    command: str = ""


def hints(runs: pd.DataFrame, measured: Sequence[Measurement], facts: Facts, folder: Path) -> Iterator[_Hint]:
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
        backends = dict.fromkeys(tables.parts(label).option for label in labels)
        names = _instances_to_name(stopped, facts)
        others = sum(
            tables.parts(each.label).option in backends
            and (not names or f"{each.puzzle}/{each.instance}" in names)
            for each in measured
        ) - len(stopped)
        options = [("--backend", name) for name in backends] + [("--instance", name) for name in names]
        option = shlex.join(
            [word for each in options for word in each] + ["--time-limit", f"{TIME_LIMIT_S:g}"]
        )
        yield _Hint(f"{_on_stopped(labels, stopped, measured, others)}:", more_runs(facts, None, option))
    within_budget = not asked.climb and asked.times is not None and asked.budget_s is not None
    if within_budget and (said := _on_repeats(runs, measured, asked)):
        yield _Hint(said)
    more, option = too_few(runs, measured)
    if more:
        # As the campaign did, without repeats of what failed.
        option += f" --budget {TIME_LIMIT_S:g}" if within_budget else ""
        yield _Hint(on_more_runs(more), more_runs(facts, folder, option))


def _instances_to_name(stopped: Sequence[Measurement], facts: Facts) -> list[str]:
    """The instances, as `puzzle/name`, that a command for the stopped runs can be restricted to.

    None if they are many, or if a file, an instance or a family was asked for: `run` would add to these.
    """
    names = list(dict.fromkeys(f"{each.puzzle}/{each.instance}" for each in stopped))
    requests = [session.request for session in facts.sessions]
    puzzles = catalogue.puzzle_names()
    adds = any(
        request.families or not all(word in puzzles or Path(word).is_dir() for word in request.what)
        for request in requests
    )
    known = catalogue.all_instances().keys()
    return [] if adds or len(names) > MOST_NAMED or not known >= set(names) else names


def _on_stopped(
    labels: Counter[str], stopped: Sequence[Measurement], measured: Sequence[Measurement], others: int
) -> str:
    """How many measurements ended at the time limit, whose they are, and how many others run with them."""
    limits = listed([seconds(limit) for limit in sorted({each.time_limit_s for each in stopped})])
    whose = shortened([f"{label} {number}" for label, number in labels.most_common()])
    them = f"them, and {plural(others, 'other')} of the same backends," if others else "them"
    return (
        f"{len(stopped)} of {plural(len(measured), 'measurement')} {_were(len(stopped))} stopped at the time "
        f"limit of {limits} ({whose}); to give {them} {seconds(TIME_LIMIT_S)}, in a campaign of their own"
    )


def _on_repeats(runs: pd.DataFrame, measured: Sequence[Measurement], asked: Asked) -> str:
    """How many measurements have fewer runs than others, and why if that is known; empty if none have."""
    tried = [each for each in measured if each.status.tried]
    most = max((each.runs for each in tried), default=0)
    fewer = [each for each in tried if each.runs < most]
    if not fewer:
        return ""
    failed = sum(each.inconclusive > 0 for each in fewer)
    key, lasted_s = attrgetter(*MEASUREMENT), lasted(runs)
    budget_s = asked.budget_s or 0.0
    long = sum(lasted_s[key(each)] >= budget_s for each in fewer if not each.inconclusive)
    reasons = [f"{failed} failed"] * (failed > 0) + [f"{long} had lasted {seconds(budget_s)}"] * (long > 0)
    why = f": {listed(reasons)} before" if reasons else ""
    if reasons and (rest := len(fewer) - failed - long):
        why += f", {rest} did neither"
    return (
        f"{len(fewer)} of {plural(len(tried), 'measurement')} {are(len(fewer))} of fewer than {most} "
        f"runs{why} (--repeat N repeats all of them)."
    )


def too_few(runs: pd.DataFrame, measurements: Iterable[Measurement]) -> tuple[int, str]:
    """How many more runs of each model all intervals need, and the option that asks for them.

    0 and an empty option where each comparison of the campaign has its interval already, or there is none.
    """
    least = SMALLEST_SAMPLE
    for problem in by_problem(best_formulations(measurements)).values():
        fastest = [each for each in ranked(problem) if each.solved][:2]
        if len(fastest) == 2 and not time_ratio(*fastest).known and not far_slower(*reversed(fastest)):
            # Without a common block more runs of the same hosts say nothing.
            least = min(least, *(size or least for size in sample_sizes(*fastest)))
    # With several seeds each seed counts once, however often it was repeated.
    option = f"--{'seeds' if runs['seed'].nunique() > 1 else 'repeat'} {SMALLEST_SAMPLE}"
    return (SMALLEST_SAMPLE - least, option) if least < SMALLEST_SAMPLE else (0, "")


def on_more_runs(more: int) -> str:
    """How many more runs of each model are needed, to stand before a command; empty if none are."""
    if not more:
        return ""
    least = SMALLEST_SAMPLE - more
    too_few = f"{plural(least, 'run')} of a model {are(least)} too few for a 95% interval"
    return f"{too_few}; to add {plural(more, 'more run')} of each:"


def lasted(runs: pd.DataFrame) -> dict[tuple[str | int, ...], float]:
    """How long the runs of each measurement lasted, as `schedule.lasted_s`; of several seeds the longest."""
    lasted_s = runs["total_s"].fillna(0.0) + runs["overhead_s"].fillna(0.0)
    by_seed = lasted_s.groupby([runs[name] for name in (*MEASUREMENT, "seed")]).sum()
    return {key: float(longest) for key, longest in by_seed.groupby(level=MEASUREMENT).max().items()}


def _were(number: float) -> str:
    return "was" if number == 1 else "were"
