"""What Pumpkin does with each comparison of 0 * x, and with linear constraints over it.

python table.py
"""

import subprocess
import sys
from importlib.metadata import version

COMPARED = {"==": "Equal", "!=": "NotEqual", "<=": "LessThanOrEqual", ">=": "GreaterThanOrEqual"}
PREDICATE = "Clause([model.predicate_as_boolean(Predicate(x.scaled(0), Comparator.{}, {}), tag=tag)],"
POSTED = {
    **{f"0 * x {sign} {c}": PREDICATE.format(name, c) for sign, name in COMPARED.items() for c in (0, 1)},
    "Equals([0 * x], 0)": "Equals([x.scaled(0)], 0,",
    "Equals([0 * x], 1)": "Equals([x.scaled(0)], 1,",
    "LessThanOrEquals([0 * x], 0)": "LessThanOrEquals([x.scaled(0)], 0,",
}
SCRIPT = """
from pumpkin_solver import Comparator, Model, Predicate, constraints
model = Model()
x = model.new_integer_variable(0, 1, name="x")
tag = model.new_constraint_tag()
model.add_constraint(constraints.{} constraint_tag=tag))
print(type(model.satisfy()).__name__)
"""

print("pumpkin-solver", version("pumpkin-solver"))
for name, posted in POSTED.items():
    ended = subprocess.run([sys.executable, "-c", SCRIPT.format(posted)], capture_output=True, text=True)
    lines = iter(ended.stderr.splitlines())
    panic = next((next(lines) for line in lines if " panicked at " in line), "")
    said = ended.stdout.strip() or panic or ended.stderr.strip()[-100:]
    print(f"{name} | {said} | exit code {ended.returncode}")
