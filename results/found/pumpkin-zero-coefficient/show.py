"""Pumpkin aborts the Python process on a predicate over a variable that is scaled by 0.

    pip install pumpkin-solver==0.5.0
    python show.py              (Pumpkin alone)
    pip install 'cpmpy[pumpkin]==1.1.1'
    python show.py cpmpy        (the same by CPMpy)

It exits with 1 if the fault shows, with 0 if not.
"""

import subprocess
import sys

ALONE = """
from pumpkin_solver import Comparator, Model, Predicate, constraints
model = Model()
x = model.new_integer_variable(0, 1, name="x")
tag = model.new_constraint_tag()
literal = model.predicate_as_boolean(Predicate(x.scaled(0), Comparator.Equal, 0), tag=tag)
model.add_constraint(constraints.Clause([literal], constraint_tag=tag))
print(type(model.satisfy()).__name__)
"""

CPMPY = """
import cpmpy
model = cpmpy.Model(0 * cpmpy.boolvar() == 0)
print(model.solve(solver="pumpkin"), model.status())
"""

PANIC = "zero"
"""A word of the message, which tells the fault from, say, a missing package."""

script = CPMPY if "cpmpy" in sys.argv else ALONE
print(script.strip())
ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
print(ended.stdout + ended.stderr + f"The process ends with the exit code {ended.returncode}.")
fault = ended.returncode < 0 and PANIC in ended.stderr
print("The fault shows." if fault else "The fault does not show.")
sys.exit(fault)
