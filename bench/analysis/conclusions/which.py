"""docs/which.md: which backend to use for a kind of puzzle, and how sure that is."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

import jinja2
import pandas as pd

from bench import catalogue
from bench.analysis.conclusions.across import SIGNIFICANT, Conclusions, Loss, conclusions
from bench.analysis.conclusions.kinds import Standing, of_samples, samples
from bench.analysis.conclusions.luck import luck
from bench.analysis.conclusions.twins import same_again
from bench.analysis.conclusions.wording import SEARCHES, answers, labels_of, on_pair, on_power, slowdown
from bench.analysis.measurements import measurements
from bench.analysis.tables import BACKENDS, TASKS, grouped, parts
from bench.analysis.units import factor, listed, plural
from bench.catalogue.errors import RequestError
from bench.contract import Task
from bench.invocation import command_line


@dataclass(frozen=True)
class KindRow:
    """A row of the table: a kind of puzzle, its ingredients, a cell for each backend, the fastest solver."""

    kind: str
    ingredients: str
    cells: tuple[str, ...]
    solver: str


def which(runs: pd.DataFrame, folder: Path, page: Path) -> str:
    """The page in Markdown.

    Args:
        runs: of `tables.read_runs`.
        folder: of the campaign; the page links to its picture `which.png`.
        page: the file of the page.

    Raises:
        RequestError: if the campaign has no sample that at least two backends tried.
    """
    measured = of_samples(measurements(runs))
    found = conclusions(samples(measured))
    if not found.samples:
        again = command_line("run", "--sample", "--out", folder)
        raise RequestError(f"{folder}: no sample of a kind of puzzle was measured; {again}")
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parents[1] / "page"), undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters |= {"factor": factor, "plural": plural, "listed": listed}
    labels = labels_of(found)
    of_sample = runs[runs["instance"].isin({each.instance for each in measured})]
    return environment.get_template("which.md").render(
        command=command_line("which", relative(folder), "--out", relative(page)),
        folder=Path(os.path.relpath(folder, page.parent)).as_posix(),
        answers=answers(found),
        labels=labels,
        words={label: BACKENDS.get(parts(label).backend, "") for label in labels},
        rows=rows(found, labels),
        kinds=len({sample.puzzle for sample in found.samples}),
        problems=sorted({sample.problems for sample in found.samples}),
        limit_s=max(sample.limit_s for sample in found.samples),
        pairs=[on_pair(pair) for pair in found.pairs if pair.differs],
        undecided={
            TASKS[task]: [f"`{pair.label}` and `{pair.other}`" for pair in group if not pair.differs]
            for task, group in grouped(found.pairs, attrgetter("task")).items()
        },
        tests=len(found.pairs),
        on_kinds=len(found.kind_pairs),
        found_on_kinds=sum(pair.p_holm < SIGNIFICANT for pair in found.kind_pairs),
        censored=sum(not pair.ratio.exact for pair in found.kind_pairs),
        power=[on_power(each) for each in found.power],
        same=same_again(runs),
        luck=luck(runs),
        tasks=TASKS,
        runs=len(of_sample),
        repeats=of_sample["repeat"].max(),
        threads=of_sample["threads"].max(),
        hosts=sorted(set(of_sample["cpu"]) - {""}),
        commits=sorted({commit[:12] for commit in of_sample["commit"]} - {""}),
        solvers=sorted({f"{row.solver} {row.solver_version}" for row in of_sample.itertuples()}),
    )


def relative(path: Path) -> str:
    """The path as it is written in the project's own folder."""
    full = path.resolve()
    return (full.relative_to(catalogue.ROOT) if full.is_relative_to(catalogue.ROOT) else full).as_posix()


def rows(found: Conclusions, labels: Sequence[str]) -> list[KindRow]:
    """A row for each kind of puzzle, and one for all kinds; in a cell one figure for each task."""
    kinds = grouped(found.standings, attrgetter("puzzle"))
    table = [
        KindRow(
            puzzle.replace("_", " "),
            ", ".join(catalogue.ingredients(puzzle)),
            cells(of_kind, labels),
            fastest(of_kind),
        )
        for puzzle, of_kind in sorted(kinds.items())
    ]
    return [*table, KindRow("**all kinds**", "", cells(found.losses, labels), fastest(found.losses))]


def cells(of: Sequence[Standing] | Sequence[Loss], labels: Sequence[str]) -> tuple[str, ...]:
    """The slowdowns of each backend, one for each task; in bold those of less than FASTEST."""
    found: dict[str, dict[Task, str]] = {label: {} for label in labels}
    for one in of:
        text = slowdown(one)
        found[one.label][one.task] = f"**{text}**" if value_of(one) < FASTEST else text
    return tuple(" / ".join(texts[task] for task in Task if task in texts) for texts in found.values())


def fastest(of: Sequence[Standing] | Sequence[Loss]) -> str:
    """For each task the backend with the least slowdown that is not a search by hand; both once if alike."""
    solvers = sorted((one for one in of if one.label not in SEARCHES and one.solved), key=value_of)
    first = {one.task: one.label for one in reversed(solvers)}
    return " / ".join(dict.fromkeys(f"`{first[task]}`" for task in Task if task in first))


def value_of(one: Standing | Loss) -> float:
    """The slowdown, of all kinds the mean."""
    return one.slowdown.value if isinstance(one, Loss) else one.slowdown


FASTEST = 1.05
"""Below this slowdown a backend is set in bold: it is the fastest, or cannot be told from it."""
