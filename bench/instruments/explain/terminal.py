"""What variants say of mechanisms, on the terminal."""

from collections.abc import Sequence

import pandas as pd
from rich.console import Console
from rich.markup import escape

from bench.analysis.measurements import Measurement, Problem
from bench.analysis.tables import TASKS, grouped
from bench.instruments.explain.decline import declines, in_detail, on_decline
from bench.instruments.explain.mechanisms import Explained, explained
from bench.instruments.explain.overview import explanation
from bench.instruments.explain.sentences import Sentence
from bench.instruments.explain.summary import TITLES, UNSOLVED, Contribution, also, contributions
from bench.instruments.explain.table import left_rows, mechanism_rows, variant_rows
from bench.report.terminal import compact

_MOST_DETAILED = 12
"""Of more instances the terminal leaves each to the report."""


def print_why(
    console: Console, runs: pd.DataFrame, measured: Sequence[Measurement], tables: bool = False
) -> None:
    """The sentences on each problem, of a large campaign where they are; for each family what declines.

    Of several problems first a summary.

    Args:
        measured: with variants.
        tables: whether the figures are printed too.
    """
    found = explained(runs, measured)
    if len(found) > 1:
        _print_contributions(console, contributions(measured, found))
    if said := also(found):
        console.print(" ".join(said), soft_wrap=True)
    declining = declines(measured, found)
    problems = in_detail(found, grouped(declining, lambda each: each.family))
    if len(problems) > _MOST_DETAILED:
        console.print(
            f"What each mechanism contributes to {len(found)} problems is in the report, under Why."
        )
        problems = []
    for problem in problems:
        if tables:
            _print_tables(console, found[problem], problem)
        console.print(f"[bold]{escape(problem.instance)}, {TASKS[problem.task]}:[/] why")
        _print_sentences(console, explanation(found[problem]))
    _print_sentences(console, [said for each in declining for said in on_decline(each)])


def _print_sentences(console: Console, said: Sequence[Sentence]) -> None:
    """A line each; what contradicts an explanation in yellow."""
    for line in said:
        text = escape(line.text)
        console.print(f"- [yellow]{text}[/]" if line.contradicts else f"- {text}", soft_wrap=True)


def _print_tables(console: Console, models: Sequence[Explained], problem: Problem) -> None:
    """What is left to search of each model, and each of its mechanisms."""
    what = f"{problem.instance}: what is left to search; in the last columns, the values removed"
    figures = ["variables", "fractional", "agreeing", "presolved", "propagated", "probed, shaved"]
    left = compact(what, ["model"], [*figures, "before search"])
    for row in left_rows(models):
        sizes = f"{row.variables}→{row.presolved or '?'}" if row.variables else ""
        left.add_row(
            row.model, sizes, row.fractional, row.agreeing, row.presolved_fractional, row.propagation,
            row.probing, row.before,
        )  # fmt: skip
    console.print(left)
    for of_model in grouped(mechanism_rows(models), lambda row: row.model).values():
        first = of_model[0]
        none = f"; with none {first.bare}" if first.bare else ""
        what = f"{first.model}: by default {first.default}{none}"
        shown = compact(what, ["mechanism"], ["without it", "times as long", "with it alone"])
        for each in of_model:
            ratio = f"[bold]{each.ratio}[/]" if each.differs else each.ratio
            shown.add_row(each.mechanism, each.without, ratio, each.alone)
        console.print(shown)
    for of_variants in grouped(variant_rows(models), lambda row: row.model).values():
        what = f"{of_variants[0].model}: by default {of_variants[0].default}"
        titles = ["with it", "times as long", "values removed at the root"]
        shown = compact(what, ["step or configuration"], titles)
        for one in of_variants:
            ratio = f"[bold]{one.ratio}[/]" if one.differs else one.ratio
            shown.add_row(one.variant, one.effort, ratio, one.removed)
        console.print(shown)


def _print_contributions(console: Console, rows: Sequence[Contribution]) -> None:
    """What each mechanism contributes over all problems."""
    if not rows:
        return
    shown = compact("What each mechanism contributes, over all problems", ["solver", "mechanism"], TITLES)
    for row in rows:
        shown.add_row(row.system, row.words, *row.figures)
    console.print(shown)
    console.print(UNSOLVED, soft_wrap=True)
