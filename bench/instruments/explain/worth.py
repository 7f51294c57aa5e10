"""What the language is worth, and what the paradigm: sentences that compare searches in C with the rest.

A search in Python that loses to a solver may lose by the language, as solvers are compiled. Where the same
search was measured in C too, the two can be told apart.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import fmean

from bench.analysis import scores
from bench.analysis.compare import compare
from bench.analysis.measurements import Measurement, fewest_threads
from bench.analysis.tables import RESOLUTION_S, TASKS, rank
from bench.analysis.units import count, factor, listed, plural, seconds
from bench.campaign.schedule import SMALLEST_SAMPLE
from bench.catalogue.programs import BACKEND, OURS
from bench.contract import Task

_IN_PYTHON = ("backtrack", "csp")
"""The backends whose search itself is written in Python."""

Sides = tuple[Measurement, Measurement]
"""A search in C and what it is compared with, on the same problem."""


def worth(measurements: Sequence[Measurement]) -> list[str]:
    """The sentences that the measurements of a campaign allow."""
    # The searches have one thread.
    measurements = fewest_threads(measurements)
    best = scores.best_formulations(measurements)
    said = [_on_language(measurements, best, task) for task in Task] + [
        _on_paradigm(best, task) for task in Task
    ]
    return [line for line in said if line]


def _on_language(measurements: Iterable[Measurement], best: Iterable[Measurement], task: Task) -> str:
    """How much faster the best search in Python is in C, on one task; empty if too little was measured."""
    in_c = {(each.problem, each.formulation): each for each in measurements if _is_ours(each)}
    pairs = [
        (in_c[each.problem, each.formulation], each)
        for each in best
        if each.task == task and each.backend == "backtrack" and (each.problem, each.formulation) in in_c
    ]
    solved = _comparable(pairs)
    if not solved:
        return ""
    said = (
        f"What the language is worth, {TASKS[task]}: the same search takes "
        f"{spread(map(_total_ratio, solved))} as long in Python as in C, on "
        f"{plural(len(solved), 'problem')}, including the start of the program"
    )
    long = [
        pair for pair in solved if all(search_s(each) for each in pair) and search_s(pair[1]) >= RESOLUTION_S
    ]
    if long:
        ratios = [search_s(other) / search_s(ours) for ours, other in long]
        said += (
            f"; after propagation at the root {spread(ratios)} as long, on the {count(len(long))} "
            f"where that is {seconds(RESOLUTION_S)} or more in Python"
        )
    return f"{said}{alone(pairs, 'C', 'Python')}."


def _on_paradigm(best: Iterable[Measurement], task: Task) -> str:
    """How the searches in C compare with the fastest solver; empty if too little was measured."""
    best = [each for each in best if each.task == task]
    solvers = sorted({each.label for each in best if is_solver(each)}, key=rank)
    pairs = []
    for problem in scores.by_problem(best).values():
        searches, others = list(filter(_is_ours, problem)), list(filter(is_solver, problem))
        if searches and others:
            pairs.append((searches[0], scores.ranked(others)[0]))
    solved = _comparable(pairs)
    if not solved:
        return ""
    fastest = Counter(other.label for ours, other in solved if other.time_s < ours.time_s)
    wins = len(solved) - fastest.total()
    losses = "".join(f", {label} on {number}" for label, number in fastest.most_common())
    rival = f"the fastest of {listed(solvers)}" if len(solvers) > 1 else solvers[0]
    return (
        f"What the paradigm is worth, {TASKS[task]}: {rival} takes {spread(map(_total_ratio, solved))} "
        f"as long as the search in C, on {plural(len(solved), 'problem')}; without building the model "
        f"{spread(other.unbuilt_s / ours.unbuilt_s for ours, other in solved)} as long. "
        f"The search is the fastest on {wins}{losses}{alone(pairs, 'the search', 'solvers')}."
    )


def _is_ours(measurement: Measurement) -> bool:
    """Whether it is of this project's searches in C."""
    return measurement.backend == BACKEND and measurement.solver == OURS


def is_solver(measurement: Measurement) -> bool:
    """Whether it is of a solver that is compiled."""
    return measurement.backend not in (*_IN_PYTHON, BACKEND)


def _comparable(pairs: Iterable[Sides]) -> Sequence[Sides]:
    """The pairs of which both are solved, with a common host.

    None if there are neither enough problems for their mean to say something, nor enough runs of each.
    """
    solved = [
        (one, two)
        for one, two in pairs
        if one.solved and two.solved and one.total and not one.hosts.isdisjoint(two.hosts)
    ]
    certain = all(compare(two, one).ratio.known for one, two in solved)
    return solved if certain or len(solved) >= SMALLEST_SAMPLE else ()


def alone(pairs: Iterable[Sides], one: str, two: str) -> str:
    """On how many problems only one side succeeds, to stand at the end of a sentence; empty if on none."""
    pairs = list(pairs)
    ours = sum(search.solved and not other.solved for search, other in pairs)
    theirs = sum(other.solved and not search.solved for search, other in pairs)
    said = [f"{number} more solved by {who} alone" for number, who in ((ours, one), (theirs, two)) if number]
    return f"; {listed(said)}" if said else ""


def spread(ratios: Iterable[float]) -> str:
    """The geometric mean of ratios, and the smallest and the largest of them."""
    ratios = list(ratios)
    mean = math.exp(fmean(map(math.log, ratios)))
    if len(ratios) == 1:
        return f"{factor(mean)} times"
    return f"{factor(mean)} times (geometric mean; least {factor(min(ratios))}, most {factor(max(ratios))})"


def _total_ratio(pair: Sides) -> float:
    """The total time of what the search in C is compared with, relative to that of the search."""
    ours, other = pair
    return other.time_s / ours.time_s


def search_s(measurement: Measurement) -> float:
    """The time in seconds after propagation at the root; 0 if it is not known."""
    return measurement.figures.search_s or 0.0
