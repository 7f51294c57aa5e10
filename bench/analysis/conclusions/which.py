"""docs/which.md: which backend to use for a kind of puzzle, and how sure that is."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

import jinja2
import pandas as pd

from bench import catalogue
from bench.analysis.conclusions.across import (
    SIGNIFICANT,
    AcrossPair,
    Conclusions,
    Loss,
    conclusions,
)
from bench.analysis.conclusions.inference import CensoredRatio
from bench.analysis.conclusions.kinds import Standing, of_samples, samples
from bench.analysis.conclusions.luck import luck
from bench.analysis.conclusions.twins import same_again
from bench.analysis.measurements import measurements
from bench.analysis.tables import BACKENDS, TASKS, grouped
from bench.analysis.units import factor, listed, plural
from bench.catalogue.errors import RequestError
from bench.contract import Task
from bench.invocation import command_line

CP, MIP, SEARCH = "cpsat", "milp", "backtrack"
"""The labels of the backends that the question is about."""

DOING = {Task.FIRST: "to find one solution", Task.COUNT: "to find all and prove that there are no more"}


@dataclass(frozen=True)
class Answer:
    """A question with its answer in a sentence, in which labels stand between backticks."""

    question: str
    text: str


@dataclass(frozen=True)
class KindRow:
    """A row of the table: a kind of puzzle, its ingredients, and a cell for each backend."""

    kind: str
    ingredients: str
    cells: tuple[str, ...]


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
        words={label: BACKENDS.get(label.partition(":")[0], "") for label in labels},
        rows=[*rows(found, labels), over_all(found.losses, labels)],
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
        power=found.power,
        same=same_again(runs),
        luck=luck(runs),
        tasks=TASKS,
        runs=len(of_sample),
        repeats=of_sample["repeat"].max(),
        threads=of_sample["threads"].max(),
        hosts=sorted(set(of_sample["cpu"]) - {""}),
        commits=sorted(set(of_sample["commit"]) - {""}),
        solvers=sorted({f"{row.solver} {row.solver_version}" for row in of_sample.itertuples()}),
    )


def relative(path: Path) -> str:
    """The path as it is written in the project's own folder."""
    full = path.resolve()
    return (full.relative_to(catalogue.ROOT) if full.is_relative_to(catalogue.ROOT) else full).as_posix()


def labels_of(found: Conclusions) -> list[str]:
    """The backends, in the order of all tables."""
    return list(dict.fromkeys(str(label) for sample in found.samples for label in sample.times))


def rows(found: Conclusions, labels: Sequence[str]) -> list[KindRow]:
    """A row for each kind of puzzle."""
    by_kind = grouped(found.standings, attrgetter("puzzle"))
    return [
        KindRow(
            puzzle.replace("_", " "),
            ", ".join(catalogue.ingredients(puzzle)),
            tuple(cell([one for one in by_kind[puzzle] if one.label == label]) for label in labels),
        )
        for puzzle in sorted(by_kind)
    ]


def cell(standings: Sequence[Standing]) -> str:
    """The slowdowns of a backend on a kind, one for each task, and how much of it is solved if not all is."""
    return " / ".join(slowdown(one) for one in sorted(standings, key=lambda one: list(Task).index(one.task)))


def slowdown(standing: Standing) -> str:
    """A slowdown; from 2 up without decimals it is a bound if not all problems are solved."""
    if not standing.solved:
        return "none"
    text = f"{factor(standing.slowdown)}{'+' if standing.bound else ''}"
    return f"**{text}**" if standing.slowdown < FASTEST else text


FASTEST = 1.05
"""Below this slowdown a backend is set in bold: it is the fastest, or cannot be told from it."""


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


def over_all(losses: Sequence[Loss], labels: Sequence[str]) -> KindRow:
    """The row of all kinds."""
    cells = tuple(
        " / ".join(
            factor(loss.slowdown.value) + ("+" if loss.solved < loss.problems else "")
            for task in Task
            for loss in losses
            if (loss.task, loss.label) == (task, label)
        )
        for label in labels
    )
    return KindRow("**all kinds**", "", cells)


def answers(found: Conclusions) -> list[Answer]:
    """The answer in three sentences: CP or MIP, a solver or a search, and how much it matters."""
    labels = labels_of(found)
    said = []
    if {CP, MIP} <= set(labels):
        said.append(Answer("CP or MIP?", versus(found, CP, MIP)))
    if {CP, SEARCH} <= set(labels):
        said.append(Answer("Or a search by hand?", versus(found, CP, SEARCH)))
    return [*said, Answer("How much does it matter?", on_losses(found.losses))]


def versus(found: Conclusions, label: str, other: str) -> str:
    """Two backends, with both tasks, in a sentence; they stand in the order of all tables."""
    parts = []
    for task in Task:
        pair = next(
            (one for one in found.pairs if (one.task, one.label, one.other) == (task, label, other)), None
        )
        if pair:
            of_kinds = [
                one for one in found.kind_pairs if (one.task, one.label, one.other) == (task, label, other)
            ]
            kinds = len(of_kinds)
            clear = [one.mean_log for one in of_kinds if one.p_holm < SIGNIFICANT]
            wins, losses = sum(log < 0 for log in clear), sum(log > 0 for log in clear)
            parts.append(
                f"{DOING[task]} `{label}` is faster on {wins} of {kinds} kinds of puzzles and slower on "
                f"{losses} (the others are too close), and {across_words(pair)}"
            )
    sentence = "; ".join(parts)
    return f"{sentence[:1].upper()}{sentence[1:]}."


def across_words(pair: AcrossPair) -> str:
    """What the test across kinds says of a pair."""
    times = f"{factor(larger(pair))} times"
    sure = f"{interval(pair)}, p = {pair.p_holm:.2g}"
    if pair.differs:
        return f"across kinds `{pair.slower}` takes {times} as long ({sure})"
    return f"across kinds neither is proven faster (`{pair.slower}` takes {times} as long, {sure})"


def larger(pair: AcrossPair) -> float:
    """The ratio of the slower to the faster."""
    return max(pair.ratio.value, 1 / pair.ratio.value)


def interval(pair: AcrossPair) -> str:
    """The interval of `larger`."""
    ends = (
        (pair.ratio.low, pair.ratio.high)
        if pair.ratio.value > 1
        else (1 / pair.ratio.high, 1 / pair.ratio.low)
    )
    return f"{factor(ends[0])} to {factor(ends[1])}"


def on_pair(pair: AcrossPair) -> str:
    """A pair that differs, in words."""
    words = f"`{pair.faster}` is faster than `{pair.slower}`"
    times = f"{factor(larger(pair))} times ({interval(pair)}, corrected p = {pair.p_holm:.2g})"
    return f"{DOING[pair.task]}, {words}: {times}"


def on_losses(losses: Sequence[Loss]) -> str:
    """What is lost by always taking the same backend, in a sentence."""
    parts = []
    for task, of_task in grouped(losses, attrgetter("task")).items():
        most = max(loss.kinds for loss in of_task)
        best, *_, worst = [loss for loss in of_task if loss.kinds == most]
        dearest = factor(worst.slowdown.value)
        said = (
            f"{DOING[task]}, always `{best.label}` costs {factor(best.slowdown.value)} times the fastest for "
            f"each problem (it is the fastest on {best.fastest} of {best.kinds} kinds and solves "
            f"{best.solved:,} of {best.problems:,}), always `{worst.label}` {dearest} times or more"
        )
        parts.append(said)
    sentence = "; ".join(parts)
    return f"{sentence[:1].upper()}{sentence[1:]}."
