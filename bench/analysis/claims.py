"""Claims about solutions: where models contradict each other, and what no second backend confirms."""

from collections.abc import Sequence
from itertools import combinations
from operator import itemgetter
from pathlib import Path

import numpy as np
import pandas as pd

from bench.analysis import puzzles
from bench.analysis.measurements import is_conclusive
from bench.analysis.tables import DEFAULTS, grouped, is_variant
from bench.analysis.units import plural, shortened
from bench.contract import Status, Task

_LIBRARIES = {
    "coin-bc": "cbc", "clingcon": "clingo",
    "cpsat": "ortools", "cp-sat": "ortools", "or-tools": "ortools", "sat": "ortools",
}  # fmt: skip
"""The libraries of solvers with another name; `sat` is MiniZinc's name for that of OR-Tools."""


def disagreements(runs: pd.DataFrame) -> list[str]:
    """A line for each instance and question on which models contradict each other, with all their claims.

    Solutions that passed the checker are witnesses, which refute a claim of fewer solutions. A run that
    crashed, or whose solution the checker rejected, claims nothing.
    """
    lines = []
    keys = ["instance", "instance_sha256", "rules_sha256"]
    runs = runs.assign(most=runs.groupby(keys)["witnesses"].transform("max"))
    wrong = runs["status"] == Status.WRONG
    found, answered = (runs[column].notna() & (runs[column] != "") for column in ("solution", "answer"))
    # A solution that the checker rejected is recorded, and has no answer.
    rejected = wrong & ((runs["solutions"] > 0) | found) & ~answered
    claims = runs[(is_conclusive(runs) | wrong) & runs["solutions"].notna() & ~rejected]
    claims = claims.assign(
        model=(claims["backend"] + ":" + claims["solver"] + " " + claims["formulation"]).str.rstrip(),
        feasible=np.where(claims["solutions"] > 0, "feasible", "infeasible"),
        count=claims["solutions"].map(lambda number: plural(number, "solution")),
    )
    views = claims.assign(
        count=claims["count"].where(claims["task"] == "count"),
        answer=claims["answer"].where(claims["answer"] != ""),
    )
    differ = (views.groupby(keys)[["feasible", "count", "answer"]].transform("nunique") > 1).any(axis=1)
    for (instance, *_), group in claims[differ].groupby(keys, sort=False):
        counted = group[group["task"] == "count"]
        answered = group[group["solutions"] > 0]
        unique = len(counted) > 0 and (counted["solutions"] == 1).all()
        said_of = {"feasible": group, "count": counted, "answer": answered if unique else answered[:0]}
        for question, said in said_of.items():
            order = said.sort_values(["solutions", question], ascending=[False, True], kind="stable")
            sides = order.groupby(question, sort=False)
            if len(sides) > 1:
                most = 0 if question == "answer" else group["most"].iloc[0]
                witnesses = "a solution" if most == 1 else f"{most:.0f} different solutions"
                views = "; ".join(
                    f"{view} by {', '.join(sorted(side['model'].unique()))}"
                    + f", refuted: {witnesses} passed the checker" * bool(most > side["solutions"].max())
                    for view, side in sides
                )
                lines.append(f"{instance}: {'the answers differ: ' if question == 'answer' else ''}{views}")
    return lines


def unconfirmed(runs: pd.DataFrame, files: Sequence[Path] = ()) -> str:
    """Which claims of completeness nothing confirms, in a sentence; empty if there are none.

    That an instance has no solution, or no others than were counted, is beyond any checker. It is confirmed
    by the instance's file, or by another backend with another solver library: the same model or the same
    library may err twice. Instances that are not among the project's are in `files`.
    """
    infeasible = runs["status"] == Status.INFEASIBLE
    rows = runs.assign(solutions=runs["solutions"].where(~infeasible, 0))
    rows = rows[infeasible | (is_conclusive(runs) & (runs["task"] == Task.COUNT))]
    keys = ["puzzle", "instance", "instance_sha256", "solutions"]
    # Dictionaries keep the order of names and drop repeated ones.
    counted: dict[str, None] = {}
    without: dict[str, None] = {}
    claims = rows[[*keys, "backend", "solver"]].drop_duplicates().itertuples(index=False, name=None)
    for (puzzle, instance, sha256, number), same in grouped(claims, itemgetter(slice(4))).items():
        solvers = {(backend, _library(backend, solver)) for *_, backend, solver in same}
        confirmed = any(one[0] != two[0] and one[1] != two[1] for one, two in combinations(solvers, 2))
        if not confirmed and not puzzles.says_how_many(puzzle, instance, sha256, files):
            (counted if number > 0 else without)[instance] = None
    parts = []
    if counted:
        parts.append(f"the number of solutions of {shortened([*counted])}")
    if without:
        parts.append(f"that {shortened([*without])} {'has' if len(without) == 1 else 'have'} none")
    if not parts:
        return ""
    return (
        f"No second backend with another solver library confirmed {' or '.join(parts)}: the checker verifies "
        "solutions, not that there are no others."
    )


def _library(backend: str, solver: str) -> str:
    """The library that a solver uses, by the name that most backends give it."""
    name = DEFAULTS[backend] if is_variant(backend, solver) else solver.removeprefix("minizinc/")
    return _LIBRARIES.get(name, name)
