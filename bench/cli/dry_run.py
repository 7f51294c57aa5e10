"""The table of `--dry-run`."""

from collections import defaultdict
from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bench.campaign.forecast import Forecast
from bench.campaign.schedule import Repeats
from bench.contract import Task


def print_forecast(console: Console, found: Sequence[Forecast], repeats: Repeats | None, jobs: int) -> None:
    """A line for each puzzle, backend and formulation; then how many runs in all, and how long."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("puzzle", "backend", "formulation", "task"):
        table.add_column(title, overflow="fold")
    for title in ("runs", "recorded", "to run", "time"):
        table.add_column(title, justify="right", no_wrap=True)
    groups: dict[tuple[str, str, str], list[Forecast]] = defaultdict(list)
    for one in found:
        run = one.run
        groups[run.puzzle, f"{run.backend}:{run.solver}", run.formulation].append(one)
    for names, group in groups.items():
        tasks = [task for task in Task if any(one.run.task == task for one in group)]
        table.add_row(
            *(escape(name) or "[red]no model[/]" for name in names), " ".join(tasks), *in_figures(group, jobs)
        )
    console.print(table)
    console.print(escape(in_words(found, repeats, jobs)), soft_wrap=True)


def in_figures(group: Sequence[Forecast], jobs: int) -> tuple[str, str, str, str]:
    """The runs of a group: wanted, recorded, missing, and their time as far as known."""
    unfinished = [one for one in group if one.missing]
    seconds = sum(one.missing * one.seconds for one in unfinished if one.seconds is not None)
    unknown = any(one.seconds is None for one in unfinished)
    some = any(one.seconds is not None for one in unfinished)
    time = (
        "" if not unfinished else "unknown" if not some else f"{duration(seconds / jobs)}{' + ?' * unknown}"
    )
    wanted, left = sum(one.wanted for one in group), sum(one.missing for one in group)
    return f"{wanted:,}", f"{wanted - left:,}", f"{left:,}", time


def in_words(found: Sequence[Forecast], repeats: Repeats | None, jobs: int) -> str:
    """How many runs are missing, and how long they take by the record."""
    wanted = sum(one.wanted for one in found)
    left = sum(one.missing for one in found)
    climbs, grows = repeats is None, repeats is not None and repeats.times is None
    bound = "at most " if climbs else "at least " if grows else ""
    said = [f"{bound}{wanted:,} runs, {wanted - left:,} of them recorded already, {left:,} to run"]
    if climbs:
        said.append("a backend that fails at two sizes in a row is tried at no larger one")
    known = [one for one in found if one.missing and one.seconds is not None]
    unknown = [one for one in found if one.missing and one.seconds is None]
    if known:
        seconds = sum(one.missing * (one.seconds or 0.0) for one in known) / jobs
        number = sum(one.missing for one in known)
        sources = ", ".join(dict.fromkeys(one.source for one in known if one.source)) or "their models: none"
        said.append(f"{bound or 'about '}{duration(seconds)} for {number:,} of them by {sources}")
    if unknown:
        number = sum(one.missing for one in unknown)
        most = sum(one.missing * one.run.time_limit_s for one in unknown) / jobs
        said.append(
            f"unknown for {number:,} of them, which were never recorded: at most {duration(most)}, "
            "by the time limit"
        )
    if left:
        said.append("the start of the solvers, plots and the report not counted")
    return "; ".join(said)


def duration(seconds: float) -> str:
    """A time in the unit that suits it."""
    if seconds < 0.95:
        return f"{max(seconds, 0.1):.1f} s" if seconds else "0 s"
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 99.5 * 60 else f"{seconds / 3600:.1f} h"
