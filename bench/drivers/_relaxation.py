"""The linear relaxation of PuLP models, by HiGHS: what it achieves without branching.

The relaxation is solved for no objective and for _OBJECTIVES random ones, by simplex, so each solution is
a vertex of its polytope. Where all of them are the same point, the last objective is the distance from it in
the L1 norm. That is linear: x - l for a variable x at its lower bound l, u - x for one at its upper bound u.
If the greatest distance is 0 these variables can have no other value. Each of the others, between its
bounds, is minimised and maximised. If none can move, the polytope is that point.
"""

from collections.abc import Iterator, Mapping
from time import perf_counter
from typing import Any

import highspy
import numpy as np
import numpy.typing as npt

from bench.contract import OnSolution, Outcome, SolveRequest, Task, TimeLimit, Unsupported
from bench.drivers._common import Figures, LogFile
from bench.drivers._highs import listen, translate, with_options, zero_is_feasible
from models.shared.model import Model

Values = npt.NDArray[np.double]

_OBJECTIVES = 5
"""How many random objectives are tried."""

_TOLERANCE = 1e-6
"""How far values that are called the same, or whole, may be apart."""

_CONTRADICTION = "HiGHS calls a linear program infeasible of which it has found a point."


class _Infeasible(Exception):
    """The relaxation has no solution, so the integer program has none."""


def solve(
    model: Model, request: SolveRequest, on_solution: OnSolution, options: Mapping[str, Any]
) -> Outcome:
    """Solves the relaxation of the model, or of what presolve leaves of it, for several objectives.

    An integral vertex is a solution of the model. It is the only one if the relaxation is one point, but not
    if the model was presolved: presolve may remove solutions.
    """
    if request.task == Task.BEST:
        raise Unsupported("the relaxation is solved for objectives of its own")
    started = perf_counter()
    until = started + request.time_s
    highs, columns = translate(model.problem, options)
    translated = perf_counter()
    log = LogFile(request.log)
    listen(highs, log.write)
    if request.last_model:
        highs.writeModel(str(request.last_model))

    presolves = request.solver == "presolved_relaxation"
    found: Figures = {"lp_iterations": 0}

    def report(vertex: Values) -> bool:
        """Reports a vertex as a solution; returns False if it breaks lazy constraints."""
        if presolves:
            presolved = highspy.HighsSolution()
            presolved.col_value = vertex.tolist()
            if highs.postsolve(presolved) == highspy.HighsStatus.kError:
                raise RuntimeError("HiGHS does not postsolve a solution of its presolved model")
            vertex = np.array(highs.getSolution().col_value)
        assigned = dict(zip(columns, np.rint(vertex).astype(int).tolist(), strict=True))
        if model.lazy and model.lazy(assigned.__getitem__):
            return False
        on_solution(model.decode(assigned.__getitem__), model.stands_for)
        return True

    searching: float | None = None
    complete = stopped = False
    try:
        lp = _presolved_lp(highs, until, found) if presolves else highs.getLp()
        searching = perf_counter()
        integral: Values | None = None
        for integral in _Relaxation(lp, options, until, log, found).explore(request.seed):
            if request.task == Task.FIRST and not complete:
                complete = report(integral)
        if request.task == Task.COUNT and integral is not None and found["single_point"] and not presolves:
            report(integral)
            complete = True
        stopped = not complete
    except _Infeasible:
        found["relaxation_feasible"] = 0
        complete = True
    except TimeLimit:
        pass
    ended = perf_counter()
    return Outcome(
        complete=complete, stopped=stopped, translate_s=translated - started,
        presolve_s=(searching or ended) - translated if presolves else None,
        search_s=ended - searching if searching else None, solve_s=ended - translated, variables=len(columns),
        constraints=model.problem.numConstraints(),
        nonzeros=sum(len(constraint) for constraint in model.problem.constraints()), branches=0, **found,
    )  # fmt: skip


def _presolved_lp(highs: highspy.Highs, until: float, found: Figures) -> highspy.HighsLp:
    """Returns what HiGHS's presolve of integer programs leaves of the model, and puts its sizes in `found`.

    Raises _Infeasible if presolve proves that there is no solution; TimeLimit if it does not end in time.
    """
    statuses = highspy.HighsPresolveStatus
    highs.setOptionValue("time_limit", max(0.0, until - perf_counter()))
    highs.presolve()
    status = highs.getModelPresolveStatus()
    if status in (statuses.kInfeasible, statuses.kUnboundedOrInfeasible):
        raise _Infeasible
    # Presolve that is out of time may pass for presolve that is done.
    if status == statuses.kTimeout or perf_counter() >= until:
        raise TimeLimit
    if status not in (statuses.kNotReduced, statuses.kReduced, statuses.kReducedToEmpty):
        raise RuntimeError(f"HiGHS ended its presolve with the status {status.name}")
    lp = highs.getPresolvedLp()
    found["presolved_variables"], found["presolved_constraints"] = lp.num_col_, lp.num_row_
    found["presolved_nonzeros"] = len(lp.a_matrix_.value_)
    return lp


