"""PuLP 3.3.2 calls a feasible program infeasible if CPLEX found no solution within its time limit.

    pip install pulp==3.3.2 cplex==22.2.0.1
    python show.py

It exits with 1 if the fault shows, with 0 if not.
"""

import os
import sys
from pathlib import Path

import pulp

os.chdir(Path(__file__).parent)
SECONDS = 0.3  # Far less than CPLEX needs.

_, problem = pulp.LpProblem.fromMPS("model.mps")
problem.solve(pulp.CPLEX_PY(msg=False, timeLimit=SECONDS))
said = problem.solverModel.solution.get_status_string()
print("PuLP says:", pulp.LpStatus[problem.status])
print("CPLEX says:", said)
fault = problem.status == pulp.LpStatusInfeasible and "time limit" in said
print("The fault shows." if fault else "The fault does not show.")
sys.exit(fault)
