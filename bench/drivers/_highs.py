"""PuLP models for HiGHS, through its Python API."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from time import perf_counter
from types import SimpleNamespace
from typing import Any

import highspy
import numpy as np
import numpy.typing as npt
import pulp

from bench.contract import OnSolution, Outcome, SolveRequest, Task, TimeLimit, Unsupported
from bench.drivers._common import SolveLog, presolved_sizes, refuse_fractions
from models.shared.milp import binaries
from models.shared.model import Model, Values

Integers = npt.NDArray[np.signedinteger]

_DIVIDE = 32
"""How many solutions are cut off by rows before the space is divided."""


class _NodeLimit(Exception):
    """HiGHS has no solution within its limit of nodes, which only a variant has."""


def solve(
    model: Model, request: SolveRequest, on_solution: OnSolution, options: Mapping[str, Any]
) -> Outcome:
    """Runs HiGHS, again with the lazy constraints that a solution breaks; to count, with each cut off.

    The sizes are those of the first solve; the rest is summed over all solves.
    """
    started = perf_counter()
    highs, columns = translate(model.problem, options)
    translated = perf_counter()
    session = Session(highs, columns, model, request, until=started + request.time_s)
    for variable in model.decisions if request.task == Task.COUNT else ():
        if not {variable.lowBound, variable.upBound} <= {0, 1}:
            raise Unsupported(f"solutions are cut off in binary variables, and {variable.name} is not binary")
    decisions = [columns[variable] for variable in model.decisions or binaries(columns)]
    last = _report_better(session, request, on_solution) if request.task == Task.BEST else None
    complete, stopped = True, False
    try:
        for values in _enumerate_solutions(session, np.array(decisions, dtype=np.int32)):
            on_solution(model.decode(session.values_in(values)), model.stands_for)
            if request.task != Task.COUNT:
                break
    except TimeLimit:
        complete = False
        if request.sense:
            request.on_bound(highs.getInfo().mip_dual_bound)
        if last:
            last(highs.getSolution().col_value)
    except _NodeLimit:
        complete, stopped = False, True
    return Outcome(
        complete=complete, stopped=stopped, translate_s=translated - started,
        presolve_s=session.log.presolve_s, search_s=session.log.search_s, solve_s=perf_counter() - translated,
        variables=len(columns), constraints=model.problem.numConstraints(),
        nonzeros=sum(len(constraint) for constraint in model.problem.constraints()), branches=session.nodes,
        lp_iterations=session.iterations, rounds=session.rounds if model.lazy else None,
        **presolved_sizes("highs", "".join(session.log.first)),
    )  # fmt: skip


def _report_better(
    session: "Session", request: SolveRequest, on_solution: OnSolution
) -> Callable[[Sequence[float]], None] | None:
    """Has HiGHS report each better solution that breaks no lazy constraint, and its bound.

    Before 1.8 it shows no solution but the last: returns what reports that, if it is out of time.
    """
    model = session.model

    def improved(solution: Sequence[float]) -> None:
        if not hasattr(solution, "__len__"):  # Before 1.11.
            solution = [solution[column] for column in range(len(session.columns))]
        value = session.values_in(np.rint(solution).astype(int))
        if not (model.lazy and model.lazy(value)):
            on_solution(model.decode(value), model.stands_for)

    _call(session.highs, "MipLogging", lambda event: request.on_bound(event.data_out.mip_dual_bound))
    if not hasattr(session.highs, "cbMipImprovingSolution"):
        return lambda found: improved(found) if session.has_solution else None
    _call(session.highs, "MipImprovingSolution", lambda event: improved(event.data_out.mip_solution))
    return None


_Columns = dict[pulp.LpVariable, int]

_LinearRow = tuple[float, float, int, Integers, npt.NDArray[np.double]]
"""lower <= sum of coefficients * columns <= upper: lower, upper, how many, columns, coefficients."""


class Session:
    """One HiGHS object that is solved several times; counts over all solves.

    Attributes:
        lazy: the lazy constraints that were added.
    """

    def __init__(
        self, highs: highspy.Highs, columns: _Columns, model: Model, request: SolveRequest, until: float
    ):
        self.highs, self.columns, self.model, self.until = highs, columns, model, until
        self.last_model = request.last_model
        self.lazy: list[_LinearRow] = []
        self.rounds = self.nodes = self.iterations = 0
        self.log = SolveLog(request.log, search="Solving MIP model")
        listen(highs, self.log.hear)

    def values_in(self, solution: Integers) -> Values:
        """Returns the values of PuLP's variables in a solution."""
        return dict(zip(self.columns, solution.tolist(), strict=True)).__getitem__

    @property
    def has_solution(self) -> bool:
        """Whether the last solve has found one."""
        feasible = int(highspy.SolutionStatus.kSolutionStatusFeasible)
        return bool(self.highs.getInfo().primal_solution_status == feasible)

    def next_solution(self) -> Integers | None:
        """Solves until no lazy constraint is broken; returns and raises what `solve` does."""
        while (solution := self.solve()) is not None and self.model.lazy:
            rows = [_row_of(each, self.columns) for each in self.model.lazy(self.values_in(solution))]
            if not rows:
                break
            self.rounds += 1
            self.lazy += rows
            for row in rows:
                self.highs.addRow(*row)
        return solution

    def solve(self) -> Integers | None:
        """Returns the values of the columns of a solution, None if there is none.

        Raises TimeLimit if HiGHS reached it; _NodeLimit if it reached that, without a solution.
        """
        highs, statuses = self.highs, highspy.HighsModelStatus
        if self.last_model:  # Before the solve, in which HiGHS may end the process.
            highs.writeModel(str(self.last_model))
        self.log.begin_solve()
        if not self.log.first:
            # HiGHS writes this line to a console only.
            self.log.write(f"Running HiGHS {highs.version()} (git hash: {highs.githash()})\n")
        before = perf_counter()
        # HiGHS applies its time limit to each solve of an integer program, not to the sum of all.
        highs.setOptionValue("time_limit", max(0.0, self.until - before))
        highs.run()
        self.log.end_solve(before, perf_counter())
        info = highs.getInfo()
        self.nodes += max(info.mip_node_count, 0)
        self.iterations += max(info.simplex_iteration_count, 0)
        status = highs.getModelStatus()
        if status == statuses.kTimeLimit:
            raise TimeLimit
        if status in (statuses.kInfeasible, statuses.kUnboundedOrInfeasible):
            return None
        if status == statuses.kModelEmpty and not zero_is_feasible(highs):
            return None
        if status == statuses.kSolutionLimit and not self.has_solution:
            raise _NodeLimit
        if status not in (statuses.kOptimal, statuses.kModelEmpty, statuses.kSolutionLimit):
            raise RuntimeError(f"HiGHS ended with the status {highs.modelStatusToString(status)!r}")
        found = np.array(highs.getSolution().col_value)
        values: Integers = np.rint(found).astype(int)
        if (found != values).any():
            pairs = zip(found.tolist(), highs.getLp().integrality_, strict=True)
            refuse_fractions("HiGHS", [v for v, kind in pairs if kind == highspy.HighsVarType.kInteger])
        return values


