"""What a campaign says, in sentences; where the data cannot tell, that is what the sentence says."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from bench.analysis import puzzles, tables
from bench.analysis.scores import PROBLEM, Cell, by_problem, leading, time_ratio
from bench.analysis.tables import PHASES, SHARES, SIZES, TASKS, reported_figures
from bench.analysis.units import count, factor, milliseconds, plural, seconds
from bench.campaign.schedule import SMALLEST_SAMPLE
from bench.campaign.validation import DONE
from bench.environment.known_faults import known_fault
from bench.environment.reference_load import STEADY
from bench.stats import Ratio, variation

PHASE_WORDS = dict(zip(PHASES, ("building the model", "translating it", "presolve", "search"), strict=True))
UNDIVIDED = "solving, of which no phases are known,"
OUTSIDE = "what the solver does outside presolve and search"
SIGNIFICANT = 0.05

TOGETHER = 0.75
"""Models are measured together if more than this share of their runs is of the same sessions."""

LIBRARIES = {
    "nopresolve": "highs",
    "cpsat": "ortools",
    "cp-sat": "ortools",
    "or-tools": "ortools",
    "sat": "ortools",
    "coin-bc": "cbc",
}
"""Solvers that are not named for their library; `sat` is what MiniZinc calls that of OR-Tools."""

MOST_NAMED = 4
"""So many instances are named in a sentence; of more, how many they are."""


def on_times(problem: Sequence[Cell]) -> str:
    """Who is fastest on one problem, by how much, and who failed.

    Args:
        problem: of `scores.by_problem`.
    """
    cells = sorted(problem, key=lambda cell: cell["time_s"])
    name = f"{cells[0]['instance']}, {TASKS[cells[0]['task']]}"
    solved = [cell for cell in cells if np.isfinite(cell["time_s"])]
    failed = [f"{cell['label']} ({cell['status']})" for cell in cells if cell not in solved]
    others = f"; not solved by {listed(failed)}" if failed else ""
    if not solved:
        return f"{name}: nobody solved it: {listed(failed)}."
    if len(solved) == 1:
        only = solved[0]
        alone = "only " if failed else ""
        return f"{name}: {alone}{only['label']} solved it, in {seconds(only['time_s'])}{others}."
    return f"{name}: {compared(*solved[:2])}{others}."


def winner(problem: Sequence[Cell]) -> tuple[str, str]:
    """The label of the backend that won a problem, empty if that is open, and by how much or why.

    Args:
        problem: the rows of `scores.against_fastest` for one problem, of `scores.by_problem`.
    """
    fastest, *others = sorted(problem, key=lambda cell: cell["time_s"])
    if not fastest["fastest"]:
        return "", "nobody solved it"
    if not others:
        return fastest["label"], "alone"
    rivals = [cell for cell in others if cell["done"]]
    if not rivals:
        return fastest["label"], "the only one that solved it"
    if any(np.isnan(cell["ratio_low"]) for cell in rivals):
        return "", "too few runs to say"
    if close := [cell["label"] for cell in rivals if cell["ratio_low"] <= 1]:
        return "", f"open between {listed([fastest['label'], *close])}"
    second = rivals[0]
    ratio = Ratio(second["ratio"], second["ratio_low"], second["ratio_high"])
    if math.isinf(ratio.value):
        return fastest["label"], f"{second['label']} failed in {failures(second)}"
    return fastest["label"], f"{factor(ratio.value)} times as fast as {second['label']} ({interval(ratio)})"


def compared(cell: Cell, other: Cell) -> str:
    """How two cells compare, the one with the smaller median first, as far as their runs can tell."""
    names = cell["label"], other["label"]
    slower = time_ratio(other, cell)
    if slower.high < 1:
        # The one with the smaller median may still be the slower one of most pairs of runs.
        return compared(other, cell)
    more = branching(cell, other) + "".join(
        f"; {each['label']} failed in {failures(each)}" for each in (cell, other) if failures(each)
    )
    if not slower.known:
        lacking = SMALLEST_SAMPLE - min(len(each["sample"]) for each in (cell, other))
        one = all(len(each["sample"]) == 1 for each in (cell, other))
        few = (
            f"{runs(cell, other)} {are(1 if one else 2)} too few for a 95% interval, "
            f"{lacking} more of each {are(lacking)} enough"
        )
        return f"inconclusive for {names[0]} and {names[1]}: {few} (medians {medians(cell, other)})"
    if not slower.differs:
        return (
            f"nothing can be said of which is faster, {names[0]} or {names[1]} ({names[1]} took "
            f"{factor(slower.value)} times as long, {interval(slower)}, {runs(cell, other)})"
            f"{more}"
        )
    return (
        f"{names[0]} was {factor(slower.value)} times as fast as {names[1]} ({interval(slower)}, "
        f"{runs(cell, other)}){more}"
    )


def failures(cell: Cell) -> str:
    """In how many of its runs a cell failed, and how; empty if in none."""
    failed = cell["runs"] - cell["done"]
    return f"{failed:.0f} of {cell['runs']:.0f} runs ({cell['status']})" if failed else ""


def medians(*cells: Cell) -> str:
    """Their medians."""
    return listed([seconds(cell["total_s"]) for cell in cells])


def interval(ratio: Ratio) -> str:
    """The interval in words."""
    if math.isinf(ratio.high):
        return f"95% interval {factor(ratio.low)} or more"
    return f"95% interval {factor(ratio.low)} to {factor(ratio.high)}"


def runs(cell: Cell, other: Cell) -> str:
    """How many runs, or seeds where there are several, stand behind a comparison."""
    sizes = [len(each["sample"]) for each in (cell, other)]
    unit = "seed" if any(len(each["sample"]) < each["runs"] for each in (cell, other)) else "run"
    if sizes[0] == sizes[1]:
        return f"{plural(sizes[0], unit)} each"
    return f"{sizes[0]} and {sizes[1]} {unit}s"


def are(number: float) -> str:
    """The verb that goes with so many."""
    return "is" if number == 1 else "are"


def branching(cell: Cell, other: Cell) -> str:
    """How much two cells branched, if both tell."""
    branches = [each["branches"] for each in (cell, other)]
    if any(pd.isna(value) for value in branches):
        return ""
    if not any(branches):
        return "; neither branched"
    return f"; branches: {count(branches[0])} against {count(branches[1])}"


def on_seed_models(table: pd.DataFrame, puzzle: str, instance: str) -> list[str]:
    """How the models that a source reported figures for compare: the fastest two, then the others' medians.

    Args:
        table: of `tables.cells`.
        puzzle: its name.
        instance: its name.
    """
    seeds = reported_figures(puzzle)
    seeds = seeds.loc[seeds["instance"] == instance, "formulation"].dropna().unique()
    rows = table[
        (table["puzzle"] == puzzle)
        & (table["instance"] == instance)
        & (table["task"] == "first")
        & table["formulation"].isin(seeds)
        & (table["done"] > 0)
    ]
    said = []
    for formulation, models in rows.sort_values("total_s").groupby("formulation"):
        fastest, *others = models.to_dict("records")
        if others:
            said.append(f"With the source's model ({formulation}), {compared(fastest, others[0])}.")
        if others[1:]:
            slower = listed([f"{cell['label']} {seconds(cell['total_s'])}" for cell in others[1:]])
            said.append(f"Slower with it, medians: {slower}.")
    return said


def on_sizes(cells: Sequence[Cell]) -> str:
    """What presolve leaves of each model.

    Args:
        cells: rows of `tables.cells`.
    """
    solved = [cell["label"] for cell in cells if solved_by_presolve(cell)]
    said = [without_search(solved)] if solved else []
    for cell in cells:
        before, after = cell["variables"], cell["presolved_variables"]
        if not solved_by_presolve(cell) and pd.notna(before) and pd.notna(after):
            kept = "keeps {} of {}" if after <= before else "makes {} of {}"
            said.append(f"{cell['label']} {kept.format(count(after), plural(before, 'variable'))}")
    return sentence(said) if any(pd.notna(cell[size]) for cell in cells for size in SIZES) else ""


def on_presolve(compared: pd.DataFrame) -> str:
    """For which models presolve removes everything; empty if for none.

    Args:
        compared: of `tables.comparison`.
    """
    names = []
    for system, rows in compared[~compared["reported"].astype(bool)].groupby("system", sort=False):
        solved = [row["formulation"] for row in rows.to_dict("records") if solved_by_presolve(row)]
        names += [system] if len(solved) == len(rows) else [f"{system} {name}" for name in solved]
    return sentence([without_search(names)]) if names else ""


def solved_by_presolve(figures: Mapping[str, Any]) -> bool:
    """Whether presolve, or propagation at the root, removes all variables, so that nothing is left to search.

    A solver that does not tell its variables is known by its constraints, if it did not branch either.
    """
    variables, constraints = figures["presolved_variables"], figures["presolved_constraints"]
    if figures["branches"] > 0:
        return False
    if pd.notna(variables):
        return bool(variables == 0 and not constraints > 0)
    return bool(constraints == 0 and figures["branches"] == 0)


def without_search(names: Sequence[str]) -> str:
    """Presolve removes everything for them, and what follows from it."""
    alone = "it has" if len(names) == 1 else "they have"
    return f"Presolve removes everything for {listed(names)}: {alone} no search left to compare"


def on_left_out(table: pd.DataFrame, puzzle: str) -> str:
    """How many instances of a puzzle are compared in detail, if not all that were solved; else nothing.

    Args:
        table: of `tables.cells`.
    """
    rows = table[(table["puzzle"] == puzzle) & (table["done"] > 0)]
    shown = [instance for which, instance in tables.compared_instances(table) if which == puzzle]
    solved = rows["instance"].nunique()
    if len(shown) >= solved:
        return ""
    return f"{len(shown)} of {plural(solved, 'instance')} are compared in detail, chosen by size."


def on_branches(cells: Sequence[Cell]) -> str:
    """How much each model is searched."""
    known = [cell for cell in cells if pd.notna(cell["branches"])]
    idle = [cell["label"] for cell in known if not cell["branches"]]
    said = [f"{listed(idle)} did not branch"] if idle else []
    for cell in known:
        if cell["branches"]:
            failures = f" and {plural(cell['failures'], 'failure')}" if pd.notna(cell["failures"]) else ""
            said.append(f"{cell['label']} took {plural(cell['branches'], 'branch')}{failures}")
    return sentence(said)


def on_phases(cells: Sequence[Cell]) -> str:
    """Where the time goes, as shares of the time of all runs of a cell.

    Args:
        cells: rows of `tables.cells`.
    """
    parts: Mapping[str, list[str]] = defaultdict(list)
    for cell in cells:
        shares = {PHASE_WORDS[phase]: cell[share] for phase, share in SHARES.items()}
        known = {words: share for words, share in shares.items() if pd.notna(share)}
        if known:
            solving = pd.notna(cell[SHARES["presolve_s"]]) or pd.notna(cell[SHARES["search_s"]])
            known[OUTSIDE if solving else UNDIVIDED] = 1 - sum(known.values())
            largest = max(known, key=lambda words: known[words])
            parts[largest].append(f"{cell['label']} ({min(1, known[largest]):.0%})")
    words = [*PHASE_WORDS.values(), OUTSIDE, UNDIVIDED]
    said = [f"{each} for {listed(parts[each])}" for each in words if each in parts]
    return f"The largest part of the time is {listed(said)}." if said else ""


def on_pairs(pairs: pd.DataFrame, task: str) -> str:
    """Whether any two backends differ over all problems of a task.

    Args:
        pairs: of `scores.pairs`.
        task: which one.
    """
    rows = pairs[pairs["task"] == task]
    if rows.empty:
        return ""
    problems, number = plural(rows["problems"].max(), "problem"), plural(len(rows), "pair")
    tests = f"paired test over {problems}, corrected for {number}"
    found = []
    for pair in rows[rows["p_holm"] < SIGNIFICANT].to_dict("records"):
        winner, loser = (
            (pair["label"], pair["other"]) if pair["ratio"] < 1 else (pair["other"], pair["label"])
        )
        times = factor(max(pair["ratio"], 1 / pair["ratio"]))
        found.append(f"{winner} is faster than {loser} ({times} times on average, p = {pair['p_holm']:.2g})")
    if found:
        return f"{TASKS[task].capitalize()}: {listed(found)} ({tests})."
    least = min(1.0, 2.0 ** (1 - rows["problems"].max()) * len(rows))
    why = (
        f" So few problems cannot show more: the smallest p possible is {least:.2g}."
        if least > SIGNIFICANT
        else ""
    )
    none = "no backend is shown to be faster than another in general"
    return f"{TASKS[task].capitalize()}: {none} ({tests}).{why}"


@dataclass(frozen=True)
class Remark:
    """A sentence on how far the figures can be trusted; some are warnings."""

    text: str
    warns: bool = False


def on_trust(runs: pd.DataFrame) -> list[Remark]:
    """What the harness added, how steady the machine was, what else may have moved the times.

    Args:
        runs: of `tables.read_runs`.
    """
    said = []
    measured = runs.dropna(subset="overhead_s").groupby("backend")["overhead_s"]
    parts = [
        f"{backend} {milliseconds(overhead.median())} ({milliseconds(overhead.quantile(0.95))})"
        for backend, overhead in measured
    ]
    if parts:
        said.append(
            Remark(f"The harness added to a run, in ms, median (95th percentile): {', '.join(parts)}.")
        )
    times = tables.sentinel_times(runs)
    load = "The reference load, a fixed piece of work between the runs, "
    if len(times) > 1:
        varies = variation(times)
        text = (
            f"{load}varied by {varies:.1%} "
            f"({milliseconds(min(times))} to {milliseconds(max(times))} ms in {len(times)} measurements)."
        )
        unsteady = " The machine is not steady: small differences mean nothing." if varies > STEADY else ""
        said.append(Remark(text + unsteady, bool(unsteady)))
    elif times:
        said.append(Remark(f"{load}was measured once: {milliseconds(times[0])} ms."))
    if varied := tables.same_seed_variation(runs):
        parts = [
            f"{varies:.1%} (times {span}, {plural(models, 'measurement')})"
            for span, (models, varies) in varied.items()
        ]
        said.append(
            Remark(
                f"Repeated with the same seed, the total time typically varied by {listed(parts)}: the "
                "standard deviation divided by the mean, the median over the measurements."
            )
        )
    if disturbed := int(runs["disturbed"].sum()):
        said.append(
            Remark(
                f"{disturbed} of {plural(len(runs), 'run')} {'was' if disturbed == 1 else 'were'} disturbed: "
                f"something else had {'its' if disturbed == 1 else 'their'} core for more than 2% of the "
                "time (column disturbed).",
                True,
            )
        )
    nouns = ("machines", "processors", "versions of Python", "versions of the bench", "commits")
    for column, noun in zip(tables.PROVENANCE, nouns, strict=True):
        if (number := runs[column].nunique()) > 1:
            said.append(
                Remark(f"The runs come from {number} {noun}; their times are put together here.", True)
            )
    if (runs.groupby(tables.CELL)["threads"].nunique() > 1).any():
        numbers = listed([f"{number:.0f}" for number in sorted(runs["threads"].dropna().unique())])
        said.append(Remark(f"The runs used {numbers} threads; their times are put together here.", True))
    if left_out := on_superseded(tables.superseded(runs)):
        said.append(Remark(left_out))
    return said + on_releases(runs)


def on_sessions(runs: pd.DataFrame, begun: Sequence[datetime]) -> list[Remark]:
    """Which backends were measured in other sessions than those that they are compared with.

    Repeats that all backends have in the same sessions are interleaved, and nothing is said of them.

    Args:
        runs: of `tables.read_runs`.
        begun: when the sessions of the campaign began, of `sessions.begun`.
    """
    done = runs[runs["status"].isin(DONE) & runs["total_s"].notna()]
    if len(begun) < 2 or done.empty:
        return []
    at = pd.to_datetime(done["started_at"], utc=True, format="ISO8601", errors="coerce")
    starts = pd.DatetimeIndex(begun).tz_convert("UTC")
    done = done.assign(session=starts.searchsorted(at, side="right"))[at.notna()]
    apart: dict[str, set[str]] = defaultdict(set)
    for problem, compared in done.groupby(PROBLEM):
        cells = compared.assign(model=tables.labels(compared) + " " + compared["formulation"])
        shares = pd.crosstab(cells["model"], cells["session"], normalize="index")
        overlap = np.minimum(shares.to_numpy()[:, None], shares.to_numpy()).sum(axis=2) > TOGETHER
        # Most are together with this one; of equals, with the first session.
        order = sorted(range(len(shares)), key=lambda row: (-overlap[row].sum(), *-shares.to_numpy()[row]))
        for model, together in zip(shares.index, overlap[order[0]], strict=True):
            if not together:
                apart[str(model)].add(str(problem[1]))
    if not apart:
        return []
    names, instances = sorted(apart, key=tables.rank), sorted(set().union(*apart.values()))
    was = "was" if len(names) == 1 else "were"
    return [
        Remark(
            f"{shortened(names)} {was} measured in another session than the other models "
            f"({shortened(instances)}): ratios between them include what changed on the machine meanwhile; "
            "--redo all measures all of them again, interleaved.",
            True,
        )
    ]


def on_releases(runs: pd.DataFrame) -> list[Remark]:
    """Which runs were executed by a solver release that is known to give wrong answers.

    Args:
        runs: of `tables.read_runs`.
    """
    affected: dict[str, list[str]] = defaultdict(list)
    columns = ["backend", "solver", "solver_version"]
    for (backend, solver, version), executed in runs.groupby(columns):
        if fault := known_fault(backend, solver, version):
            affected[fault].append(f"{plural(len(executed), 'run')} of {backend}:{solver}")
    return [Remark(f"{listed(models)}: {fault}", True) for fault, models in affected.items()]


def on_superseded(rows: tables.Superseded) -> str:
    """How many rows of a campaign are left out as later ones stand for them; empty if none are."""
    parts = []
    if rows.contents:
        parts.append(
            f"{plural(rows.contents, 'row')} of earlier contents (changed instance, model or solver release)"
        )
    if rows.repeated:
        parts.append(f"{plural(rows.repeated, 'row')} of runs that were made again")
    if not parts:
        return ""
    return f"{listed(parts)} {are(rows.contents + rows.repeated)} left out."


def on_claims(runs: pd.DataFrame, files: Sequence[Path] = ()) -> str:
    """Which claims that no checker can check nothing else confirms; empty if there are none.

    That an instance has no solution, or no others than were counted, is confirmed by the instance's file, or
    by another backend with another solver library: the same model or the same library may err twice.

    Args:
        runs: of `tables.read_runs`.
        files: instances that are not among the project's.
    """
    claimed = (runs["status"] == "infeasible") | (runs["status"].isin(DONE) & (runs["task"] == "count"))
    rows = runs[claimed]
    rows = rows.assign(solutions=rows["solutions"].where(rows["status"] != "infeasible", 0))
    keys = ["puzzle", "instance", "instance_sha256", "solutions"]
    made_by: dict[tuple[str, str, str, float], set[tuple[str, str]]] = defaultdict(set)
    claims = rows[[*keys, "backend", "solver"]].drop_duplicates()
    for *claim, backend, solver in claims.itertuples(index=False, name=None):
        made_by[tuple(claim)].add((backend, library(solver)))
    counted: list[str] = []
    infeasible: list[str] = []
    for (puzzle, instance, sha256, number), solvers in made_by.items():
        alone = not any(distinct(one, other) for one, other in combinations(solvers, 2))
        if alone and not puzzles.says_how_many(puzzle, instance, sha256, files):
            (counted if number > 0 else infeasible).append(instance)
    parts = []
    if counted:
        parts.append(f"the number of solutions of {shortened(list(dict.fromkeys(counted)))}")
    if infeasible:
        names = list(dict.fromkeys(infeasible))
        parts.append(f"that {shortened(names)} {'has' if len(names) == 1 else 'have'} none")
    if not parts:
        return ""
    return (
        f"No second backend with another solver library confirmed {', nor '.join(parts)}: the checker can "
        "check solutions, not that there are no more."
    )


def distinct(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether two pairs of backend and library have nothing in common."""
    return one[0] != other[0] and one[1] != other[1]


