"""What a campaign shows, in sentences; where the data cannot tell, the sentence says so."""

from collections.abc import Iterable, Iterator, Sequence
from math import isinf

from bench.analysis import puzzles, scores
from bench.analysis.compare import compare
from bench.analysis.measurements import Measurement
from bench.analysis.scores import (
    Pair,
    Slowdown,
    by_problem,
    ranked,
)
from bench.analysis.tables import TASKS, grouped
from bench.analysis.units import are, count, factor, listed, plural, seconds
from bench.campaign.schedule import SMALLEST_SAMPLE
from bench.contract import Task
from bench.stats import Ratio

_TOO_FEW_BUT_FAR = "too few for a 95% interval, but far apart"


def on_times(problem: Iterable[Measurement]) -> str:
    """Which backend is fastest on one problem, by how much, and which ones failed."""
    order = ranked(problem)
    name = f"{order[0].instance}, {TASKS[order[0].task]}"
    solved = [each for each in order if each.solved]
    failed = listed([f"{each.label} ({each.status})" for each in order if not each.solved])
    if not solved:
        return f"{name}: unsolved by all backends: {failed}."
    others = f"; not solved by {failed}" if failed else ""
    if apart := [each.label for each in solved[2:] if compare(each, solved[0]).apart]:
        others += (
            f"; {listed(apart)} ran on other hosts, or in other sessions, and {are(len(apart))} not compared"
        )
    if len(solved) == 1:
        only = "only " if failed else ""
        return f"{name}: {only}{solved[0].model} solved it, in {seconds(solved[0].time_s)}{others}."
    return f"{name}: {compared(*solved[:2])}{others}."


def winner(problem: Iterable[Slowdown]) -> tuple[str, str]:
    """The label of the backend that is fastest on a problem, empty if none is, and by how much or why."""
    fastest, *others = sorted(problem, key=lambda each: (not each.is_fastest, each.measurement.time_s))
    label = fastest.fastest
    if not label:
        return "", "unsolved"
    if not others:
        return label, "the only one that was run"
    rivals = [each for each in others if each.measurement.conclusive]
    if not rivals:
        return label, "the only one that solved it"
    if apart := [each.measurement.label for each in rivals if each.apart]:
        return "", f"{listed([label, *apart])} were measured on different hosts or in different sessions"
    if few := [each.measurement.label for each in rivals if not (each.ratio.known or each.far)]:
        return "", f"inconclusive: too few runs to compare {label} with {listed(few)}"
    if close := [each.measurement.label for each in rivals if each.ratio.low <= 1]:
        return "", f"no significant difference between {listed([label, *close])}"
    second, ratio = rivals[0].measurement, rivals[0].ratio
    if isinf(ratio.value):
        return label, f"{second.label} failed in {failures(second)}"
    certainty = interval(ratio) if ratio.known else _TOO_FEW_BUT_FAR
    return label, f"{factor(ratio.value)} times as fast as {second.label} ({certainty})"


def conclusion(best: Sequence[Measurement]) -> Iterator[str]:
    """CP against MIP; of a single instance by how much the fastest backend is faster."""
    problems = by_problem(best)
    if len({(puzzle, instance) for puzzle, instance, _ in problems}) == 1:
        yield from map(on_times, problems.values())
    else:
        yield from filter(None, map(_on_cp_and_mip, scores.pairs(best)))


def _on_cp_and_mip(pair: Pair) -> str:
    """How often and by how much CP is faster than MIP, or slower; empty for other pairs of backends."""
    if (pair.label, pair.other) != ("cpsat", "milp"):
        return ""
    mean = f"; where both solve it, cpsat takes {factor(pair.ratio)} times as long" if pair.ratio > 0 else ""
    test = f"p = {pair.p:.2g}" if pair.problems >= SMALLEST_SAMPLE else "too few problems to test"
    return (
        f"CP against MIP, {TASKS[pair.task]}: cpsat is faster on {pair.wins} of "
        f"{plural(pair.problems, 'problem')}, milp on {pair.losses}{mean} ({test})."
    )


