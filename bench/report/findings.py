"""What a campaign shows, in sentences; where the data cannot tell, the sentence says so."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import isinf

from bench.analysis import hosts, puzzles, scores
from bench.analysis.comparison import compared_instances
from bench.analysis.measurements import Measurement
from bench.analysis.scores import (
    Pair,
    Slowdown,
    block_ratios,
    by_problem,
    far_slower,
    ranked,
    sample_sizes,
    time_ratio,
)
from bench.analysis.tables import PHASES, TASKS, grouped
from bench.analysis.units import are, count, factor, listed, plural, seconds, sentence
from bench.campaign.schedule import SMALLEST_SAMPLE
from bench.contract import Task
from bench.stats import SIGNIFICANT, Ratio

_PHASE_WORDS = dict(zip(PHASES, ("building the model", "translating it", "presolve", "search"), strict=True))
_OUTSIDE = "solver time outside presolve and search"
_UNDIVIDED = "solving (phases unknown)"
TOO_FEW_BUT_FAR = "too few for a 95% interval, but far apart"


def on_times(problem: Iterable[Measurement]) -> str:
    """Which backend is fastest on one problem, by how much, and which ones failed."""
    order = ranked(problem)
    name = f"{order[0].instance}, {TASKS[order[0].task]}"
    solved = [each for each in order if each.solved]
    failed = listed([f"{each.label} ({each.status})" for each in order if not each.solved])
    if not solved:
        return f"{name}: unsolved by all backends: {failed}."
    others = f"; not solved by {failed}" if failed else ""
    if apart := [each.label for each in solved[2:] if not any(sample_sizes(each, solved[0]))]:
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
    few = [
        each.measurement.label
        for each in rivals
        if not (each.ratio.known or far_slower(each.measurement, fastest.measurement))
    ]
    if few:
        return "", f"inconclusive: too few runs to compare {label} with {listed(few)}"
    if close := [each.measurement.label for each in rivals if each.ratio.low <= 1]:
        return "", f"no significant difference between {listed([label, *close])}"
    second, ratio = rivals[0].measurement, rivals[0].ratio
    if isinf(ratio.value):
        return label, f"{second.label} failed in {failures(second)}"
    certainty = interval(ratio) if ratio.known else TOO_FEW_BUT_FAR
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
    return (
        f"CP against MIP, {TASKS[pair.task]}: cpsat is faster on {pair.wins} of "
        f"{plural(pair.problems, 'problem')}, milp on {pair.losses}{mean} (p = {pair.p:.2g})."
    )


def compared(one: Measurement, other: Measurement) -> str:
    """How two measurements of a problem compare, the one with the smaller median first."""
    slowdown = time_ratio(other, one)
    if slowdown.high < 1:
        # The one with the smaller median may still be the slower one in most pairs of runs.
        return compared(other, one)
    sizes = sample_sizes(one, other)
    if not any(sizes):
        times = listed([f"{each.label} {_on_host(each)}" for each in (one, other)])
        return f"inconclusive, as they were measured on different hosts or in different sessions: {times}"
    if far_slower(one, other):
        return compared(other, one)
    far = far_slower(other, one)
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
        f"{runs(one, other)}, {TOO_FEW_BUT_FAR}" if far else f"{interval(slowdown)}, {runs(one, other)}"
    )
    if far or slowdown.differs:
        return f"{one.label} was {value} times as fast as {other.label} ({certainty}){more}"
    if (slowdown.value - 1) * (other.time_s - one.time_s) < 0:
        value += " (median ratio of all pairs of runs)"  # Of the medians the other one is smaller.
    return (
        f"no significant difference between {one.label} and {other.label} "
        f"(time of {other.label} relative to {one.label}: {value}, {certainty}){more}"
    )


def _on_host(measurement: Measurement) -> str:
    return seconds(measurement.time_s) + hosts.on(measurement.host)


def failures(measurement: Measurement) -> str:
    """How many of its runs failed, and the worst status."""
    return f"{measurement.inconclusive} of {plural(measurement.runs, 'run')} ({measurement.status})"


def interval(ratio: Ratio) -> str:
    """The interval in words."""
    end = "or more" if isinf(ratio.high) else f"to {factor(ratio.high)}"
    return f"95% interval {factor(ratio.low)} {end}"


def runs(one: Measurement, other: Measurement) -> str:
    """How many runs, or seeds if there are several, a comparison uses; of several hosts how many pairs."""
    ours, theirs = sample_sizes(one, other)
    if block_ratios(one, other) is not None and len({block.seed for block in one.blocks}) == 1:
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
        if slower := [f"{each.label} {seconds(each.total_s)}" for each in others[1:] if each.total_s]:
            said.append(f"Slower with it, medians: {listed(slower)}.")
    return said


def on_sizes(measurements: Sequence[Measurement]) -> str:
    """What presolve leaves of each model."""
    removed = [each.label for each in measurements if each.figures.solved_by_presolve]
    said = [_no_search_left(removed)] if removed else []
    for each in measurements:
        before, after = each.figures.variables, each.figures.presolved_variables
        if before is None or after is None or each.figures.solved_by_presolve:
            continue
        left = f"{count(after)} of {plural(before, 'variable')} left after presolve"
        more = f"{plural(after, 'variable')} after presolve, {count(before)} before"
        said.append(f"{each.label} has {left if after <= before else more}")
    return sentence(said)


def _no_search_left(names: Sequence[str]) -> str:
    """Presolve removes everything for these models, and what follows from it."""
    return f"Presolve removes everything for {listed(names)}: no search is left to compare"


def on_left_out(measurements: Sequence[Measurement], puzzle: str) -> str:
    """How many instances of a puzzle are compared in detail; empty if all solved ones are."""
    shown = sum(which == puzzle for which, _ in compared_instances(measurements))
    solved = len({each.instance for each in measurements if each.puzzle == puzzle and each.conclusive})
    if shown >= solved:
        return ""
    return f"{shown} of {plural(solved, 'instance')} are compared in detail, evenly spaced by size."


def on_branches(measurements: Iterable[Measurement]) -> str:
    """How much search each model needs."""
    idle, said = [], []
    for each in measurements:
        branches, failures = each.figures.branches, each.figures.failures
        if branches == 0:
            idle.append(each.label)
        elif branches is not None:
            dead_ends = "" if failures is None else f" with {plural(failures, 'failure')}"
            said.append(f"{each.label} searched {plural(branches, 'branch')}{dead_ends}")
    return sentence([f"{listed(idle)} did not branch", *said] if idle else said)


def on_phases(measurements: Iterable[Measurement]) -> str:
    """Which phase has the largest share in the time of each model's runs."""
    parts: dict[str, list[str]] = defaultdict(list)
    for each in measurements:
        shares = {_PHASE_WORDS[phase]: share for phase, share in each.shares.items()}
        if shares:
            solving = not each.shares.keys().isdisjoint(("presolve_s", "search_s"))
            shares[_OUTSIDE if solving else _UNDIVIDED] = 1 - sum(shares.values())
            largest = max(shares, key=lambda words: shares[words])
            parts[largest].append(f"{each.label} ({min(1, shares[largest]):.0%})")
    said = [
        f"{words} for {listed(parts[words])}"
        for words in (*_PHASE_WORDS.values(), _OUTSIDE, _UNDIVIDED)
        if words in parts
    ]
    return f"The largest share of the time is {listed(said)}." if said else ""


