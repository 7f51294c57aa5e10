"""What the page says of a campaign, as its template reads it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
from markupsafe import Markup

from bench.analysis import comparison, findings, puzzles, scores, tables
from bench.analysis.comparison import ComparedModel
from bench.analysis.measurements import Measurement, Problem, is_conclusive
from bench.analysis.plots import style
from bench.analysis.plots.style import colour_scale, heat
from bench.analysis.tables import grouped
from bench.analysis.units import seconds, span
from bench.contract import Status, Task
from bench.instruments.explain.decline import declines, in_detail, on_decline
from bench.instruments.explain.mechanisms import explained
from bench.instruments.explain.overview import Column, WhyRow, columns, explanation, heading
from bench.instruments.explain.overview import overview as why_overview
from bench.instruments.explain.sentences import Sentence
from bench.instruments.explain.summary import TITLES, UNSOLVED, Contribution, also, contributions
from bench.instruments.explain.table import (
    LeftRow,
    MechanismRow,
    VariantRow,
    left_rows,
    mechanism_rows,
    variant_rows,
)

_MOST_FINDINGS = 24
"""A puzzle with more problems has its findings in the overview's table alone."""

_NOT_AT_HAND = "no picture: the instance is of a family, or its file or its puzzle is not as it was measured"

_UNSOLVED_LAST = 1e9
"""By this time, in seconds, a column of times sorts what is unsolved."""


@dataclass(frozen=True)
class _BackendMark:
    """A backend with its colour, and its marker as a character."""

    label: str
    colour: str
    shape: str


@dataclass(frozen=True)
class _OverviewCell:
    """A backend on a problem: its text, its tooltip and its colours."""

    text: str
    title: str
    colour: str
    ink: str
    time_s: float


@dataclass(frozen=True)
class _OverviewRow:
    """A problem.

    Attributes:
        cells: by the label of the backend.
        winner: the fastest backend, empty if there is none.
        margin: by how much it is faster, or why none is.
    """

    problem: Problem
    cells: Mapping[str, _OverviewCell]
    winner: str
    margin: str


@dataclass(frozen=True)
class _InstanceSection:
    """The comparison of the models of an instance, and who published results."""

    instance: str
    task: Task
    models: Sequence[ComparedModel]
    findings: Sequence[str]
    sources: Sequence[str]
    picture: Markup | None = None


@dataclass(frozen=True)
class _SolutionSection:
    """A solution, and why its picture is missing if it is."""

    instance: str
    answer: str
    picture: Markup | None
    problem: str


@dataclass(frozen=True)
class _PuzzleSection:
    """What the page says of a puzzle.

    Attributes:
        rules: in words; empty if the puzzle is not available.
        more: how many findings are left out.
        left_out: says how many instances are not compared in detail.
    """

    puzzle: str
    rules: str
    findings: Sequence[str]
    more: int
    times: Markup | None
    comparisons: Sequence[_InstanceSection]
    left_out: str
    solutions: Sequence[_SolutionSection]


@dataclass(frozen=True)
class _WhyInstance:
    """What is said of the mechanisms of a problem: sentences, a picture, and the figures as tables."""

    problem: Problem
    sentences: Sequence[Sentence]
    picture: Markup | None
    mechanisms: Sequence[MechanismRow]
    variants: Sequence[VariantRow]
    left: Sequence[LeftRow]


@dataclass(frozen=True)
class _WhySection:
    """What variants say of the mechanisms of solvers.

    Attributes:
        also: what the names of the variants do not say.
        contributions: of each mechanism over all problems; empty for a single problem.
        titles: of their figures.
        unsolved: how they count what is unsolved.
        columns: the mechanisms of the overview, with their headings.
        overview: empty for a single problem.
        families: the name of the picture of each family, with its sentences.
    """

    also: Sequence[str]
    contributions: Sequence[Contribution]
    titles: Sequence[str]
    unsolved: str
    columns: Mapping[Column, str]
    overview: Sequence[WhyRow]
    instances: Sequence[_WhyInstance]
    families: Mapping[str, Sequence[Sentence]]


@dataclass(frozen=True)
class _Failure:
    """Runs of a model on a problem that failed with the same message."""

    puzzle: str
    instance: str
    label: str
    formulation: str
    task: Task
    status: Status
    error: str
    runs: int


@dataclass(frozen=True)
class _ProblemTimes:
    """The times of a problem in seconds by backend, None for unsolved: the data of the curves."""

    task: Task
    puzzle: str
    times: Mapping[str, float | None]


def backend_marks(measured: Sequence[Measurement]) -> list[_BackendMark]:
    """The backends of a campaign."""
    shapes = dict(zip(style.MARKERS, "●■▲◆▼✚✖★", strict=True))
    looks = {label: style.style(label) for label in style.by_rank(each.label for each in measured)}
    return [_BackendMark(label, look.colour, shapes[look.marker]) for label, look in looks.items()]


def timing(measurement: Measurement) -> str:
    """The median time with its interval; empty if no run was conclusive."""
    if measurement.total is None:
        return ""
    return ("~" if measurement.below_resolution else "") + span(*measurement.total)


def _cell_text(each: Measurement) -> str:
    """The median time, or the status, or both if some runs failed."""
    some = f"{each.inconclusive} of {each.runs} " if each.conclusive else ""
    time = "" if each.total_s is None else "~" * each.below_resolution + seconds(each.total_s)
    return "\n".join(filter(None, (time, f"{some}{each.status}" if each.inconclusive else "")))


