"""docs/which.md and its pictures: which backend to use for a kind of puzzle, and how sure that is."""

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import ceil, exp, inf, isfinite, isnan
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from bench import catalogue
from bench.analysis.measurements import Measurement, measurements
from bench.analysis.plots.drawing import save
from bench.analysis.plots.style import BAND, INK, MUTED, PAPER, draw_legend, log_axis, style, time_axis
from bench.analysis.tables import BACKENDS, RESOLUTION_S, TASKS, parts, read_runs
from bench.analysis.units import count, factor, listed, plural, seconds
from bench.campaign.selection import SAMPLES
from bench.catalogue.errors import RequestError, command_line, writing
from bench.contract import Status, Task
from bench.instruments.which.samples import (
    CP,
    LEAST_PROBLEMS,
    MIP,
    Conclusions,
    Sample,
    detectable,
    is_solver,
    of_a_further_kind,
    of_samples,
    overall,
    same_again,
    samples,
    standings_on,
    strata,
)
from bench.report.page import templates
from bench.report.table import Table
from bench.stats import SIGNIFICANT


def which_page(
    runs: pd.DataFrame, folder: Path, out: Path | None, draw: bool = False, others: Path | None = None
) -> str:
    """The page in Markdown.

    Args:
        folder: of the campaign: README.md and the picture are linked, caveat.md comes first, if they exist.
        out: the file of the page; without one it has no picture.
        draw: whether the pictures are drawn, to plots/ in the folder.
        others: the folder of another campaign, whose table is beside that of the first.

    Raises:
        RequestError: if one of the campaigns has no sample that at least two backends tried, or a picture
            cannot be written.
    """
    found, measured = _concluded(runs, folder)
    beside = _slowdowns(*_concluded(read_runs(others), others)) if others else None
    named = ["--others", _relative(others)] if others else []
    if draw:
        _write_pictures(found, folder / "plots")
    environment = templates(Path(__file__).parent).overlay(autoescape=False, keep_trailing_newline=True)
    environment.filters |= {"factor": factor, "plural": plural, "listed": listed, "seconds": seconds}
    kinds = {sample.puzzle for sample in found.samples}
    own = runs[runs["puzzle"].isin(kinds) & runs["instance"].isin({each.instance for each in measured})]
    page, caveat = out or Path("which.md"), folder / "caveat.md"
    numbers = [len(sample.times) for sample in found.samples]
    least = np.concatenate([sample.best.to_numpy() for sample in found.samples])
    return environment.get_template("which.md").render(
        command=command_line("which", _relative(folder), *named, "--out", _relative(page)),
        picture=_link(folder / "plots" / "which.png", page) if out else "",
        readme=_link(folder / "README.md", page),
        caveat=caveat.read_text(encoding="utf-8").strip() if caveat.exists() else "",
        disturbed=float(own["disturbed"].mean()),
        ahead=who_is_ahead(found),
        cp_or_mip=cp_or_mip(found),
        slowdowns=_slowdowns(found, measured),
        strata=_by_stratum(found),
        others=beside,
        collections=sorted({each.collection for each in measured} - {""}),
        of_others=_link(others / "README.md", page) if others else "",
        words={label: _in_words(label, measured) for label in found.labels},
        replaced=_replaced(found, measured),
        tasks=[TASKS[task] for task in found.tasks],
        kinds=len(kinds),
        problems=sorted({min(numbers), max(numbers)}),
        limit_s=max(sample.limit_s for sample in found.samples),
        resolution_s=RESOLUTION_S,
        below=float(np.mean(least < RESOLUTION_S)),
        tests=_by_task(_tests(found), found.tasks),
        pairs=every_pair(found),
        same=same_again(own),
        failures=_failures(measured),
        runs=sum(each.runs for each in measured),
        repeats=own["repeat"].max(),
        seeds=max(each.seeds for each in measured),
        threads=max(each.threads for each in measured),
        hosts=sorted(set(own["cpu"]) - {""}),
        commits=sorted({commit[:12] for commit in own["commit"]} - {""}),
        solvers=sorted(set(own["solver"] + " " + own["solver_version"])),
    )