def on_pairs(pairs: Iterable[Pair], task: str) -> str:
    """Whether any two backends differ over all problems of a task; empty if no pair was tested."""
    pairs = [pair for pair in pairs if pair.task == task]
    if not pairs:
        return ""
    most = max(pair.problems for pair in pairs)
    if most < SMALLEST_SAMPLE:
        few = f"too few problems ({most}) to test whether one backend is faster in general"
        return f"{TASKS[task].capitalize()}: {few}."
    tests = f"paired test over {plural(most, 'problem')}, corrected for {plural(len(pairs), 'pair')}"
    found = []
    for pair in pairs:
        if pair.p_holm <= SIGNIFICANT:
            # What both solve may have no mean, or one that says the opposite of what one alone solves.
            faster, slower = (pair.label, pair.other)[:: -pair.sign or 1]
            times = pair.ratio**pair.sign
            mean = f"{factor(times)} times on average, " if times > 1 else ""
            found.append(f"{faster} is faster than {slower} ({mean}p = {pair.p_holm:.2g})")
    if found:
        return f"{TASKS[task].capitalize()}: {listed(found)} ({tests})."
    least = min(1.0, 2.0 ** (1 - most) * len(pairs))
    why = f" With so few problems the smallest p possible is {least:.2g}." if least > SIGNIFICANT else ""
    return f"{TASKS[task].capitalize()}: no significant difference between any two backends ({tests}).{why}"
