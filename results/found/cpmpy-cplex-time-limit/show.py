"""CPMpy: solve raises NotImplementedError if CPLEX reaches the time limit, with a solution or without.

    pip install cpmpy==1.1.1 docplex==2.32.264 cplex==22.2.0.1
    python show.py

It exits with 1 if the fault shows, with 0 if not.
"""

import random
import sys

import cpmpy

shows = False
for equal in (False, True):
    rng = random.Random(1)
    x = cpmpy.boolvar(shape=40)
    weights = [[rng.randint(0, 99) for _ in x] for _ in range(5)]
    sums = [cpmpy.sum(w * v for w, v in zip(row, x)) for row in weights]
    # Each sum is half of all, or at most that and as large as possible: too many choices for 2 s.
    halves = [sum(row) // 2 for row in weights]
    model = cpmpy.Model([s == half if equal else s <= half for s, half in zip(sums, halves)])
    if not equal:
        model.maximize(cpmpy.sum(sums))
    try:
        print(model.solve(solver="cplex", time_limit=2), model.status())
    except NotImplementedError as error:
        print("NotImplementedError:", error)
        shows = True
print("The fault shows." if shows else "The fault does not show.")
sys.exit(shows)
