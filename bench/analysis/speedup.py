"""What several threads are worth: speed-up of the total time, and CPU time, relative to one thread."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import exp, inf, log
from operator import attrgetter

from bench.analysis import tables
from bench.analysis.compare import compare
from bench.analysis.measurements import Measurement, Problem
from bench.analysis.scores import best_formulations
from bench.analysis.tables import grouped, rank
from bench.contract import Task
from bench.stats import Interval, median_interval, median_log


@dataclass(frozen=True)
class Gain:
    """A model on a problem with several threads, relative to the same model with one.

    Attributes:
        label: the backend, with its solver where the campaign has several of it.
        speedup: the total time with one thread by that with several, as Comparison has it; inf if only the
            runs with several threads are conclusive, 0 if only those with one are.
        cpu: the median CPU time with several threads by that with one; None if a run of either was not
            conclusive: CPU time until a limit says nothing.
    """

    problem: Problem
    label: str
    threads: int
    speedup: float
    cpu: float | None


@dataclass(frozen=True)
class Speedup:
    """The gains of a backend on all problems of a task, or on those of one puzzle.

    Attributes:
        puzzle: empty for all puzzles.
        problems: how many there are, without those that are unsolved with both numbers of threads.
        speedup: the median over the problems, with its 95% interval, of fewer than 6 the range. Of several
            puzzles each counts once, with its median.
        cpu: the same of the CPU time, relative to one thread; None if it is not known of any problem.
    """

    task: Task
    label: str
    puzzle: str
    threads: int
    problems: int
    speedup: Interval
    cpu: Interval | None


def gains(measured: Iterable[Measurement]) -> list[Gain]:
    """The gains on each problem, with the formulation that is the best with one thread.

    Empty if no solver was measured with one thread and with more. What is unsolved with both numbers of
    threads has no ratio, nor have runs that no block has both of (several hosts).
    """
    measured = list(measured)
    model = attrgetter("problem", "backend", "solver", "formulation")
    several = [each for each in measured if each.threads > 1]
    solvers = {(each.backend, each.solver) for each in several}
    alone = best_formulations(
        each for each in measured if each.threads == 1 and (each.backend, each.solver) in solvers
    )
    base = {model(each): each for each in alone}
    return [gain for each in several if (one := base.get(model(each))) and (gain := gain_of(one, each))]


def gain_of(one: Measurement, several: Measurement) -> Gain | None:
    """The gain of a measurement with several threads relative to that with one; None if there is no ratio."""
    if not (one.conclusive or several.conclusive):
        return None
    speedup = compare(one, several).ratio.value
    if not speedup >= 0:
        return None
    return Gain(one.problem, tables.parts(one.label).option, several.threads, speedup, cpu(one, several))


def cpu(one: Measurement, several: Measurement) -> float | None:
    """The ratio of the median CPU times; None where a run failed, or they have no common host."""
    ours, theirs = several.figures.cpu_s, one.figures.cpu_s
    comparable = not (one.inconclusive or several.inconclusive or one.hosts.isdisjoint(several.hosts))
    return ours / theirs if comparable and ours and theirs else None


def speedups(found: Sequence[Gain]) -> list[Speedup]:
    """The gains by task, backend and number of threads: of all puzzles, then of each if there are several."""
    table = []
    for (task, label, threads), group in grouped(
        found, lambda gain: (gain.problem.task, gain.label, gain.threads)
    ).items():
        by_puzzle = grouped(group, lambda gain: gain.problem.puzzle)
        each = [_speedup_of(task, label, puzzle, threads, gains) for puzzle, gains in by_puzzle.items()]
        if len({gain.problem.puzzle for gain in found}) == 1:
            table += [replace(row, puzzle="") for row in each]
            continue
        cpu = [row.cpu.median for row in each if row.cpu]
        speedup = middle([row.speedup.median for row in each])
        overall = Speedup(task, label, "", threads, len(group), speedup, middle(cpu) if cpu else None)
        table += [overall, *each]
    tasks = list(Task)
    return sorted(table, key=lambda row: (tasks.index(row.task), rank(row.label), row.puzzle, row.threads))


def _speedup_of(task: Task, label: str, puzzle: str, threads: int, group: Sequence[Gain]) -> Speedup:
    """The medians of gains, at least one."""
    known = [gain.cpu for gain in group if gain.cpu is not None]
    return Speedup(
        task, label, puzzle, threads, len(group),
        middle([gain.speedup for gain in group]), middle(known) if known else None,
    )  # fmt: skip


def middle(ratios: Sequence[float]) -> Interval:
    """The median of ratios, geometric between two, with its interval; that of the inverses is its inverse."""
    logs = [log(ratio) if ratio > 0 else -inf for ratio in ratios]
    return median_interval(ratios)._replace(median=exp(median_log(logs)))