class _Relaxation:
    """A linear relaxation, solved for one objective after another; adds what it finds to `found`."""

    def __init__(
        self, lp: highspy.HighsLp, options: Mapping[str, Any], until: float, log: LogFile, found: Figures
    ):
        continuous = highspy.HighsVarType.kContinuous
        self.integers = np.array([kind != continuous for kind in lp.integrality_], dtype=bool)
        self.lower, self.upper = np.array(lp.col_lower_), np.array(lp.col_upper_)
        self.columns = np.arange(lp.num_col_, dtype=np.int32)
        self.until, self.found = until, found
        self.highs = with_options({**options, "solver": "simplex", "presolve": "off"})
        listen(self.highs, log.write)
        lp.integrality_ = []
        self.highs.passModel(lp)

    def explore(self, seed: int) -> Iterator[Values]:
        """Solves for all objectives, and yields each integral vertex.

        Raises _Infeasible if there is no solution; TimeLimit if not all is known in time.
        """
        generator, found = np.random.default_rng(seed), self.found
        vertices: list[Values] = []
        for number in range(1 + _OBJECTIVES):
            status, vertex = self.minimise(self.random_costs(generator) if number else 0.0 * self.columns)
            if status == highspy.HighsModelStatus.kInfeasible:
                raise RuntimeError(_CONTRADICTION) if vertices else _Infeasible
            vertices.append(vertex)
            fractional = int(np.sum(np.abs(vertex - np.rint(vertex))[self.integers] > _TOLERANCE))
            found["relaxation_feasible"] = 1
            found["fractional_min"] = min(fractional, found.get("fractional_min", fractional))
            found["fractional_max"] = max(fractional, found.get("fractional_max", fractional))
            if not fractional:
                yield vertex
        found["agreeing"] = agreeing = int(np.sum(np.ptp(vertices, axis=0) <= _TOLERANCE))
        found["single_point"] = int(agreeing == len(self.columns) and self.is_point(vertices[0]))

    def random_costs(self, generator: np.random.Generator) -> Values:
        """Returns a random objective that is bounded, as the bounds of the variables are."""
        costs = generator.uniform(-1, 1, len(self.columns))
        costs = np.where(np.isinf(self.upper), np.abs(costs), costs)
        return np.where(np.isinf(self.lower), np.where(np.isinf(self.upper), 0, -np.abs(costs)), costs)

    def is_point(self, point: Values) -> bool:
        """Whether there is no other solution, as described at the top."""
        fixed = self.upper - self.lower <= _TOLERANCE
        at_lower = ~fixed & (point - self.lower <= _TOLERANCE)
        at_upper = ~fixed & ~at_lower & (self.upper - point <= _TOLERANCE)
        costs = at_upper.astype(np.double) - at_lower
        # Each variable may be off by the tolerance.
        if self.gain(costs, point) > _TOLERANCE * max(1, len(point)):
            return False
        for column in self.columns[~(fixed | at_lower | at_upper)]:
            costs = np.zeros(len(point))
            for costs[column] in (1.0, -1.0):
                if self.gain(costs, point) > _TOLERANCE:
                    return False
        return True

    def gain(self, costs: Values, point: Values) -> float:
        """Returns by how much less than a point another solution can cost."""
        status, values = self.minimise(costs)
        if status == highspy.HighsModelStatus.kInfeasible:
            raise RuntimeError(_CONTRADICTION)
        return np.inf if status == highspy.HighsModelStatus.kUnbounded else float(costs @ (point - values))

    def minimise(self, costs: Values) -> tuple[highspy.HighsModelStatus, Values]:
        """Returns how HiGHS ended, and the values that it found; raises TimeLimit if it was not in time."""
        highs, statuses = self.highs, highspy.HighsModelStatus
        highs.changeColsCost(len(costs), self.columns, costs)
        # The clock of HiGHS runs on over all solves of a linear program.
        highs.setOptionValue("time_limit", max(0.0, highs.getRunTime() + self.until - perf_counter()))
        highs.run()
        self.found["lp_iterations"] += max(highs.getInfo().simplex_iteration_count, 0)
        status = highs.getModelStatus()
        if status == statuses.kTimeLimit:
            raise TimeLimit
        if status == statuses.kModelEmpty:
            status = statuses.kOptimal if zero_is_feasible(highs) else statuses.kInfeasible
        if status not in (statuses.kOptimal, statuses.kInfeasible, statuses.kUnbounded):
            raise RuntimeError(f"HiGHS ended with the status {highs.modelStatusToString(status)!r}")
        return status, np.array(highs.getSolution().col_value)