def _concluded(runs: pd.DataFrame, folder: Path) -> tuple[Conclusions, list[Measurement]]:
    """What the runs of a campaign say, and by what; raises RequestError if that is nothing."""
    measured = of_samples(measurements(runs))
    if not (of_kinds := samples(measured)):
        none = f"of no kind two backends tried {LEAST_PROBLEMS} problems of samples, or of a collection"
        raise RequestError(f"{folder}: {none}; {command_line('run', '--sample')}")
    return Conclusions(of_kinds), measured


def _relative(path: Path) -> str:
    """The path as it is written in the project's own folder."""
    full = path.resolve()
    return (full.relative_to(catalogue.ROOT) if full.is_relative_to(catalogue.ROOT) else full).as_posix()


def _link(path: Path, page: Path) -> str:
    """The path as a page links to it; empty if it is not there."""
    return Path(os.path.relpath(path, page.parent)).as_posix() if path.exists() else ""


def _in_words(label: str, measured: Iterable[Measurement]) -> str:
    """What a backend is, and which of its solvers was measured if that is not said."""
    backend, solver = parts(label)[:2]
    words = BACKENDS.get(backend, backend)
    solver = solver or next(each.solver for each in measured if each.label == label)
    return words if solver in words.lower().replace("-", "") else f"{words} (here `{solver}`)"


def _replaced(found: Conclusions, measured: Iterable[Measurement]) -> list[str]:
    """The models that are no longer the first of their file, which is not imported, in words."""
    compared = set(zip(found.standings["puzzle"], found.standings["label"], strict=True))
    models = {(each.puzzle, each.label, each.backend, each.formulation) for each in measured}
    said = []
    for puzzle, label, backend, name in sorted(models):
        default = catalogue.tables_in(catalogue.source_of(puzzle, backend), "FORMULATIONS")[:1]
        if (puzzle, label) in compared and name and default not in ([], [name]):
            said.append(f"{puzzle.replace('_', ' ')} with `{label}` `{name}` (default `{default[0]}`)")
    return said


def _failures(measured: Iterable[Measurement]) -> list[str]:
    """What failed otherwise than at the time limit, in words."""
    ended = Counter((each.label, each.status) for each in measured if not each.solved)
    stopped = {Status.TIMEOUT, Status.UNSUPPORTED, Status.UNAVAILABLE}
    return [
        f"`{label}`: {status} on {plural(number, 'problem')}"
        for (label, status), number in sorted(ended.items())
        if status not in stopped
    ]


def _by_task(rows: Mapping[str, Mapping[Task, str]], tasks: Iterable[Task]) -> Table:
    """A table with a column for each task."""
    cells = [[words, *(of_row.get(task, "–") for task in tasks)] for words, of_row in rows.items()]
    return Table("", ["", *(TASKS[task] for task in tasks)], cells)


def _of_cp_and_mip(pairs: pd.DataFrame) -> pd.DataFrame:
    return pairs[(pairs["label"] == CP) & (pairs["other"] == MIP)]


def who_is_ahead(found: Conclusions) -> str:
    """Which of CP and MIP is faster across kinds, and by how much; empty if the test finds no difference."""
    clear = found.across[found.across["p_holm"] <= SIGNIFICANT]
    ahead: dict[str, list[str]] = defaultdict(list)
    for pair in map(_slower_first, _of_cp_and_mip(clear).itertuples()):
        ahead[pair.other].append(f"{_estimate(pair, '{} or more')} for {TASKS[pair.task]}")
    return " ".join(
        f"`{fast}` is ahead, across kinds by an estimated factor of {listed(by)}."
        for fast, by in ahead.items()
    )


