"""docs/which.md: which backend to use for a kind of puzzle, and how sure that is."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

import jinja2
import numpy as np
import pandas as pd

from bench import catalogue
from bench.analysis.measurements import Measurement, measurements
from bench.analysis.tables import BACKENDS, RESOLUTION_S, TASKS, grouped, parts
from bench.analysis.units import count, factor, listed, plural, seconds
from bench.catalogue.errors import RequestError
from bench.contract import Status, Task
from bench.instruments.which.across import AcrossPair, Conclusions, Loss, conclusions
from bench.instruments.which.kinds import Standing, is_solver, of_samples, samples
from bench.instruments.which.luck import luck, same_again
from bench.instruments.which.wording import (
    LEAST_KINDS,
    answers,
    everywhere,
    labels_of,
    on_power,
    slowdown,
    slower_of,
)
from bench.invocation import command_line
from bench.stats import SIGNIFICANT

Row = tuple[str, ...]
"""The cells of a row of a table."""


@dataclass(frozen=True)
class _Tests:
    """The tests of a task.

    Attributes:
        on_kinds, found_on_kinds: how many comparisons on kinds there are, and how many find a difference.
        bounded: in how many of the latter the time limit hides how large it is.
        across, found_across: the same across kinds.
        least_p: the least p that a corrected test across kinds can have.
    """

    task: Task
    on_kinds: int
    found_on_kinds: int
    bounded: int
    across: int
    found_across: int
    least_p: float


def which_page(runs: pd.DataFrame, folder: Path, page: Path) -> str:
    """The page in Markdown.

    Args:
        runs: of `tables.read_runs`.
        folder: of the campaign; the page links to its picture `which.png` and its README, and begins with its
            caveat.md, if they are there.
        page: the file of the page.

    Raises:
        RequestError: if the campaign has no sample that at least two backends tried.
    """
    measured = of_samples(measurements(runs))
    found = conclusions(samples(measured))
    if not found.samples:
        measure = command_line("run", "--sample")
        raise RequestError(
            f"{folder}: no sample of a kind of puzzle was measured with two backends; {measure}"
        )
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent), undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    environment.filters |= {"factor": factor, "plural": plural, "listed": listed, "seconds": seconds}
    labels = labels_of(found)
    kinds = {sample.puzzle for sample in found.samples}
    own = runs[runs["instance"].isin({each.instance for each in measured if each.puzzle in kinds})]
    picture, readme, caveat = folder / "plots" / "which.png", folder / "README.md", folder / "caveat.md"
    core = [label for label in labels if catalogue.is_core(parts(label).backend)] or labels
    medians = [float(sample.capped.filter(core).median().median()) for sample in found.samples]
    least = np.concatenate([sample.best.to_numpy() for sample in found.samples])
    return environment.get_template("which.md").render(
        command=command_line("which", _relative(folder), "--out", _relative(page)),
        picture=_link(picture, page) if picture.exists() else "",
        readme=_link(readme, page) if readme.exists() else "",
        caveat=caveat.read_text(encoding="utf-8").strip() if caveat.exists() else "",
        disturbed=float(own["disturbed"].mean()),
        answers=answers(found),
        labels=labels,
        words={label: in_words(label, measured) for label in labels},
        replaced=_replaced(found, measured),
        tasks=[TASKS[task] for task in _tasks_of(found)],
        rows=_rows(found, labels, {each.puzzle: each.size for each in measured}),
        kinds=len(kinds),
        problems=sorted({sample.problems for sample in found.samples}),
        limit_s=max(sample.limit_s for sample in found.samples),
        medians=(min(medians), max(medians)),
        resolution_s=RESOLUTION_S,
        below=float(np.mean(least < RESOLUTION_S)),
        tests=[_tests_of(found, task) for task in _tasks_of(found)],
        pairs=pair_rows(found),
        words_of=TASKS,
        power=[on_power(each) for each in found.power],
        least_kinds=LEAST_KINDS,
        same=same_again(runs),
        luck=luck(runs),
        failures=_failures(measured),
        runs=sum(each.runs for each in measured),
        repeats=own["repeat"].max(),
        seeds=[
            (TASKS[task], seeds)
            for task, of_task in grouped(measured, attrgetter("task")).items()
            if (seeds := max(each.seeds for each in of_task)) > 1
        ],
        threads=max(each.threads for each in measured),
        hosts=sorted(set(own["cpu"]) - {""}),
        commits=sorted({commit[:12] for commit in own["commit"]} - {""}),
        solvers=sorted(set(own["solver"] + " " + own["solver_version"])),
    )


def in_words(label: str, measured: Iterable[Measurement]) -> str:
    """What a backend is, and which of its solvers was measured if that does not say it."""
    backend, solver, _ = parts(label)
    words = BACKENDS.get(backend, backend)
    solver = solver or next(each.solver for each in measured if each.label == label)
    return words if solver in words.lower().replace("-", "") else f"{words} (here `{solver}`)"


def _replaced(found: Conclusions, measured: Iterable[Measurement]) -> list[str]:
    """The models that are not the first of their file as it is now, which is not imported, in words."""
    compared = {(standing.puzzle, standing.label) for standing in found.standings}
    models = {(each.puzzle, each.label, each.backend, each.formulation) for each in measured}
    said = []
    for puzzle, label, backend, name in sorted(models):
        default = catalogue.tables_in(catalogue.source_of(puzzle, backend), "FORMULATIONS")[:1]
        if (puzzle, label) in compared and name and default not in ([], [name]):
            said.append(f"{puzzle.replace('_', ' ')} with `{label}` `{name}` (default `{default[0]}`)")
    return said


def _relative(path: Path) -> str:
    """The path as it is written in the project's own folder."""
    full = path.resolve()
    return (full.relative_to(catalogue.ROOT) if full.is_relative_to(catalogue.ROOT) else full).as_posix()


