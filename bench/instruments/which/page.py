"""docs/which.md and its pictures: CP or MIP, which solver, for which kind of puzzle, and how sure that is."""

import os
from collections.abc import Mapping, Sequence
from functools import partial
from math import exp, sqrt
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from bench import catalogue
from bench.analysis.measurements import measurements
from bench.analysis.plots.drawing import save
from bench.analysis.plots.style import INK, MUTED, draw_legend, log_axis, name_rows, style, time_axis
from bench.analysis.tables import BACKENDS, TASKS
from bench.analysis.units import factor, listed, plural
from bench.catalogue.errors import RequestError, command_line, writing
from bench.contract import Status, Task
from bench.instruments.which.comparison import (
    CP,
    FACTORS,
    HANDS,
    Comparison,
    choices,
    compared,
    inside,
    of_kinds,
    only,
    predicted,
    reach,
)
from bench.report.page import templates
from bench.report.table import Table
from bench.stats import SIGNIFICANT, holm

_SPANS_S = (0.1, 1.0)
"""Shares are shown of what is solved within these times, and within the limit."""

_POWER = 0.8

_HOLDS, _HOLDS_LOT = 0.9, 0.75
"""A prediction fails if it holds less than this share of the kinds, and of those drawn by lot."""

_LEAST_KINDS = 3
"""Fewer kinds predict none."""

_STRATA = "decided / searched"
_RATIO = "MIP time ÷ CP-SAT time"
_SUMMARY = ["kinds", "problems", _RATIO, _STRATA]

_WORDS = {
    "asp": "clingo", "backtrack": "a hand search in Python", "cpmpy:choco": "Choco, by CPMpy",
    "cpmpy:minizinc/gecode": "Gecode, by CPMpy and MiniZinc", "cpsat": "CP-SAT",
    "cpsat:highs": "HiGHS with the constraint program, where that is linear",
    "cpsat:lp2": "CP-SAT with `linearization_level` 2", "csp": "python-constraint", "milp": "HiGHS",
    "milp:cpsat": "CP-SAT with the integer program", "milp:highs": "HiGHS", "milp:scip": "SCIP",
    "native": "a hand search in C",
}  # fmt: skip


def which_page(
    runs: pd.DataFrame, folder: Path, out: Path | None, apart: Sequence[str] = (), draw: bool = False
) -> str:
    """The page in Markdown.

    Args:
        folder: of the campaign: what lies there is linked, and caveat.md comes first.
        out: the file of the page; without one it has no picture.
        apart: kinds from which a prediction is made apart from the others.
        draw: whether the pictures are drawn, to plots/ in the folder.

    Raises:
        RequestError: if the campaign has no problem that CP-SAT and a MIP solver tried, or a picture
            cannot be written.
    """
    measured = measurements(runs)
    found = {each.task: each for each in compared(measured)}
    if not found:
        pair = command_line("run", "--sample", "--backend", "cpsat", "--backend", "milp")
        raise RequestError(f"{folder}: CP-SAT and a MIP solver have no problem in common; {pair}")
    if draw:
        _write_pictures(found, folder / "plots", apart)
    environment = templates(Path(__file__).parent).overlay(autoescape=False, keep_trailing_newline=True)
    environment.filters |= {"factor": factor, "plural": plural, "listed": listed}
    page, named = out or Path("which.md"), [word for kind in apart for word in ("--apart", kind)]
    main = found.get(Task.FIRST) or found[Task.BEST]
    signs = [*_signs(main).values()]
    here = main.decided[main.primary.index]
    further, fails = across(main, apart)
    ratios = {label: main.logs(main.times[label], main.times[CP]) for label in main.times}
    names = ("README.md", "PROTOCOL.md", "recompute.py")
    return environment.get_template("which.md").render(
        command=command_line("which", _relative(folder), *named, "--out", _relative(page)),
        pictures=[_link(path, page) if out else "" for path in _pictures(folder)],
        links={name: _link(folder / name, page) for name in names},
        caveat=caveat.read_text(encoding="utf-8") if (caveat := folder / "caveat.md").exists() else "",
        recompute=_relative(folder / "recompute.py"),
        first=main.task,
        best=Task.BEST in found and main.task != Task.BEST,
        apart=apart,
        faster=(signs.count(-1), signs.count(1), len(signs)),
        answer=answer(found, apart),
        strata=[_factor(of_kinds(main.primary[part]).mean()) for part in (here, ~here)],
        hands={label: _factor(of_kinds(ratios[label]).mean()) for label in main.times if label in HANDS},
        short=short(main),
        kinds={task: kinds(each, apart) for task, each in found.items()},
        across=further.rows,
        further=further,
        fails=fails,
        solvers=solvers(main),
        choices=_choices(main),
        differences={task: differences(each) for task, each in found.items()},
        slowdowns={task: slowdowns(each) for task, each in found.items()},
        of_solvers=[f"`{label}`" for label in main.solvers],
        limit_s=main.limit_s,
        words={label: _WORDS.get(label) or BACKENDS.get(label, "a solver") for label in main.times},
        sides=_sides(main),
        share=main.decided.mean(),
        failures=_failures(runs),
        missing=sum(map(_missing, found.values())),
        runs=len(runs),
        disturbed=float(runs["disturbed"].mean()),
        hosts=sorted(set(runs["cpu"]) - {""}),
        commits=sorted({commit[:12] for commit in runs["commit"]} - {""}),
        versions=sorted(set(runs["solver"] + " " + runs["solver_version"])),
    )


