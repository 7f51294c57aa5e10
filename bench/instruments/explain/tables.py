"""What was measured, as tables: of one problem, over several, and over the sizes of a family."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter, itemgetter
from statistics import fmean

import numpy as np
import pandas as pd

from bench.analysis import scores
from bench.analysis.compare import compare
from bench.analysis.growth import Family
from bench.analysis.measurements import Measurement, Problem, fewest_threads
from bench.analysis.tables import RESOLUTION_S, STEPS, TASKS, grouped, rank
from bench.analysis.units import count, factor, listed, seconds
from bench.campaign.schedule import SMALLEST_SAMPLE
from bench.catalogue.programs import BACKEND, OURS
from bench.contract import Task
from bench.instruments.explain.decided import KINDS, MEANS, Decline, decided, deciding
from bench.instruments.explain.mechanisms import BEFORE, SYSTEMS, Explained, Root, order
from bench.instruments.explain.sentences import effort, percentage, span
from bench.report.table import Cell, Table

Found = Mapping[Problem, Sequence[Explained]]
"""The models of each problem."""

VARIANTS = {**STEPS, "root": "root node alone"}
"""The names of variants in tables; a variant with other settings has its own."""

_SIGNIFICANT = (
    "*: significantly slower or faster, with 95% confidence: of twenty that are equal about one is."
)


def root_table(models: Iterable[Explained]) -> Table:
    """What the root leaves of each model."""
    columns = [
        "model", "decided by", "variables", "after presolve", "feasible", "fractional", "single point",
        "the same in all points", "fractional after presolve", "removed by propagation", "probing, shaving",
        "before the search",
    ]  # fmt: skip
    rows = []
    for model in models:
        root, built, removed = model.root(), model.root("relaxation"), model.removed
        sizes = count(root.variables), span(root.presolved_least, root.presolved_variables)
        relaxed = _yes(built.relaxation_feasible), _fractional(built), _yes(built.single_point)
        after = _fractional(model.root("presolved_relaxation"))
        probed = removed.get("probing", removed.get("shaving"))
        shares = map(percentage, (removed.get("propagation"), probed, removed.get(BEFORE)))
        rows.append([model.name, deciding(model), *sizes, *relaxed, count(built.agreeing), after, *shares])
    return Table("What the linear relaxation, presolve and propagation leave", columns, rows, ["decided by"])


def _yes(known: float | None) -> str:
    return "" if known is None else "yes" if known else "no"


def _fractional(root: Root) -> str:
    """The fewest and the most fractional variables of the points found of a relaxation."""
    return "infeasible" if root.relaxation_feasible == 0 else span(root.fractional_min, root.fractional_max)


def comparison_table(models: Iterable[Explained]) -> Table:
    """Each model by default and with each of its variants."""
    rows = []
    for model in models:
        rows.append([model.name, "by default", effort(model, model.default), "", ""])
        for words, each in _comparisons(model):
            removed = model.root(each.solver).removed if each.solver in model.searching else None
            rows.append([model.name, words, effort(model, each), relative(model, each), percentage(removed)])
    columns = ["model", "variant", "median total time, branches", "times as long", "removed at the root"]
    return Table("Without and with each mechanism", columns, rows, ["variant"], [_SIGNIFICANT])


def _comparisons(model: Explained) -> Iterator[tuple[str, Measurement]]:
    """What is compared with the default, in words."""
    for kind, mechanism, each in model.compared():
        yield _words(kind, mechanism), each
    for name, each in model.searching.items():
        yield VARIANTS.get(name, name), each


def _words(kind: str, mechanism: str) -> str:
    words = {"without": f"without {mechanism}", "alone": f"{mechanism} alone"}
    return words.get(kind, "with none of them")


def relative(model: Explained, each: Measurement) -> str:
    """The time of a variant relative to the default, with its interval, and a star if they differ."""
    default = model.default
    if each.status.faulty or default.status.faulty:
        return ""
    compared = compare(each, default)
    if not each.solved or not default.solved:
        return {1: "faster*", -1: "slower*"}.get(compared.verdict, "")
    ratio = compared.ratio
    extent = f" ({factor(ratio.low)} to {factor(ratio.high)})" if ratio.known else ""
    return f"{factor(ratio.value)}{extent}{'*' if compared.verdict else ''}"


def difference_table(models: Iterable[Explained]) -> Table:
    """The variants of these models that are significantly slower or faster, the largest difference first."""
    compared = [
        (model, words, each)
        for model in models
        for words, each in _comparisons(model)
        if each.solver != "root" and not (each.status.faulty or model.default.status.faulty)
    ]
    others: Counter[str] = Counter()
    differing = []
    for model, words, each in compared:
        found = compare(each, model.default)
        if found.verdict:
            row = [model.name, words, relative(model, each)]
            differing.append((abs(math.log(_times_as_long(each, model.default))), row))
        elif not (each.solved or model.default.solved):
            others["unsolved by both"] += 1
        else:
            known = found.ratio.known
            others["no significant difference" if known else "too few runs to compare"] += 1
    rows = [row for _, row in sorted(differing, key=itemgetter(0), reverse=True)]
    said = ", ".join(f"{number} {words}" for words, number in others.items())
    notes = [f"Of {len(compared)} variants: {said}."] if said else []
    columns = ["model", "variant", "times as long"]
    return Table("The largest differences to the default", columns, rows, ["variant"], notes)


def standing_table(models: Sequence[Explained]) -> Table:
    """A line for each model: its time, and which share each means decides before any search."""
    rows = []
    for model in models:
        by = deciding(model)
        others = ", ".join(f"{means} {share.text}" for means, share in decided(model).items() if means != by)
        said = [f"all {_by(by)}" if by else "not all", others]
        rows.append([model.name, effort(model, model.default), ": ".join(filter(None, said))])
    problem = models[0].default.problem
    title = f"{problem.instance}, {TASKS[problem.task]}, the best formulations"
    last = "decided before any search"
    return Table(title, ["model", "time, branches", last], rows, ["time, branches", last])


def _by(means: str) -> str:
    return means if means == BEFORE else f"by {means}"


def decided_table(best: Found) -> Table:
    """Which share each means decides of each problem, with each backend's best formulation."""
    cells = {
        problem: {
            (model.backend, means): share.text for model in models for means, share in decided(model).items()
        }
        for problem, models in best.items()
    }
    columns = [(backend, means) for backend, names in MEANS.items() for means in names]
    note = (
        "relaxation: integral variables; presolve: variables removed; root node: runs that it solves; "
        "all others: values removed."
    )
    title = "What is decided before any search, with each backend's best formulation"
    return Table(title, *_by_problem(cells, columns), _PROBLEM, [note])


