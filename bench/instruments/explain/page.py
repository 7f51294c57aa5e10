"""What `explain` shows of a recorded campaign: the page why.html, and a summary in the terminal."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import jinja2
import pandas as pd
from rich.console import Console, RenderableType
from rich.text import Text

from bench import report
from bench.analysis.compare import MOST_IN_ALL, evenly
from bench.analysis.growth import Family
from bench.analysis.measurements import Measurement, Problem, measurements, without_variants
from bench.analysis.plots import drawing
from bench.analysis.plots.drawing import inline
from bench.analysis.tables import ALSO, TASKS, read_runs
from bench.analysis.units import count, plural, shortened
from bench.catalogue.errors import writing
from bench.environment.files import replace_file
from bench.instruments.explain import tables
from bench.instruments.explain.decided import Decline, declines, of_no_family
from bench.instruments.explain.mechanisms import Explained, best_models, explained
from bench.instruments.explain.plots import pictures
from bench.instruments.explain.sentences import contradictions, remarks
from bench.report.table import Table
from bench.report.terminal import on_errors

PAGE = "why.html"

_CSS = Path(report.__file__).parent / "page"
"""The folder of report.css."""

_MOST_LINES, _MOST_ROWS = 37, 8
"""Of the summary, and of each of its tables."""


@dataclass(frozen=True)
class Why:
    """What a campaign says of the mechanisms of solvers.

    Attributes:
        measured: with variants.
        found: the models of which variants were measured.
        best: of these, those with the best formulation of their backend.
        declining: the models of each family, over its sizes.
        alone: the problems that are explained one by one: of no family that is explained as a whole.
        worth: what searches in C are compared with the rest, None if that was not measured.
    """

    runs: pd.DataFrame
    measured: Sequence[Measurement]
    found: tables.Found
    best: tables.Found
    declining: Mapping[Family, Sequence[Decline]]
    alone: Sequence[Problem]
    worth: Table | None

    def __bool__(self) -> bool:
        """Whether it says anything."""
        return bool(self.found or self.worth)


def why(folder: Path) -> Why:
    """What the campaign in a folder says."""
    runs = read_runs(folder)
    measured = measurements(runs)
    found = explained(runs, measured)
    declining = declines(measured, found)
    worth = tables.worth_table(without_variants(measured))
    alone = of_no_family(found, declining)
    return Why(runs, measured, found, best_models(measured, found), declining, alone, worth)


def write_page(shown: Why, folder: Path, on_picture: Callable[[str, int, int], None]) -> Path:
    """Draws the pictures, and writes them to plots/ and the page to a folder; returns the page.

    Args:
        on_picture: as of `drawing.draw_all`.

    Raises:
        RequestError: if a file cannot be written.
    """
    problems = evenly(shown.alone, MOST_IN_ALL)
    drawn = drawing.draw_all(pictures(shown.found, problems, shown.declining), True, on_picture)
    inlined = {picture.name: inline(picture) for picture in drawn}
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader([Path(__file__).parent, _CSS]), undefined=jinja2.StrictUndefined,
        autoescape=True, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    runs = shown.runs
    page = folder / PAGE
    text = environment.get_template(PAGE).render(
        campaign=runs["campaign"].iloc[0] or "campaign",
        started=runs["started_at"].min()[:16].replace("T", " "),
        runs=plural(len(runs), "run"),
        instances=plural(len({each[:2] for each in shown.found}), "instance"),
        also=_also(shown.found),
        over_all=_over_all(shown),
        worth=shown.worth,
        problems=[
            {
                "title": f"{problem.puzzle}, {problem.instance}, {TASKS[problem.task]}",
                "contradictions": [
                    f"{each.name}: {said}." for each in models for said in contradictions(each)
                ],
                "remarks": [f"{each.name}: {said}." for each in models for said in remarks(each)],
                "picture": inlined[f"why-{'-'.join(problem)}"],
                "root": tables.root_table(models),
                "compared": tables.comparison_table(models),
            }
            for problem in problems
            if (models := shown.found[problem])
        ],
        families=[
            (inlined[f"decline-{'-'.join(family)}"], tables.decline_table(family, models))
            for family, models in shown.declining.items()
        ],
    )
    with writing(folder, "choose another --out"):
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(page, text)
    if drawn:
        drawing.write(folder, drawn, ())
    return page


def _also(found: Mapping[Problem, Sequence[Explained]]) -> list[str]:
    """What the names of the mechanisms that were measured do not say, a sentence each."""
    named = {
        (model.backend, mechanism)
        for models in found.values()
        for model in models
        for _, mechanism, _ in model.compared()
    }
    return [f"{words}." for key, words in ALSO.items() if key in named]


def _over_all(shown: Why) -> list[Table]:
    """The tables over several problems; none for one."""
    if len(shown.found) < 2:
        return []
    over_all = [
        tables.contribution_table(tables.contributions(shown.best)),
        tables.overview_table(shown.found, shown.best),
        tables.decided_table({problem: shown.best[problem] for problem in shown.alone}),
    ]
    return [table for table in over_all if table.rows]


def print_summary(console: Console, shown: Why) -> None:
    """What matters most, in _MOST_LINES lines: what is decided, what differs, and what does not fit."""
    parts = list(_parts(shown))
    room = _MOST_LINES
    while parts and (room := room - len(console.render_lines(parts[0], pad=False))) >= (len(parts) > 1):
        console.print(parts.pop(0))
    if parts:
        console.print(f"{count(len(parts))} more on the page")


def _parts(shown: Why) -> Iterator[RenderableType]:
    """What went wrong, tables, and contradictions, in the order of their importance."""
    errors = on_errors(each for each in shown.measured if each.status.faulty)
    yield from map(Text.from_markup, errors)
    if len(shown.best) == 1:
        (models,) = shown.best.values()
        of = [tables.standing_table(models), tables.difference_table(models)]
    else:
        rows = tables.contributions(shown.best)
        rows = rows.sort_values("log", key=abs, ascending=False, kind="stable")
        of = [tables.counted_table(shown.best), tables.contribution_table(rows)]
    of += [shown.worth] if shown.worth else []
    of += [tables.decline_table(*of_family) for of_family in shown.declining.items()]
    for table in of:
        yield from [_first(table).for_terminal()] if table.rows else map(Text, table.notes)
    named: dict[str, list[str]] = {}
    for problem in shown.alone:
        for model in shown.found[problem]:
            name = f"{problem.instance} {model.name}" if len(shown.alone) > 1 else model.name
            for said in contradictions(model):
                named.setdefault(said, []).append(name)
    for said, names in named.items():
        yield Text(f"{shortened(names, 2)}: {said}.", style="yellow")


def _first(table: Table) -> Table:
    """The first rows of a table, with a note if there are more."""
    more = len(table.rows) - _MOST_ROWS
    notes = [*table.notes, *([f"{more} more on the page."] if more > 0 else [])]
    return replace(table, rows=table.rows[:_MOST_ROWS], notes=notes)
