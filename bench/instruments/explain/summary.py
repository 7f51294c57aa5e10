"""What each mechanism contributes over all problems of a campaign, in one row each."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from bench.analysis.compare import capped_s, compare
from bench.analysis.measurements import Measurement, Problem
from bench.analysis.tables import grouped, rank
from bench.analysis.units import count, factor
from bench.analysis.variants import ALSO, BARE
from bench.instruments.explain.mechanisms import Explained, best_models, order
from bench.instruments.explain.sentences import capitalised

TITLES = ("problems", "times as long", "at most", "slower", "faster", "unsolved")
"""The figures of a contribution, as columns."""

UNSOLVED = "What is unsolved counts with the time limit; problems that both leave unsolved do not count."

KINDS = ("without", "alone", "none")
"""What is compared with the default: a mechanism turned off, it alone, and none of them."""


@dataclass(frozen=True)
class Contribution:
    """A solver without a mechanism, or with it alone, compared with its default over several problems.

    Attributes:
        mechanism: `bare` where there is none of them.
        ratios: of each problem, its time relative to that of the default.
        slower: on how many problems it is significantly slower; those that it leaves unsolved are others.
        faster: on how many it is significantly faster.
        unsolved: on how many it is unsolved, and the default is not.
    """

    backend: str
    system: str
    mechanism: str
    kind: str
    ratios: Sequence[float] = field(repr=False)
    slower: int
    faster: int
    unsolved: int

    @property
    def mean(self) -> float:
        """The geometric mean of the ratios."""
        return math.exp(fmean(map(math.log, self.ratios)))

    @property
    def words(self) -> str:
        """What is compared."""
        return {"without": f"without {self.mechanism}", "alone": f"{self.mechanism} alone"}.get(
            self.kind, "with none of them"
        )

    @property
    def figures(self) -> tuple[str, ...]:
        """The columns (TITLES) as text."""
        numbers = (self.slower, self.faster, self.unsolved)
        return (
            count(len(self.ratios)), factor(self.mean), factor(max(self.ratios)), *map(count, numbers)
        )  # fmt: skip


def contributions(
    measured: Iterable[Measurement], found: Mapping[Problem, Sequence[Explained]]
) -> list[Contribution]:
    """A row for each mechanism of each backend's best formulations, without it and alone; then with none.

    A problem is left out if the variant or the default is wrong or crashed there, or both are unsolved.
    """
    pairs = [
        ((model.backend, model.system, kind, mechanism), each, model.default)
        for models in best_models(measured, found).values()
        for model in models
        for kind, mechanism, each in compared(model)
        if not (each.status.faulty or model.default.status.faulty) and (each.solved or model.default.solved)
    ]
    rows = [
        _contribution(*key, [(each, default) for _, each, default in group])
        for key, group in grouped(pairs, lambda pair: pair[0]).items()
    ]
    return sorted(
        rows,
        key=lambda row: (rank(row.backend), row.kind == "none", order(row.mechanism), KINDS.index(row.kind)),
    )


def compared(model: Explained) -> list[tuple[str, str, Measurement]]:
    """The variants of a model that are compared, each with its kind and mechanism."""
    found = [
        (kind, each.name, one)
        for each in model.mechanisms
        for kind, one in (("without", each.without), ("alone", each.alone))
        if one
    ]
    return [*found, ("none", BARE, model.bare)] if model.bare else found


def _contribution(
    backend: str, system: str, kind: str, mechanism: str, pairs: Sequence[tuple[Measurement, Measurement]]
) -> Contribution:
    """The row of these pairs of a variant and its default."""
    outcomes = [compare(each, default).verdict for each, default in pairs if each.solved]
    return Contribution(
        backend,
        capitalised(system),
        mechanism,
        kind,
        [_times_as_long(each, default) for each, default in pairs],
        slower=outcomes.count(-1),
        faster=outcomes.count(1),
        unsolved=sum(not each.solved for each, _ in pairs),
    )


def _times_as_long(each: Measurement, default: Measurement) -> float:
    """The time of a variant relative to the default; where runs are not conclusive, of the capped medians."""
    if not each.inconclusive and not default.inconclusive:
        return compare(each, default).ratio.value
    return capped_s(each) / capped_s(default)


def also(found: Mapping[Problem, Sequence[Explained]]) -> list[str]:
    """What the names of the mechanisms that were measured do not say, a sentence each."""
    shown = {
        (model.backend, mechanism)
        for models in found.values()
        for model in models
        for _, mechanism, _ in compared(model)
    }
    return [f"{words}." for key, words in ALSO.items() if key in shown]