_PROBLEM = ["puzzle", "instance", "task"]

_Column = tuple[str, str]
"""A backend, and a means or a mechanism."""


def _by_problem(
    cells: Mapping[Problem, Mapping[_Column, str]], columns: Iterable[_Column]
) -> tuple[list[str], list[list[str]]]:
    """The titles of the columns that any problem has, and a row for each problem."""
    shown = [column for column in columns if any(column in of_problem for of_problem in cells.values())]
    rows = [
        [problem.puzzle, problem.instance, TASKS[problem.task], *(texts.get(column, "") for column in shown)]
        for problem, texts in cells.items()
    ]
    return [*_PROBLEM, *(f"{SYSTEMS[backend]} {name}" for backend, name in shown)], rows


def counted_table(best: Found) -> Table:
    """How many problems each means decides with the best formulation of each backend, a line for each."""
    rows = []
    for backend, group in grouped(chain(*best.values()), lambda model: model.backend).items():
        decides = Counter(
            means for model in group for means, share in decided(model).items() if share.decides
        )
        said = ", ".join(f"{decides[means]} {_by(means)}" for means in MEANS[backend] if decides[means])
        rows.append([group[0].system, count(len(group)), said or "none"])
    columns = ["solver", "problems", "decided before any search"]
    return Table("What is decided, with each backend's best formulation", columns, rows, columns[-1:])


