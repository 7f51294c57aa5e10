"""Gurobi gives a solution of a MIP with indicator constraints that has none, and says OPTIMAL.

    pip install gurobipy==13.0.3
    python show.py             (model.mps: what CPMpy gave to Gurobi)
    python show.py smallest    (model-smallest.mps: 5 binaries, 8 rows, 4 indicators)

It exits with 1 if the fault shows, with 0 if not. The free licence that pip brings is enough.
"""

import sys
from itertools import product
from pathlib import Path

import gurobipy

HERE = Path(__file__).parent
STATUS = {gurobipy.GRB.OPTIMAL: "OPTIMAL", gurobipy.GRB.INFEASIBLE: "INFEASIBLE"}
MOST_ENUMERATED = 16


def read(name, log=False, **options):
    environment = gurobipy.Env(params={"OutputFlag": int(log)})
    model = gurobipy.read(str(HERE / name), environment)
    for option, value in ({"Threads": 1} | options).items():
        model.setParam(option, value)
    return model


def value(terms, values):
    return sum(terms.getCoeff(i) * values[terms.getVar(i).VarName] for i in range(terms.size()))


def holds(terms, sense, side, values):
    left = value(terms, values)
    return {"=": left == side, "<": left <= side, ">": left >= side}[sense]


def violated(model, values):
    """The names of the constraints that the values, whole numbers, do not satisfy."""
    names = [
        row.ConstrName
        for row in model.getConstrs()
        if not holds(model.getRow(row), row.Sense, row.RHS, values)
    ]
    for row in model.getGenConstrs():
        literal, active, terms, sense, side = model.getGenConstrIndicator(row)
        if values[literal.VarName] == active and not holds(terms, sense, side, values):
            names.append(row.GenConstrName)
    return names


def solve(model):
    """What Gurobi says, and the constraints that its solution violates."""
    model.optimize()
    said = STATUS.get(model.Status, f"status {model.Status}")
    if not model.SolCount:
        return said, []
    return said, violated(model, {variable.VarName: round(variable.X) for variable in model.getVars()})


def count(model):
    """How many of all assignments satisfy the model."""
    names = [variable.VarName for variable in model.getVars()]
    every = product((0, 1), repeat=len(names))
    return sum(not violated(model, dict(zip(names, bits, strict=True))) for bits in every)


if __name__ == "__main__":
    model = read("model-smallest.mps" if "smallest" in sys.argv else "model.mps", log=True)
    said, broken = solve(model)
    print(f"It says: {said}; its solution violates: {', '.join(broken) or 'nothing'}")
    if model.NumVars <= MOST_ENUMERATED:
        print(f"Of all {2**model.NumVars} assignments {count(model)} satisfy the model.")
    print("The fault shows." if broken else "The fault does not show.")
    sys.exit(bool(broken))