def _pictures(folder: Path) -> list[Path]:
    return [folder / "plots" / "which.png", folder / "plots" / "solved.png"]


def _relative(path: Path) -> str:
    """The path as it is written in the project's own folder."""
    full = path.resolve()
    return (full.relative_to(catalogue.ROOT) if full.is_relative_to(catalogue.ROOT) else full).as_posix()


def _link(path: Path, page: Path) -> str:
    """The path as a page links to it; empty if it is not there."""
    return Path(os.path.relpath(path, page.parent)).as_posix() if path.exists() else ""


def _made_of(of: Comparison) -> dict[str, Sequence[str]]:
    names = of.times.index.unique("puzzle")
    return {kind: catalogue.ingredients(kind) or ("none of these",) for kind in names}


def _failures(runs: pd.DataFrame) -> list[str]:
    """How many runs of each solver ended otherwise than with a result or at the limit, in words."""
    usual = [each for each in Status if not each.failed] + [Status.TIMEOUT, Status.STOPPED]
    odd = runs[~runs["status"].isin([*usual, Status.UNSUPPORTED, Status.UNAVAILABLE])]
    ended = odd.groupby(["backend", "solver", "status"]).size()
    return [
        f"`{backend}:{solver}` {plural(n, 'run')} {status}" for (backend, solver, status), n in ended.items()
    ]


def _missing(of: Comparison) -> int:
    """How many pairs of a problem and a solver were not run, of kinds that the solver has a model of."""
    return int(sum((some.isna() & some.notna().any()).sum().sum() for _, some in of.times.groupby(level=0)))


def _factor(log: float) -> str:
    return factor(exp(log)) or "–"


def _span(center: float, half: float) -> str:
    """A ratio with its interval, by logarithms; alone if it has none."""
    return _factor(center) + (f" ({_factor(center - half)} to {_factor(center + half)})" if half > 0 else "")


def _both(logs: "pd.Series[float]", decided: "pd.Series[bool]") -> str:
    """The geometric mean over kinds of what is decided before search, and of what is searched."""
    here = decided[logs.index]
    return " / ".join(_factor(of_kinds(logs[part]).mean()) for part in (here, ~here))


