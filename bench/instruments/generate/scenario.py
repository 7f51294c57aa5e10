"""A campaign as a scenario of ASlib, for programs that select algorithms: github.com/coseal/aslib-spec."""

import json
import re
from itertools import product
from operator import itemgetter
from random import Random
from typing import Any

import pandas as pd
from pandas.api.types import is_numeric_dtype

from bench import catalogue
from bench.campaign.selection import TEXTBOOK
from bench.catalogue.errors import RequestError
from bench.contract import Status
from models.shared.puzzle import Ingredient

_ENDED = {
    Status.TIMEOUT: "timeout", Status.FEASIBLE: "timeout", Status.MEMOUT: "memout", Status.CRASHED: "crash",
    Status.UNSUPPORTED: "not_applicable", Status.UNAVAILABLE: "not_applicable",
}  # fmt: skip
"""What ASlib calls the ends of runs that are not conclusive (`ok`); all others are `other`."""

_RUN = "{ok,timeout,memout,not_applicable,crash,other}"
_STEP = "{ok,timeout,memout,presolved,crash,other}"
_TYPES = {"instance_id": "STRING", "algorithm": "STRING", "runstatus": _RUN}
"""The types of the columns of text; of all others it is _STEP."""

_README = """\
Runs of puzzle-bench; an algorithm is backend:solver@release/model/threads, without what it lacks. A model is
named where a solver has several of an instance: `textbook`, and `tuned` if there is one beside it.
- runtime: total time in seconds (building the model, solving, decoding); the cut-off time unless `ok`.
- ok: all solutions passed a checker, or nothing contradicts the claim that there is none; of the task `best`
  also that none is better. not_applicable: no model, not installed, or no run on this instance.
- repetition: of all seeds.
- size, ingredients (0 or 1): unknowns of the instance, and what its kind of puzzle is made of (? if unknown).
- variables, constraints: of a model (backend/formulation) before presolve, a step each. `?` and `other` where
  the kind has no such model or no run told its size, which depends on how they ended: no default steps.
"""


def scenario(runs: pd.DataFrame, name: str) -> dict[str, str]:
    """The files of a scenario of these runs, by their names; raises RequestError for several limits."""
    cutoff, memory = _only(runs["time_limit_s"]), _only(runs["memory_limit_mb"])
    runs = runs.sort_values(["puzzle", "instance", "task", "seed", "repeat"])
    runs["instance_id"] = runs["puzzle"] + "/" + runs["instance"]
    if runs["task"].nunique() > 1:
        runs["instance_id"] += "/" + runs["task"]
    runs["model"] = _models(runs)
    runs["algorithm"] = [_algorithm(run) for run in runs.itertuples()]
    problems = runs.drop_duplicates("instance_id").set_index("instance_id")
    steps = _steps(runs, problems)
    values = pd.concat(steps.values(), axis=1)
    told = pd.DataFrame({step: table.notna().all(axis=1) for step, table in steps.items()})
    tables = {
        "algorithm_runs": _runs(runs, cutoff),
        "feature_values": _once(values),
        "feature_runstatus": _once(told.astype(object).replace({True: "ok", False: "other"})),
        "cv": _once(_folds(problems)),
    }
    of = runs.groupby("algorithm")
    # With one seed and one thread it searches in the same way each time.
    fixed = (of["seed"].nunique() == 1) & (of["threads"].max() == 1)
    versions = of["solver_version"].last()
    described = {
        "scenario_id": name,
        "performance_measures": ["runtime"], "performance_type": ["runtime"], "maximize": [False],
        "algorithm_cutoff_time": cutoff, "algorithm_cutoff_memory": memory,
        "features_cutoff_time": "?", "features_cutoff_memory": "?",
        "features_deterministic": [*values], "features_stochastic": [],
        "algorithms_deterministic": [*fixed.index[fixed]], "algorithms_stochastic": [*fixed.index[~fixed]],
        "metainfo_algorithms": {
            one: {"deterministic": bool(fixed[one]), "configuration": versions[one]} for one in fixed.index
        },
        "number_of_feature_steps": len(steps), "default_steps": ["instance"],
        "feature_steps": {step: {"provides": [*table]} for step, table in steps.items()},
    }  # fmt: skip
    # JSON is YAML.
    files = {"readme.txt": _README, "description.txt": json.dumps(described, indent=2) + "\n"}
    return files | {f"{kind}.arff": _arff(f"{kind.upper()}_{name}", table) for kind, table in tables.items()}


def _only(limits: "pd.Series[Any]") -> Any:
    """The limit that all runs have, as one of Python's numbers."""
    if len(found := sorted(set(limits))) > 1:
        several = ", ".join(f"{limit:g}" for limit in found)
        raise RequestError(
            f"these runs have several limits ({limits.name}: {several}), and a scenario has one"
        )
    return limits.iloc[0].item()


