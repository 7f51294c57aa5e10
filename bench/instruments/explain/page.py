"""What `explain` shows of a recorded campaign: the page why.html, and a summary in the terminal."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from rich.console import Console, RenderableType
from rich.text import Text

from bench import catalogue
from bench.analysis.compare import MOST_IN_ALL, evenly
from bench.analysis.growth import Family
from bench.analysis.measurements import Problem, measurements, without_variants
from bench.analysis.plots import drawing
from bench.analysis.plots.drawing import Picture, inline
from bench.analysis.tables import TASKS, read_runs
from bench.analysis.units import plural, shortened
from bench.catalogue.errors import writing
from bench.environment.files import replace_file
from bench.instruments.explain import tables
from bench.instruments.explain.mechanisms import best_models, explained
from bench.instruments.explain.plots import draw_why
from bench.instruments.explain.sentences import contradictions, remarks
from bench.report.page import templates
from bench.report.tables import square
from bench.report.terminal import on_errors

_MOST_LINES, _MOST_ROWS = 37, 8
"""Of the summary, and of each of its tables."""


class Why:
    """What a campaign says of the mechanisms of solvers.

    `best` has the best formulation of each backend; `alone` the problems of no family that is explained.
    """

    def __init__(self, folder: Path) -> None:
        self.runs = read_runs(folder)
        self.measured = measurements(self.runs)
        self.found = explained(self.runs, self.measured)
        self.best = best_models(self.measured, self.found)
        self.families = tables.decline_tables(self.measured, self.found)
        self.alone = of_no_family(self.found, self.families)
        self.worth = tables.worth_table(without_variants(self.measured))
        self.square = square(without_variants(self.measured))

    def __bool__(self) -> bool:
        """Whether it says anything."""
        return bool(self.found or self.worth)


def of_no_family(found: Iterable[Problem], families: Iterable[Family]) -> list[Problem]:
    """The problems whose instances are not of a family that is explained as a whole."""
    names = {
        (family.puzzle, instance, family.task)
        for family in families
        for instance in catalogue.families(family.puzzle)[family.name]
    }
    return [problem for problem in found if problem not in names]


def write_page(shown: Why, folder: Path, on_picture: Callable[[str, int, int], None]) -> Path:
    """Draws the pictures, and writes them to plots/ and the page to a folder; returns the page.

    Raises RequestError if a file cannot be written.
    """
    problems = evenly(shown.alone, MOST_IN_ALL)
    pictures = [
        Picture(f"why-{'-'.join(each)}", partial(draw_why, shown.found[each], each)) for each in problems
    ]
    drawn = drawing.draw_all(pictures, True, on_picture)
    runs, several = shown.runs, len(shown.found) > 1
    page = folder / "why.html"
    template = templates(Path(__file__).parent).get_template(page.name)
    text = template.render(
        campaign=runs["campaign"].iloc[0] or "campaign",
        started=runs["started_at"].min()[:16].replace("T", " "),
        runs=plural(len(runs), "run"),
        instances=plural(len({each[:2] for each in shown.found}), "instance"),
        contributions=tables.contribution_table(shown.best) if several else None,
        solvers=tables.solver_tables(shown.best) if several else [],
        worth=shown.worth,
        square=shown.square,
        problems=[
            {
                "title": f"{problem.puzzle}, {problem.instance}, {TASKS[problem.task]}",
                "contradictions": [
                    f"{each.name}: {said}." for each in models for said in contradictions(each)
                ],
                "remarks": [f"{each.name}: {said}." for each in models for said in remarks(each)],
                "picture": inline(picture),
                "root": tables.root_table(models),
                "compared": tables.comparison_table(models),
            }
            for problem, picture in zip(problems, drawn, strict=True)
            if (models := shown.found[problem])
        ],
        families=shown.families.values(),
    )
    with writing(folder, "choose another --out"):
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(page, text)
    if drawn:
        drawing.write(folder, drawn)
    return page


def print_summary(console: Console, shown: Why) -> None:
    """What matters most, in _MOST_LINES lines: what is decided, what differs, and what does not fit."""
    parts = list(_parts(shown))
    room = _MOST_LINES
    while parts and (room := room - len(console.render_lines(parts[0], pad=False))) >= (len(parts) > 1):
        console.print(parts.pop(0))
    if parts:
        console.print(f"{len(parts)} more on the page")


def _parts(shown: Why) -> Iterator[RenderableType]:
    """What went wrong, tables, and contradictions, in the order of their importance.

    As in the tables these are of the best formulations; how many there are of others is said at the end.
    """
    errors = on_errors(each for each in shown.measured if each.status.faulty)
    yield from map(Text.from_markup, errors)
    of = [tables.contribution_table(shown.best)]
    if len(shown.best) == 1:
        (models,) = shown.best.values()
        of = [tables.standing_table(models), tables.difference_table(models)]
    of += [table for table in (shown.square, shown.worth) if table and table.rows]
    of += map(tables.smallest_and_largest, shown.families.values())
    for table in of:
        more = len(table.rows) - _MOST_ROWS
        notes = [*table.notes, *([f"{more} more on the page."] if more > 0 else [])]
        first = replace(table, rows=table.rows[:_MOST_ROWS], notes=notes)
        yield from [first.for_terminal()] if table.rows else map(Text, notes)
    named: dict[str, list[str]] = defaultdict(list)
    for problem in shown.alone:
        for model in shown.best[problem]:
            name = f"{problem.instance} {model.name}" if len(shown.alone) > 1 else model.name
            for said in contradictions(model):
                named[said].append(name)
    for said, names in named.items():
        yield Text(f"{shortened(names, 2)}: {said}.", style="yellow")
    every = sum(len(contradictions(each)) for problem in shown.alone for each in shown.found[problem])
    if others := every - sum(map(len, named.values())):
        yield Text(f"{plural(others, 'contradiction')} of other formulations: see the page.", style="yellow")
