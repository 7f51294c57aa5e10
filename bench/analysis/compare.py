"""Comparisons: of two measurements, which is faster and how sure that is; of all models of an instance."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf, isfinite, isinf, log
from typing import NamedTuple, TypeVar

import numpy as np

from bench import catalogue
from bench.analysis.measurements import FIGURES, Figures, Measurement, median_figures, one_release
from bench.analysis.tables import DEFAULTS, grouped, is_default, parts
from bench.campaign.selection import TEXTBOOK
from bench.contract import Task
from bench.stats import Ratio, median_interval, median_log, paired_ratio, ratio
from models.shared.puzzle import Reported

T = TypeVar("T")

FAR = 2.0
"""Runs that lasted so many times as long as any of another model need no interval: noise is less."""


class Comparison(NamedTuple):
    """One measurement compared with another.

    Attributes:
        ratio: the time of the one relative to the other; what is not conclusive is slower than what is.
        log: the logarithm of the ratio of the medians (`capped_s`), or of the median ratio within blocks.
        sizes: how many values of each the ratio is of; none if runs of several hosts have no common block.
        far: whether runs are too few for an interval, but each of one lasted FAR times as long as any of
            the other. A single run each decides nothing.
        verdict: 1 if the one is faster, -1 if the other is, 0 if neither is significantly: one always solves
            what the other never does, or the interval excludes 1, or it is `far`.
    """

    ratio: Ratio
    log: float
    sizes: tuple[int, int]
    far: bool
    verdict: int

    @property
    def apart(self) -> bool:
        """Whether there is nothing to compare: runs of several hosts without a common block."""
        return self.sizes == (0, 0)


def compare(one: Measurement, other: Measurement) -> Comparison:
    """How the one compares with the other; if their runs are of several hosts, only within blocks."""
    logs = _block_logs(one, other) if len(one.hosts | other.hosts) > 1 else None
    found = ratio(one.sample, other.sample) if logs is None else paired_ratio(logs)
    far = 0
    if logs is None and not found.known and len(one.sample) + len(other.sample) > 2:
        far = _is_far(other.sample, one.sample) - _is_far(one.sample, other.sample)
    if one.inconclusive == 0 and other.conclusive == 0:
        verdict = 1
    elif other.inconclusive == 0 and one.conclusive == 0:
        verdict = -1
    else:
        verdict = (found.high < 1) - (found.low > 1) if found.known else far
    middle = median_log(logs) if logs and one.solved and other.solved else inf
    return Comparison(
        ratio=found,
        log=middle if isfinite(middle) else log(capped_s(one) / capped_s(other)),
        sizes=(len(one.sample), len(other.sample)) if logs is None else (len(logs), len(logs)),
        far=far != 0,
        verdict=verdict,
    )


def _block_logs(one: Measurement, other: Measurement) -> list[float]:
    """The logarithms of the ratios of the runs in each block that both have; of several seeds the median."""
    seeds: dict[int, list[float]] = defaultdict(list)
    for block, time_s in one.blocks.items():
        if (other_s := other.blocks.get(block)) is not None:
            # Two failures are a tie.
            both_failed = isinf(time_s) and isinf(other_s)
            seeds[block.seed].append(0.0 if both_failed else log(time_s) - log(other_s))
    return next(iter(seeds.values())) if len(seeds) == 1 else [median_log(logs) for logs in seeds.values()]


def _is_far(slow: Sequence[float], fast: Sequence[float]) -> bool:
    """Whether each run of the one lasted FAR times as long as any of the other, of which none failed."""
    return isfinite(max(fast)) and min(slow) >= FAR * max(fast)


def capped_s(measurement: Measurement) -> float:
    """The median time in seconds, in which what was not solved counts as the time limit."""
    return min(measurement.time_s, measurement.time_limit_s)


MOST_COMPARED, MOST_IN_ALL = 8, 100
"""At most so many instances of a puzzle, and of all puzzles, are compared in detail or drawn together."""


_MOST_LISTED = 40
"""A puzzle with more instances is shown by size."""


def by_size(measurements: Iterable[Measurement]) -> dict[tuple[str, str], str]:
    """What stands for each (puzzle, instance) of a puzzle with many: how many are of its order of size.

    The next order begins at twice the size or less.
    """
    found: dict[tuple[str, str], str] = {}
    for puzzle, group in grouped(measurements, lambda each: each.puzzle).items():
        sizes = {each.instance: int(each.size) for each in group}
        orders = grouped(sizes.items(), lambda of: of[1].bit_length()) if len(sizes) > _MOST_LISTED else {}
        for order in orders.values():
            low, high = min(size for _, size in order), max(size for _, size in order)
            words = f"{len(order):,} of size {low}" + f" to {high}" * (low < high)
            found |= {(puzzle, name): words for name, _ in order}
    return found


def merged_by_size(measurements: Iterable[Measurement]) -> list[Measurement]:
    """The measurements; of a puzzle with many instances, over all instances of an order of size together.

    Each of these instances counts as one run, with its median time.
    """
    measurements = list(measurements)
    orders = by_size(measurements)
    groups = grouped(
        measurements,
        lambda each: (each.puzzle, orders.get(each.problem[:2], each.instance), each.task, each.model),
    )
    merged = []
    for (puzzle, instance, *_), own in groups.items():
        if (puzzle, own[0].instance) not in orders:
            merged += own
            continue
        solved = [each for each in own if each.solved]
        times, sample = (tuple(each.time_s for each in of) for of in (solved, own))
        worst = min(own, key=lambda each: (not each.status.faulty, each.status.conclusive))
        merged.append(
            replace(
                worst, instance=instance, runs=len(own), conclusive=len(solved), times=times, sample=sample,
                unbuilt=(), total=median_interval(times) if times else None, branches_range=None, blocks={},
                seeds=1, figures=median_figures(each.figures for each in solved),
            )
        )  # fmt: skip
    return merged


class ComparedModel(NamedTuple):
    """A model on an instance: measured here, with its medians, or as a source published it.

    `note` says why there is no time, or what the source remarks.
    """

    system: str
    formulation: str
    figures: Figures
    total_s: float | None
    published: bool
    note: str

    @property
    def name(self) -> str:
        """The system and the formulation."""
        return f"{self.system} {self.formulation}".strip()

    @property
    def backend(self) -> str:
        """The backend of the system, without its solver."""
        return parts(self.system).backend


def reported(puzzle: str) -> Sequence[Reported]:
    """The published results for a puzzle; none if it is not available or cannot be imported."""
    if catalogue.is_puzzle(puzzle):
        with suppress(catalogue.PuzzleError):
            return catalogue.reported(puzzle)
    return ()


def compared_task(measurements: Iterable[Measurement], puzzle: str, instance: str) -> Task:
    """The task by which the models of an instance are compared: one solution, else all of them."""
    tasks = {each.task for each in measurements if (each.puzzle, each.instance) == (puzzle, instance)}
    return next(task for task in Task if task in tasks)


def compared_models(measurements: Sequence[Measurement], puzzle: str, instance: str) -> list[ComparedModel]:
    """The models of an instance: measured on the task of `compared_task`, then published.

    The textbook's are first.
    """
    task = compared_task(measurements, puzzle, instance)
    models = []
    for each in measurements:
        if each.problem == (puzzle, instance, task):
            why = each.error or ("" if each.conclusive else each.result)
            models.append(ComparedModel(each.label, each.formulation, each.figures, each.total_s, False, why))
    models.sort(key=lambda model: model.formulation != TEXTBOOK)
    for source in reported(puzzle) if task != Task.COUNT else ():
        if source.instance == instance:
            figures = Figures(**{name: getattr(source, name, None) for name in FIGURES})
            name = source.formulation or ""
            models.append(ComparedModel(source.system, name, figures, source.total_s, True, source.note))
    return models


def pictured_models(compared: Sequence[ComparedModel]) -> list[ComparedModel]:
    """Those of a comparison that its picture shows: few enough to be read at a glance.

    The textbook's integer and constraint program, what was published, and the fastest of each backend with
    its default solver.
    """
    measured = [model for model in compared if not model.published]
    own = [m for m in measured if m.backend not in DEFAULTS or is_default(m.system, m.backend)]
    textbook = {model.backend: model for model in own if model.formulation == TEXTBOOK}
    chosen = [textbook[backend] for backend in ("milp", "cpsat") if backend in textbook]
    chosen += [model for model in compared if model.published]
    fastest: dict[str, ComparedModel] = {}
    for model in sorted(own, key=lambda model: inf if model.total_s is None else model.total_s):
        fastest.setdefault(model.backend, model)
    return chosen + [model for model in fastest.values() if model not in chosen]


def textbook_pairs(measurements: Iterable[Measurement]) -> list[tuple[Measurement, Measurement]]:
    """The textbook's integer and constraint program for one solution or the best, where there are both.

    Each by the default solver of its backend, as `one_release` has it.
    """
    pairs = grouped(
        (e for e in one_release(measurements) if e.formulation == TEXTBOOK and e.task != Task.COUNT),
        lambda each: (each.puzzle, each.instance),
    )
    by_solver = [
        {(each.backend, each.solver): each for each in of_instance} for of_instance in pairs.values()
    ]
    ip, cp = (("milp", DEFAULTS["milp"]), ("cpsat", DEFAULTS["cpsat"]))
    return [(each[ip], each[cp]) for each in by_solver if {ip, cp} <= each.keys()]


def undecided(measurements: Iterable[Measurement]) -> list[tuple[str, str]]:
    """The (puzzle, instance) pairs that presolve decides in neither textbook model, as far as is known.

    It is not known of a model that was not solved.
    """
    return [
        (ip.puzzle, ip.instance)
        for ip, cp in textbook_pairs(measurements)
        if all(each.figures.presolved_variables != 0 for each in (ip, cp))
    ]


def compared_instances(measurements: Sequence[Measurement]) -> list[tuple[str, str]]:
    """The (puzzle, instance) pairs whose models are compared in detail, `undecided` ones first, by size.

    Of each puzzle all instances with published figures, and of others that some model solved as many, evenly
    spaced, as there is room for (MOST_COMPARED, MOST_IN_ALL).
    """
    by_puzzle = grouped(measurements, lambda each: each.puzzle)
    most = max(1, min(MOST_COMPARED, MOST_IN_ALL // max(1, len(by_puzzle))))
    chosen, first = [], undecided(measurements)
    for puzzle, group in by_puzzle.items():
        published = {each.instance for each in reported(puzzle)}
        by_size = dict.fromkeys(each.instance for each in sorted(group, key=lambda each: each.size))
        solved = {each.instance for each in group if each.conclusive} - published
        room = max(0, most - len(published & by_size.keys()))
        picked = {*published, *evenly([name for name in by_size if name in solved], room)}
        chosen += [(puzzle, name) for name in by_size if name in picked]
    return sorted(chosen, key=lambda each: each not in first)


def evenly(items: Sequence[T], most: int) -> list[T]:
    """At most so many of the items, evenly spaced."""
    places = np.linspace(0, len(items) - 1, min(len(items), most)).round().astype(int)
    return [items[place] for place in places]
