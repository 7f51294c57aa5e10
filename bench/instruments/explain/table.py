"""What sentences are made of, as tables: each mechanism of each model, and what is left to search."""

from collections.abc import Iterable
from dataclasses import dataclass

from bench.analysis.compare import compare
from bench.analysis.measurements import Measurement
from bench.analysis.units import count, factor
from bench.analysis.variants import STEPS
from bench.instruments.explain.mechanisms import BEFORE, Explained
from bench.instruments.explain.root import Root
from bench.instruments.explain.sentences import effort, percentage, span

VARIANTS = {**STEPS, "root": "root node alone"}
"""The names of variants in tables; a configuration has its own."""


@dataclass(frozen=True)
class MechanismRow:
    """A mechanism of a model: time and branches with all, without it, with it alone, with none.

    Attributes:
        ratio: the time without the mechanism relative to that with all, with its interval.
        differs: whether that is significant.
    """

    model: str
    mechanism: str
    default: str
    without: str
    ratio: str
    differs: bool
    alone: str
    bare: str


@dataclass(frozen=True)
class VariantRow:
    """A variant that is of no mechanism: a step of propagation, a configuration, the root node alone.

    Attributes:
        removed: the share of values that a step removes at the root.
        ratio: its time relative to that of the default, with its interval.
        differs: whether that is significant.
    """

    model: str
    variant: str
    default: str
    effort: str
    ratio: str
    differs: bool
    removed: str


@dataclass(frozen=True)
class LeftRow:
    """What is left of a model to search, each figure as text; empty where nothing was measured."""

    model: str
    variables: str
    presolved: str
    fractional: str
    agreeing: str
    presolved_fractional: str
    propagation: str
    probing: str
    before: str


def mechanism_rows(models: Iterable[Explained]) -> list[MechanismRow]:
    """A row for each mechanism of each model."""
    rows = []
    for model in models:

        def cell(each: Measurement | None, of: Explained = model) -> str:
            return effort(of, each) if each else ""

        default, bare = cell(model.default), cell(model.bare)
        for each in model.mechanisms:
            compared = each.without
            ratio, differs = relative(model, compared) if compared else ("", False)
            cells = (default, cell(compared), ratio, differs, cell(each.alone), bare)
            rows.append(MechanismRow(model.name, each.name, *cells))
    return rows


def variant_rows(models: Iterable[Explained]) -> list[VariantRow]:
    """A row for each step and configuration of each model, and for the root node alone."""
    rows = []
    for model in models:
        default = effort(model, model.default)
        for name, each in model.searching.items():
            ratio, differs = relative(model, each)
            removed = share(model.root(name).removed)
            words = VARIANTS.get(name, name)
            rows.append(VariantRow(model.name, words, default, effort(model, each), ratio, differs, removed))
    return rows


def relative(model: Explained, each: Measurement) -> tuple[str, bool]:
    """The time of a variant relative to the default, with its interval, and whether they differ."""
    if each.status.faulty or model.default.status.faulty:
        return "", False
    found = compare(each, model.default)
    ratio, differs = found.ratio, found.verdict != 0
    if not each.solved or not model.default.solved:
        return "", differs
    extent = f" ({factor(ratio.low)} to {factor(ratio.high)})" if ratio.known else ""
    return f"{factor(ratio.value)}{extent}", differs


def left_rows(models: Iterable[Explained]) -> list[LeftRow]:
    """A row for each model with any figure."""
    rows = []
    for model in models:
        root, before = model.root(), model.root("relaxation")
        after = model.root("presolved_relaxation")
        removed = model.removed
        rows.append(
            LeftRow(
                model.name,
                count(root.variables),
                span(root.presolved_least, root.presolved_variables),
                fractions(before),
                "a single point" if before.single_point == 1 else count(before.agreeing),
                fractions(after),
                share(removed.get("propagation")),
                share(removed.get("probing", removed.get("shaving"))),
                share(removed.get(BEFORE)),
            )
        )
    return rows


def fractions(root: Root) -> str:
    """The fewest and the most fractional variables."""
    if root.relaxation_feasible == 0:
        return "infeasible"
    return span(root.fractional_min, root.fractional_max)


def share(removed: float | None) -> str:
    """A share of values; empty if it is unknown."""
    return "" if removed is None else percentage(removed)
