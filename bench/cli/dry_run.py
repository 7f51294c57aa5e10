"""What `--dry-run` prints: which runs are missing, and about how long they would take."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.campaign.forecast import Forecast, forecast
from bench.campaign.schedule import Repeats
from bench.campaign.selection import Request
from bench.cli.console import answers
from bench.cli.options import Recording
from bench.contract import Task
from bench.report.table import Table


def show_missing(
    request: Request, repeats: Repeats | None, recording: Recording, folder: Path | None
) -> None:
    """Prints a row for each puzzle, backend and formulation, then a summary; a climb has no `repeats`."""
    shard, cluster = recording.part, recording.where
    forecasts, again = forecast(request, repeats, recording.again, folder, shard)
    if shard and not forecasts:
        answers.out(f"shard {shard} is empty: no problem of this campaign falls into it")
        return
    jobs = recording.jobs * (recording.workers or 1)
    groups: dict[tuple[str, str, str], list[Forecast]] = defaultdict(list)
    for each in forecasts:
        run = each.run
        solver = f"{run.backend}:{run.solver} {run.release}".rstrip()
        groups[run.puzzle, solver, run.formulation].append(each)
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
    bound = "at most" if repeats is None else "at least" if repeats.times is None else "about"
    wanted, left = _numbers(forecasts)
    runs = f"{wanted:,} runs, {wanted - left:,} of them recorded already, {left:,} to run"
    work = [runs if repeats and repeats.fixed else f"{bound} {runs}"]
    if repeats is None:
        work.append("a backend that fails at two sizes in a row is tried at no larger one")
    times = [*_times_left(forecasts, bound, jobs)]
    if times and cluster and not cluster.workers:
        times.append("all times are those of one worker: divide them by the number of workers")
    if times:
        counts = "counting instructions (50 to 400 times as long as a run), " * request.instructions
        times.append(f"{counts}start of the solvers, plots and report not included")
        times[0] = times[0][0].upper() + times[0][1:]
    answers.out(" ".join(f"{'; '.join(clauses)}." for clauses in (work, times) if clauses))
    if again:
        answers.out(again)


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


def _times_left(forecasts: Sequence[Forecast], bound: str, jobs: int) -> Iterator[str]:
    """Clauses on how long the missing runs would take, by recorded ones; none if no run is missing."""
    known = [each for each in forecasts if each.missing and each.seconds is not None]
    unknown = [each for each in forecasts if each.missing and each.seconds is None]
    if known:
        seconds = sum(each.missing * (each.seconds or 0.0) for each in known) / jobs
        sources = ", ".join(dict.fromkeys(each.source for each in known if each.source))
        by = f"estimated from {sources}" if sources else "without a model"
        yield f"{bound} {_duration(seconds)} for {_numbers(known)[1]:,} of them, {by}"
    if unknown:
        most = _duration(sum(each.most_s for each in unknown) / jobs)
        unseen = f"unknown for {_numbers(unknown)[1]:,} of them, which no campaign in results/ has"
        yield f"{unseen}: at most {most}, by the time limit"


def _duration(seconds: float) -> str:
    if seconds < 0.95:
        return f"{max(seconds, 0.1):.1f} s" if seconds else "0 s"
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 99.5 * 60 else f"{seconds / 3600:.1f} h"