def _enumerate_solutions(session: Session, decisions: Integers) -> Iterator[Integers]:
    """Yields the values of the columns of each solution; solutions differ in a binary decision.

    Each solution is cut off by a row. Solves get slower with every row, so where _DIVIDE solutions are
    known the space is divided by a decision that half of them have at 1: each half needs only its own rows.
    """
    highs = session.highs
    rows = highs.getNumRow()
    bounds_of: dict[int, tuple[float, float]] = {}
    boxes: list[tuple[dict[int, int], list[Integers]]] = [({}, [])]
    while boxes:
        fixed, known = boxes.pop()
        if fixed:  # The first box is the model as it is.
            for column, bounds in bounds_of.items():
                highs.changeColBounds(column, *((fixed[column],) * 2 if column in fixed else bounds))
            cuts = np.arange(rows, highs.getNumRow(), dtype=np.int32)
            highs.deleteRows(len(cuts), cuts)
            for row in session.lazy:
                highs.addRow(*row)
            for solution in known:
                _cut_off(highs, decisions, solution)
        while (values := session.next_solution()) is not None:
            yield values
            known.append(values[decisions])
            _cut_off(highs, decisions, known[-1])
            if len(known) >= _DIVIDE:
                if not fixed:
                    lp = highs.getLp()
                    lower, upper = np.array(lp.col_lower_), np.array(lp.col_upper_)
                    bounds_of = {column: (lower[column], upper[column]) for column in decisions.tolist()}
                split = int(np.argmin(np.abs(np.sum(known, axis=0) - len(known) / 2)))
                for value in (0, 1):
                    half = [solution for solution in known if solution[split] == value]
                    boxes.append((fixed | {int(decisions[split]): value}, half))
                break


