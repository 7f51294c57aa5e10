"""Drivers on the task `best`: what real solvers report of random models is what trying all values finds."""

import json
import random
import subprocess
import sys
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

from bench.campaign import check
from bench.catalogue import ROOT
from bench.contract import Outcome, Status, Task
from bench.execution.protocol import Answer
from models.shared.document import Expected
from models.shared.puzzle import Objective, Sense
from tests.linear_models import COMPARED, total
from tests.test_solvers import INSTALLED

CORE = ("asp:clingo", "cpsat:highs", "csp:smallest", "milp:cbc", "milp:cpsat")
"""The others are tried with the extras: each needs a process of its own."""

OPTIMISING = [name for name in INSTALLED if name.split(":")[0] in ("asp", "cpmpy", "cpsat", "csp", "milp")]
EXCEPT = ("asp:clingcon", "csp:minconflicts", "csp:parallel", "csp:parallelminconflicts")
EITHER = [
    pytest.param(name, marks=[] if name in CORE else [pytest.mark.extra])
    for name in OPTIMISING
    if name not in EXCEPT
]


Given = dict[str, Any]


def random_models(number: int) -> list[Given]:
    """Models of up to six variables, of both senses; some have no solution, some have no constraint."""
    rng = random.Random(number)
    models = []
    for index in range(number):
        size = rng.randint(1, 6)
        domains = [rng.choice([(0, 1), (0, 1), (0, 3), (-2, 2), (1, 4)]) for _ in range(size)]

        def row(size: int = size) -> list[int]:
            return [rng.randint(-4, 5) for _ in range(size)]

        models.append({
            "domains": domains, "rows": [
                (row(), rng.choice(["<=", ">=", "<=", ">=", "=="]), rng.randint(-4, 6))
                for _ in range(rng.randint(0, 3))
            ],
            "objective": row(), "constant": rng.choice([0, 0, 7, -13]), "sense": rng.choice([*Sense]),
            "seed": rng.choice([1, 1, 2]), "rewriting": index % 3, "time_s": 60,
        })  # fmt: skip
    return models


def value_of(given: Given, solution: list[int]) -> int | None:
    """The value of a solution, None if it is none."""
    inside = all(low <= v <= high for v, (low, high) in zip(solution, given["domains"], strict=True))
    holds = all(COMPARED[sign](total(row, solution), right) for row, sign, right in given["rows"])
    return int(total(given["objective"], solution, given["constant"])) if inside and holds else None


def best_of(given: Given) -> int | None:
    """The best value of all solutions, None if there is none."""
    values = [value_of(given, [*one]) for one in product(*(range(a, b + 1) for a, b in given["domains"]))]
    found = [value for value in values if value is not None]
    return Sense(given["sense"]).best(found) if found else None


def answers(name: str, models: list[Given]) -> list[Any]:
    """What tests/linear_models.py answers about them."""
    lines = "".join(f"{json.dumps(given)}\n" for given in models)
    command = [sys.executable, "-m", "tests.linear_models", *name.split(":")]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines() if line[:1] in '["']


def judged(given: Given, answer: Any, best: int | None) -> None:
    """Solutions get better, and no bound is better than the best value."""
    complete, found, bounds = answer
    sense = Sense(given["sense"])
    values = [value_of(given, solution) for solution in found]
    assert None not in values and values == sorted(values, reverse=sense is Sense.LEAST), (given, answer)
    assert not complete or (values[-1] if values else None) == best, (given, answer)
    slack = 1e-6 if sense is Sense.LEAST else -1e-6
    assert best is None or not [bound for bound in bounds if sense.better(best, bound - slack)], (
        given,
        answer,
    )


@pytest.mark.parametrize("name", EITHER)
def test_a_driver_proves_the_best_value(name: str) -> None:
    """Models of both senses, with constants, as written and rewritten; some have no solution."""
    models = random_models(15 if name in CORE else 40)
    for given, answer in zip(models, answers(name, models), strict=True):
        judged(given, answer, best_of(given))
        assert answer[0], "complete"