def overview_table(found: Found, best: Found) -> Table:
    """The time without each mechanism relative to that with it, on each problem; what decides each model."""
    cells = {
        problem: {
            (model.backend, name): relative(model, each)
            for model in models
            for kind, name, each in model.compared()
            if kind == "without"
        }
        for problem, models in best.items()
    }
    mechanisms = {column for of_problem in cells.values() for column in of_problem}
    columns, rows = _by_problem(cells, sorted(mechanisms, key=lambda each: (rank(each[0]), order(each[1]))))
    for row, models in zip(rows, found.values(), strict=True):
        by_means = grouped(models, deciding)
        said = [f"{by}: {', '.join(model.name for model in of)}" for by, of in by_means.items() if by]
        row.append(Cell("; ".join(said), class_="long"))
    last = "decided without search"
    title = (
        "The time without each mechanism, relative to that with it; what decides each model without search"
    )
    known = [row for row in rows if any(row[len(_PROBLEM) :])]
    return Table(title, [*columns, last], known, [*_PROBLEM, last], [_SIGNIFICANT])


def contributions(best: Found) -> pd.DataFrame:
    """A row for each mechanism of each backend's best formulations, without it and alone; then with none.

    A problem is left out if the variant or the default is wrong or crashed there, or both are unsolved.

    Returns:
        By solver and variant the number of problems, the geometric mean of the time relative to the default
        and the most, and on how many problems the variant is significantly slower, faster, or unsolved.
    """
    compared = pd.DataFrame(
        [
            {
                "place": (rank(model.backend), kind == "none", order(mechanism), kind == "alone"),
                "solver": model.system,
                "variant": _words(kind, mechanism),
                "ratio": _times_as_long(each, model.default),
                "slower": each.solved and compare(each, model.default).verdict < 0,
                "faster": each.solved and compare(each, model.default).verdict > 0,
                "unsolved": not each.solved,
            }
            for model in chain(*best.values())
            for kind, mechanism, each in model.compared()
            if not (each.status.faulty or model.default.status.faulty)
            and (each.solved or model.default.solved)
        ],
        columns=["place", "solver", "variant", "ratio", "slower", "faster", "unsolved"],
    )
    compared["log"] = np.log(compared["ratio"].astype(float))
    rows = compared.groupby(["place", "solver", "variant"]).agg(
        problems=("ratio", "size"), log=("log", "mean"), most=("ratio", "max"), slower=("slower", "sum"),
        faster=("faster", "sum"), unsolved=("unsolved", "sum"),
    )  # fmt: skip
    return rows.assign(mean=np.exp(rows["log"])).reset_index()


def _times_as_long(each: Measurement, default: Measurement) -> float:
    """The time of a variant relative to the default; where runs are not conclusive, of the capped medians."""
    compared = compare(each, default)
    conclusive = not (each.inconclusive or default.inconclusive)
    return compared.ratio.value if conclusive else math.exp(compared.log)


def contribution_table(rows: pd.DataFrame) -> Table:
    """Contributions, with a line each."""
    columns = ["solver", "variant", "problems", "times as long", "at most", "slower", "faster", "unsolved"]
    texts = [
        [
            row.solver, row.variant, count(row.problems), factor(row.mean), factor(row.most),
            *map(count, (row.slower, row.faster, row.unsolved)),
        ]
        for row in rows.itertuples()
    ]  # fmt: skip
    notes = [
        "Geometric mean of the time relative to that by default; significantly slower or faster on how many. "
        "What is unsolved counts with the time limit; problems that both leave unsolved do not count."
    ]
    title = "What each mechanism contributes over all problems"
    return Table(title, columns, texts, ["variant"], notes if texts else ())


def decline_table(family: Family, models: Iterable[Decline]) -> Table:
    """What becomes of each share from the smallest size of a family to the largest, and of the time."""
    rows = []
    for each in models:
        for kind, shares in each.shares.items():
            if len(shares) > 1:
                (first, before), *_, (last, after) = shares.items()
                sizes = f"{count(first)} to {count(last)}"
                of_it = f"{percentage(before.median)} to {percentage(after.median)}"
                times = f"{each.outcomes[first]} to {each.outcomes[last]}"
                rows.append([each.name, kind, sizes, of_it, times])
    title = f"{family.puzzle}, family {family.name}, {TASKS[family.task]}: what the root decides"
    columns = ["model", "share", "unknowns", "decided", "time"]
    shown = {row[1] for row in rows}
    note = "; ".join(f"{kind}: {words}" for kind, words in KINDS.items() if kind in shown)
    return Table(title, columns, rows, ["share"], [f"Shares: {note}."])


