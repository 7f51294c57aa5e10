"""Sentences and figures on samples: what the page, the report and the terminal say alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isnan
from operator import attrgetter

from bench.analysis.conclusions.across import SIGNIFICANT, AcrossPair, Conclusions, Loss, Power
from bench.analysis.conclusions.inference import CensoredRatio
from bench.analysis.conclusions.kinds import KindPair, Standing
from bench.analysis.tables import TASKS, grouped
from bench.analysis.units import factor, listed

CP, MIP, SEARCH = "cpsat", "milp", "backtrack"
"""The labels of the backends that the question is about."""

SEARCHES = ("backtrack", "native")
"""The labels of searches by hand; all others are solvers."""


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
    """Two backends, which stand in the order of all tables, in a sentence."""
    by_task = {
        pair.task: (pair, wins(found.kind_pairs, pair))
        for pair in found.pairs
        if (pair.label, pair.other) == (label, other)
    }
    parts = [
        f"for {TASKS[task]} `{label}` is faster than `{other}` on {won} of {len(pair.logs)} kinds of puzzles "
        f"and slower on {lost}, and across kinds `{pair.slower}` takes {times_of(pair)}"
        for task, (pair, (won, lost)) in by_task.items()
    ]
    return capitalised(f"{'; '.join(parts)}.")


def wins(pairs: Sequence[KindPair], of: AcrossPair) -> tuple[int, int]:
    """On how many kinds the one is faster, and the other, by the corrected tests."""
    clear = [
        pair.mean_log
        for pair in pairs
        if (pair.task, pair.label, pair.other) == (of.task, of.label, of.other) and pair.p_holm < SIGNIFICANT
    ]
    return sum(log < 0 for log in clear), sum(log > 0 for log in clear)


def capitalised(text: str) -> str:
    """The text with a capital at its beginning."""
    return f"{text[:1].upper()}{text[1:]}"


def times_of(pair: AcrossPair) -> str:
    """How many times as long the slower one takes, and how sure that is."""
    unproven = "" if pair.differs else ", not proven"
    return f"{factor(larger(pair))} times as long ({interval(pair)}p = {pair.p_holm:.2g}{unproven})"


def larger(pair: AcrossPair) -> float:
    """The ratio of the slower to the faster."""
    return max(pair.ratio.value, 1 / pair.ratio.value)


def interval(pair: AcrossPair) -> str:
    """The interval of `larger`, to stand before p; nothing if there are too few kinds."""
    low, high = pair.ratio.low, pair.ratio.high
    if isnan(low):
        return ""
    low, high = (low, high) if pair.ratio.value > 1 else (1 / high, 1 / low)
    return f"{factor(low)} to {factor(high)}, "


def on_pair(pair: AcrossPair) -> str:
    """Two backends across kinds, in words."""
    return f"{TASKS[pair.task]}: `{pair.slower}` takes {times_of(pair)} as `{pair.faster}`"


def on_losses(losses: Sequence[Loss]) -> str:
    """What is lost by always taking the same backend, in a sentence."""
    parts = []
    for task, of_task in grouped(losses, attrgetter("task")).items():
        most = max(loss.kinds for loss in of_task)
        everywhere = [loss for loss in of_task if loss.kinds == most]
        solvers = [loss for loss in everywhere if loss.label not in SEARCHES]
        chosen = dict.fromkeys([everywhere[0], *solvers[:1], everywhere[-1]])
        parts.append(f"for {TASKS[task]} {listed(map(cost, chosen))}")
    said = "Always to take the same backend costs, relative to the fastest for each problem,"
    return f"{said} {'; '.join(parts)}."


def cost(loss: Loss) -> str:
    """What it costs to take a backend always."""
    unsolved = loss.problems - loss.solved
    left = f", {unsolved:,} of {loss.problems:,} unsolved" if unsolved else ""
    return (
        f"{factor(loss.slowdown.value)} times with `{loss.label}` (the fastest on {loss.fastest} kinds{left})"
    )


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
