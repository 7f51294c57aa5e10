"""What `--dry-run` prints: which runs are missing, and about how long they would take."""

from collections import defaultdict
from collections.abc import Sequence

from bench.analysis.units import sentence
from bench.campaign.forecast import Forecast
from bench.campaign.schedule import Repeats
from bench.cli.console import answers
from bench.contract import Task
from bench.report.table import Table


def print_forecast(
    forecasts: Sequence[Forecast], repeats: Repeats | None, jobs: int, one_of_several: bool = False
) -> None:
    """Prints a row for each puzzle, backend and formulation, then a summary.

    Args:
        repeats: None for a climb.
        jobs: how many runs at once, on all workers together.
        one_of_several: whether there may be more workers, so that these are the times of one.
    """
    groups: dict[tuple[str, str, str], list[Forecast]] = defaultdict(list)
    for each in forecasts:
        run = each.run
        groups[run.puzzle, f"{run.backend}:{run.solver}", run.formulation].append(each)
    rows = []
    for (puzzle, backend, formulation), group in groups.items():
        # A program has no formulation, either.
        model = formulation or ("no model" if group[0].seconds == 0 else "")
        tasks = " ".join(task for task in Task if any(each.run.task == task for each in group))
        wanted, left = _numbers(group)
        numbers = f"{wanted:,}", f"{wanted - left:,}", f"{left:,}"
        rows.append([puzzle, backend, model, tasks, *numbers, _time_left(group, jobs)])
    words = ["puzzle", "backend", "formulation", "task"]
    answers.print(Table("", [*words, "runs", "recorded", "to run", "time"], rows, words).for_terminal())
    times = _times_left(forecasts, repeats, jobs, one_of_several)
    answers.out(f"{_work_left(forecasts, repeats)} {times}".rstrip())


def _numbers(forecasts: Sequence[Forecast]) -> tuple[int, int]:
    """How many runs are asked for, and how many of them are missing."""
    return sum(each.wanted for each in forecasts), sum(each.missing for each in forecasts)


def _time_left(group: Sequence[Forecast], jobs: int) -> str:
    """The time of the missing runs, with a question mark where that of some is not known."""
    missing = [each for each in group if each.missing]
    known = [each.missing * each.seconds for each in missing if each.seconds is not None]
    if not missing:
        return ""
    return f"{_duration(sum(known) / jobs)}{' + ?' * (len(known) < len(missing))}" if known else "unknown"


def _work_left(forecasts: Sequence[Forecast], repeats: Repeats | None) -> str:
    """A sentence on the number of missing runs."""
    wanted, left = _numbers(forecasts)
    if repeats is None:
        bound = "at most "
    elif repeats.times is None:
        bound = "at least "
    else:
        bound = "" if repeats.fixed else "about "
    parts = [f"{bound}{wanted:,} runs, {wanted - left:,} of them recorded already, {left:,} to run"]
    if repeats is None:
        parts.append("a backend that fails at two sizes in a row is tried at no larger one")
    return sentence(parts)


def _times_left(forecasts: Sequence[Forecast], repeats: Repeats | None, jobs: int, one: bool) -> str:
    """A sentence on how long the missing runs would take, by recorded ones; empty if there are none."""
    missing = [each for each in forecasts if each.missing]
    known = [each for each in missing if each.seconds is not None]
    unknown = [each for each in missing if each.seconds is None]
    times = []
    if known:
        bound = "at most" if repeats is None else "at least" if repeats.times is None else "about"
        seconds = sum(each.missing * (each.seconds or 0.0) for each in known) / jobs
        sources = ", ".join(dict.fromkeys(each.source for each in known if each.source))
        by = f", estimated from {sources}" if sources else ", without a model"
        times.append(f"{bound} {_duration(seconds)} for {_numbers(known)[1]:,} of them{by}")
    if unknown:
        most = _duration(sum(each.most_s for each in unknown) / jobs)
        unseen = f"unknown for {_numbers(unknown)[1]:,} of them, which no campaign in results/ has"
        times.append(f"{unseen}: at most {most}, by the time limit")
    if times and one:
        times.append("all times are those of one worker: divide them by the number of workers")
    if times:
        times.append("start of the solvers, plots and report not included")
    said = sentence(times)
    return said[:1].upper() + said[1:]


def _duration(seconds: float) -> str:
    if seconds < 0.95:
        return f"{max(seconds, 0.1):.1f} s" if seconds else "0 s"
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 99.5 * 60 else f"{seconds / 3600:.1f} h"