def translate(problem: pulp.LpProblem, options: Mapping[str, Any]) -> tuple[highspy.Highs, _Columns]:
    """Returns HiGHS with the problem, passed in one piece, and the column of each variable.

    Raises Unsupported if this release lacks one of the options.
    """
    variables = problem.variables()
    columns = {variable: index for index, variable in enumerate(variables)}
    # PuLP's variables compute their hash in Python: an integer is found sooner.
    column_of_id = {id(variable): index for variable, index in columns.items()}
    constraints = problem.constraints()
    rows = [constraint.expr for constraint in constraints]
    index: list[int] = []
    value: list[float] = []
    for row in rows:
        index += map(column_of_id.__getitem__, map(id, row))
        value += row.values()
    sides = -np.array([constraint.constant for constraint in constraints], dtype=np.double)
    senses = np.array([constraint.sense for constraint in constraints], dtype=np.int8)

    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(variables), len(constraints)
    costs = np.zeros(len(variables))
    for variable, cost in problem.objective.items():
        costs[columns[variable]] = cost
    lp.col_cost_, lp.offset_ = costs, problem.objective.constant
    if problem.sense == pulp.LpMaximize:
        lp.sense_ = highspy.ObjSense.kMaximize
    lp.col_lower_ = _bounds((variable.lowBound for variable in variables), -highspy.kHighsInf)
    lp.col_upper_ = _bounds((variable.upBound for variable in variables), highspy.kHighsInf)
    lp.row_lower_ = np.where(senses == pulp.LpConstraintLE, -highspy.kHighsInf, sides)
    lp.row_upper_ = np.where(senses == pulp.LpConstraintGE, highspy.kHighsInf, sides)
    integer, continuous = highspy.HighsVarType.kInteger, highspy.HighsVarType.kContinuous
    lp.integrality_ = [integer if variable.cat == pulp.LpInteger else continuous for variable in variables]
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.array([0, *accumulate(map(len, rows))], dtype=np.int32)
    lp.a_matrix_.index_ = np.array(index, dtype=np.int32)
    lp.a_matrix_.value_ = np.array(value, dtype=np.double)

    highs = with_options(options)
    if highs.passModel(lp) == highspy.HighsStatus.kError:
        raise ValueError("HiGHS refuses the model")
    return highs, columns


def _row_of(constraint: pulp.LpConstraint, columns: _Columns) -> _LinearRow:
    """Returns a constraint of PuLP as a row."""
    lower, upper = constraint.getLb(), constraint.getUb()
    return (
        -highspy.kHighsInf if lower is None else lower,
        highspy.kHighsInf if upper is None else upper,
        len(constraint),
        np.array([columns[variable] for variable in constraint], dtype=np.int32),
        np.array(list(constraint.values()), dtype=np.double),
    )


def with_options(options: Mapping[str, Any]) -> highspy.Highs:
    """Returns a HiGHS object that prints nothing; raises Unsupported if this release lacks an option."""
    highs = _Highs()
    for name, value in {"log_to_console": False, **options}.items():
        if highs.setOptionValue(name, value) == highspy.HighsStatus.kError:
            raise Unsupported(f"HiGHS {highs.version()} has no option {name}")
    return highs


def listen(highs: highspy.Highs, hear: Callable[[str], None]) -> None:
    """Has HiGHS pass each message of its log, but for what it says of `last_model`."""
    # Until 1.13 HiGHS passes to its callback only what it also writes to a console or to a file.
    highs.setOptionValue("log_file", os.devnull)

    def pass_on(event: Any) -> None:
        if not event.message.startswith("Writing the model"):
            hear(event.message)

    _call(highs, "Logging", pass_on)


class _Highs(highspy.Highs):  # type: ignore[misc]
    """HiGHS with room for attributes, which 1.7 has not."""


def _call(highs: Any, kind: str, function: Callable[[Any], None]) -> None:
    """Has HiGHS call a function for each event of a kind."""
    if hasattr(highs, f"cb{kind}"):
        callback = getattr(highs, f"cb{kind}")
        callback += function
        return
    # Before 1.8 one function is called for all kinds, and to set it ends those that were started.
    kinds = highspy._core.cb.HighsCallbackType
    called = vars(highs).setdefault("called", {})
    called[getattr(kinds, f"kCallback{kind}")] = function

    def call(number: int, message: str, data_out: Any, *_: object) -> None:
        called[kinds(number)](SimpleNamespace(message=message, data_out=data_out))

    highs.setCallback(call, None)
    for each in called:
        highs.startCallback(each)


def zero_is_feasible(highs: highspy.Highs) -> bool:
    """Whether a model without variables is feasible; HiGHS calls it empty and does not check its rows."""
    lp = highs.getLp()
    return bool((np.array(lp.row_lower_) <= 0).all() and (np.array(lp.row_upper_) >= 0).all())


def _bounds(values: Iterable[float | None], missing: float) -> npt.NDArray[np.double]:
    """Returns bounds as an array, `missing` where there is none."""
    return np.array([missing if value is None else value for value in values], dtype=np.double)


def _cut_off(highs: highspy.Highs, decisions: Integers, values: Integers) -> None:
    """Adds the row that at least one binary decision differs: sum of zeros + sum of (1 - ones) >= 1."""
    ones = int(values.sum())
    signs = np.where(values == 1, -1.0, 1.0)
    highs.addRow(1.0 - ones, highspy.kHighsInf, len(decisions), decisions, signs)
