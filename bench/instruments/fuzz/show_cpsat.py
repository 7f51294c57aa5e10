"""Shows a fault of CP-SAT without other programs: exits with 1 if it shows, with 0 if not."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ortools.sat.python import cp_model

from bench.instruments.fuzz.showing import Said, Target, main


def solve(target: Target, seed: int, presolve: bool, fixed: Mapping[str, int] | None = None) -> Said:
    """What CP-SAT says of the model, with some variables fixed: by their index, as in all solutions."""
    model, solver = cp_model.CpModel(), cp_model.CpSolver()
    proto: Any = model.Proto()
    proto.parse_text_format(Path(target.model).read_text())
    for index, value in (fixed or {}).items():
        proto.variables[int(index)].domain.clear()
        proto.variables[int(index)].domain.extend([value, value])
    solver.parameters.random_seed = seed
    solver.parameters.num_workers = target.threads
    solver.parameters.max_time_in_seconds = target.time_s
    solver.parameters.enumerate_all_solutions = target.count
    solver.parameters.cp_model_presolve = presolve
    found: list[dict[str, int]] = []

    def keep(values: Iterable[int]) -> None:
        found.append({str(index): value for index, value in enumerate(values)})

    class Collect(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            keep(map(self.SolutionIntegerValue, range(len(proto.variables))))

    status = solver.Solve(model, Collect() if target.count else None)
    if not target.count and status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        keep(solver.ResponseProto().solution)
    said = solver.StatusName(status)
    return said, said in ("OPTIMAL", "INFEASIBLE") or bool(found and not target.count), found


def holds(target: Target, values: Mapping[str, int], _tolerance: float = 0) -> bool:
    """Whether values satisfy the model: all variables are fixed, and only checking is left to do."""
    return len(solve(target, target.seed, False, values)[2]) > 0


if __name__ == "__main__":
    main(solve, holds)
