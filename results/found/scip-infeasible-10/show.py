"""SCIP 10.0 (PySCIPOpt 6.0.0 to 6.3.0) calls a feasible model infeasible.

    pip install pyscipopt==6.3.0
    python show.py

It exits with 1 if the fault shows, with 0 if not.
"""

import sys

import pyscipopt

model = pyscipopt.Model()
model.hideOutput()
model.readProblem("model.cip")
accepted = model.checkSol(model.readSolFile("witness.sol"), original=True)
# A fresh object, which knows no solution.
model = pyscipopt.Model()
model.hideOutput()
model.readProblem("model.cip")
model.optimize()
print(f"SCIP {model.version()}: the witness is accepted: {accepted}; says {model.getStatus()}")
shows = accepted and model.getStatus() == "infeasible"
print("The fault shows." if shows else "The fault does not show.")
sys.exit(shows)
