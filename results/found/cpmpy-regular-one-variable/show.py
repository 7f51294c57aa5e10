"""CPMpy: Regular over one variable raises a TypeError for each solver that needs its decomposition.

    pip install 'cpmpy[z3]==1.1.1'
    python show.py [solver]

It exits with 1 if the fault shows, with 0 if not.
"""

import sys

import cpmpy

x = cpmpy.intvar(0, 2, name="x")
model = cpmpy.Model(cpmpy.Regular([x], [("start", 1, "end")], "start", ["end"]))  # One solution: x == 1.
try:
    print(model.solve(solver=sys.argv[1] if len(sys.argv) > 1 else "z3"), model.status(), x.value())
except TypeError as error:
    print("TypeError:", error)
    print("The fault shows.")
    sys.exit(1)
print("The fault does not show.")
