"""What was measured, as tables: of one problem, over several, over a family's sizes, and relative to C."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter, itemgetter
from statistics import geometric_mean, median

import numpy as np
import pandas as pd

from bench.analysis import scores
from bench.analysis.compare import Comparison, compare
from bench.analysis.growth import Family, by_family
from bench.analysis.measurements import Measurement, fewest_threads
from bench.analysis.tables import RESOLUTION_S, STEPS, TASKS, grouped, rank
from bench.analysis.units import count, factor, listed, plural, ratio_interval, seconds
from bench.campaign.schedule import SMALLEST_SAMPLE
from bench.campaign.selection import LEAST_SIZES
from bench.catalogue.programs import BACKEND, OURS
from bench.instruments.explain.mechanisms import BEFORE, Explained, Found, Root, percentage
from bench.instruments.explain.sentences import effort, is_solved, span, time
from bench.report.table import Table

VARIANTS = {**STEPS, "root": "root node alone"}
"""The names of variants in tables; a variant with other settings has its own."""

_SHARES = {
    "integral": "variables that are integral in the linear relaxation",
    "agreeing": "variables with one value in all points found of the relaxation",
    "propagation": "values removed by propagation",
    "probing": "values removed by probing",
    "shaving": "values removed by shaving",
    BEFORE: "values removed before the search",
}
"""The shares whose decline over size is shown, in words."""


def root_table(models: Iterable[Explained]) -> Table:
    """What the root leaves of each model."""
    columns = [
        "model", "decided by", "variables", "after presolve", "feasible", "fractional", "single point",
        "the same in all points", "fractional after presolve", "removed by propagation", "probing, shaving",
        "before the search",
    ]  # fmt: skip
    yes = {None: "", 0.0: "no", 1.0: "yes"}
    rows = []
    for model in models:
        root, built, removed = model.root(), model.root("relaxation"), model.removed
        sizes = count(root.variables), span(root.presolved_least, root.presolved_variables)
        relaxed = yes[built.relaxation_feasible], _fractional(built), yes[built.single_point]
        after = _fractional(model.root("presolved_relaxation"))
        probed = removed.get("probing", removed.get("shaving"))
        shares = map(percentage, (removed.get("propagation"), probed, removed.get(BEFORE)))
        rows.append([model.name, model.deciding, *sizes, *relaxed, count(built.agreeing), after, *shares])
    return Table("What the linear relaxation, presolve and propagation leave", columns, rows, ["decided by"])


def _fractional(root: Root) -> str:
    """The fewest and the most fractional variables of the points found of a relaxation."""
    return "infeasible" if root.relaxation_feasible == 0 else span(root.fractional_min, root.fractional_max)


def comparison_table(models: Iterable[Explained]) -> Table:
    """Each model by default and with each of its variants."""
    rows = []
    for model in models:
        rows.append([model.name, "by default", effort(model, model.default), "", ""])
        for kind, mechanism, each in model.compared():
            removed = model.root(each.solver).removed if kind == "other" else None
            words, cell = _words(kind, mechanism), relative(model, each)
            rows.append([model.name, words, effort(model, each), cell, percentage(removed)])
    columns = ["model", "variant", "median total time, branches", "times as long", "removed at the root"]
    note = "*: significantly slower or faster, with 95% confidence: of twenty that are equal about one is."
    return Table("Without and with each mechanism", columns, rows, ["variant"], [note])


def _words(kind: str, mechanism: str) -> str:
    words = {"without": f"without {mechanism}", "alone": f"{mechanism} alone", "none": "with none of them"}
    return words.get(kind, VARIANTS.get(mechanism, mechanism))


def relative(model: Explained, each: Measurement) -> str:
    """The time of a variant relative to the default, with its interval, and a star if they differ."""
    found = _compared(model, each)
    if not found:
        return ""
    if not (each.solved and model.default.solved):
        return {1: "faster*", -1: "slower*"}.get(found.verdict, "")
    ratio = found.ratio
    said = ratio_interval((ratio.value, ratio.low, ratio.high)) if ratio.known else factor(ratio.value)
    return said + "*" * (found.verdict != 0)


def _compared(model: Explained, each: Measurement) -> Comparison | None:
    """A variant compared with the default; None if one of them is wrong or crashed."""
    return None if each.status.faulty or model.default.status.faulty else compare(each, model.default)


def difference_table(models: Iterable[Explained]) -> Table:
    """The variants of these models that are significantly slower or faster, the largest difference first."""
    others: Counter[str] = Counter()
    differing = []
    for model in models:
        for kind, mechanism, each in model.compared():
            found = _compared(model, each)
            if not found or each.solver == "root":
                continue
            if found.verdict:
                row = [model.name, _words(kind, mechanism), relative(model, each)]
                differing.append((abs(_log(found, each, model.default)), row))
            elif not (each.solved or model.default.solved):
                others["unsolved by both"] += 1
            else:
                few = "with too few runs to compare"
                others["without a significant difference" if found.ratio.known else few] += 1
    rows = [row for _, row in sorted(differing, key=itemgetter(0), reverse=True)]
    said = ", ".join(f"{number} {words}" for words, number in others.items())
    notes = [f"Not shown, of {plural(len(rows) + others.total(), 'variant')}: {said}."] if said else []
    columns = ["model", "variant", "times as long"]
    return Table("The largest differences to the default", columns, rows, ["variant"], notes)


def _log(found: Comparison, each: Measurement, default: Measurement) -> float:
    """The logarithm of the ratio; where runs are not conclusive, of the capped medians."""
    return found.log if each.inconclusive or default.inconclusive else math.log(found.ratio.value)


def standing_table(models: Sequence[Explained]) -> Table:
    """A line for each model: its time, and which share each means decides before any search."""
    rows = []
    for model in models:
        by = model.deciding
        others = ", ".join(f"{means} {text}" for means, (text, _) in model.decided.items() if means != by)
        all_by = f"all {by if by == BEFORE else f'by {by}'}" if by else "not all"
        rows.append([model.name, effort(model, model.default), ": ".join(filter(None, [all_by, others]))])
    problem = models[0].default.problem
    title = f"{problem.instance}, {TASKS[problem.task]}, the best formulations"
    last = "decided before any search"
    return Table(title, ["model", "time, branches", last], rows, ["time, branches", last])


def solver_tables(best: Found) -> list[Table]:
    """For each solver what each means decides of each problem, and the ratios without each mechanism."""
    tables = []
    words = ["puzzle", "instance", "task", "formulation"]
    ordered = sorted(chain(*best.values()), key=lambda model: rank(model.backend))
    for models in grouped(ordered, attrgetter("backend")).values():
        all_by = Counter(means for model in models for means, (_, all_) in model.decided.items() if all_)
        rows = []
        for model in models:
            texts = {means: text for means, (text, _) in model.decided.items()}
            texts |= {_words(kind, of): relative(model, each) for kind, of, each in model.compared("without")}
            puzzle, instance, task = model.default.problem
            key = puzzle, instance, TASKS[task], model.default.formulation
            rows.append(dict(zip(words, key, strict=True)) | texts)
        last = f"decides all of {plural(len(models), 'problem')}"
        rows.append({"puzzle": last, **{means: count(number) for means, number in all_by.items()}})
        table = pd.DataFrame(rows).fillna("")
        tables.append(Table(models[0].system, list(table), table.to_numpy().tolist(), words))
    return tables


def contributions(best: Found) -> pd.DataFrame:
    """The times without a mechanism, with it alone, or with none, relative to the default.

    A problem is left out if the variant or the default is wrong or crashed there, or both are unsolved. The
    columns are the number of problems, the geometric mean of the ratios and the most, and on how many
    problems the variant is significantly slower, faster, or unsolved.
    """
    compared = pd.DataFrame(
        [
            (
                model.system, _words(kind, mechanism), _log(found, each, model.default),
                each.solved and found.verdict < 0, each.solved and found.verdict > 0, not each.solved,
            )
            for model in chain(*best.values())
            for kind, mechanism, each in model.compared("without", "alone", "none")
            if (each.solved or model.default.solved) and (found := _compared(model, each))
        ],
        columns=["solver", "variant", "log", "slower", "faster", "unsolved"],
    )  # fmt: skip
    groups = compared.astype({"log": float}).groupby(["solver", "variant"], sort=False)
    logs = groups["log"].agg(problems="size", mean="mean", most="max")
    rows = logs.join(groups[["slower", "faster", "unsolved"]].sum())
    rows = rows.sort_values("mean", key=abs, ascending=False, kind="stable")
    return rows.assign(mean=np.exp(rows["mean"]), most=np.exp(rows["most"])).reset_index()


def contribution_table(best: Found) -> Table:
    """Contributions, with a line each, the largest first."""
    columns = ["solver", "variant", "problems", "times as long", "at most", "slower", "faster", "unsolved"]
    rows = [
        [solver, variant, count(problems), factor(mean), factor(most), *map(count, counts)]
        for solver, variant, problems, mean, most, *counts in contributions(best).itertuples(index=False)
    ]
    note = (
        "Geometric mean of the time relative to that by default; significantly slower or faster on how many. "
        "What is unsolved counts with the time limit; problems that both leave unsolved do not count."
    )
    title = "What each mechanism contributes over all problems"
    return Table(title, columns, rows, ["variant"], [note] if rows else ())


def decline_tables(measured: Iterable[Measurement], found: Found) -> dict[Family, Table]:
    """What the root decides of each model at each size of a family, where it is known at several sizes."""
    tables = {}
    for family, members, sizes in by_family(measured):
        problems = dict.fromkeys(each.problem for each in members)
        models = [model for problem in problems for model in found.get(problem, ())]
        if len(sizes) >= LEAST_SIZES and (table := _decline_table(family, models)):
            tables[family] = table
    return tables


def _decline_table(family: Family, models: Iterable[Explained]) -> Table | None:
    """The medians over the instances of each size, of shares that are known of all."""
    groups = {
        (name, size): group
        for name, of_model in grouped(models, attrgetter("name")).items()
        for size, group in sorted(grouped(of_model, attrgetter("default.size")).items())
    }
    known = [pd.DataFrame(map(_at_root, group), columns=[*_SHARES]) for group in groups.values()]
    medians = pd.DataFrame([shares.median(skipna=False) for shares in known], [*groups], [*_SHARES])
    at_several = medians.notna().groupby(itemgetter(0)).transform("sum").max(axis=1) > 1
    shown = medians[at_several].dropna(axis=1, how="all")
    if shown.empty:
        return None
    rows = [
        [key[0], count(key[1]), *map(percentage, shares), _time_of_all(groups[key])]
        for key, *shares in shown.itertuples()
    ]
    note = "; ".join(f"{kind}: {_SHARES[kind]}" for kind in shown)
    title = f"{family.puzzle}, family {family.name}, {TASKS[family.task]}: what the root decides"
    notes = [f"Medians over the instances of a size. Shares: {note}."]
    return Table(title, ["model", "unknowns", *shown, "time"], rows, notes=notes)


def _at_root(model: Explained) -> dict[str, float]:
    """The shares of a model on one instance that the root decides, by kind."""
    relaxation = model.root("relaxation")
    shares = {} if model.integral is None else {"integral": model.integral}
    if relaxation.variables and relaxation.relaxation_feasible and relaxation.agreeing is not None:
        shares["agreeing"] = relaxation.agreeing / relaxation.variables
    return {**shares, **model.removed}


def _time_of_all(models: Sequence[Explained]) -> str:
    """The median time on the instances of a size, or what became of those that are unsolved."""
    failed = [model.default for model in models if not is_solved(model.default)]
    if not failed:
        return seconds(median(model.default.time_s for model in models))
    some = f" on {len(failed)} of {len(models)} instances" if len(failed) < len(models) else ""
    return ", ".join(dict.fromkeys(map(time, failed))) + some


def smallest_and_largest(table: Table) -> Table:
    """Of a table of `decline_tables` the first and the last size of each model at which a share is known."""
    of_models = grouped([row for row in table.rows if any(row[2:-1])], itemgetter(0)).values()
    return replace(table, rows=[row for rows in of_models for row in (rows[0], *rows[1:][-1:])])


_Sides = tuple[Measurement, Measurement]
"""A search in C and what it is compared with, on the same problem."""


def worth_table(measured: Iterable[Measurement]) -> Table | None:
    """The times of searches in Python, and of the fastest solver, relative to C; None if unknown."""
    # The searches have one thread.
    measured = fewest_threads(measured)
    in_c = {(each.problem, each.formulation): each for each in measured if _is_ours(each)}
    language: list[_Sides] = []
    paradigm: list[_Sides] = []
    solvers: set[str] = set()
    for problem, group in scores.by_problem(scores.best_formulations(measured)).items():
        compiled = [each for each in group if each.backend not in ("backtrack", "csp", BACKEND)]
        solvers |= {each.label for each in compiled}
        for each in group:
            if each.backend == "backtrack" and (ours := in_c.get((problem, each.formulation))):
                language.append((ours, each))
            if _is_ours(each) and compiled:
                paradigm.append((each, scores.ranked(compiled)[0]))
    long = [
        (ours, other)
        for ours, other in language
        if ours.solved and other.solved and _search_s(ours) and _search_s(other) >= RESOLUTION_S
    ]
    time_s = attrgetter("time_s")
    rows = [
        *_rows("Python", language, time_s),
        *_rows("Python, after the root", long, _search_s),
        *_rows("solver", paradigm, time_s),
        *_rows("solver, unbuilt", paradigm, lambda each: median(each.unbuilt)),
    ]
    if not rows:
        return None
    figures = ["problems", "mean", "least", "most", "only C", "only other"]
    columns = ["relative to C", "task", *figures, "fastest"]
    title = "What the language is worth, and what the paradigm: times relative to a search in C"
    notes = [
        "Geometric mean, least and most over the problems that both solve; how many only one side solves.",
        f"Python: the same search; after the root: where that is {seconds(RESOLUTION_S)} or more. "
        f"Solver: the fastest of {listed(sorted(solvers, key=rank))}; unbuilt: without building the model.",
    ]
    return Table(title, columns, rows, ["task", "fastest"], notes)


def _is_ours(measurement: Measurement) -> bool:
    return measurement.backend == BACKEND and measurement.solver == OURS


def _search_s(measurement: Measurement) -> float:
    return measurement.figures.search_s or 0.0


def _rows(words: str, pairs: Sequence[_Sides], time_s: Callable[[Measurement], float]) -> Iterable[list[str]]:
    """For each task the ratios of a time on what both sides solve, on a common host.

    A task has none with few problems if these have few runs.
    """
    for task, words_of_task in TASKS.items():
        of_task = [pair for pair in pairs if pair[0].task == task]
        alone = Counter((ours.solved, other.solved) for ours, other in of_task)
        solved = [(ours, other) for ours, other in of_task if ours.solved and other.solved]
        solved = [(ours, other) for ours, other in solved if not ours.hosts.isdisjoint(other.hosts)]
        certain = all(compare(other, ours).ratio.known for ours, other in solved)
        if solved and (certain or len(solved) >= SMALLEST_SAMPLE):
            ratios = [time_s(other) / time_s(ours) for ours, other in solved]
            figures = map(factor, (geometric_mean(ratios), min(ratios), max(ratios)))
            only = (count(alone[sides] or None) for sides in ((True, False), (False, True)))
            wins = Counter("C" if time_s(ours) <= time_s(other) else other.label for ours, other in solved)
            fastest = ", ".join(f"{label} {number}" for label, number in wins.most_common())
            yield [words, words_of_task, count(len(solved)), *figures, *only, fastest]
