"""What sentences are made of, as tables: each mechanism of each model, and what is left to search."""

from collections.abc import Iterable
from dataclasses import dataclass

from bench.analysis.measurements import Measurement
from bench.analysis.scores import outcome, time_ratio
from bench.analysis.units import count, factor
from bench.analysis.why.mechanisms import Explained
from bench.analysis.why.root import Root
from bench.analysis.why.sentences import effort, percentage
from bench.analysis.why.variants import STOPPING


@dataclass(frozen=True)
class MechanismRow:
    """A mechanism of a model: time and branches with all, without it, with it alone, with none.

    Of a variant that is of no mechanism `without` is empty, and `alone` has its own; those that measure the
    root have none.

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


def mechanism_rows(models: Iterable[Explained]) -> list[MechanismRow]:
    """A row for each mechanism of each model; then for each variant that is of none, but for the root's."""
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
        for name, other in model.others.items():
            if name not in STOPPING or name == "root":
                rows.append(MechanismRow(model.name, name, default, "", "", False, cell(other), ""))
    return rows


def relative(model: Explained, each: Measurement) -> tuple[str, bool]:
    """The time of a variant relative to the default, with its interval, and whether they differ."""
    ratio = time_ratio(each, model.default)
    differs = outcome(each, model.default) != 0
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
        propagation = model.root("propagation") if "propagation" in model.roots else root
        rows.append(
            LeftRow(
                model.name,
                count(root.variables),
                count(root.presolved_variables),
                fractions(before),
                "a single point" if before.single_point == 1 else count(before.agreeing),
                fractions(after),
                share(propagation.removed),
                share(model.root("probing").removed),
            )
        )
    return rows


def fractions(root: Root) -> str:
    """The fewest and the most fractional variables."""
    if root.relaxation_feasible == 0:
        return "infeasible"
    low, high = count(root.fractional_min), count(root.fractional_max)
    return low if low == high else f"{low} to {high}"


def share(removed: float | None) -> str:
    """A share of values; empty if it is unknown."""
    return "" if removed is None else percentage(removed)