def _link(path: Path, page: Path) -> str:
    return Path(os.path.relpath(path, page.parent)).as_posix()


def _tasks_of(found: Conclusions) -> list[Task]:
    """The tasks that were measured, in order."""
    return [task for task in Task if any(sample.task == task for sample in found.samples)]


def _rows(found: Conclusions, labels: Sequence[str], unknowns: Mapping[str, float]) -> list[Row]:
    """A row for each kind of puzzle, and one for several.

    The cells are its name, its ingredients, the unknowns of its instances, and for each backend one figure
    for each task.
    """
    tasks = _tasks_of(found)
    table: list[Row] = []
    for puzzle, of_kind in sorted(grouped(found.standings, attrgetter("puzzle")).items()):
        made_of = ", ".join(catalogue.ingredients(puzzle))
        name, size = puzzle.replace("_", " "), count(unknowns[puzzle])
        table.append((name, made_of, size, *_cells(of_kind, labels, tasks)))
    if len(table) > 1:
        by_task = grouped(found.losses, attrgetter("task")).values()
        losses = [loss for of_task in by_task for loss in everywhere(of_task)]
        table.append(("**all kinds**", "", "", *_cells(losses, labels, tasks)))
    return table


def _cells(of: Sequence[Standing] | Sequence[Loss], labels: Sequence[str], tasks: Sequence[Task]) -> Row:
    """The slowdowns of each backend, one for each task; in bold the least of a solver, and those near it."""
    solvers = [one for one in of if is_solver(one.label)]
    least = {one.task: min(other.slowdown for other in solvers if other.task == one.task) for one in solvers}
    texts: dict[tuple[str, Task], str] = {}
    for one in of:
        bold = "**" if one in solvers and one.solved and one.slowdown <= _HARDLY * least[one.task] else ""
        texts[one.label, one.task] = f"{bold}{slowdown(one)}{bold}"
    return tuple(" / ".join(texts.get((label, task), "–") for task in tasks) for label in labels)


_HARDLY = 1.05
"""A slowdown of so many times the least is set in bold as well."""


def _tests_of(found: Conclusions, task: Task) -> _Tests:
    on_kinds = [pair for pair in found.kind_pairs if pair.task == task]
    clear = [pair for pair in on_kinds if pair.p_holm <= SIGNIFICANT]
    across = [pair for pair in found.pairs if pair.task == task]
    kinds = max((len(pair.logs) for pair in across), default=0)
    return _Tests(
        task,
        len(on_kinds),
        len(clear),
        sum(not pair.ratio.exact for pair in clear),
        len(across),
        sum(pair.differs for pair in across),
        min(1.0, 2.0 ** (1 - kinds) * len(across)),
    )


def pair_rows(found: Conclusions) -> list[Row]:
    """Every two backends that are compared on enough kinds: their names, and a cell for each task."""
    compared = [pair for pair in found.pairs if len(pair.logs) >= LEAST_KINDS]
    rows: list[Row] = []
    for names, pairs in grouped(compared, attrgetter("label", "other")).items():
        texts = {pair.task: _on_pair(pair) for pair in pairs}
        cells = (texts.get(task, "–") for task in _tasks_of(found))
        rows.append((*(f"`{name}`" for name in names), *cells))
    return rows


def _on_pair(pair: AcrossPair) -> str:
    """The slower of two backends, how many times as long it takes, and how sure that is."""
    slower = slower_of(pair)
    bold = "**" if pair.differs else ""
    sure = "; ".join(filter(None, (slower.interval, f"p = {pair.p_holm:.2g}")))
    return f"{bold}`{slower.backend}` {slower.times}{bold} ({sure})"


def _failures(measured: Iterable[Measurement]) -> list[str]:
    """What ended otherwise than solved or at the time limit, in words; it counts as the limit."""
    ended = Counter((each.label, each.status) for each in measured if not each.solved)
    stopped = {Status.TIMEOUT, Status.UNSUPPORTED, Status.UNAVAILABLE}
    return [
        f"`{label}`: {status} on {plural(number, 'problem')}"
        for (label, status), number in sorted(ended.items())
        if status not in stopped
    ]
