"""Whether an instance has another solution than the known one; imports CP-SAT, so only a worker may."""

from ortools.sat.python import cp_model

from models.shared.model import Model
from models.shared.puzzle import Solution


class Undecided(Exception):
    """The work that was allowed did not suffice."""


def another(model: Model, known: Solution | None, work: float) -> Solution | None:
    """A solution that differs from `known`; None if there is none.

    Args:
        work: how much deterministic time CP-SAT may take: about seconds, and the same on any machine.

    Raises:
        Undecided: if that is not enough to tell.
    """

    class Search(cp_model.CpSolverSolutionCallback):
        found: Solution | None = None

        def on_solution_callback(self) -> None:
            solution = model.decode(self.value)
            if solution != known:
                self.found = solution
                self.stop_search()

    solver, search = cp_model.CpSolver(), Search()
    solver.parameters.num_workers = 1
    solver.parameters.max_deterministic_time = work
    solver.parameters.enumerate_all_solutions = True
    status = solver.solve(model.problem, search)
    if search.found is None and status not in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
        raise Undecided
    return search.found