def cp_or_mip(found: Conclusions) -> Table | None:
    """How CP and MIP compare on kinds, across them, and by what presolve decides; None if no sample has both.

    The times where presolve leaves CP nothing, and elsewhere, are geometric means over problems.
    """
    rows: dict[str, dict[Task, str]] = defaultdict(dict)
    on_kinds, across = map(_of_cp_and_mip, (found.on_kinds, found.across))
    by_task = on_kinds[on_kinds["mean_log"].notna()].groupby("task")
    for task, pairs in by_task:
        signs = pairs["sign"].where(pairs["p_holm"] <= SIGNIFICANT, 0).tolist()
        kinds = plural(len(signs), "kind")
        rows[f"`{CP}` is significantly faster on"][task] = f"{signs.count(-1)} of {kinds}"
        rows[f"`{MIP}` is significantly faster on"][task] = f"{signs.count(1)} of {kinds}"
    for pair in across.itertuples():
        rows["the slower one across kinds"][pair.task] = slower(pair)
    for task, pairs in by_task:
        low, high = np.exp(of_a_further_kind(-pairs["mean_log"]))
        if isfinite(low):
            further = f"time of `{MIP}` relative to `{CP}` on a further kind, with 80%"
            rows[further][task] = f"{factor(low)} to {factor(high)}"
    for task in found.tasks:
        both = [
            replace(each, times=each.times[np.isfinite(each.times[[CP, MIP]]).any(axis=1)])
            for each in found.samples
            if each.task == task and {CP, MIP} <= set(each.times)
        ]
        logs = np.log(np.concatenate([each.capped[MIP] / each.capped[CP] for each in both] or [[]]))
        decided = np.array([problem in each.decided for each in both for problem in each.times.index], bool)
        if decided.any() and not decided.all():
            there, elsewhere = (factor(exp(logs[those].mean())) for those in (decided, ~decided))
            rows[f"problems solved by one of them that presolve of `{CP}` decides"][task] = (
                f"{decided.mean():.0%}"
            )
            rows[f"time of `{MIP}` relative to `{CP}` on these"][task] = there
            rows[f"time of `{MIP}` relative to `{CP}` on the others"][task] = elsewhere
    return _by_task(rows, found.tasks) if rows else None


def _slower_first(pair: Any) -> Any:
    """A row of `across`, with the two backends exchanged if the first is the faster one."""
    if pair.ratio >= 1:
        return pair
    low, high = (inf if end == 0 else 1 / end for end in (pair.high, pair.low))
    unsolved = {"unsolved": pair.other_unsolved, "other_unsolved": pair.unsolved}
    return pair._replace(
        label=pair.other, other=pair.label, ratio=1 / pair.ratio, low=low, high=high, **unsolved
    )


def _estimate(pair: Any, lower_bound: str) -> str:
    """How many times as long the first takes, as if what was stopped had ended at the limit.

    It is a bound where one of the two leaves problems unsolved, and none where both do.
    """
    words = {(True, False): lower_bound, (False, True): "at most {}", (True, True): "about {}"}
    return words.get((pair.unsolved > 0, pair.other_unsolved > 0), "{}").format(factor(pair.ratio))


def slower(pair: Any) -> str:
    """The slower backend in a row of `across`, how many times as long it takes, and how sure that is."""
    pair = _slower_first(pair)
    bold = "**" if pair.p_holm <= SIGNIFICANT else ""
    sure = "; ".join(filter(None, (_between(pair.low, pair.high), f"p = {pair.p_holm:.2g}")))
    return f"{bold}`{pair.label}` {_estimate(pair, '{}+')}{bold} ({sure})"


def _between(low: float, high: float) -> str:
    """The bounds of a factor, where 0 and inf are none; empty if nothing bounds it."""
    if isnan(low) or (low, high) == (0, inf):
        return ""
    if high == inf:
        return f"{factor(low)} or more"
    return f"{factor(low)} to {factor(high)}" if low else f"{factor(high)} or less"


def _slowdowns(found: Conclusions, measured: Iterable[Measurement]) -> Table:
    """A row for each kind of puzzle; for several also their means, and how many problems are unsolved."""
    sizes: dict[str, set[float]] = defaultdict(set)
    for each in measured:
        sizes[each.puzzle].add(each.size)
    unknowns = {puzzle: " to ".join(map(count, sorted({min(of), max(of)}))) for puzzle, of in sizes.items()}

    def cells(texts: Mapping[tuple[str, Task], str]) -> list[str]:
        return [" / ".join(texts.get((label, task), "–") for task in found.tasks) for label in found.labels]

    rows = []
    for puzzle, of_kind in found.standings.groupby("puzzle"):
        made_of = ", ".join(catalogue.ingredients(puzzle))
        rows.append([puzzle.replace("_", " "), made_of, unknowns[puzzle], *cells(_texts(of_kind))])
    if len(rows) > 1:
        unsolved = found.overall.set_index(["label", "task"]).eval("problems - solved").map(count)
        rows.append(["**all kinds**", "", "", *cells(_texts(found.overall))])
        rows.append(["unsolved problems", "", "", *cells(unsolved.to_dict())])
    columns = ["kind of puzzle", "ingredients", "unknowns", *(f"`{label}`" for label in found.labels)]
    return Table("", columns, rows, words=["ingredients"])