def _summary(logs: "pd.Series[float]", decided: "pd.Series[bool]") -> list[str]:
    """The numbers of kinds and problems, the geometric mean over kinds with its interval, and its strata."""
    means = of_kinds(logs)
    return [f"{len(means)}", f"{len(logs)}", _span(means.mean(), reach(means)), _both(logs, decided)]


def _tests(of: Comparison) -> "pd.Series[float]":
    """Student's p of each kind, corrected; 1 where there is no test.

    For MIP it counts twice: which of its solvers is the better one was seen on the same problems.
    """
    from scipy.special import stdtr

    p = dict.fromkeys(of.better_mip, 1.0)
    for kind, logs in of.primary.groupby(level="puzzle"):
        if (error := logs.std() / sqrt(len(logs))) > 0:
            tail = float(stdtr(len(logs) - 1, -abs(logs.mean()) / error))
            p[kind] = min(1.0, (2 if logs.mean() > 0 else 2 * len(of.mip)) * tail)
    return holm(pd.Series(p))


def _signs(of: Comparison) -> dict[str, int]:
    """Of each kind whether CP-SAT is faster (-1), MIP (1), or neither is significantly (0).

    CP-SAT must be faster on the problems that needed no proof, too: it gave most of the proofs.
    """
    means, unproved, p = of_kinds(of.primary), of_kinds(of.unproved), _tests(of)
    signs = dict.fromkeys(of.better_mip, 0)
    for kind in signs:
        if p[kind] <= SIGNIFICANT and (means[kind] < 0 or unproved.get(kind, 0.0) > 0):
            signs[kind] = int(-np.sign(means[kind]))
    return signs


def _ratio(of: Comparison, kind: str) -> str:
    """The ratio of a kind with its interval; a bound where one of the two leaves problems unsolved."""
    logs, times = only(of.primary, [kind]), of.times.loc[[kind]]
    cp, mip = (bool(np.isinf(times[label]).any()) for label in (CP, of.better_mip[kind]))
    return ("about " if cp and mip else "≤ " * cp + "≥ " * mip) + _span(logs.mean(), reach(logs))


def kinds(of: Comparison, apart: Sequence[str]) -> Table:
    """The better MIP solver of each kind against CP-SAT; those apart are last. One task alone is tested."""
    p, rows = _tests(of), []
    means = of_kinds(of.primary).reindex([*of.better_mip]).fillna(-np.inf)
    for kind in sorted(means.index, key=lambda kind: (kind in apart, -means[kind])):
        logs = only(of.primary, [kind])
        times, mip, ratio = of.times.loc[[kind]], of.better_mip[kind], _ratio(of, kind)
        row = [kind.replace("_", " "), f"{len(times)}", f"{of.decided[times.index].sum()}", f"`{mip}`"]
        row += [f"**{ratio}**" if of.task == Task.FIRST and p[kind] <= SIGNIFICANT else ratio]
        row += [_both(logs, of.decided), *([f"{p[kind]:.2g}"] if of.task == Task.FIRST else [])]
        row += [_factor(reach(logs) + reach(logs, _POWER))]
        rows.append([*row, " / ".join(f"{np.isinf(times[label]).sum()}" for label in (CP, mip))])
    tested = ["p"] if of.task == Task.FIRST else []
    columns = ["kind", "problems", "decided", "better MIP solver", _RATIO, _STRATA, *tested]
    columns += ["smallest factor detectable (80% power)", "unsolved: CP-SAT / MIP"]
    return Table("", columns, rows, words=["better MIP solver"])


