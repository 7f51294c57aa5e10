"""OR-Tools CP-SAT 9.15.6755 misses solutions of a feasible model.

    pip install ortools==9.15.6755
    python show.py
    python show.py smallest

It exits with 1 if the fault shows, with 0 if not.
"""

import json
import sys
from pathlib import Path

from google.protobuf import text_format
from ortools.sat.python import cp_model

SMALLEST = sys.argv[1:] == ["smallest"]
MODEL = "model-smallest.pb.txt" if SMALLEST else "model-at-fault.pb.txt"
KNOWN = "witness-smallest.json" if SMALLEST else "witness.json"
SEED, THREADS, TIME_S = 266, 2, 5
COUNT = True  # All solutions are asked for, not one.
OPTIONS = {}  # More parameters of the solver, by name; table.py sets some.


def solve(seed=SEED, presolve=True, fixed=None):
    model = cp_model.CpModel()
    proto = model.Proto()
    read(proto, Path(MODEL).read_text())
    for index, value in (fixed or {}).items():
        proto.variables[int(index)].domain.clear()
        proto.variables[int(index)].domain.extend([value, value])
    solver = cp_model.CpSolver()
    solver.parameters.random_seed = seed
    solver.parameters.num_workers = THREADS
    solver.parameters.max_time_in_seconds = TIME_S
    solver.parameters.enumerate_all_solutions = COUNT
    solver.parameters.cp_model_presolve = presolve
    for name, value in OPTIONS.items():
        setattr(solver.parameters, name, value)
    if proto.search_strategy:
        solver.parameters.search_branching = cp_model.FIXED_SEARCH
    found = []

    class Collect(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self):
            found.append(by_index(map(self.SolutionIntegerValue, range(len(proto.variables)))))

    status = solver.Solve(model, Collect() if COUNT else None)
    if not COUNT and status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        found.append(by_index(solver.ResponseProto().solution))
    said = solver.StatusName(status)
    return said, said in ("OPTIMAL", "INFEASIBLE") or bool(found and not COUNT), found


def read(proto, text):
    if hasattr(proto, "parse_text_format"):
        proto.parse_text_format(text)
    else:  # OR-Tools before 9.15.
        text_format.Parse(text, proto)


def by_index(values):
    return {str(index): value for index, value in enumerate(values)}


def holds(values):
    # All variables are fixed: only checking is left to do.
    return bool(solve(presolve=False, fixed=values)[2])


def missing(found):
    """The known solutions that are not found."""
    known = json.loads(Path(KNOWN).read_text())
    return [values for values in known if values not in found]


def shows(complete, found):
    """Whether the search ends without a known solution, which is checked again."""
    return complete and any(map(holds, missing(found)))


if __name__ == "__main__":
    said, complete, found = solve()
    print(f"It says: {said}; solutions: {len(found)}")
    print("Known solutions that are missing:", len(missing(found)), "of", len(missing([])))
    fault = shows(complete, found)
    print("The fault shows." if fault else "The fault does not show.")
    sys.exit(fault)
