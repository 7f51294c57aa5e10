"""HiGHS 1.16.0 calls a feasible model infeasible.

    pip install highspy==1.16.0
    python show.py            # the model as it was in the run
    python show.py smallest   # a smaller model with the same fault

It exits with 1 if the fault shows, with 0 if not.
"""

import json
import sys
from pathlib import Path

import highspy

from check_witness import read_mps, violations

SMALLEST = "-smallest" if "smallest" in sys.argv else ""
MODEL = f"model{SMALLEST or '-at-fault'}.mps"
WITNESS = f"witness{SMALLEST}.json"
SEED, THREADS, TIME_S = 1, 1, 10


def solve(seed=SEED, presolve=True):
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("random_seed", seed)
    highs.setOptionValue("threads", THREADS)
    highs.setOptionValue("time_limit", TIME_S)
    if not presolve:
        highs.setOptionValue("presolve", "off")
    highs.readModel(MODEL)
    highs.run()
    said = highs.modelStatusToString(highs.getModelStatus())
    if said != "Optimal":
        return said, said == "Infeasible", []
    return said, True, [dict(zip(highs.getLp().col_names_, highs.getSolution().col_value))]


def holds(values, tolerance=0):
    program = read_mps(Path(MODEL).read_text())
    # Solvers give floats, those of integer columns nearly whole.
    nearest = {name: round(value) for name, value in values.items() if name in program.integers}
    return not violations(program, values | nearest, tolerance)


def shows(complete, found):
    """Whether the search ends without the witness."""
    witness = json.loads(Path(WITNESS).read_text())
    return complete and not found and holds(witness)


if __name__ == "__main__":
    said, complete, found = solve()
    print(f"It says: {said}; solutions: {len(found)}")
    print("The witness satisfies the model:", holds(json.loads(Path(WITNESS).read_text())))
    fault = shows(complete, found)
    print("The fault shows." if fault else "The fault does not show.")
    sys.exit(fault)
