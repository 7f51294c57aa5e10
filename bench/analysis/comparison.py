"""The models of an instance side by side, and beside what sources published."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import TypeVar

import numpy as np

from bench.analysis import puzzles
from bench.analysis.measurements import Figures, Measurement
from bench.contract import Task
from models.shared.puzzle import Reported

T = TypeVar("T")

MOST_COMPARED = 6
"""At most so many instances of a puzzle are compared in detail, or shown in one picture."""

MOST_IN_ALL = 24
"""At most so many in a campaign of many puzzles, but at least one of each puzzle."""


@dataclass(frozen=True)
class ComparedModel:
    """A model in the comparison of an instance: measured here, or published.

    Attributes:
        system: label of the backend, or the system that the source names.
        figures: medians of the conclusive runs, or what was published.
        total_s: the median total time, or what was published.
        published: whether the figures are a source's.
        note: why there is no time, or what the source says.
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


def compared_task(measurements: Iterable[Measurement], puzzle: str, instance: str) -> Task:
    """The task by which the models of an instance are compared: one solution, else all of them."""
    tasks = {each.task for each in measurements if (each.puzzle, each.instance) == (puzzle, instance)}
    return next(task for task in Task if task in tasks)


def compared_models(measurements: Sequence[Measurement], puzzle: str, instance: str) -> list[ComparedModel]:
    """The models of an instance: measured on the task of `compared_task`, then published.

    Published figures are for one solution, and are left out of a comparison for all solutions.
    """
    task = compared_task(measurements, puzzle, instance)
    measured = [
        ComparedModel(
            each.label,
            each.formulation,
            each.figures,
            each.total_s,
            published=False,
            note=each.error or ("" if each.conclusive else each.status),
        )
        for each in measurements
        if each.problem == (puzzle, instance, task)
    ]
    return measured + [
        ComparedModel(
            each.system,
            each.formulation or "",
            published_figures(each),
            each.total_s,
            published=True,
            note=each.note,
        )
        for each in puzzles.reported(puzzle)
        if each.instance == instance and task == Task.FIRST
    ]


def published_figures(reported: Reported) -> Figures:
    """The figures that a source published."""
    return Figures(**{field.name: getattr(reported, field.name, None) for field in fields(Figures)})


def compared_instances(measurements: Iterable[Measurement]) -> list[tuple[str, str]]:
    """The (puzzle, instance) pairs whose models are compared in detail.

    All instances that some model solved or that sources published figures for. Of a puzzle with many such
    instances (MOST_COMPARED, MOST_IN_ALL) those with published figures, and others evenly spaced by size.
    """
    by_puzzle: dict[str, list[Measurement]] = {}
    for each in measurements:
        by_puzzle.setdefault(each.puzzle, []).append(each)
    most = max(1, min(MOST_COMPARED, MOST_IN_ALL // max(1, len(by_puzzle))))
    chosen = []
    for puzzle, group in by_puzzle.items():
        published = {each.instance for each in puzzles.reported(puzzle)}
        by_size = sorted(group, key=lambda each: each.size)
        names = dict.fromkeys(
            each.instance for each in by_size if each.conclusive or each.instance in published
        )
        first = [name for name in names if name in published]
        rest = [name for name in names if name not in published]
        picked = {*first, *evenly(rest, max(0, most - len(first)))}
        chosen += [(puzzle, name) for name in names if name in picked]
    return chosen


def evenly(items: Sequence[T], most: int) -> list[T]:
    """At most so many of the items, evenly spaced."""
    places = np.linspace(0, len(items) - 1, min(len(items), most)).round().astype(int)
    return [items[place] for place in places]