def _models(runs: pd.DataFrame) -> "pd.Series[str]":
    """What tells the models of a solver apart: a formulation has other names on other kinds of puzzles."""
    solver = [runs["backend"], runs["solver"]]
    number = runs.groupby([runs["instance_id"], *solver])["formulation"].transform("nunique")
    most = number.groupby(solver).transform("max")
    plain = runs["formulation"] == TEXTBOOK
    return runs["formulation"].mask((most == 2) & ~plain, "tuned").where(most > 1, "")


def _algorithm(run: Any) -> str:
    """The name of what executed a run, by all that tells measurements of an instance apart."""
    solver = "@".join(filter(None, (f"{run.backend}:{run.solver}".rstrip(":"), run.release)))
    threads = f"{run.threads}-threads" if run.threads > 1 else ""
    return "/".join(filter(None, (solver, run.model, threads)))


def _runs(runs: pd.DataFrame, cutoff: float) -> pd.DataFrame:
    """The runs, and a row for each pair without any: readers refuse a scenario that lacks a pair."""
    pairs = runs[["instance_id", "algorithm"]]
    ends = map(Status, runs["status"])
    runs["runstatus"] = ["ok" if end.conclusive else _ENDED.get(end, "other") for end in ends]
    runs["runtime"] = runs["total_s"].where(runs["runstatus"] == "ok", cutoff)
    runs["repetition"] = runs.groupby([*pairs]).cumcount() + 1
    ran = runs[["instance_id", "repetition", "algorithm", "runtime", "runstatus"]]
    every = {*product(*(pairs[one].unique() for one in pairs))}
    lacking = every - {*pairs.itertuples(index=False, name=None)}
    rows = [(problem, 1, algorithm, cutoff, "not_applicable") for problem, algorithm in sorted(lacking)]
    return pd.concat([ran, pd.DataFrame(rows, columns=ran.columns)]) if rows else ran


def _steps(runs: pd.DataFrame, problems: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The features of each step: of the instance, and of each model that has any."""
    # The code of a puzzle that is not known here is not executed.
    puzzles = {*problems["puzzle"]} & {*catalogue.puzzle_names()}
    made = {puzzle: catalogue.ingredients(puzzle) for puzzle in puzzles}
    own = problems[["size"]].copy()
    for one in Ingredient:
        own[one.value] = problems["puzzle"].map(
            {puzzle: int(one in its) for puzzle, its in made.items() if its}
        )
    if (tasks := problems["task"]).nunique() > 1:
        own = own.join(pd.get_dummies(tasks, prefix="task", dtype=int))
    steps = {"instance": own}
    for model, rows in runs.groupby((runs["backend"] + "/" + runs["formulation"]).str.rstrip("/")):
        sizes = rows.groupby("instance_id")[["variables", "constraints"]].median().dropna(axis=1, how="all")
        if not sizes.columns.empty:
            steps[model] = sizes.add_suffix(f":{model}").reindex(problems.index)
    return steps


def _folds(problems: pd.DataFrame) -> pd.DataFrame:
    """Ten folds, among which the instances of each kind are dealt by lot; all tasks of one are together.

    That judges the choice for a further instance of known kinds. For further kinds, of which most campaigns
    have too few, folds are to be made by what stands before the first slash of an instance.
    """
    kind_and_name = [*zip(problems["puzzle"], problems["instance"], strict=True)]
    order = sorted(set(kind_and_name))
    Random(1).shuffle(order)
    folds = {one: number % 10 + 1 for number, one in enumerate(sorted(order, key=itemgetter(0)))}
    return pd.DataFrame({"fold": [folds[one] for one in kind_and_name]}, problems.index)


def _once(table: pd.DataFrame) -> pd.DataFrame:
    """A table by instance, with the columns that each file begins with."""
    return table.assign(repetition=1).set_index("repetition", append=True).reset_index()


def _arff(relation: str, table: pd.DataFrame) -> str:
    """A table as the text of an ARFF file."""
    types = {name: "NUMERIC" if is_numeric_dtype(table[name]) else _TYPES.get(name, _STEP) for name in table}
    head = [f"@RELATION {_cell(relation)}", *(f"@ATTRIBUTE {_cell(name)} {types[name]}" for name in table)]
    rows = (",".join(map(_cell, row)) for row in table.itertuples(index=False, name=None))
    return "\n".join([*head, "@DATA", *rows, ""])


def _cell(value: str | float) -> str:
    """A value as ARFF has it."""
    if isinstance(value, str):
        plain = re.fullmatch(r"[\w./:@=+-]+", value, re.ASCII)
        return value if plain else "'" + re.sub(r"['\\]", r"\\\g<0>", value) + "'"
    return "?" if value != value else f"{value:.6f}".rstrip("0").rstrip(".")
