"""The models of an instance side by side, and beside what sources published."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from bench.analysis import puzzles
from bench.analysis.measurements import FIGURES, Figures, Measurement
from bench.analysis.tables import grouped
from bench.contract import Task

T = TypeVar("T")

MOST_COMPARED, MOST_IN_ALL = 8, 40
"""At most so many instances of a puzzle are compared in detail or shown in one picture, and at most so many
of all puzzles together, but at least one of each."""


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
    models = []
    for each in measurements:
        if each.problem == (puzzle, instance, task):
            note = each.error or ("" if each.conclusive else each.status)
            models.append(
                ComparedModel(each.label, each.formulation, each.figures, each.total_s, False, note)
            )
    for source in puzzles.reported(puzzle) if task == Task.FIRST else ():
        if source.instance == instance:
            figures = Figures(**{name: getattr(source, name, None) for name in FIGURES})
            name = source.formulation or ""
            models.append(ComparedModel(source.system, name, figures, source.total_s, True, source.note))
    return models


def compared_instances(measurements: Iterable[Measurement]) -> list[tuple[str, str]]:
    """The (puzzle, instance) pairs whose models are compared in detail.

    All instances that some model solved or that sources published figures for. Of a puzzle with many such
    instances (MOST_COMPARED, MOST_IN_ALL) those with published figures, and others evenly spaced by size.
    """
    by_puzzle = grouped(measurements, lambda each: each.puzzle)
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
