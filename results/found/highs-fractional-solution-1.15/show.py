"""HiGHS 1.15.1 gives a solution that the model does not have, or one twice.

    pip install highspy==1.15.1
    python show.py

It exits with 1 if the fault shows, with 0 if not.
"""

import json
import os
import sys
from pathlib import Path

import highspy

from check_witness import read_mps, violations

MODEL = "model-at-fault.mps"
SEED, THREADS, TIME_S = 66, 2, 5


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
    """Whether a solution does not satisfy the model, or is given twice."""
    texts = [json.dumps(values, sort_keys=True) for values in found]
    return len(set(texts)) < len(texts) or not all(holds(values, 1e-6) for values in found)


if __name__ == "__main__":
    os.chdir(Path(__file__).parent)
    said, complete, found = solve()
    print(f"It says: {said}; solutions: {len(found)}")
    fault = shows(complete, found)
    print("The fault shows." if fault else "The fault does not show.")
    sys.exit(fault)
