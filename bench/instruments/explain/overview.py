"""What decides each model before any search; of many instances also the ratio of each mechanism."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bench.analysis.measurements import Measurement, Problem
from bench.analysis.tables import grouped, rank
from bench.analysis.units import listed
from bench.instruments.explain.decided import MEANS
from bench.instruments.explain.mechanisms import SYSTEMS, Explained, best_models
from bench.instruments.explain.sentences import Sentence, capitalised, sentences
from bench.instruments.explain.table import relative

Column = tuple[str, str]
"""A backend and a mechanism."""


@dataclass(frozen=True)
class Cell:
    """The time without a mechanism relative to that with it, and whether they differ significantly."""

    text: str
    differs: bool


@dataclass(frozen=True)
class WhyRow:
    """A problem: a cell for each mechanism of each backend's best formulation; what decides its models."""

    problem: Problem
    cells: Mapping[Column, Cell]
    decided: Sequence[str]


def columns(found: Mapping[Problem, Sequence[Explained]]) -> list[Column]:
    """The mechanisms of all problems, by backend."""
    every = [
        (model.backend, each.name)
        for models in found.values()
        for model in models
        for each in model.mechanisms
    ]
    return sorted(dict.fromkeys(every), key=lambda column: rank(column[0]))


def heading(column: Column) -> str:
    """The name of a column."""
    backend, mechanism = column
    return f"{capitalised(SYSTEMS.get(backend, backend))} {mechanism}"


def overview(measured: Iterable[Measurement], found: Mapping[Problem, Sequence[Explained]]) -> list[WhyRow]:
    """A row for each problem."""
    best = best_models(measured, found)
    rows = []
    for problem, models in found.items():
        cells = {
            (model.backend, each.name): Cell(*relative(model, each.without))
            for model in best[problem]
            for each in model.mechanisms
            if each.without
        }
        by_means = grouped(models, deciding)
        said = [f"{by}: {', '.join(model.name for model in of)}" for by, of in by_means.items() if by]
        rows.append(WhyRow(problem, cells, said))
    return rows


def explanation(models: Sequence[Explained]) -> list[Sentence]:
    """All that is to be said of the models of a problem: what decides each of them, then model by model."""
    return [_in_short(models), *sentences(models)]


def _in_short(models: Iterable[Explained]) -> Sentence:
    """Which means decide which models without search, the simplest for each."""
    by_means = grouped(models, deciding)
    searched = by_means.pop("", [])
    parts = [f"by {means}: {names(of)}" for means, of in by_means.items()]
    parts += [f"by none of the means that were measured: {names(searched)}"] if searched else []
    return Sentence(f"Decided without search {'; '.join(parts)}.")


def names(models: Iterable[Explained]) -> str:
    """The models in a list."""
    return listed([f"{model.system} {model.where}" for model in models])


def deciding(model: Explained) -> str:
    """What decides a model before any search, the simplest means that does; empty if nothing does."""
    shares = {name: share(model) for (backend, name), share in MEANS.items() if backend == model.backend}
    return next((name for name, each in shares.items() if each and each.decides), "")
