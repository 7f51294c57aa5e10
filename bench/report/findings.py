"""What a campaign shows, in sentences; where the data cannot tell, the sentence says so."""

from collections.abc import Iterable, Iterator, Sequence
from math import isinf

from bench.analysis import scores
from bench.analysis.compare import compare, reported, textbook_pairs, undecided
from bench.analysis.measurements import Measurement, one_release
from bench.analysis.tables import TASKS, grouped, is_default
from bench.analysis.units import factor, listed, plural, shortened
from bench.campaign.schedule import SMALLEST_SAMPLE
from bench.campaign.selection import TEXTBOOK
from bench.contract import Task
from bench.stats import Ratio


def winner(problem: Iterable[scores.Slowdown]) -> tuple[str, str]:
    """The label of the backend that is fastest on a problem, empty if none is, and by how much or why."""
    first, *others = sorted(problem, key=lambda each: (not each.is_fastest, each.measurement.time_s))
    label = first.fastest
    if not label:
        return "", "not proved" if first.measurement.typical else "unsolved"
    if not others:
        return label, "the only one that was run, and solved it"
    rivals = [each for each in others if each.measurement.conclusive]
    if not rivals:
        return label, "the only one that solved it"
    if apart := [each.measurement.label for each in rivals if each.apart]:
        return "", f"{listed([label, *apart])} were measured on different hosts or in different sessions"
    if few := [each.measurement.label for each in rivals if not (each.ratio.known or each.far)]:
        return "", f"inconclusive: too few runs to compare {label} with {listed(few)}"
    if faster := [each.measurement.label for each in rivals if each.ratio.high < 1]:
        return "", f"{label} has the least median, but {listed(faster)} was faster in most pairs of runs"
    if close := [each for each in rivals if each.ratio.low <= 1]:
        names = listed([label, *(each.measurement.label for each in close)])
        (ratio, *more) = (each.ratio for each in close)
        figures = "" if more else f" (ratio {factor(ratio.value)}, {_interval(ratio)})"
        return "", f"no significant difference between {names}{figures}"
    second, ratio = rivals[0].measurement, rivals[0].ratio
    if isinf(ratio.value):
        failed = f"{second.inconclusive} of {plural(second.runs, 'run')} ({second.status})"
        return label, f"ahead of {second.label}, which failed in {failed}"
    certainty = _interval(ratio) if ratio.known else "too few for a 95% interval, but far apart"
    return label, f"{factor(ratio.value)} times as fast as {second.label} ({certainty})"


def _interval(ratio: Ratio) -> str:
    end = "or more" if isinf(ratio.high) else f"to {factor(ratio.high)}"
    return f"95% interval {factor(ratio.low)} {end}"


def on_times(problem: Sequence[Measurement]) -> str:
    """Which backend is fastest on one problem, and by how much."""
    where = f"{problem[0].instance}, {TASKS[problem[0].task]}"
    return f"{where}: {' is '.join(filter(None, winner(scores.slowdowns(problem))))}."


def on_same_models(measurements: Iterable[Measurement], puzzle: str, instance: str) -> list[str]:
    """How the backends compare on an instance with the textbook's model, and with each published one."""
    published = {TEXTBOOK, *(each.formulation for each in reported(puzzle) if each.instance == instance)}
    measured = one_release(measurements)
    of_instance = [each for each in measured if each.problem[:2] == (puzzle, instance) and each.total]
    solved = [each for each in of_instance if each.formulation in published and each.task != Task.COUNT]
    return [
        f"With {'textbook models' if formulation == TEXTBOOK else f'the published model ({formulation})'}, "
        + on_times(models)
        for formulation, models in sorted(grouped(solved, lambda each: each.formulation).items())
        if len(models) > 1
    ]


def on_textbook_pairs(measured: Sequence[Measurement]) -> Iterator[str]:
    """On how many instances the integer or the constraint program won, and which presolve leaves open."""
    pairs = [compare(ip, cp) for ip, cp in textbook_pairs(measured)]
    if len(pairs) > 1:
        ip, cp = (sum(pair.verdict == verdict for pair in pairs) for verdict in (1, -1))
        yield (
            f"Textbook models: of {len(pairs)} instances the integer program (milp) is faster "
            f"on {ip}, the constraint program (cpsat) on {cp}; on {len(pairs) - ip - cp} neither is."
        )
        left = [instance for _, instance in undecided(measured)]
        yield f"Presolve decides neither of the two on {len(left)}{': ' * bool(left)}{shortened(left, 20)}."


def conclusion(best: Sequence[Measurement]) -> Iterator[str]:
    """CP against MIP; of a single instance by how much the fastest backend is faster."""
    several, best = {each.label for each in best}, one_release(best)
    if len({each.label for each in best}) == 1 < len(several):
        return  # The history tells of releases of one solver.
    problems = scores.by_problem(best)
    if len({(puzzle, instance) for puzzle, instance, _ in problems}) == 1:
        yield from map(on_times, problems.values())
        return
    for pair in scores.pairs(best):
        if is_default(pair.label, "cpsat") and is_default(pair.other, "milp"):
            solved = f"; where both solve it, cpsat takes {factor(pair.ratio)} times as long as milp"
            test = f"p = {pair.p:.2g}" if pair.problems >= SMALLEST_SAMPLE else "too few problems to test"
            yield (
                f"CP against MIP, {TASKS[pair.task]}: cpsat is faster on {pair.wins} of "
                f"{plural(pair.problems, 'problem')}, milp on {pair.losses}"
                f"{solved if pair.ratio > 0 else ''} ({test})."
            )