def across(of: Comparison, apart: Sequence[str]) -> tuple[Table, list[str]]:
    """The mean over kinds, and the prediction for a further one, of each stratum with three kinds.

    And those predictions that fail, in words.
    """
    lot = of.primary.index.isin(apart, level="puzzle")
    here, rows, fails = of.decided[of.primary.index], [], []
    others = of.primary[~lot].groupby(level="puzzle").agg(["mean", "var", "size"])
    groups = {"chosen by hand": ~lot, "drawn by lot": lot} if apart else {}
    for name, some in (groups | {"all": lot | ~lot}).items():
        for stratum, part in {"all": some, "decided": some & here, "searched": some & ~here}.items():
            known = of.primary[part].groupby(level="puzzle").agg(["mean", "var", "size"])
            if len(known) < _LEAST_KINDS:
                continue
            found, checked = predicted(known), "–"
            ends = [_factor(found.mean + sign * found.further) for sign in (-1, 1)]
            if stratum == "all" and len(others) > _LEAST_KINDS and (not apart or name != "all"):
                number, least = inside(known, others), _HOLDS_LOT if name == "drawn by lot" else _HOLDS
                checked = f"{number} of {len(known)}"
                if number < least * len(known):
                    fails.append(name)
            rows.append(
                [name, stratum, f"{len(known)}", _span(found.mean, found.reach), " to ".join(ends), checked]
            )
    columns = ["kinds", "problems", "number of kinds", _RATIO, "prediction for a further kind"]
    return Table("", [*columns, "kinds inside the prediction"], rows, words=["problems"]), fails


def answer(found: Mapping[Task, Comparison], apart: Sequence[str]) -> Table:
    """For which kinds which solver is faster, and where another one is faster than both."""
    rows = []
    for task, of in found.items():
        signs, means = _signs(of), of_kinds(of.primary).reindex([*of.better_mip])
        fastest = of.slowdowns[of.solvers].groupby(level="puzzle").mean().idxmin(axis=1).to_dict()
        groups = {"CP-SAT is faster": -1, "MIP is faster": 1, "not decided": 0}
        names = {
            words: [kind for kind in means.index if signs[kind] == sign] for words, sign in groups.items()
        }
        if task == Task.BEST:
            names = {"best solution": [*means.index]}
        for words, some in names.items():
            order = [kind for kind in means.sort_values(ascending=False).index if kind in some]
            known = [_factor(mean) for mean in means[order].dropna()]
            listing = [f"{kind.replace('_', ' ')}{'*' * (kind in apart)}" for kind in order]
            also = [
                f"`{label}`: {', '.join(one.replace('_', ' ') for one in order if fastest.get(one) == label)}"
                for label in of.solvers
                if label != CP and label not in of.mip and label in map(fastest.get, order)
            ]
            cells = [words, f"{len(order)}", " to ".join(dict.fromkeys(known[-1:] + known[:1])) or "–"]
            rows.append([*cells, ", ".join(listing) or "–", "; ".join(also) or "–"])
    columns = ["", "kinds", _RATIO, "which", "where another solver is the fastest"]
    return Table("", columns, rows, words=columns[3:])


def short(of: Comparison) -> Table:
    """The ratio on kinds with each ingredient, and the solver that is nearest to the fastest there."""
    rows, made_of = [], _made_of(of)
    means = of.slowdowns[of.solvers].groupby(level="puzzle").mean()
    for name in sorted({word for words in made_of.values() for word in words}):
        those = [kind for kind, words in made_of.items() if name in words]
        losses, logs = means.loc[means.index.isin(those)].mean(), only(of.primary, those)
        if losses.isna().all():
            continue
        best = losses.idxmin()
        lost = [f"`{best}`", _factor(losses[best]), _factor(losses[CP])]
        rows.append([str(name), *_summary(logs, of.decided), *lost])
    columns = ["puzzles with", *_SUMMARY, "fastest solver", "its time ÷ fastest", "CP-SAT's ÷ fastest"]
    return Table("", columns, rows, words=["fastest solver"])


def _choices(of: Comparison) -> Table:
    """What each way to choose a solver loses."""
    ways = choices(of, _made_of(of))
    rows = [[name, _factor(of_kinds(logs).mean()), _both(logs, of.decided)] for name, logs in ways]
    return Table("", ["", "time ÷ fastest solver", _STRATA], rows)


