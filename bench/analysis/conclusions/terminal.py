"""What samples say of kinds of puzzles, on the terminal."""

from collections.abc import Sequence
from operator import attrgetter

from rich.console import Console
from rich.markup import escape

from bench.analysis.conclusions.across import conclusions
from bench.analysis.conclusions.kinds import samples
from bench.analysis.conclusions.wording import answers, everywhere, labels_of, slowdowns
from bench.analysis.measurements import Measurement
from bench.analysis.tables import TASKS, grouped
from bench.analysis.terminal import compact, print_errors
from bench.contract import Task


def print_samples(console: Console, measured: Sequence[Measurement]) -> None:
    """For each task a line a kind of puzzle and a column a backend; what was wrong; the answers.

    Args:
        measured: on instances of samples alone.
    """
    found = conclusions(samples(measured))
    labels = labels_of(found)
    for task, of_task in grouped(found.standings, attrgetter("task")).items():
        what = f"{TASKS[Task(task)]}: slowdown relative to the fastest solver of each problem"
        shown = compact(what, ["kind of puzzle"], labels)
        for puzzle, of_kind in sorted(grouped(of_task, attrgetter("puzzle")).items()):
            shown.add_row(puzzle, *slowdowns(of_kind, labels))
        shown.add_section()
        shown.add_row(
            "all kinds", *slowdowns(everywhere([loss for loss in found.losses if loss.task == task]), labels)
        )
        console.print(shown)
    if found.samples:
        console.print("Geometric means. +: some are not solved, so it would be more without the time limit.")
    print_errors(console, [each for each in measured if each.status.faulty])
    for answer in answers(found):
        console.print(escape(f"{answer.question} {answer.text}"), soft_wrap=True)