_Sides = tuple[Measurement, Measurement]
"""A search in C and what it is compared with, on the same problem."""


def worth_table(measured: Iterable[Measurement]) -> Table | None:
    """What the language is worth, and what the paradigm: searches in C and the rest; None if unknown.

    A search in Python that loses to a solver may lose by the language, as solvers are compiled. Where the
    same search was measured in C too, the two can be told apart.
    """
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
    rows = [row for task in Task for row in _on_language(language, task)]
    rows += [row for task in Task for row in _on_paradigm(paradigm, task)]
    columns = [
        "relative to C",
        "task",
        "problems",
        "mean",
        "least",
        "most",
        "only C",
        "only other",
        "fastest",
    ]
    title = "What the language is worth, and what the paradigm: times relative to a search in C"
    notes = [
        "Geometric mean, least and most over the problems that both solve; how many only one side solves.",
        f"Python: the same search; after the root: where that is {seconds(RESOLUTION_S)} or more. "
        f"Solver: the fastest of {listed(sorted(solvers, key=rank))}; unbuilt: without building the model.",
    ]
    return Table(title, columns, rows, ["task", "fastest"], notes) if rows else None


def _is_ours(measurement: Measurement) -> bool:
    """Whether it is of this project's searches in C."""
    return measurement.backend == BACKEND and measurement.solver == OURS


def _on_language(pairs: Iterable[_Sides], task: Task) -> Iterator[list[str]]:
    """How much longer the best search in Python takes than the same in C, also after the root alone."""
    pairs, solved = _comparable(pairs, task)
    if solved:
        yield _worth_row("Python", solved, attrgetter("time_s"), pairs)
    long = [pair for pair in solved if all(map(_search_s, pair)) and _search_s(pair[1]) >= RESOLUTION_S]
    if long:
        yield _worth_row("Python, after the root", long, _search_s)


def _on_paradigm(pairs: Iterable[_Sides], task: Task) -> Iterator[list[str]]:
    """How much longer the fastest solver takes than the best search in C, also without building the model."""
    pairs, solved = _comparable(pairs, task)
    if solved:
        fastest = Counter(other.label for ours, other in solved if other.time_s < ours.time_s)
        wins = {"C": len(solved) - fastest.total(), **dict(fastest.most_common())}
        said = ", ".join(f"{label} {number}" for label, number in wins.items() if number)
        yield _worth_row("solver", solved, attrgetter("time_s"), pairs, said)
        yield _worth_row("solver, unbuilt", solved, attrgetter("unbuilt_s"))


def _search_s(measurement: Measurement) -> float:
    """The time in seconds after propagation at the root; 0 if it is not known."""
    return measurement.figures.search_s or 0.0


def _comparable(pairs: Iterable[_Sides], task: Task) -> tuple[list[_Sides], list[_Sides]]:
    """The pairs of a task, and those of which both are solved, on a common host.

    None of these if there are neither enough problems for their mean to say something, nor enough runs of
    each.
    """
    pairs = [pair for pair in pairs if pair[0].task == task]
    both = [(one, two) for one, two in pairs if one.solved and two.solved]
    solved = [(one, two) for one, two in both if not one.hosts.isdisjoint(two.hosts)]
    certain = all(compare(two, one).ratio.known for one, two in solved)
    return pairs, solved if certain or len(solved) >= SMALLEST_SAMPLE else []


def _worth_row(
    words: str,
    solved: Sequence[_Sides],
    time_s: Callable[[Measurement], float],
    pairs: Iterable[_Sides] = (),
    fastest: str = "",
) -> list[str]:
    """The ratios of a time on the pairs that both sides solved, and how many of all only one side did."""
    ratios = [time_s(other) / time_s(ours) for ours, other in solved]
    mean = math.exp(fmean(map(math.log, ratios)))
    alone = Counter((ours.solved, other.solved) for ours, other in pairs)
    figures = factor(mean), factor(min(ratios)), factor(max(ratios))
    only = (count(alone[sides] or None) for sides in ((True, False), (False, True)))
    return [words, TASKS[solved[0][0].task], count(len(solved)), *figures, *only, fastest]
