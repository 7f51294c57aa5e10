"""How many of the seeds 1 to 8 give a solution that violates the model, with several options.

python table.py
"""

import gurobipy
from show import read, solve

OPTIONS = (
    {}, {"Presolve": 0}, {"Presolve": 1}, {"Presolve": 2}, {"Aggregate": 0}, {"DualReductions": 0},
    {"NumericFocus": 3}, {"IntegralityFocus": 1}, {"FeasibilityTol": 1e-9}, {"Threads": 4},
)  # fmt: skip

print("gurobipy", ".".join(map(str, gurobipy.gurobi.version())))
for options in OPTIONS:
    cells = []
    for model in ("model.mps", "model-smallest.mps"):
        said = [solve(read(model, **(options | {"Seed": seed}))) for seed in range(1, 9)]
        cells.append(f"{model}: {sum(bool(broken) for _, broken in said)} of 8 ({said[0][0]})")
    print(options or "default", *cells, sep=" | ")
