"""Shows the progress of runs, and of pictures: a live line on a terminal, a line every 10 s elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from rich.markup import escape
from rich.progress import BarColumn, Progress, ProgressColumn, Task
from rich.text import Text

from bench.campaign.runner import Progress as Step
from bench.cli.console import Terminal
from bench.contract import Status

LINE_EVERY_S = 10.0


@contextmanager
def show_progress(console: Terminal) -> Iterator[Callable[[Step], None]]:
    """Provides a function to call after each run; how runs fail is printed once for each way."""
    failures: set[tuple[Status, str]] = set()
    with show_count(console, "runs", tells_end=True) as show:

        def on_step(step: Step) -> None:
            row = step.completed.row
            described = f"{step.completed.run.label} {row.status}"
            # What cannot be tried takes no time, so nothing follows from its speed.
            if row.status.tried or step.done == step.planned:
                workers = "" if step.workers is None else f"workers: {step.workers}, "
                show(workers + described, step.done, step.planned)
            if row.status.faulty and (row.status, row.error) not in failures and not console.quiet:
                failures.add((row.status, row.error))
                console.print(f"[red]{escape(f'{described}: {row.error}')}[/]", soft_wrap=True)
                if console.verbose and step.completed.traceback:
                    console.out(step.completed.traceback)

        yield on_step


@contextmanager
def show_count(
    console: Terminal, noun: str, tells_end: bool = False
) -> Iterator[Callable[[str, int, int | None], None]]:
    """Provides a function to call with a name, its number, and how many there are.

    Args:
        tells_end: whether the last one is shown, however little time has passed.
    """
    if console.quiet:
        yield lambda *_: None
        return
    line = _Line()
    # A narrower terminal has no room for a bar beside the numbers.
    bar = [BarColumn(bar_width=10)] * (console.rich.width >= 80)
    counted = Progress(*bar, line, console=console.rich, speed_estimate_period=3600.0)
    counted.add_task("starting", total=None, noun=noun)
    (task,) = counted.tasks
    shown_s = 0.0

    def show(name: str, number: int, planned: int | None) -> None:
        nonlocal shown_s
        counted.update(task.id, completed=number, total=planned, description=name)
        elapsed_s = task.elapsed or 0.0
        is_due = elapsed_s - shown_s >= LINE_EVERY_S or (tells_end and number == planned)
        if is_due and not console.rich.is_terminal:
            console.print(line.render(task), soft_wrap=True)
            shown_s = elapsed_s

    if console.rich.is_terminal:
        with counted:
            yield show
    else:
        yield show


class _Line(ProgressColumn):
    """How many there are, the time that has passed and that which is left; cut where the line ends."""

    def render(self, task: Task) -> Text:
        of = "" if task.total is None else f" of {task.total:.0f}"
        said = f"{task.completed:.0f}{of} {task.fields['noun']}, {_clock(task.elapsed or 0.0)} elapsed"
        if task.time_remaining:
            said += f", about {_clock(task.time_remaining)} left"
        return Text(f"{said}: {task.description}", no_wrap=True, overflow="ellipsis")


def _clock(time_s: float) -> str:
    return str(timedelta(seconds=round(time_s)))
