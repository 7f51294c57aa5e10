"""What the language is worth, and what the paradigm: searches in C compared with the rest."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from statistics import geometric_mean

from bench.analysis import scores
from bench.analysis.compare import compare
from bench.analysis.measurements import Measurement, fewest_threads
from bench.analysis.tables import RESOLUTION_S, TASKS, rank
from bench.analysis.units import count, factor, listed, seconds
from bench.campaign.schedule import SMALLEST_SAMPLE
from bench.catalogue.programs import BACKEND, OURS
from bench.report.table import Table

_Sides = tuple[Measurement, Measurement]
"""A search in C and what it is compared with, on the same problem."""


def worth_table(measured: Iterable[Measurement]) -> Table | None:
    """The times of searches in Python, and of the fastest solver, relative to C; None if unknown."""
    # The searches have one thread.
    measured = fewest_threads(measured)
    in_c = {(each.problem, each.formulation): each for each in measured if _is_ours(each)}
    language: list[_Sides] = []
    paradigm: list[_Sides] = []
    solvers: set[str] = set()
    for problem, group in scores.by_problem(scores.best_formulations(measured)).items():
        compiled = [each for each in group if each.backend not in ("backtrack", "csp", BACKEND)]
        solvers |= {each.label for each in compiled}
        for each in group:
            if each.backend == "backtrack" and (ours := in_c.get((problem, each.formulation))):
                language.append((ours, each))
            if _is_ours(each) and compiled:
                paradigm.append((each, scores.ranked(compiled)[0]))
    long = [
        (ours, other)
        for ours, other in language
        if ours.solved and other.solved and _search_s(ours) and _search_s(other) >= RESOLUTION_S
    ]
    time_s = attrgetter("time_s")
    rows = [
        *_rows("Python", language, time_s),
        *_rows("Python, after the root", long, _search_s),
        *_rows("solver", paradigm, time_s),
        *_rows("solver, unbuilt", paradigm, attrgetter("unbuilt_s")),
    ]
    if not rows:
        return None
    figures = ["problems", "mean", "least", "most", "only C", "only other"]
    columns = ["relative to C", "task", *figures, "fastest"]
    title = "What the language is worth, and what the paradigm: times relative to a search in C"
    notes = [
        "Geometric mean, least and most over the problems that both solve; how many only one side solves.",
        f"Python: the same search; after the root: where that is {seconds(RESOLUTION_S)} or more. "
        f"Solver: the fastest of {listed(sorted(solvers, key=rank))}; unbuilt: without building the model.",
    ]
    return Table(title, columns, rows, ["task", "fastest"], notes)


def _is_ours(measurement: Measurement) -> bool:
    return measurement.backend == BACKEND and measurement.solver == OURS


def _search_s(measurement: Measurement) -> float:
    return measurement.figures.search_s or 0.0


def _rows(words: str, pairs: Sequence[_Sides], time_s: Callable[[Measurement], float]) -> Iterable[list[str]]:
    """For each task the ratios of a time on what both sides solve, on a common host.

    A task has none with few problems if these have few runs.
    """
    for task, words_of_task in TASKS.items():
        of_task = [pair for pair in pairs if pair[0].task == task]
        alone = Counter((ours.solved, other.solved) for ours, other in of_task)
        solved = [(ours, other) for ours, other in of_task if ours.solved and other.solved]
        solved = [(ours, other) for ours, other in solved if not ours.hosts.isdisjoint(other.hosts)]
        certain = all(compare(other, ours).ratio.known for ours, other in solved)
        if solved and (certain or len(solved) >= SMALLEST_SAMPLE):
            ratios = [time_s(other) / time_s(ours) for ours, other in solved]
            figures = map(factor, (geometric_mean(ratios), min(ratios), max(ratios)))
            only = (count(alone[sides] or None) for sides in ((True, False), (False, True)))
            wins = Counter("C" if time_s(ours) <= time_s(other) else other.label for ours, other in solved)
            fastest = ", ".join(f"{label} {number}" for label, number in wins.most_common())
            yield [words, words_of_task, count(len(solved)), *figures, *only, fastest]