def solvers(of: Comparison) -> Table:
    """What each solves within some times, PAR2, and how long it takes relative to others."""
    rows, spans = [], (*_SPANS_S, of.limit_s)
    slow = of.slowdowns
    for label in slow.groupby(level="puzzle").mean().mean().sort_values().index:
        tried = of.times[label].dropna()
        row = [f"`{label}`", f"{tried.index.unique('puzzle').size}"]
        for part in (tried[of.decided[tried.index]], tried[~of.decided[tried.index]]):
            row.append(" ".join(f"{of_kinds(part <= span_s).mean():.0%}" for span_s in spans))
            row.append(f"{of_kinds(part.where(np.isfinite(part), 2 * of.limit_s)).mean():.2f}")
        relative = (of.logs(values[label], values[CP]) for values in (of.times, of.own))
        rows.append([*row, *(_both(logs, of.decided) for logs in (slow[label].dropna(), *relative))])
    words = "within " + ", ".join(f"{span_s:g}" for span_s in spans) + " s"
    columns = ["", "kinds", f"decided: {words}", "PAR2, s", f"searched: {words}", "PAR2, s"]
    return Table("", [*columns, "÷ fastest", "÷ CP-SAT", "÷ CP-SAT, without building"], rows)


def differences(of: Comparison) -> Table:
    """What model, solver, parameters, cores and sources change."""
    pairs = {name: pair for name, pair in FACTORS.items() if {*pair} <= {*of.times}}
    logs = {name: of.logs(of.times[one], of.times[other]) for name, (one, other) in pairs.items()}
    for (name, label), times in of.further.items():
        if label in (CP, *of.mip):
            logs[f"{name}, for `{label}`"] = of.logs(times, of.times[label])
    sources = of.sources[of.primary.index]
    if of.task == Task.FIRST:
        logs |= {f"{_RATIO}, {name}": of.primary[sources == name] for name in sorted({*sources})}
        logs[f"{_RATIO}, not selected by a proof"] = of.unproved
    rows = [[name, *_summary(ratios, of.decided)] for name, ratios in logs.items() if len(ratios)]
    return Table("", ["", "kinds", "problems", "ratio", _STRATA], rows)


def slowdowns(of: Comparison) -> Table:
    """What each solver loses on each kind to the fastest one of each problem, in both strata."""
    slow = of.slowdowns
    here = of.decided[slow.index]
    halves = [of_kinds(slow[part]).reindex(slow.index.unique("puzzle")) for part in (here, ~here)]
    rows = []
    for kind in halves[0].index:
        cells = (" / ".join(_factor(half.loc[kind, label]) for half in halves) for label in slow)
        rows.append([kind.replace("_", " "), *(cell.replace("– / –", "–") for cell in cells)])
    return Table("", ["kind", *(f"`{label}`" for label in slow)], rows)


def _sides(of: Comparison) -> list[str]:
    """The strata and sources whose intervals exclude 1, in words, if they lie on different sides of it."""
    here, sources = of.decided[of.primary.index], of.sources[of.primary.index]
    parts = {"decided before search": here, "searched": ~here}
    means = {}
    for name, part in (parts | {name: sources == name for name in sorted({*sources})}).items():
        logs = of_kinds(of.primary[part])
        if abs(logs.mean()) > reach(logs):
            means[name] = float(logs.mean())
    said = [f"{_factor(mean)} on {name} problems" for name, mean in means.items()]
    return said if len({mean > 0 for mean in means.values()}) > 1 else []


def _write_pictures(found: Mapping[Task, Comparison], folder: Path, apart: Sequence[str]) -> None:
    """Draws which.png and solved.png; raises RequestError if one cannot be written."""
    with writing(folder, "make it writable"):
        folder.mkdir(exist_ok=True)
    which, solved = _pictures(folder.parent)
    save(which, partial(_draw_kinds, found, apart))
    save(solved, partial(_draw_solved, found.get(Task.FIRST) or found[Task.BEST]))