def _by_stratum(found: Conclusions) -> Table | None:
    """What it costs to use one backend for one solution of all kinds, by family; None if there is one."""
    rows = []
    for name, words in SAMPLES.items():
        some = [
            replace(one, times=one.times[one.times.index.map(strata(one.puzzle)) == name])
            for one in found.samples
            if one.task == Task.FIRST
        ]
        if number := sum(len(part.times) for part in some):
            texts = _texts(overall(pd.concat(standings_on(part) for part in some if len(part.times))))
            rows.append([words, str(number), *(texts.get((each, Task.FIRST), "–") for each in found.labels)])
    columns = ["solutions", "problems", *(f"`{label}`" for label in found.labels)]
    return Table("", columns, rows) if len(rows) > 1 else None


def _texts(standings: pd.DataFrame) -> dict[tuple[str, Task], str]:
    """The slowdown of each backend with each task; in bold the least of a solver, and what is within 5%."""
    solvers = [is_solver(label) for label in standings["label"]]
    least = standings[np.array(solvers, bool)].groupby("task")["slowdown"].min()
    texts = {}
    for one in standings.itertuples():
        text = f"{factor(one.slowdown)}{'+' * (one.solved < one.problems)}" if one.solved else "none"
        near = is_solver(one.label) and one.slowdown <= 1.05 * least[one.task]
        texts[one.label, one.task] = f"**{text}**" if near and one.solved else text
    return texts


def _tests(found: Conclusions) -> dict[str, dict[Task, str]]:
    """What the tests find, and what they could find."""
    rows: dict[str, dict[Task, str]] = defaultdict(dict)
    for task, pairs in found.on_kinds.groupby("task"):
        clear = pairs[pairs["p_holm"] <= SIGNIFICANT]
        rows["comparisons of two backends on a kind"][task] = f"{len(pairs):,}"
        rows["with a significant difference"][task] = f"{len(clear):,}"
        rows["of these, the time limit hides how large it is"][task] = f"{clear['hidden'].sum():,}"
        most = max(len(each.times) for each in found.samples if each.task == task)
        rows["least possible p on a kind, corrected"][task] = (
            f"{min(1.0, 2.0 ** (1 - most) * len(pairs)):.2g}"
        )
    for task, pairs in found.across.groupby("task"):
        kinds = pairs["kinds"].max()
        rows["comparisons of two backends across kinds"][task] = f"{len(pairs):,}"
        different = (pairs["p_holm"] <= SIGNIFICANT).sum()
        rows["with a significant difference across kinds"][task] = f"{different:,}"
        rows["least possible p, corrected"][task] = f"{min(1.0, 2.0 ** (1 - kinds) * len(pairs)):.2g}"
        spreads = pairs.loc[pairs["kinds"] == kinds, "spread"]
        steps = detectable(int(kinds), SIGNIFICANT / len(pairs))
        for words, spread in (("least", spreads.min()), ("most", spreads.max())):
            smallest = factor(exp(steps * spread)) if steps < inf else "none"
            rows[f"detectable factor where ratios vary the {words} over kinds"][task] = smallest
    return rows


def every_pair(found: Conclusions) -> Table:
    """Every two backends that are compared on enough kinds, with a cell for each task."""
    rows = []
    for names, pairs in found.across.groupby(["label", "other"], sort=False):
        cells = {pair.task: slower(pair) for pair in pairs.itertuples()}
        rows.append([*(f"`{name}`" for name in names), *(cells.get(task, "–") for task in found.tasks)])
    tasks = [TASKS[task] for task in found.tasks]
    return Table("", ["", "against", *tasks], rows, words=["against", *tasks])


def _write_pictures(found: Conclusions, folder: Path) -> None:
    """Draws which.png, and solved-TASK.png for each task; raises RequestError if one cannot be written."""
    with writing(folder, "make it writable"):
        folder.mkdir(exist_ok=True)
    save(folder / "which.png", partial(_draw_which, found))
    for task in found.tasks:
        of_task = [sample for sample in found.samples if sample.task == task]
        save(folder / f"solved-{task}.png", partial(_draw_solved, of_task, found.labels))


