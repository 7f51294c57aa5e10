"""What the language is worth, and what the paradigm: sentences that compare searches in C with the rest.

A search in Python that loses to a solver may lose by the language, as solvers are compiled. Where the same
search was measured in C too, the two can be told apart.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import fmean

from bench.analysis import scores
from bench.analysis.measurements import Measurement
from bench.analysis.tables import TASKS, rank
from bench.analysis.units import factor, listed, plural
from bench.catalogue.programs import BACKEND, OURS
from bench.contract import Task

IN_PYTHON = ("backtrack", "csp")
"""The backends whose search itself is written in Python."""

ENOUGH = 1000
"""Of fewer branches the time of one cannot be told from that of starting the search."""

Sides = tuple[Measurement, Measurement]
"""A search in C and what it is compared with, on the same problem."""


def worth(measurements: Sequence[Measurement]) -> list[str]:
    """The sentences that the measurements of a campaign allow."""
    said = [say(measurements, task) for say in (on_language, on_paradigm) for task in Task]
    return [line for line in said if line]


def on_language(measurements: Iterable[Measurement], task: Task) -> str:
    """How much faster the same search is in C than in Python; empty if no problem was solved by both."""
    pairs = []
    for problem in scores.by_problem(each for each in measurements if each.task == task).values():
        by_hand = {each.formulation: each for each in problem if each.backend == "backtrack"}
        for each in problem:
            if in_c(each) and each.formulation in by_hand:
                pairs.append((each, by_hand[each.formulation]))
    solved = comparable(pairs)
    if not solved:
        return ""
    said = (
        f"{TASKS[task].capitalize()}, what the language is worth: the same search in C is "
        f"{spread([time_of(two) / time_of(one) for one, two in solved])} times as fast as in Python "
        f"({plural(len(solved), 'problem')}, starting the program included)"
    )
    searched = [pair for pair in solved if all(branches(each) >= ENOUGH for each in pair)]
    if searched:
        rates = [per_branch(two) / per_branch(one) for one, two in searched]
        said += f"; where it searches ({plural(len(searched), 'problem')}), each branch {spread(rates)} times"
    return f"{said}{alone(pairs, 'C', 'Python')}."


def on_paradigm(measurements: Iterable[Measurement], task: Task) -> str:
    """How the searches in C compare with the fastest solver; empty if no problem was solved by both."""
    best = [each for each in scores.best_formulations(measurements) if each.task == task]
    pairs, fastest = [], Counter[str]()
    for problem in scores.by_problem(best).values():
        searches = [each for each in problem if in_c(each)]
        solvers = [each for each in problem if each.backend not in (*IN_PYTHON, BACKEND)]
        if searches and solvers:
            pairs.append((searches[0], scores.ranked(solvers)[0]))
    solved = comparable(pairs)
    if not solved:
        return ""
    for one, two in solved:
        fastest[min((one, two), key=time_of).label] += 1
    labels = {each.label for each in best if each.backend not in (*IN_PYTHON, BACKEND)}
    solvers_named = listed(sorted(labels, key=rank))
    rivals = solvers_named if len(labels) == 1 else f"the fastest of {solvers_named}"
    counted = [f"{label} on {number}" for label, number in fastest.most_common()]
    return (
        f"{TASKS[task].capitalize()}, what the paradigm is worth: the search in C is "
        f"{spread([time_of(two) / time_of(one) for one, two in solved])} times as fast as {rivals} "
        f"({plural(len(solved), 'problem')}); without building the model "
        f"{spread([solving_s(two) / solving_s(one) for one, two in solved])} times; "
        f"the fastest is {listed(counted)}{alone(pairs, 'the search', 'solvers')}."
    )


def in_c(measurement: Measurement) -> bool:
    """Whether it is of this project's searches in C."""
    return measurement.backend == BACKEND and measurement.solver == OURS


def comparable(pairs: Iterable[Sides]) -> Sequence[Sides]:
    """The pairs of which both are solved, with times of the same kind of host."""
    return [
        (one, two) for one, two in pairs if one.solved and two.solved and one.total and one.host == two.host
    ]


def alone(pairs: Iterable[Sides], one: str, two: str) -> str:
    """On how many problems only one side succeeds, to stand at the end of a sentence; empty if on none."""
    pairs = list(pairs)
    ours = sum(search.solved and not other.solved for search, other in pairs)
    theirs = sum(other.solved and not search.solved for search, other in pairs)
    said = [f"{number} more solved by {who} alone" for number, who in ((ours, one), (theirs, two)) if number]
    return f"; {listed(said)}" if said else ""


def spread(ratios: Sequence[float]) -> str:
    """The geometric mean of ratios, and the smallest and the largest of them."""
    mean = math.exp(fmean(map(math.log, ratios)))
    if len(ratios) == 1:
        return factor(mean)
    return f"{factor(mean)} (geometric mean; from {factor(min(ratios))} to {factor(max(ratios))})"


def time_of(measurement: Measurement) -> float:
    """The median total time in seconds."""
    return measurement.time_s


def solving_s(measurement: Measurement) -> float:
    """The time in seconds without that of building the model."""
    return measurement.time_s - (measurement.figures.build_s or 0.0)


def branches(measurement: Measurement) -> float:
    """The median number of branches; 0 if it is not known."""
    return measurement.figures.branches or 0.0


def per_branch(measurement: Measurement) -> float:
    """The time of a branch in seconds."""
    return (measurement.figures.search_s or solving_s(measurement)) / branches(measurement)
