"""Shows how far a campaign is: a live bar on a terminal, a line every ten seconds elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from bench.campaign.runner import Progress as Step
from bench.cli.console import Terminal

LINE_EVERY_S = 10.0


def is_news(step: Step, said: set[str]) -> bool:
    """Whether a run failed and no other repeat of it has yet; `said` keeps what was told."""
    news = describe(step)
    if not step.completed.row.status.faulty or news in said:
        return False
    said.add(news)
    return True


@contextmanager
def show_progress(console: Terminal) -> Iterator[Callable[[Step], None]]:
    """Gives a function to call after each run."""
    if console.quiet:
        yield lambda _: None
    elif console.is_terminal:
        with live_bar(console) as on_step:
            yield on_step
    else:
        yield plain_lines(console)


@contextmanager
def live_bar(console: Terminal) -> Iterator[Callable[[Step], None]]:
    """A bar with the last run, how many of how many, and the time left."""
    columns = (
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=console, speed_estimate_period=600) as bar:
        task = bar.add_task("starting", total=None)
        said: set[str] = set()

        def on_step(step: Step) -> None:
            bar.update(task, completed=step.done, total=step.planned, description=describe(step))
            if is_news(step, said):
                bar.console.print(f"[red]{describe(step)}: {escape(step.completed.row.error)}[/]")
                show_traceback(console, step)

        yield on_step


def plain_lines(console: Terminal) -> Callable[[Step], None]:
    """A line now and then, with how many of how many and the time left."""
    started = last = monotonic()
    first: int | None = None
    said: set[str] = set()

    def on_step(step: Step) -> None:
        nonlocal last, first
        now = monotonic()
        first = step.done - 1 if first is None else first
        if is_news(step, said):
            console.print(f"{describe(step)}: {escape(step.completed.row.error)}", soft_wrap=True)
            show_traceback(console, step)
        elif now - last >= LINE_EVERY_S or step.done == step.planned:
            where = f"{step.done} runs"
            if step.planned is not None:
                left = (now - started) / (step.done - first) * (step.planned - step.done)
                where = f"{step.done} of {step.planned}, {left:.0f} s left"
            console.print(f"{where}: {describe(step)}", soft_wrap=True)
            last = now

    return on_step


def show_traceback(console: Terminal, step: Step) -> None:
    """With -v the traceback of a run that crashed, where there is one."""
    if console.verbose and (traceback := step.completed.traceback):
        console.print(escape(traceback), soft_wrap=True)


def describe(step: Step) -> str:
    """The run and what became of it."""
    return escape(f"{step.completed.run.label} {step.completed.row.status}")
