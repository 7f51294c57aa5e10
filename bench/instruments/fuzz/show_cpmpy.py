"""Shows a fault of a solver that CPMpy drives: exits with 1 if it shows, with 0 if not."""

import random
from collections.abc import Mapping
from dataclasses import replace

import cpmpy
from cpmpy.transformations.get_variables import get_variables

from bench.instruments.fuzz.showing import Said, Target, main


def solve(target: Target, seed: int, _presolve: bool, fixed: Mapping[str, int] | None = None) -> Said:
    """What the solver says of the model, with some variables fixed; another seed permutes its constraints."""
    model = cpmpy.Model.from_file(target.model)
    if seed != target.seed:
        random.Random(seed).shuffle(model.constraints)
    variables = get_variables(model.constraints)
    model += [variable == fixed[variable.name] for variable in variables if fixed]
    found = []

    def collect() -> None:
        found.append({variable.name: int(variable.value()) for variable in variables})

    native = cpmpy.SolverLookup.get(target.solver.replace("/", ":"), model)
    if target.count:
        native.solveAll(display=collect, time_limit=target.time_s)
    elif native.solve(time_limit=target.time_s):
        collect()
    said = native.status().exitstatus.name
    return said, said in ("OPTIMAL", "UNSATISFIABLE") or bool(found and not target.count), found


def holds(target: Target, values: Mapping[str, int], _tolerance: float = 0) -> bool:
    """Whether another solver finds that values satisfy the model: all are fixed, and it only checks them."""
    other = replace(target, solver="choco" if target.solver == "ortools" else "ortools")
    return len(solve(other, target.seed, True, values)[2]) > 0


if __name__ == "__main__":
    main(solve, holds)