def _draw_which(found: Conclusions) -> Figure:
    """Each backend's slowdown on each kind of puzzle, from the top down, and over all; a panel per task."""
    kinds = sorted(set(found.standings["puzzle"]))
    # Marks of a row lie at different heights, so that none hides another.
    heights = {label: 0.7 * ((at + 0.5) / len(found.labels) - 0.5) for at, label in enumerate(found.labels)}
    # Over all there is no kind, whose number is then that behind the last.
    standings = pd.concat([found.standings, found.overall]).dropna(subset="slowdown")
    figure = Figure(figsize=(11, 1.6 + 0.52 * (len(kinds) + 1)), layout="constrained")
    grid = figure.subplots(1, len(found.tasks), squeeze=False, sharey=True)[0]
    for axes, task in zip(grid, found.tasks, strict=True):
        of_task = standings[standings["task"] == task]
        log_axis(axes, 0.85 * min([1.0, *of_task["slowdown"]]), 1.3 * max([10.0, *of_task["slowdown"]]))
        for one in of_task.itertuples():
            row = kinds.index(one.puzzle) if one.puzzle in kinds else len(kinds)
            looks = style(one.label)
            axes.plot(
                one.slowdown, row + heights[one.label], looks.marker, color=looks.colour,
                markersize=6, markerfacecolor=PAPER if one.solved < one.problems else looks.colour,
            )  # fmt: skip
        for row in range(1, len(kinds), 2):
            axes.axhspan(row - 0.5, row + 0.5, color=BAND, zorder=0)
        axes.axhline(len(kinds) - 0.5, color=INK, linewidth=1)
        axes.axvline(1, color=MUTED, linewidth=1)
        axes.set_ylim(len(kinds) + 0.6, -0.6)
        axes.set_title(TASKS[task], loc="left")
    names = [kind.replace("_", " ") for kind in [*kinds, "all kinds"]]
    grid[0].set_yticks(range(len(names)), names)
    grid[0].get_yticklabels()[-1].set_fontweight("bold")
    draw_legend(figure, found.labels)
    limit_s = max(sample.limit_s for sample in found.samples)
    figure.supxlabel(
        "Slowdown relative to the fastest solver of each problem (geometric mean over those of a kind)"
        f"\nopen marks: not all problems are solved within {limit_s:g} s, so it is more",
        fontsize=9,
    )
    return figure


def _draw_solved(samples: Sequence[Sample], labels: Sequence[str]) -> Figure:
    """For each kind of puzzle the share of its problems that each backend solves within a time.

    What is not solved counts as stopped at the limit, so a curve is 1 minus the Kaplan-Meier estimate.
    """
    rows, columns = ceil(len(samples) / 4), min(4, len(samples))
    figure = Figure(figsize=(max(6.0, 2.9 * columns), 1.2 + 2.1 * rows), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False, sharey=True).ravel()
    for axes, sample in zip(grid, samples, strict=False):
        fastest = sample.times.min().min()
        left = fastest / 1.5 if isfinite(fastest) else sample.limit_s / 10
        time_axis(axes, [left, sample.limit_s])
        axes.set_xlim(left, sample.limit_s)
        for label in sample.times:
            looks = style(label)
            times = np.sort(sample.times[label][np.isfinite(sample.times[label])])
            shares = np.arange(len(times) + 1) / len(sample.times)
            axes.step(
                [left, *times, sample.limit_s], [*shares, shares[-1]], where="post", color=looks.colour,
                linestyle=looks.line, linewidth=looks.width,
            )  # fmt: skip
        axes.set_ylim(0, 1.04)
        axes.yaxis.set_major_formatter(PercentFormatter(1))
        axes.set_title(sample.puzzle.replace("_", " "), loc="left")
    for axes in grid[len(samples) :]:
        axes.set_axis_off()
    draw_legend(figure, labels, marks=0, lines=True)
    words = f"Share of the problems solved within this time ({TASKS[samples[0].task]})"
    figure.supxlabel(f"{words}; the axis ends at the limit", fontsize=9)
    return figure
