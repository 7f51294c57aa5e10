"""The same with CPMpy, and what its other solvers say.

    pip install 'cpmpy[gurobi,choco,exact,z3]==1.1.1'
    python show_cpmpy.py

It exits with 1 if Gurobi gives a solution.
"""

import sys

import cpmpy

a, b, c, d, e, f = cpmpy.boolvar(shape=6)
model = cpmpy.Model(
    f, a + b == 1, c + b == 1, e + d == 1, a.implies(c), b.implies(a | d), c.implies(a | d), f.implies(b | e),
    e.implies(a | d), d.implies(c), e.implies(b), b + d <= 1, c + e <= 1,
)  # fmt: skip

# There is none: if b then neither a nor c, so d, but not both b and d; if not b then c, so not e, but b or e.
for solver in sys.argv[1:] or ("ortools", "choco", "exact", "z3", "gurobi"):
    found = model.solve(solver=solver)
    print(solver, model.status().exitstatus.name, *([v.value() for v in (a, b, c, d, e, f)] if found else []))
    wrong = [str(constraint) for constraint in model.constraints if found and not constraint.value()]
    print("  violated:", "; ".join(wrong)) if found else None
sys.exit(bool(found))