def library(solver: str) -> str:
    """The library that a solver of any backend runs, by the name that it has in most of them."""
    name = solver.removeprefix("minizinc/")
    return LIBRARIES.get(name, name)


def shortened(names: Sequence[str]) -> str:
    """The names, or the first of them and how many more there are."""
    if len(names) > MOST_NAMED:
        return f"{', '.join(names[:MOST_NAMED])} (and {len(names) - MOST_NAMED} more)"
    return listed(names)


def too_few(runs: pd.DataFrame, table: pd.DataFrame) -> tuple[int, str]:
    """How many more runs of each model make intervals of all times, and the option that asks for them.

    0 and an empty option where each comparison of the campaign has its interval already, or there is none.

    Args:
        runs: of `tables.read_runs`.
        table: of `tables.cells`.
    """
    least = SMALLEST_SAMPLE
    for problem in by_problem(leading(table)).values():
        solved = sorted((cell for cell in problem if np.isfinite(cell["time_s"])), key=lambda c: c["time_s"])
        if len(solved) > 1 and not time_ratio(*solved[:2]).known:
            least = min(least, *(len(cell["sample"]) for cell in solved[:2]))
    # Of several seeds each counts once, however often it was repeated.
    option = f"--{'seeds' if runs['seed'].nunique() > 1 else 'repeat'} {SMALLEST_SAMPLE}"
    return (SMALLEST_SAMPLE - least, option) if least < SMALLEST_SAMPLE else (0, "")


def on_more_runs(more: int) -> str:
    """How many more runs of each model are needed, before the command that adds them; empty if none are."""
    if not more:
        return ""
    least = SMALLEST_SAMPLE - more
    too_few = f"{plural(least, 'run')} of a model {are(least)} too few"
    return f"{too_few} for a 95% interval; {plural(more, 'more run')} of each {are(more)} added by:"


def listed(words: Iterable[str]) -> str:
    """a, b and c."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def sentence(clauses: Sequence[str]) -> str:
    """The clauses as one sentence; empty if there are none."""
    return f"{'; '.join(clauses)}." if clauses else ""
