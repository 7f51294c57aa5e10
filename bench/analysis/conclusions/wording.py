"""Sentences and figures on samples: what the page, the report and the terminal say alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from operator import attrgetter

from bench.analysis.conclusions.across import SIGNIFICANT, AcrossPair, Conclusions, Loss, Power
from bench.analysis.conclusions.inference import CensoredRatio
from bench.analysis.conclusions.kinds import Standing
from bench.analysis.tables import TASKS, grouped
from bench.analysis.units import factor
from bench.contract import Task

CP, MIP, SEARCH = "cpsat", "milp", "backtrack"
"""The labels of the backends that the question is about."""

DOING = {Task.FIRST: "to find one solution", Task.COUNT: "to find all and prove that there are no more"}


@dataclass(frozen=True)
class Answer:
    """A question with its answer in a sentence, in which labels stand between backticks."""

    question: str
    text: str


def labels_of(found: Conclusions) -> list[str]:
    """The backends, in the order of all tables."""
    return list(dict.fromkeys(str(label) for sample in found.samples for label in sample.times))


def slowdowns(of: Sequence[Standing] | Sequence[Loss], labels: Sequence[str]) -> list[str]:
    """The slowdown of each backend as a text; empty for a backend that has none."""
    texts = {one.label: slowdown(one) for one in of}
    return [texts.get(label, "") for label in labels]


def slowdown(of: Standing | Loss) -> str:
    """A slowdown as a text, with a + if not all problems are solved, so that it is a bound."""
    if not of.solved:
        return "none"
    value = of.slowdown.value if isinstance(of, Loss) else of.slowdown
    return f"{factor(value)}{'+' if of.solved < of.problems else ''}"


def bounded(ratio: CensoredRatio) -> str:
    """A ratio; where it depends on what was stopped, the bound that is certain."""
    if ratio.exact:
        return factor(ratio.value)
    if ratio.least >= 1:
        return f"{factor(ratio.least)} or more"
    return (
        f"{factor(ratio.most)} or less"
        if ratio.most <= 1
        else f"{factor(ratio.least)} to {factor(ratio.most)}"
    )


def answers(found: Conclusions) -> list[Answer]:
    """The answer in three sentences: CP or MIP, a solver or a search, and how much it matters.

    Nothing for a campaign without samples.
    """
    if not found.samples:
        return []
    labels = labels_of(found)
    said = []
    if {CP, MIP} <= set(labels):
        said.append(Answer("CP or MIP?", versus(found, CP, MIP)))
    if {CP, SEARCH} <= set(labels):
        said.append(Answer("Or a search by hand?", versus(found, CP, SEARCH)))
    return [*said, Answer("How much does it matter?", on_losses(found.losses))]


def versus(found: Conclusions, label: str, other: str) -> str:
    """Two backends, with both tasks, in a sentence; they stand in the order of all tables."""
    parts = []
    for task in Task:
        pair = next(
            (one for one in found.pairs if (one.task, one.label, one.other) == (task, label, other)), None
        )
        if pair:
            of_kinds = [
                one for one in found.kind_pairs if (one.task, one.label, one.other) == (task, label, other)
            ]
            kinds = len(of_kinds)
            clear = [one.mean_log for one in of_kinds if one.p_holm < SIGNIFICANT]
            wins, losses = sum(log < 0 for log in clear), sum(log > 0 for log in clear)
            parts.append(
                f"{DOING[task]} `{label}` is faster on {wins} of {kinds} kinds of puzzles and slower on "
                f"{losses} (the others are too close), and {across_words(pair)}"
            )
    sentence = "; ".join(parts)
    return f"{sentence[:1].upper()}{sentence[1:]}."


def across_words(pair: AcrossPair) -> str:
    """What the test across kinds says of a pair."""
    times = f"{factor(larger(pair))} times"
    sure = f"{interval(pair)}, p = {pair.p_holm:.2g}"
    if pair.differs:
        return f"across kinds `{pair.slower}` takes {times} as long ({sure})"
    return f"across kinds neither is proven faster (`{pair.slower}` takes {times} as long, {sure})"


def larger(pair: AcrossPair) -> float:
    """The ratio of the slower to the faster."""
    return max(pair.ratio.value, 1 / pair.ratio.value)


def interval(pair: AcrossPair) -> str:
    """The interval of `larger`."""
    ends = (
        (pair.ratio.low, pair.ratio.high)
        if pair.ratio.value > 1
        else (1 / pair.ratio.high, 1 / pair.ratio.low)
    )
    return f"{factor(ends[0])} to {factor(ends[1])}"


def on_pair(pair: AcrossPair) -> str:
    """A pair that differs, in words."""
    words = f"`{pair.faster}` is faster than `{pair.slower}`"
    times = f"{factor(larger(pair))} times ({interval(pair)}, corrected p = {pair.p_holm:.2g})"
    return f"{DOING[pair.task]}, {words}: {times}"


def on_losses(losses: Sequence[Loss]) -> str:
    """What is lost by always taking the same backend, in a sentence."""
    parts = []
    for task, of_task in grouped(losses, attrgetter("task")).items():
        most = max(loss.kinds for loss in of_task)
        best, *_, worst = [loss for loss in of_task if loss.kinds == most]
        dearest = factor(worst.slowdown.value)
        said = (
            f"{DOING[task]}, always `{best.label}` costs {factor(best.slowdown.value)} times the fastest for "
            f"each problem (it is the fastest on {best.fastest} of {best.kinds} kinds and solves "
            f"{best.solved:,} of {best.problems:,}), always `{worst.label}` {dearest} times or more"
        )
        parts.append(said)
    sentence = "; ".join(parts)
    return f"{sentence[:1].upper()}{sentence[1:]}."


def on_power(power: Power) -> str:
    """Which difference the tests across kinds would find, in a sentence."""
    said = f"({TASKS[power.task]}): with {power.kinds} kinds that differ as much as these do,"
    if power.alone == inf:
        return f"{said} no test across kinds can find a difference: they are too few."
    strict = f"the strictest of the {power.pairs} corrected ones"
    corrected = f"{strict} finds none" if power.corrected == inf else f"{factor(power.corrected)} by {strict}"
    return (
        f"{said} a factor of {factor(power.alone)} between two backends would be found with a probability of "
        f"95% by a single test, and {corrected}. What is not found may be there."
    )