def overview(best: Sequence[Measurement]) -> list[_OverviewRow]:
    """The problems with the times of each backend's best formulation, coloured as in the picture."""
    scale = colour_scale(each.time_s for each in best)
    slowdowns = scores.by_problem(scores.slowdowns(best))
    rows = []
    for problem, group in scores.by_problem(best).items():
        cells = {
            each.label: _OverviewCell(
                _cell_text(each),
                ": ".join(filter(None, (each.formulation, timing(each)))),
                *heat(each.time_s, *scale),
                time_s=each.time_s if each.solved else _UNSOLVED_LAST,
            )
            for each in group
        }
        rows.append(_OverviewRow(problem, cells, *findings.winner(slowdowns[problem])))
    return rows


def puzzle_sections(
    runs: pd.DataFrame,
    measured: Sequence[Measurement],
    pictures: Mapping[str, Markup],
    missing: Mapping[str, str],
) -> list[_PuzzleSection]:
    """What the page says of each puzzle.

    Args:
        runs: of `tables.read_runs`.
        measured: `measurements` of these runs.
        pictures: by name.
        missing: why a picture could not be drawn, by name.
    """
    compared: dict[str, list[_InstanceSection]] = defaultdict(list)
    for puzzle, instance in comparison.compared_instances(measured):
        picture = pictures.get(f"comparison-{puzzle}-{instance}")
        compared[puzzle].append(instance_section(measured, puzzle, instance, picture))
    solutions: dict[str, list[_SolutionSection]] = defaultdict(list)
    solved = runs[runs["status"] == Status.SOLVED].drop_duplicates(["puzzle", "instance"])
    for puzzle, instance, answer in solved[["puzzle", "instance", "answer"]].itertuples(index=False):
        name = f"solution-{puzzle}-{instance}"
        shown = _SolutionSection(instance, answer, pictures.get(name), missing.get(name, _NOT_AT_HAND))
        solutions[puzzle].append(shown)
    problems = scores.by_problem(scores.best_formulations(measured))
    return [
        _PuzzleSection(
            puzzle=puzzle,
            rules=puzzles.rules(puzzle),
            findings=[findings.on_times(group) for group in groups[:_MOST_FINDINGS]],
            more=max(0, len(groups) - _MOST_FINDINGS),
            times=pictures.get(f"times-{puzzle}"),
            comparisons=compared[puzzle],
            left_out=findings.on_left_out(measured, puzzle),
            solutions=solutions[puzzle],
        )
        for puzzle, groups in grouped(problems.values(), lambda group: group[0].puzzle).items()
    ]


def instance_section(
    measured: Sequence[Measurement], puzzle: str, instance: str, picture: Markup | None = None
) -> _InstanceSection:
    """The models of one instance side by side: their table, what it shows, who published results."""
    task = comparison.compared_task(measured, puzzle, instance)
    best = scores.best_formulations(each for each in measured if each.puzzle == puzzle)
    best = [each for each in best if each.problem == (puzzle, instance, task)]
    models = comparison.compared_models(measured, puzzle, instance)
    published = any(model.published for model in models)
    lines = [
        *findings.on_published_models(measured, puzzle, instance),
        findings.on_sizes(best),
        findings.on_branches(best),
        findings.on_phases(best),
    ]
    return _InstanceSection(
        instance=instance,
        task=task,
        models=models,
        findings=[line for line in lines if line],
        sources=[
            f"{each.system}: {each.source}" + (f" ({each.note})" if each.note else "")
            for each in puzzles.reported(puzzle)
            if published and each.instance == instance
        ],
        picture=picture,
    )


def why_section(
    runs: pd.DataFrame, measured: Sequence[Measurement], pictures: Mapping[str, Markup]
) -> _WhySection | None:
    """What the page says of mechanisms; None for a campaign without variants.

    Args:
        measured: with variants.
    """
    found = explained(runs, measured)
    if not found:
        return None
    declining = grouped(declines(measured, found), lambda each: each.family)
    detailed = in_detail(found, declining)
    return _WhySection(
        also=also(found),
        contributions=contributions(measured, found) if len(found) > 1 else (),
        titles=TITLES,
        unsolved=UNSOLVED,
        columns={column: heading(column) for column in columns(found)},
        overview=why_overview(measured, found) if len(found) > 1 else (),
        instances=[
            _WhyInstance(
                problem,
                explanation(found[problem]),
                pictures.get(f"why-{'-'.join(problem)}"),
                mechanism_rows(found[problem]),
                variant_rows(found[problem]),
                left_rows(found[problem]),
            )
            for problem in detailed
        ],
        families={
            f"decline-{'-'.join(family)}": [said for each in models for said in on_decline(each)]
            for family, models in declining.items()
        },
    )


def curve_data(shared: Sequence[Measurement]) -> list[_ProblemTimes]:
    """The times by which the page draws curves again when a backend or a puzzle is hidden."""
    return [
        _ProblemTimes(
            problem.task,
            problem.puzzle,
            {each.label: float(f"{each.time_s:.6g}") if each.solved else None for each in group},
        )
        for problem, group in scores.by_problem(shared).items()
    ]


def failures(runs: pd.DataFrame) -> list[_Failure]:
    """The runs that failed; those of a model with the same message together."""
    failed = runs.assign(label=tables.labels(runs))[~is_conclusive(runs)]
    columns = ["puzzle", "instance", "label", "formulation", "task", "status", "error"]
    counted = failed.groupby(columns, sort=False).size()
    return [
        _Failure(puzzle, instance, label, formulation, Task(task), Status(status), error, int(number))
        for (puzzle, instance, label, formulation, task, status, error), number in counted.items()
    ]