def compared(one: Measurement, other: Measurement) -> str:
    """How two measurements of a problem compare, the one with the smaller median first."""
    found = compare(other, one)
    slowdown, sizes, far = found.ratio, found.sizes, found.far
    if slowdown.high < 1 or (far and found.verdict == 1):
        # The one with the smaller median may still be the slower one in most pairs of runs.
        return compared(other, one)
    if found.apart:
        times = listed([f"{each.label} {seconds(each.time_s)}" for each in (one, other)])
        return f"inconclusive, as they were measured on different hosts or in different sessions: {times}"
    if not slowdown.known and not far:
        lacking = SMALLEST_SAMPLE - min(sizes)
        few = f"{runs(one, other)} {'is' if sizes == (1, 1) else 'are'} too few for a 95% interval"
        medians = listed([seconds(each.total_s) for each in (one, other) if each.total_s is not None])
        return (
            f"inconclusive for {one.label} and {other.label}: {few}, "
            f"{lacking} more of each {are(lacking)} needed (medians {medians})"
        )
    more = branching(one, other) + "".join(
        f"; {each.label} failed in {failures(each)}" for each in (one, other) if each.inconclusive
    )
    value = factor(slowdown.value)
    certainty = (
        f"{runs(one, other)}, {_TOO_FEW_BUT_FAR}" if far else f"{interval(slowdown)}, {runs(one, other)}"
    )
    if far or slowdown.differs:
        return f"{one.label} was {value} times as fast as {other.label} ({certainty}){more}"
    if (slowdown.value - 1) * (other.time_s - one.time_s) < 0:
        value += " (median ratio of all pairs of runs)"  # Of the medians the other one is smaller.
    return (
        f"no significant difference between {one.label} and {other.label} "
        f"(time of {other.label} relative to {one.label}: {value}, {certainty}){more}"
    )


def failures(measurement: Measurement) -> str:
    """How many of its runs failed, and the worst status."""
    return f"{measurement.inconclusive} of {plural(measurement.runs, 'run')} ({measurement.status})"


def interval(ratio: Ratio) -> str:
    """The interval in words."""
    end = "or more" if isinf(ratio.high) else f"to {factor(ratio.high)}"
    return f"95% interval {factor(ratio.low)} {end}"


def runs(one: Measurement, other: Measurement) -> str:
    """How many runs, or seeds if there are several, a comparison uses; of several hosts how many pairs."""
    found = compare(one, other)
    ours, theirs = found.sizes
    if found.paired and len({block.seed for block in one.blocks}) == 1:
        return f"{plural(ours, 'pair')} of runs"
    unit = "seed" if ours < one.runs or theirs < other.runs else "run"
    return f"{plural(ours, unit)} each" if ours == theirs else f"{ours} and {theirs} {unit}s"


def branching(one: Measurement, other: Measurement) -> str:
    """How much two measurements branched, if both are known."""
    ours, theirs = one.figures.branches, other.figures.branches
    if ours is None or theirs is None:
        return ""
    return f"; branches: {count(ours)} against {count(theirs)}" if ours or theirs else "; neither branched"


def on_published_models(measurements: Iterable[Measurement], puzzle: str, instance: str) -> list[str]:
    """How the backends compare on each published model of an instance: the fastest two, then the others."""
    published = {each.formulation for each in puzzles.reported(puzzle) if each.instance == instance}
    of_problem = [each for each in measurements if each.problem == (puzzle, instance, Task.FIRST)]
    solved = [each for each in of_problem if each.formulation in published and each.total]
    said = []
    for formulation, models in sorted(grouped(solved, lambda each: each.formulation).items()):
        fastest, *others = sorted(models, key=lambda each: each.total or ())
        if others:
            said.append(f"With the published model ({formulation}), {compared(fastest, others[0])}.")
    return said
