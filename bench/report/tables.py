"""The tables of a campaign: each is made here, and shown in the terminal, on the page and in notebooks."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, product
from math import inf
from operator import attrgetter
from statistics import fmean

import pandas as pd

from bench.analysis import scores as scoring
from bench.analysis.compare import ComparedModel, capped_s
from bench.analysis.growth import Climb
from bench.analysis.measurements import Figures, Measurement, is_conclusive, one_release
from bench.analysis.releases import SolverHistory
from bench.analysis.tables import DEFAULTS, PHASES, TASKS, grouped, labels
from bench.analysis.units import count, factor, milliseconds, ratio_interval, seconds, span
from bench.campaign.selection import TEXTBOOK
from bench.contract import Status, Task
from bench.report.findings import winner
from bench.report.table import Cell, Table

_MOST_BACKENDS = 8
"""Of the standings; the scores have all."""

_GROWTH = "time grows as size to the power"

_SIZES = {
    "variables": "variables",
    "variables after presolve": "presolved_variables",
    "constraints": "constraints",
    "constraints after presolve": "presolved_constraints",
}
_SEARCH = {name: name for name in ("branches", "failures", "rounds", "instructions")}
_TIMES = {phase.removesuffix("_s"): phase for phase in PHASES}
_FOUND = {"found": "solutions", "MB": "peak_mb"}
"""Columns of figures, by their titles."""


def standings(best: Sequence[Measurement]) -> Table:
    """A line for each backend, those that solve the most first: of one instance its times, else its score."""
    tried = [each for each in one_release(best) if each.status.tried]
    instances = list(dict.fromkeys((each.puzzle, each.instance) for each in best))
    one = len(instances) == 1
    cells = _of_instance(tried) if one else _of_problems(tried)
    titles = ("time", "slowdown", "branches") if one else ("solved", "slowdown", "fastest")
    of_best = titles if one else ("proved", "best known", "fastest")
    tasks = [task for task in Task if any(each.task == task for each in tried)]
    own = grouped(tried, lambda each: each.label)

    def place(label: str) -> tuple[int, float]:
        return sum(not each.solved for each in own[label]), sum(each.par2_s for each in own[label])

    order = sorted(own, key=place)
    rows = []
    for label in order[:_MOST_BACKENDS]:
        texts = chain(*(cells.get((label, task), ("", "", "")) for task in tasks))
        rows.append([own[label][-1].model if one else label, *texts])
    columns = ["backend"]
    for task in tasks:
        first, *others = of_best if task == Task.BEST else titles
        columns += [f"{TASKS[task].split()[0]}\n{first}", *(f"\n{title}" for title in others)]
    if len(order) > _MOST_BACKENDS:
        rows.append([f"and {len(order) - _MOST_BACKENDS} more", *[""] * (len(columns) - 1)])
    where = instances[0][1] if one else f"{len(instances)} instances"
    asked = " and ".join(TASKS[task] for task in tasks)
    return Table(f"{where}, best formulations, {asked}; slowdown: relative to the fastest", columns, rows)


def _of_instance(tried: Sequence[Measurement]) -> dict[tuple[str, Task], tuple[str, str, str]]:
    """The cells for one instance, by backend and task."""
    cells = {}
    for one in scoring.slowdowns(tried):
        each = one.measurement
        time = _time(each, interval=False) if each.solved else each.result
        slowdown = factor(one.ratio.value) if each.solved else ""
        cells[each.label, each.task] = time, slowdown, count(each.figures.branches)
    return cells


def _of_problems(tried: Sequence[Measurement]) -> dict[tuple[str, Task], tuple[str, str, str]]:
    """The cells for several instances; slowdowns are of the problems that all backends tried."""
    means = {(score.label, score.task): score.mean_s for score in scoring.scores(scoring.shared(tried)[0])}
    least = {task: min((mean for (_, of), mean in means.items() if of == task), default=0.0) for task in Task}
    slowdowns = scoring.by_problem(scoring.slowdowns(tried))
    wins = Counter((winner(group)[0], problem.task) for problem, group in slowdowns.items())
    cells = {}
    for (label, task), own in grouped(tried, lambda each: (each.label, each.task)).items():
        solved = f"{sum(each.solved for each in own)} of {len(own)}"
        slowdown = factor(means[label, task] / least[task]) if (label, task) in means else ""
        if task == Task.BEST:  # A mean of times would say nothing of values.
            slowdown = count(sum(run.reached_s(0.0) < inf for each in own if (run := each.typical)))
        cells[label, task] = solved, slowdown, count(wins[label, task])
    return cells


def overview(best: Sequence[Measurement]) -> Table:
    """The time of each backend on each problem, in colours; who wins, and by how much."""
    # Matplotlib takes long to import, and the ending of `run` has no use for it.
    from bench.analysis.plots.style import by_rank, heat

    backends = by_rank(each.label for each in best)
    colours = heat(each.time_s for each in best)
    slowdowns = scoring.by_problem(scoring.slowdowns(best))
    rows = []
    for problem, group in scoring.by_problem(best).items():
        cells = {each.label: _heat_cell(each, colours) for each in group}
        of_backends = [cells.get(label, "not run") for label in backends]
        rows.append(
            [problem.puzzle, problem.instance, TASKS[problem.task], *of_backends, *winner(slowdowns[problem])]
        )
    return Table(
        "Median total time on each instance",
        ["puzzle", "instance", "task", *backends, "winner", "by how much"],
        rows,
        words=["instance", "task", "winner", "by how much"],
    )


def _heat_cell(each: Measurement, colours: Callable[[float], tuple[str, str]]) -> Cell:
    """The median time, or the status, or both if some runs failed; what is unsolved is sorted last."""
    colour, ink = colours(each.time_s if each.status.failed else capped_s(each))
    return Cell(
        "\n".join(filter(None, (_time(each, interval=False), each.failure))),
        class_="heat",
        title=": ".join(filter(None, (each.formulation, _time(each)))),
        style=f"background: {colour}; color: {ink}",
        data_value=f"{min(each.time_s, 1e9):.4g}",
    )


def _time(each: Measurement, interval: bool = True) -> str:
    """The median time, with its interval if wanted; empty if no run was conclusive."""
    if each.total is None:
        return ""
    return "~" * each.below_resolution + (span(*each.total) if interval else seconds(each.total.median))


def _sorted_by(value: float | None, text: str) -> str:
    """A text that the page sorts by a value."""
    return Cell(text, data_value=f"{value:.4g}") if text and value is not None else ""


def compared(models: Sequence[ComparedModel], title: str) -> Table:
    """The models of an instance side by side, those that sources published below."""
    return _filled(
        title,
        {
            "backend": [each.system for each in models],
            "formulation": ["published " * each.published + each.formulation for each in models],
            **_figures([each.figures for each in models], _SIZES | _SEARCH | _TIMES),
            "total": [milliseconds(each.total_s) for each in models],
        },
        words=["formulation"],
    )


def measurements(measured: Sequence[Measurement], logs: Sequence[str]) -> Table:
    """Medians of each model on each problem, with links to logs as HTML."""
    return _filled(
        "All measurements",
        {
            "puzzle": [each.puzzle for each in measured],
            "instance": [each.instance for each in measured],
            "backend": [each.label for each in measured],
            "formulation": [each.formulation for each in measured],
            "task": [TASKS[each.task] for each in measured],
            "status": [each.result for each in measured],
            "log": logs,
            "runs": [count(each.runs) for each in measured],
            "total": [_sorted_by(each.total_s, _time(each)) for each in measured],
            **_figures([each.figures for each in measured], _TIMES | _SEARCH | _FOUND),
        },
        words=["instance", "backend", "formulation", "task", "status", "log"],
    )


def _figures(of: Sequence[Figures], titles: Mapping[str, str]) -> dict[str, list[str]]:
    """Columns of figures, by their titles: times in milliseconds, all else as counts."""
    return {
        title: [(milliseconds if name in PHASES else count)(getattr(each, name)) for each in of]
        for title, name in titles.items()
    }


def _filled(title: str, columns: Mapping[str, Sequence[str]], words: Sequence[str]) -> Table:
    """A table without the columns that are empty everywhere."""
    kept = {name: texts for name, texts in columns.items() if any(texts) or not texts}
    return Table(title, list(kept), list(zip(*kept.values(), strict=True)), words)


def frontiers(climbs: Sequence[Climb]) -> list[Table]:
    """For each family a line a model: the largest size solved, its time, the next size, the growth."""
    return [
        _filled(
            f"{family.puzzle}, family {family.name}, {TASKS[family.task]}: "
            "largest size at which most instances are solved",
            {
                "backend": [each.label for each in rows],
                "formulation": [each.formulation for each in rows],
                "size": [count(top.size) if top else "none" for top in tops],
                "time": [seconds(top.time_s) if top else "" for top in tops],
                "next size": [f"{count(step.size)}: {step.status}" if step else "" for step in failed],
                "for example": [top.tried[0].instance if top else "" for top in tops],
                _GROWTH: [each.grows for each in rows],
            },
            words=["formulation", "for example", _GROWTH],
        )
        for family, rows in grouped(climbs, lambda each: each.family).items()
        for tops, failed in [([each.top for each in rows], [each.failed for each in rows])]
    ]


def speedups(found: Sequence[scoring.Speedup]) -> Table:
    """What several threads are worth, by backend and puzzle."""
    return _filled(
        "Several threads, relative to one",
        {
            "task": [TASKS[each.task] for each in found],
            "backend": [each.label for each in found],
            "puzzle": [each.puzzle or "all" for each in found],
            "threads": [count(each.threads) for each in found],
            "problems": [count(each.problems) for each in found],
            "speed-up": [_sorted_by(each.speedup.median, ratio_interval(each.speedup)) for each in found],
            "CPU time": [
                _sorted_by(each.cpu and each.cpu.median, ratio_interval(each.cpu)) for each in found
            ],
        },
        words=["backend", "puzzle"],
    )


def releases(found: Iterable[SolverHistory], most: int = 0) -> Table:
    """The releases of each solver, or so many of the last, relative to its newest; the steps are notes."""
    rows = [row for history in found for row in history.releases[-most:]]
    failed, compared = ("crashed", "untried"), ("whole", "branches", "presolved")
    table = _filled(
        "Releases, relative to the newest",
        {
            "backend": [row.label for row in rows],
            "time": [_sorted_by(row.time.value, ratio_interval(row.time)) for row in rows],
            "solved": [f"{row.solved} of {row.tried}" for row in rows],
            "wrong": [
                "; ".join(filter(None, [str(row.wrong or ""), "known" * row.known_wrong])) for row in rows
            ],
            **{name: [count(getattr(row, name) or None) for row in rows] for name in failed},
            **{
                name.replace("whole", "with building"): [factor(getattr(row, name).value) for row in rows]
                for name in compared
            },
        },
        words=[],
    )
    return replace(table, notes=[step for history in found for step in history.steps])


def pairs(best: Sequence[Measurement]) -> Table:
    """Every two backends over all problems that both tried: wins, losses, and a test."""
    found = scoring.pairs(one_release(best))
    return _filled(
        "Pair by pair",
        {
            "task": [TASKS[each.task] for each in found],
            "backend": [each.label for each in found],
            "against": [each.other for each in found],
            **{
                name: [count(getattr(each, name)) for each in found]
                for name in ("problems", "wins", "ties", "losses")
            },
            "time, backend / against": [factor(each.ratio) for each in found],
            "p": [f"{each.p:.2g}" for each in found],
            "p, corrected": [f"{each.p_holm:.2g}" for each in found],
        },
        words=["backend", "against"],
    )


def square(measured: Iterable[Measurement]) -> Table:
    """Models by solvers: what each solver makes of the same integer, or constraint, programs.

    Each line is about the problems that all solvers of its models tried. It has no line for a backend with
    one solver.
    """
    own = {backend: DEFAULTS[backend] for backend in ("milp", "cpsat")}
    tried = [each for each in one_release(measured) if each.backend in own and each.status.tried]
    solvers = list(dict.fromkeys(each.solver for each in tried))
    best = scoring.best_formulations(each for each in tried if each.solver == own[each.backend])
    model = attrgetter("puzzle", "backend", "formulation", "task")
    chosen = set(map(model, best))
    models = {
        "textbook": [each for each in tried if each.formulation == TEXTBOOK],
        "best": [each for each in tried if model(each) in chosen],
    }
    rows = []
    for (name, of_name), backend, task in product(models.items(), own, Task):
        of = [each for each in of_name if (each.backend, each.task) == (backend, task)]
        solver = {each.label: each.solver for each in of}
        cells = {
            solver.get(score.label): f"{score.solved} of {score.problems}, {seconds(score.mean_s)}"
            for score in scoring.scores(scoring.shared(of)[0])
        }
        if len(solver) > 1:
            rows.append([f"{backend} {name}", TASKS[task], *(cells.get(each, "") for each in solvers)])
    note = f"Solved, geometric mean with shift {seconds(scoring.SHIFT_S)}; the unsolved count their limit."
    return Table("Models and solvers", ["model", "task", *solvers], rows, ["task"], [note])


def scores(best: Sequence[Measurement]) -> Table:
    """What each backend achieves over the problems that every backend tried."""
    found = scoring.scores(scoring.shared(best)[0])
    return _filled(
        "Scores",
        {
            "task": [TASKS[each.task] for each in found],
            "backend": [each.label for each in found],
            "problems": [count(each.problems) for each in found],
            "solved": [count(each.solved) for each in found],
            "PAR-2": [_sorted_by(each.par2_s, seconds(each.par2_s)) for each in found],
            "shifted geometric mean": [_sorted_by(each.mean_s, seconds(each.mean_s)) for each in found],
        },
        words=["backend"],
    )


def optimisation(measured: Sequence[Measurement]) -> Table:
    """What each model achieves on the puzzles with an objective; of a puzzle the highest score first."""
    tried = [each for each in measured if each.typical and each.status.tried]
    scored, rows = scoring.challenge(tried), []
    models = grouped(tried, lambda each: (each.puzzle, each.model))
    for puzzle, model in sorted(models, key=lambda name: (name[0], -fmean(scored[name] or [0]))):
        own, won = models[puzzle, model], scored[puzzle, model]
        typical = [each.typical for each in own if each.typical]
        solved = sum(each.solved for each in own)
        near = sum(run.reached_s(0.01) < inf for run in typical)
        figures = f"{solved} of {len(own)}", count(near), f"{fmean(run.integral for run in typical):.3f}"
        rows.append([puzzle, model, *figures, f"{sum(won):.1f} of {len(won)}"])
    columns = ["puzzle", "model", "proved", "within 1%", "primal integral", "score"]
    return Table("Best solutions", columns, rows, ["model"])


def failures(runs: pd.DataFrame) -> Table:
    """The runs that failed; those of a model with the same message together."""
    failed = runs.assign(backend=labels(runs))[~is_conclusive(runs) & (runs["status"] != Status.FEASIBLE)]
    columns = ["puzzle", "instance", "backend", "formulation", "task", "status", "error"]
    counted = failed.groupby(columns, sort=False).size()
    rows = [
        [*names[:4], TASKS[names[4]], names[5], count(number), Cell(names[6], class_="message")]
        for names, number in counted.items()
    ]
    return Table("Failures", [*columns[:-1], "runs", "message"], rows, words=[*columns[1:-1], "message"])


def hosts(runs: pd.DataFrame) -> Table:
    """The hosts that tried runs, with the times of their reference loads, the fastest first."""
    tried = runs[runs["status"].isin([status.value for status in Status if status.tried])]
    by_host = (runs if tried.empty else tried).groupby("host")
    loads = by_host["reference_s"].agg(lambda times: times.drop_duplicates().median()).sort_values()
    return Table(
        "Hosts",
        ["host", "processor", "runs", "reference load, ms", "least", "most", "relative to the fastest"],
        [
            [
                str(name) or "unnamed",
                ", ".join(sorted(set(own["cpu"]) - {""})),
                count(len(own)),
                milliseconds(load_s) or "unknown",
                milliseconds(own["reference_s"].min()),
                milliseconds(own["reference_s"].max()),
                "" if pd.isna(load_s) else f"{load_s / loads.min():.2f}",
            ]
            for name, load_s in loads.items()
            for own in [by_host.get_group(name)]
        ],
        words=["processor"],
    )