@pytest.mark.extra
@pytest.mark.parametrize("name", EITHER)
def test_a_driver_that_is_out_of_time_claims_nothing_false(name: str) -> None:
    """Packings and coverings with 150 items, whose best values CPLEX proves and others find."""
    if name == "cpmpy:pindakaas":
        pytest.skip("its clauses for such sums need too much memory")
    if name == "cpmpy:z3":
        pytest.skip("at times it goes on for a quarter of an hour after its limit")
    rng = random.Random(5)
    hard = []
    for sense, sign in (("least", ">="), ("most", "<=")):
        rows = [[rng.randint(500, 6000) for _ in range(150)] for _ in range(6)]
        hard.append({
            "domains": [(0, 1)] * 150, "rows": [(row, sign, sum(row) // 2) for row in rows],
            "objective": [rng.randint(500, 6000) for _ in range(150)], "constant": 13, "sense": sense,
            "seed": 1, "rewriting": 0, "time_s": 1.0,
        })  # fmt: skip
    for given, answer, best in zip(hard, answers(name, hard), (146213, 329152), strict=True):
        judged(given, answer, best)


def test_fractions_in_an_objective_are_refused() -> None:
    """CP-SAT has whole coefficients only, and a constant of an integer program is one of them."""
    models = [
        {**random_models(1)[0], "rows": [], "domains": [(0, 1)], "objective": [weight], "constant": constant}
        for weight, constant in ((0.5, 0), (1, 0.5))
    ]
    assert all("whole coefficients" in answer for answer in answers("milp:cpsat", models))
    assert answers("cpsat:highs", models[:1]) == ["the objective has fractions"]


RULES = SimpleNamespace(objective=Objective(Sense.MOST, "points"))
RUN: Any = SimpleNamespace(task=Task.BEST)


def settled(monkeypatch: pytest.MonkeyPatch, steps: list[int | str], claim: Status, best: int | None) -> Any:
    """What a run is worth that finds values, or proves bounds (as texts), of which `best` is known."""
    monkeypatch.setattr(check, "check", lambda _, solution: ([], str(solution)))
    instance: Any = SimpleNamespace(objective=RULES.objective, expected=Expected(best=best), puzzle=RULES)
    found = check.Solutions(instance)
    for at_s, step in enumerate(steps):
        found.add(None, 0, at_s, float(step)) if isinstance(step, str) else found.add(step, 1, at_s)
    answer = Answer(claim, outcome=Outcome(complete=claim is Status.OPTIMAL), total_s=9.0)
    return check.validate(instance, RUN, answer, found)


@pytest.mark.parametrize(
    ("steps", "claim", "best", "status"),
    [
        ([3, "9", 5, "5"], Status.OPTIMAL, 5, "optimal"),
        ([3, "9.4", 5], Status.TIMEOUT, 7, "feasible"),
        ([3, 5], Status.OPTIMAL, 6, "wrong"),
        ([3, "4", 5], Status.TIMEOUT, None, "wrong"),
        ([3, "4.5"], Status.TIMEOUT, 5, "wrong"),
        ([], Status.INFEASIBLE, 5, "wrong"),
    ],
)
def test_a_lie_about_the_best_value_is_found_out(
    monkeypatch: pytest.MonkeyPatch, steps: list[int | str], claim: Status, best: int | None, status: str
) -> None:
    """A claim, or a bound, that a known value beats, found by the run itself or before it."""
    assert settled(monkeypatch, steps, claim, best).status == status


def test_a_trajectory_gets_better(monkeypatch: pytest.MonkeyPatch) -> None:
    """Worse solutions and bounds are left out; at its end are the best solution and the claim."""
    valid = SimpleNamespace(**settled(monkeypatch, [3, 2, "9.4", "12", 5, 4], Status.OPTIMAL, None).of_best)
    assert json.loads(valid.trajectory) == [[0, 3, None], [2, 3, 9], [4, 5, 9], [9.0, 5, 5]]
    assert (valid.objective, valid.bound, valid.gap, valid.first_s, valid.best_s) == (5, 5, 0, 0, 4)
