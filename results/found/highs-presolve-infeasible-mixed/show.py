"""HiGHS 1.5.3 to 1.15.1 call a feasible mixed-integer program infeasible.

    pip install highspy==1.12.0
    python show.py            # the model as it was met
    python show.py smallest   # a smaller one with the same fault

It exits with 1 if the fault shows, with 0 if not.
"""

import os
import sys
from itertools import product
from pathlib import Path

import highspy

os.chdir(Path(__file__).parent)
MODEL = "model-smallest.mps" if "smallest" in sys.argv else "model.mps"


def read(seed=1, presolve="on", rule_off=0):
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("random_seed", seed)
    highs.setOptionValue("threads", 1)
    highs.setOptionValue("presolve", presolve)
    highs.setOptionValue("presolve_rule_off", rule_off)
    highs.readModel(MODEL)
    return highs


def said(highs):
    highs.run()
    return highs.modelStatusToString(highs.getModelStatus())


def solutions():
    """Those of whole numbers, by enumeration, exact: all numbers here are small and whole."""
    program = read().getLp()
    matrix = program.a_matrix_
    columns = range(program.num_col_)
    domains = [range(int(program.col_lower_[j]), int(program.col_upper_[j]) + 1) for j in columns]
    for values in product(*domains):
        rows = [0] * program.num_row_
        for j in columns:
            for k in range(matrix.start_[j], matrix.start_[j + 1]):
                rows[matrix.index_[k]] += matrix.value_[k] * values[j]
        if all(low <= row <= up for low, row, up in zip(program.row_lower_, rows, program.row_upper_)):
            yield dict(zip(program.col_names_, values))


if __name__ == "__main__":
    found = list(solutions())
    print("Solutions:", *found, sep="\n")
    for seed in range(1, 9):
        print(f"Seed {seed}: {said(read(seed))}; without presolve: {said(read(seed, 'off'))}")
    print("Without presolve's rule 9:", said(read(rule_off=1 << 9)))
    fault = said(read()) == "Infeasible" and found
    print("The fault shows." if fault else "The fault does not show.")
    sys.exit(bool(fault))
