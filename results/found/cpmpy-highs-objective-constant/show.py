"""CPMpy: a constant in an objective becomes the index of a column of HiGHS; a false optimum is the result.

    pip install cpmpy==1.1.1 highspy==1.12.0
    python show.py [solver]

It exits with 1 if the fault shows, with 0 if not.
"""

import sys

import cpmpy

x = cpmpy.boolvar(name="x")
model = cpmpy.Model(x <= 1, maximize=x + 1)  # The maximum is 2, with x.
model.solve(solver=sys.argv[1] if len(sys.argv) > 1 else "highs")
print(model.status().exitstatus.name, model.objective_value(), x.value())
fault = model.status().exitstatus.name == "OPTIMAL" and model.objective_value() != 2
print("The fault shows." if fault else "The fault does not show.")
sys.exit(fault)
