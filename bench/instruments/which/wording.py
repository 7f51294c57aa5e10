"""Sentences and figures on samples: what the page, the report and the terminal say alike."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from math import exp, inf, isnan, log
from operator import attrgetter
from statistics import fmean

from bench.analysis.tables import TASKS, grouped
from bench.analysis.units import factor, listed, plural, sentence
from bench.instruments.which.across import AcrossPair, Conclusions, Loss, Power
from bench.instruments.which.inference import CensoredRatio
from bench.instruments.which.kinds import CP, MIP, KindPair, Sample, Standing
from bench.stats import SIGNIFICANT, Ratio

LEAST_KINDS = 6
"""Nothing is said across fewer kinds: no test could find a difference."""


@dataclass(frozen=True)
class Answer:
    """A question with its answer in a sentence, in which labels stand between backticks."""

    question: str
    text: str


def labels_of(found: Conclusions) -> list[str]:
    """The backends, in the order of all tables."""
    return list(dict.fromkeys(str(label) for sample in found.samples for label in sample.times))


def slowdowns(of: Iterable[Standing] | Iterable[Loss], labels: Sequence[str]) -> list[str]:
    """The slowdown of each backend as a text; empty for a backend that has none."""
    texts = {one.label: slowdown(one) for one in of}
    return [texts.get(label, "") for label in labels]


def slowdown(of: Standing | Loss) -> str:
    """A slowdown as a text, with a + if not all problems are solved, so that it is a lower bound."""
    return f"{factor(of.slowdown)}{'+' * of.bound}" if of.solved else "none"


def bounded(ratio: CensoredRatio) -> str:
    """A ratio; where it depends on what was stopped, the bounds that are certain."""
    return factor(ratio.value) if ratio.exact else between(ratio.least, ratio.most)


def between(low: float, high: float) -> str:
    """The bounds of a factor; 0 and inf are none."""
    if (low, high) == (0, inf):
        return "unknown"
    if high == inf:
        return f"{factor(low)} or more"
    if low == 0:
        return f"{factor(high)} or less"
    return f"{factor(low)} to {factor(high)}"


def answers(found: Conclusions) -> list[Answer]:
    """CP or MIP, and how much the choice of a solver matters.

    A question that the campaign does not answer is left out.
    """
    said = {
        "CP or MIP?": " ".join(filter(None, (_cp_or_mip(found), _on_presolve(found.samples)))),
        "How much does it matter?": _on_losses(found.losses),
    }
    return [Answer(question, text) for question, text in said.items() if text]


def _cp_or_mip(found: Conclusions) -> str:
    """How CP and MIP compare, in a sentence; empty if no sample has both."""
    pairs = [pair for pair in found.pairs if (pair.label, pair.other) == (CP, MIP)]
    if not pairs:
        return ""
    on_kinds: list[str] = []
    for (won, lost, undecided), alike in grouped(pairs, partial(counts, found.kind_pairs)).items():
        kinds, subject = str(won + lost + undecided), ""
        if not on_kinds:
            kinds = f"{plural(won + lost + undecided, 'kind')} of puzzles"
            subject = f"`{CP}` is significantly faster than `{MIP}` "
        on_kinds.append(f"{_for_tasks(alike)} {subject}on {won} of {kinds} and slower on {lost}")
    said = ", ".join(on_kinds)
    across = _across_kinds([pair for pair in pairs if len(pair.logs) >= LEAST_KINDS])
    return sentence([f"{said[:1].upper()}{said[1:]}", *([f"across kinds {across}"] if across else [])])


def _on_presolve(samples: Iterable[Sample]) -> str:
    """How CP and MIP compare where the presolve of CP leaves nothing, and elsewhere; empty without both."""
    said = []
    for task, of_task in grouped(samples, attrgetter("task")).items():
        both = [sample for sample in of_task if {CP, MIP} <= set(sample.times)]
        logs: dict[bool, list[float]] = {True: [], False: []}
        for sample in both:
            for problem, cp_s, mip_s in sample.capped[[CP, MIP]].itertuples():
                logs[problem in sample.decided].append(log(mip_s / cp_s))
        if all(logs.values()):
            share = len(logs[True]) / sum(map(len, logs.values()))
            there, elsewhere = (factor(exp(fmean(logs[decided]))) for decided in (True, False))
            said.append(
                f"{share:.0%} of the problems for {TASKS[task]}, where `{MIP}` takes {there} times as long "
                f"(elsewhere {elsewhere} times)"
            )
    return f"Presolve leaves `{CP}` no variable in {' and '.join(said)}." if said else ""


def _across_kinds(pairs: Sequence[AcrossPair]) -> str:
    """Which of two backends is slower on the whole, for each task, in words; empty for no task."""
    said = []
    differing = [pair for pair in pairs if pair.differs]
    for backend, alike in grouped(differing, lambda pair: slower_of(pair).backend).items():
        amounts = [
            f"{slower.times} times as long for {TASKS[pair.task]}"
            f"{f' (95% interval: {slower.interval})' if slower.interval else ''}"
            for pair, slower in zip(alike, map(slower_of, alike), strict=True)
        ]
        said.append(f"`{backend}` takes {' and '.join(amounts)}")
    if undecided := [pair for pair in pairs if not pair.differs]:
        said.append(f"they do not differ significantly {_for_tasks(undecided)}")
    return ", ".join(said)


def _for_tasks(pairs: Iterable[AcrossPair]) -> str:
    return " and ".join(f"for {TASKS[pair.task]}" for pair in pairs)


def counts(pairs: Iterable[KindPair], of: AcrossPair) -> tuple[int, int, int]:
    """On how many kinds the one is faster, the other is, and neither is, by the corrected tests."""
    same = [pair for pair in pairs if (pair.task, pair.label, pair.other) == (of.task, of.label, of.other)]
    signs = [pair.sign if pair.p_holm <= SIGNIFICANT else 0 for pair in same]
    return signs.count(-1), signs.count(1), signs.count(0)


@dataclass(frozen=True)
class Slower:
    """The slower of two backends across kinds.

    Attributes:
        times: how many times as long it takes, if what was stopped had ended at the limit: with a +, or
            behind "at most", where one of the two leaves problems unsolved; behind "about" where both do.
        interval: of this; empty if nothing bounds it.
    """

    backend: str
    times: str
    interval: str


def slower_of(pair: AcrossPair) -> Slower:
    """The one with the larger geometric mean of times."""
    name, ratio, unsolved = pair.label, pair.ratio, (pair.unsolved, pair.other_unsolved)
    if ratio.value < 1:
        low, high = (inf if end == 0 else 1 / end for end in (ratio.high, ratio.low))
        name, ratio, unsolved = pair.other, Ratio(1 / ratio.value, low, high), unsolved[::-1]
    estimate = factor(ratio.value)
    match unsolved[0] > 0, unsolved[1] > 0:
        case True, False:
            estimate = f"{estimate}+"
        case False, True:
            estimate = f"at most {estimate}"
        case True, True:
            estimate = f"about {estimate}"
    unknown = isnan(ratio.low) or (ratio.low, ratio.high) == (0, inf)
    return Slower(name, estimate, "" if unknown else between(ratio.low, ratio.high))


def _on_losses(losses: Sequence[Loss]) -> str:
    said = []
    for task, of_task in grouped(losses, attrgetter("task")).items():
        compared = everywhere(of_task)
        chosen = dict.fromkeys([compared[0], compared[-1]])
        said.append(f"for {TASKS[task]} {listed(map(_cost, chosen))}")
    begun = "To use one solver for everything takes, relative to the fastest on each problem,"
    return f"{begun} {sentence(said)}" if said else ""


def everywhere(losses: Sequence[Loss]) -> list[Loss]:
    """Of a task the backends with a model of the most kinds: others would be compared on fewer."""
    most = max((loss.kinds for loss in losses), default=0)
    return [loss for loss in losses if loss.kinds == most]


def _cost(loss: Loss) -> str:
    unsolved = loss.problems - loss.solved
    left = f" ({unsolved:,} of {loss.problems:,} problems unsolved)" if unsolved else ""
    return f"{slowdown(loss)} times as long with `{loss.label}`{left}"


def on_power(power: Power) -> str:
    """Which difference the tests across kinds would find, in a sentence."""
    said = f"({TASKS[power.task]}): with {plural(power.kinds, 'kind')}"
    if power.least == inf:
        return f"{said} none of the {power.pairs} corrected tests can find a difference: they are too few."
    return (
        f"{said} the strictest of the {power.pairs} corrected tests finds with a probability of 95% a factor "
        f"of {factor(power.least)} between the two backends whose ratio varies the least over kinds, and of "
        f"{factor(power.most)} where it varies the most, if logarithms of ratios are normal. A difference "
        "that is not found may still exist."
    )
