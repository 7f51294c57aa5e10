"""Solves linear models with an objective by one solver, in a process of its own: a line of JSON each.

`python -m tests.linear_models BACKEND SOLVER` reads models as tests/test_objective_drivers.py writes them,
and answers with what the driver reports: complete, the solutions and the bounds in order; or why it cannot.
"""

import json
import os
import sys
from collections.abc import Callable, Sequence
from functools import reduce
from importlib import import_module
from operator import add, eq, ge, le
from pathlib import Path
from typing import Any

from bench.contract import SolveRequest, Task, TimeLimit, Unsupported
from models.shared.model import Model
from models.shared.puzzle import Sense

COMPARED: dict[str, Callable[[Any, Any], Any]] = {"<=": le, ">=": ge, "==": eq}


def total(coefficients: Sequence[int], values: Sequence[Any], constant: int = 0) -> Any:
    """The weighted sum of variables of any library, or of numbers."""
    return reduce(add, [c * value for c, value in zip(coefficients, values, strict=True)], constant)


def stated(
    given: dict[str, Any], problem: Any, new: Callable[..., Any], optimise: Callable[[Any], Any]
) -> Model:
    """The model, with `new(name, low, high)` for its variables, and its objective by `optimise`."""
    x = [new(f"x{number}", low, high) for number, (low, high) in enumerate(given["domains"])]
    constrain = problem.__iadd__ if hasattr(problem, "__iadd__") else problem.add
    for coefficients, sign, right in given["rows"]:
        constrain(COMPARED[sign](total(coefficients, x), right))
    optimise(total(given["objective"], x, given["constant"]))
    return Model(problem, lambda value: [int(value(variable)) for variable in x], x)


def cpsat(given: dict[str, Any], sense: Sense) -> Model:
    from ortools.sat.python import cp_model

    problem = cp_model.CpModel()
    optimise = problem.minimize if sense is Sense.LEAST else problem.maximize
    return stated(given, problem, lambda name, low, high: problem.new_int_var(low, high, name), optimise)


def milp(given: dict[str, Any], sense: Sense) -> Model:
    from models.shared.milp import program

    problem = program("model", sense)

    def new(name: str, low: int, high: int) -> Any:
        return problem.add_variable(name, low, high, cat="Integer")

    return stated(given, problem, new, problem.setObjective)


def cpmpy(given: dict[str, Any], sense: Sense) -> Model:
    import cpmpy as library

    problem = library.Model()

    def new(name: str, low: int, high: int) -> Any:
        return library.boolvar(name=name) if (low, high) == (0, 1) else library.intvar(low, high, name=name)

    optimise = problem.minimize if sense is Sense.LEAST else problem.maximize
    return stated(given, problem, new, optimise)


def csp(given: dict[str, Any], sense: Sense) -> Model:
    import constraint

    from models.shared.csp import Better

    problem, x = constraint.Problem(), [*range(len(given["domains"]))]
    for name, (low, high) in zip(x, given["domains"], strict=True):
        problem.addVariable(name, range(low, high + 1))
    for row, sign, right in given["rows"]:
        problem.addConstraint(
            lambda *values, row=row, sign=sign, right=right: COMPARED[sign](total(row, values), right), x
        )

    def limit(assigned: Any, left: Any) -> int:
        most = [
            sense.best(weight * value for value in left.get(name) or [assigned[name]])
            for name, weight in zip(x, given["objective"], strict=True)
        ]
        return sum(most, start=given["constant"])

    better = Better(sense, limit)
    problem.addConstraint(better, x)
    return Model(problem, lambda value: [value(name) for name in x], better=better)


def asp(given: dict[str, Any], sense: Sense) -> Model:
    from models.shared.asp import LogicProgram

    def weighted(row: Sequence[int]) -> str:
        return "; ".join(f"{weight}*V,{i} : holds({i},V)" for i, weight in enumerate(row))

    rules = [f"1 {{ holds({i},{low}..{high}) }} 1." for i, (low, high) in enumerate(given["domains"])]
    for row, sign, right in given["rows"]:
        rules.append(f":- not #sum {{ {weighted(row)} }} {sign.replace('==', '=')} {right}.")
    optimise = "minimize" if sense is Sense.LEAST else "maximize"
    rules.append(f"#{optimise} {{ {weighted(given['objective'])}; {given['constant']} }}.")
    rules.append("#show holds/2.")
    return Model(LogicProgram(Path(os.devnull), rules), lambda value: [v for _, v in sorted(value("holds"))])


def main(backend: str, solver: str) -> None:
    """Answers each line."""
    driver = import_module(f"bench.drivers.{backend}")
    driver.load(solver)
    for line in sys.stdin:
        given = json.loads(line)
        sense, bounds = Sense(given["sense"]), []
        request = SolveRequest(
            Task.BEST, given["time_s"], 1, given["seed"], solver, given["rewriting"],
            sense=sense, on_bound=bounds.append,
        )  # fmt: skip
        found: list[Any] = []
        answer: Any
        try:
            model = globals()[backend](given, sense)
            outcome = driver.solve(model, request, lambda solution, _: found.append(solution))  # noqa: B023
        except Unsupported as reason:
            answer = str(reason)
        except TimeLimit:
            answer = False, found, [float(bound) for bound in bounds]
        else:
            answer = outcome.complete, found, [float(bound) for bound in bounds]
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
