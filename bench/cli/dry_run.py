"""The table of `--dry-run`: which runs are missing, and about how long they would take."""

from collections import defaultdict
from collections.abc import Sequence

from rich import box
from rich.markup import escape
from rich.table import Table

from bench.analysis.units import sentence
from bench.campaign.forecast import Forecast
from bench.campaign.schedule import Repeats
from bench.cli.console import answers
from bench.contract import Task


def print_forecast(
    forecasts: Sequence[Forecast], repeats: Repeats | None, jobs: int, one_of_several: bool = False
) -> None:
    """Prints a row for each puzzle, backend and formulation, then a summary.

    Args:
        jobs: how many runs at once, on all workers together.
        one_of_several: whether there may be more workers, so that these are the times of one.
    """
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("puzzle", "backend", "formulation", "task"):
        table.add_column(title, overflow="fold")
    for title in ("runs", "recorded", "to run", "time"):
        table.add_column(title, justify="right", no_wrap=True)
    groups: dict[tuple[str, str, str], list[Forecast]] = defaultdict(list)
    for each in forecasts:
        run = each.run
        groups[run.puzzle, f"{run.backend}:{run.solver}", run.formulation].append(each)
    for names, group in groups.items():
        # A program has no formulation, either.
        no_model = "[red]no model[/]" if group[0].seconds == 0 else ""
        shown = [escape(name) or no_model for name in names]
        tasks = " ".join(task for task in Task if any(each.run.task == task for each in group))
        wanted, left = sum(each.wanted for each in group), sum(each.missing for each in group)
        numbers = f"{wanted:,}", f"{wanted - left:,}", f"{left:,}"
        table.add_row(*shown, tasks, *numbers, _time_left(group, jobs))
    answers.print(table)
    answers.out(summary(forecasts, repeats, jobs, one_of_several))


def _time_left(group: Sequence[Forecast], jobs: int) -> str:
    """The time of the missing runs, with a question mark where that of some is not known."""
    missing = [each for each in group if each.missing]
    known = [each.missing * each.seconds for each in missing if each.seconds is not None]
    if not missing:
        return ""
    return f"{_duration(sum(known) / jobs)}{' + ?' * (len(known) < len(missing))}" if known else "unknown"


def summary(
    forecasts: Sequence[Forecast], repeats: Repeats | None, jobs: int, one_of_several: bool = False
) -> str:
    """The number of missing runs, and how long they would take according to recorded ones."""
    wanted, left = sum(each.wanted for each in forecasts), sum(each.missing for each in forecasts)
    bound = "at most " if repeats is None else "at least " if repeats.times is None else ""
    many = bound if repeats is None or repeats.fixed or repeats.times is None else "about "
    parts = [f"{many}{wanted:,} runs, {wanted - left:,} of them recorded already, {left:,} to run"]
    if repeats is None:
        parts.append("a backend that fails at two sizes in a row is tried at no larger one")
    times = []
    known = [each for each in forecasts if each.missing and each.seconds is not None]
    unknown = [each for each in forecasts if each.missing and each.seconds is None]
    if known:
        seconds = sum(each.missing * (each.seconds or 0.0) for each in known) / jobs
        number = sum(each.missing for each in known)
        sources = ", ".join(dict.fromkeys(each.source for each in known if each.source))
        by = f", estimated from {sources}" if sources else ", without a model"
        times.append(f"{bound or 'about '}{_duration(seconds)} for {number:,} of them{by}")
    if unknown:
        number = sum(each.missing for each in unknown)
        most = sum(each.most_s for each in unknown) / jobs
        unseen = f"unknown for {number:,} of them, which no campaign in results/ has"
        times.append(f"{unseen}: at most {_duration(most)}, by the time limit")
    if times and one_of_several:
        times.append("all times are those of one worker: divide them by the number of workers")
    if left:
        times.append("start of the solvers, plots and report not included")
    said = sentence(times)
    return " ".join(filter(None, (sentence(parts), said[:1].upper() + said[1:])))


def _duration(seconds: float) -> str:
    if seconds < 0.95:
        return f"{max(seconds, 0.1):.1f} s" if seconds else "0 s"
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 99.5 * 60 else f"{seconds / 3600:.1f} h"
