"""Z3 5.4.0: Optimize exchanges the bounds of a maximum when it stops at its limit.

    pip install z3-solver==5.4.0.0
    python show.py

It exits with 1 if the fault shows, with 0 if not.
"""

import sys
from itertools import product

import z3

WEIGHTS, MOST = (2, 3, 4), 4
LIMIT = 300  # In Z3's own unit of work: every run stops at the same point.

values = [sum(w * x for w, x in zip(WEIGHTS, xs)) for xs in product((0, 1), repeat=3)]
maximum = max(value for value in values if value <= MOST)
print("The maximum, by enumeration:", maximum)
shows = False
for sense in ("maximize(value)", "minimize(-value)"):
    optimize = z3.Optimize()
    optimize.set("rlimit", LIMIT)
    value = z3.Sum([z3.If(z3.Bool(f"x{i}"), weight, 0) for i, weight in enumerate(WEIGHTS)])
    optimize.add(value <= MOST)
    handle = optimize.maximize(value) if sense == "maximize(value)" else optimize.minimize(-value)
    status = optimize.check()
    low, up = optimize.lower(handle).as_long(), optimize.upper(handle).as_long()
    best = maximum if sense == "maximize(value)" else -maximum
    print(f"{sense}: {status}, {low} <= {best} <= {up} is {low <= best <= up}")
    shows |= not low <= best <= up
print("The fault shows." if shows else "The fault does not show.")
sys.exit(shows)
