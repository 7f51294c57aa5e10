"""Shows a fault of a MIP solver without other programs: exits with 1 if it shows, with 0 if not."""

import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from bench.instruments.fuzz.check_witness import read_mps, violations
from bench.instruments.fuzz.showing import Said, Target, main

_Result = tuple[str, Mapping[str, float] | None]
"""The status in the solver's words, and the value of each column; None without a solution."""


def _highs(target: Target, seed: int, presolve: bool) -> _Result:
    import highspy
    import numpy as np

    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("random_seed", seed)
    highs.setOptionValue("threads", target.threads)
    highs.setOptionValue("time_limit", target.time_s)
    highs.setOptionValue("presolve", "choose" if presolve else "off")
    highs.readModel(target.model)
    if target.base_rows is not None:
        # As it happened: the rows after these were added one at a time, after a solve each.
        lp = highs.getLp()
        later = np.arange(target.base_rows, lp.num_row_, dtype=np.int32)
        rows = [(lp.row_lower_[row], lp.row_upper_[row], *highs.getRowEntries(row)[1:]) for row in later]
        highs.deleteRows(len(later), later)
        for least, most, places, values in rows:
            highs.run()
            highs.addRow(least, most, len(places), places, values)
    highs.run()
    if (said := highs.modelStatusToString(highs.getModelStatus())) != "Optimal":
        return said, None
    return said, dict(zip(highs.getLp().col_names_, highs.getSolution().col_value, strict=True))


def _cbc(target: Target, seed: int, presolve: bool) -> _Result:
    import pulp  # It brings the program.

    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder, "solution")
        options = ["-sec", target.time_s, "-randomCbcSeed", seed, "-timeMode", "elapsed"]
        options += ["-threads", target.threads] if target.threads > 1 else []
        options += [] if presolve else ["-presolve", "off", "-preprocess", "off"]
        options += ["-branch", "-printingOptions", "all", "-solution", answer]
        words = [pulp.PULP_CBC_CMD().path, target.model, *options]
        subprocess.run([str(word) for word in words], stdout=subprocess.DEVNULL, check=True)
        said, *lines = answer.read_text().splitlines()
    if not said.startswith("Optimal"):
        return said, None
    # A line: number, name, value, reduced cost; after ** if the solver itself finds the value infeasible.
    columns = [line.replace("**", "").split() for line in lines]
    return said, {name: float(value) for _, name, value, _ in columns}


def _scip(target: Target, seed: int, presolve: bool) -> _Result:
    import pyscipopt

    model = pyscipopt.Model()
    model.hideOutput()
    model.setParam("randomization/randomseedshift", seed - 1)
    model.setParam("limits/time", target.time_s)
    model.readProblem(target.model)
    if not presolve:
        model.setPresolve(pyscipopt.SCIP_PARAMSETTING.OFF)
    model.optimize()
    if (said := model.getStatus()) != "optimal":
        return said, None
    return said, {variable.name: model.getVal(variable) for variable in model.getVars()}


def solve(target: Target, seed: int, presolve: bool) -> Said:
    """What the solver says of the model."""
    solvers = {"cbc": _cbc, "scip": _scip}
    said, values = solvers.get(target.solver, _highs)(target, seed, presolve)
    return said, values is not None or "infeasible" in said.lower(), [] if values is None else [values]


def holds(target: Target, values: Mapping[str, float], tolerance: float = 0) -> bool:
    """Whether values that a solver gave satisfy the model."""
    program = read_mps(Path(target.model).read_text())
    # Solvers give floats, those of integer columns nearly whole.
    nearest = {name: round(value) for name, value in values.items() if name in program.integers}
    return not violations(program, {**values, **nearest}, tolerance)


if __name__ == "__main__":
    main(solve, holds)
