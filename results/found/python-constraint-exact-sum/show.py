"""python-constraint 2.7: ExactSumConstraint with a negative coefficient loses all solutions.

    pip install python-constraint2==2.7.3
    python show.py

It exits with 1 if the fault shows, with 0 if not.
"""

import sys
from itertools import product

from constraint import ExactSumConstraint, Problem

CASES = ((range(1, 4), (1, 1, -1)), ((-3, -2, -1, 1, 2, 3), (1, 1, 1)))
shows = False
for values, coefficients in CASES:
    problem = Problem()
    problem.addVariables("xyz", list(values))
    problem.addConstraint(ExactSumConstraint(0, list(coefficients)), "xyz")
    true = sum(sum(a * b for a, b in zip(coefficients, each)) == 0 for each in product(values, repeat=3))
    try:
        found = len(problem.getSolutions())
    except ValueError as error:
        found = repr(error)
    print(f"coefficients {coefficients}, values {list(values)}: {found} of {true} solutions")
    shows |= found != true
print("The fault shows." if shows else "The fault does not show.")
sys.exit(shows)