def _draw_kinds(found: Mapping[Task, Comparison], apart: Sequence[str]) -> Figure:
    """The ratio of each kind with its interval, from the top down: by hand, by lot, with an objective."""
    groups: list[tuple[str, Comparison, list[str]]] = []
    for task, of in [*found.items()][::-1]:
        order = of_kinds(of.primary).sort_values(ascending=False).index
        for words, kept in ((", drawn by lot", True), ("", False)):
            if some := [kind for kind in order if (kind in apart) == kept]:
                groups.insert(0, (TASKS[task] + words, of, some))
    figure = Figure(figsize=(9, 1.5 + 0.22 * sum(len(some) + 1 for *_, some in groups)), layout="constrained")
    axes = figure.subplots()
    names: list[tuple[str, str]] = []
    least, most = 0.5, 2.0
    for words, of, some in groups:
        names.append((words, "bold"))
        signs = _signs(of) if of.task == Task.FIRST else dict.fromkeys(of.better_mip, 0)
        for row, kind in enumerate(some, len(names)):
            logs = of.primary.loc[[kind]]
            low, mean, high = np.exp(logs.mean() + np.array([-1, 0, 1]) * np.nan_to_num(reach(logs)))
            colour = {-1: style(CP).colour, 1: style("milp").colour, 0: MUTED}[signs[kind]]
            axes.plot([low, high], [row, row], color=colour, linewidth=2)
            axes.plot(mean, row, "o", color=colour, markersize=6)
            for part, mark in ((of.decided[logs.index], "|"), (~of.decided[logs.index], "x")):
                if part.any():
                    axes.plot(exp(logs[part].mean()), row, mark, color=INK, markersize=5, zorder=3)
            least, most = min(least, mean), max(most, mean)
        names += [(kind.replace("_", " "), "normal") for kind in some]
    log_axis(axes, least / 3, most * 3)
    axes.axvline(1, color=INK, linewidth=1)
    name_rows(axes, [name for name, _ in names])
    for (_, weight), tick in zip(names, axes.get_yticklabels(), strict=True):
        tick.set_fontweight(weight)
    axes.set_title("\u2190 MIP faster", loc="left", color=style("milp").colour)
    axes.set_title("CP-SAT faster \u2192", loc="right", color=style(CP).colour)
    figure.supxlabel(
        "Time of the better MIP solver relative to CP-SAT: mean and 95% interval; grey: p above 5%\n"
        "| problems decided before search, x problems that are searched",
        fontsize=9,
    )
    return figure


def _draw_solved(of: Comparison) -> Figure:
    """The share of problems that each solver solves within a time, in both strata; each kind counts once."""
    figure = Figure(figsize=(11, 4.4), layout="constrained")
    labels = [label for label in of.times if label in of.solvers or label in HANDS]
    grid = np.geomspace(0.001, of.limit_s, 200)
    panels = {"decided before search": of.decided, "searched": ~of.decided}
    for axes, (title, part) in zip(figure.subplots(1, 2, sharey=True), panels.items(), strict=True):
        time_axis(axes, grid)
        axes.set_xlim(grid[0], grid[-1])
        for label in labels:
            times = of.times.loc[part, label].dropna()
            shares = [of_kinds(times <= end).mean() for end in grid]
            look = style(label)
            axes.plot(grid, shares, color=look.colour, linestyle=look.line, linewidth=look.width)
        axes.set_ylim(0, 1.03)
        axes.yaxis.set_major_formatter(PercentFormatter(1))
        axes.set_title(f"{title} ({plural(int(part.sum()), 'problem')})", loc="left")
    draw_legend(figure, labels, marks=0, lines=True)
    figure.supxlabel("Share of the problems solved within a time; each kind counts once", fontsize=9)
    return figure
