"""Shows the progress of runs, and of pictures: a live bar on a terminal, a line every 10 s elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from time import monotonic

from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Column
from rich.text import Text

from bench.analysis.units import plural
from bench.campaign.runner import Progress as Step
from bench.cli.console import Terminal
from bench.contract import Status

LINE_EVERY_S = 10.0

_WIDTH_WITH_BAR = 80
"""A narrower terminal has no room for a bar beside the numbers."""


@contextmanager
def show_progress(console: Terminal) -> Iterator[Callable[[Step], None]]:
    """Provides a function to call after each run; how runs fail is printed once for each way."""
    failures: set[tuple[Status, str]] = set()

    def fails_anew(step: Step) -> bool:
        """Prints a failure, with -v where it crashed; returns whether it is a new one."""
        row = step.completed.row
        if not row.status.faulty or (row.status, row.error) in failures:
            return False
        failures.add((row.status, row.error))
        console.print(f"[red]{_describe(step)}: {escape(row.error)}[/]", soft_wrap=True)
        if console.verbose and step.completed.traceback:
            console.out(step.completed.traceback)
        return True

    if console.quiet:
        yield lambda _: None
    elif console.rich.is_terminal:
        with _bar_of(console, "runs") as bar:
            task = bar.add_task("starting", total=None)

            def on_step(step: Step) -> None:
                said = _workers(step) + _describe(step)
                bar.update(task, completed=step.done, total=step.planned, description=said)
                fails_anew(step)

            yield on_step
    else:
        yield _plain_lines(console, fails_anew)


def _plain_lines(console: Terminal, fails_anew: Callable[[Step], bool]) -> Callable[[Step], None]:
    """Prints a line now and then, with the last run, the number of runs, and the time left."""
    last = start = monotonic()
    # The time before the first run is that of waiting for a worker, and what cannot be tried needs none.
    begun: tuple[float, int] | None = None

    def on_step(step: Step) -> None:
        nonlocal last, begun
        now = monotonic()
        if begun is None and step.completed.row.status.tried:
            begun = now, step.done
        if not fails_anew(step) and (now - last >= LINE_EVERY_S or step.done == step.planned):
            where = f"{step.done} runs" if step.planned is None else f"{step.done} of {step.planned} runs"
            where += f", {_clock(now - start)} elapsed"
            if step.planned is not None and begun and step.done > begun[1]:
                left = (now - begun[0]) / (step.done - begun[1]) * (step.planned - step.done)
                where += f", about {_clock(left)} left"
            console.print(f"{where}: {_workers(step)}{_describe(step)}", soft_wrap=True)
            last = now

    return on_step


@contextmanager
def show_drawing(console: Terminal) -> Iterator[Callable[[str, int, int], None]]:
    """Provides a function to call before each picture, with its name, its number, and how many there are."""
    if console.quiet:
        yield lambda *_: None
    elif console.rich.is_terminal:
        with _bar_of(console, "pictures") as bar:
            task = bar.add_task("", total=None)
            yield lambda name, number, planned: bar.update(
                task, completed=number, total=planned, description=escape(name)
            )
    else:
        last = monotonic()

        def on_picture(name: str, number: int, planned: int) -> None:
            nonlocal last
            if monotonic() - last >= LINE_EVERY_S:
                console.print(f"drawing {number} of {planned} pictures: {escape(name)}", soft_wrap=True)
                last = monotonic()

        yield on_picture


def _bar_of(console: Terminal, noun: str) -> Progress:
    """A bar that counts runs or pictures, with the time that has passed and that which is left."""
    whole = Column(no_wrap=True)
    bar = [BarColumn(bar_width=10)] * (console.rich.width >= _WIDTH_WITH_BAR)
    counted = MofNCompleteColumn(separator=" of ", table_column=whole), TextColumn(f"{noun},")
    passed = TimeElapsedColumn(table_column=whole), TextColumn("elapsed,")
    left = TimeRemainingColumn(table_column=whole), TextColumn("left:")
    columns = *bar, *counted, *passed, *left, _Rest("{task.description}", table_column=Column())
    return Progress(*columns, console=console.rich, speed_estimate_period=600)


class _Rest(TextColumn):
    """A text that is cut where the line ends."""

    def render(self, task: Task) -> Text:
        text = super().render(task)
        text.no_wrap, text.overflow = True, "ellipsis"
        return text


def _clock(time_s: float) -> str:
    return str(timedelta(seconds=round(time_s)))


def _workers(step: Step) -> str:
    """How many workers of a cluster execute runs; empty without a cluster."""
    return "" if step.workers is None else f"{plural(step.workers, 'worker')}, "


def _describe(step: Step) -> str:
    return escape(f"{step.completed.run.label} {step.completed.row.status}")
