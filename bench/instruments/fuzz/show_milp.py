"""Shows a fault of a MIP solver without other programs: exits with 1 if it shows, with 0 if not."""

import subprocess
import tempfile
from pathlib import Path

from bench.instruments.fuzz.check_witness import read_mps, satisfies
from bench.instruments.fuzz.showing import Said, Target, main


def _highs(target: Target, seed: int, presolve: bool) -> Said:
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
        program = read_mps(Path(target.model).read_text())
        later = list(program.rows)[target.base_rows :]
        column = {name: index for index, name in enumerate(highs.getLp().col_names_)}
        last = target.base_rows + len(later)
        highs.deleteRows(len(later), np.arange(target.base_rows, last, dtype=np.int32))
        for row in later:
            highs.run()
            terms = program.coefficients[row]
            places = np.array([column[name] for name in terms], dtype=np.int32)
            values = np.array([float(value) for value in terms.values()])
            least = float(program.rows[row][0] or 0)
            highs.addRow(least, highspy.kHighsInf, len(terms), places, values)
    highs.run()
    said = highs.modelStatusToString(highs.getModelStatus())
    if said != "Optimal":
        return said, said == "Infeasible", []
    return said, True, [dict(zip(highs.getLp().col_names_, highs.getSolution().col_value, strict=True))]


def _cbc(target: Target, seed: int, presolve: bool) -> Said:
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
        return said, "infeasible" in said.lower(), []
    # A line: number, name, value, reduced cost; after ** if the solver itself finds the value infeasible.
    columns = [line.replace("**", "").split() for line in lines]
    return said, True, [{name: float(value) for _, name, value, _ in columns}]


def _scip(target: Target, seed: int, presolve: bool) -> Said:
    import pyscipopt

    model = pyscipopt.Model()
    model.hideOutput()
    model.setParam("randomization/randomseedshift", seed - 1)
    model.setParam("limits/time", target.time_s)
    model.readProblem(target.model)
    if not presolve:
        model.setPresolve(pyscipopt.SCIP_PARAMSETTING.OFF)
    model.optimize()
    said = model.getStatus()
    if said != "optimal":
        return said, said == "infeasible", []
    return said, True, [{variable.name: model.getVal(variable) for variable in model.getVars()}]


def _cplex(target: Target, seed: int, presolve: bool) -> Said:
    from cplex import Cplex

    model = Cplex()
    for set_stream in (model.set_log_stream, model.set_results_stream, model.set_warning_stream):
        set_stream(None)
    model.read(target.model)
    model.parameters.randomseed.set(seed)
    model.parameters.threads.set(target.threads)
    model.parameters.timelimit.set(target.time_s)
    model.parameters.preprocessing.presolve.set(int(presolve))
    model.solve()
    said = model.solution.get_status_string()
    if not model.solution.is_primal_feasible():
        return said, "infeasible" in said, []
    return said, True, [dict(zip(model.variables.get_names(), model.solution.get_values(), strict=True))]


def _gurobi(target: Target, seed: int, presolve: bool) -> Said:
    import gurobipy

    model = gurobipy.read(target.model)
    options = {"OutputFlag": 0, "Seed": seed, "Threads": target.threads, "TimeLimit": target.time_s}
    for name, value in (options if presolve else options | {"Presolve": 0}).items():
        model.setParam(name, value)
    model.optimize()
    known = {gurobipy.GRB.OPTIMAL: "optimal", gurobipy.GRB.INFEASIBLE: "infeasible"}
    said = known.get(model.Status, f"status {model.Status}")
    if said != "optimal":
        return said, said == "infeasible", []
    return said, True, [{variable.VarName: variable.X for variable in model.getVars()}]


def solve(target: Target, seed: int, presolve: bool) -> Said:
    """What the solver says of the model."""
    solvers = {"cbc": _cbc, "scip": _scip, "cplex": _cplex, "gurobi": _gurobi}
    return solvers.get(target.solver, _highs)(target, seed, presolve)


if __name__ == "__main__":
    main(solve, satisfies)
