"""python-constraint: its own solvers, and one of this project that branches on the smallest domain."""

import random
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import nullcontext
from functools import partial
from time import perf_counter

import constraint

from bench.alarm import alarm
from bench.contract import OnSolution, Outcome, Solver, SolveRequest, Task, TimeLimit, Unsupported
from bench.drivers._common import Figures, model_of
from bench.environment.releases import installed
from bench.trace import Recorder
from models.shared.model import Left, Model
from models.shared.puzzle import Puzzle
from models.shared.search import Unknown, View, Watcher

CORE = True

WATCHED = True

_Assignment = dict[Hashable, object]
_Domains = dict[Hashable, constraint.Domain]
_Check = Callable[..., bool]
_Constraints = list[tuple[_Check, list[Hashable]]]
_ByVariable = dict[Hashable, _Constraints]


class _SmallestDomainSolver(constraint.Solver):  # type: ignore[misc]
    """Backtracking with forward checking that assigns a variable with the fewest values left.

    The stock solvers order variables by degree first, once or at every node; here the degree breaks ties.
    """

    def getSolutionIter(
        self, domains: _Domains, constraints: _Constraints, vconstraints: _ByVariable
    ) -> Iterator[_Assignment]:
        """Yields every solution, by depth-first search."""
        degree = {variable: len(vconstraints[variable]) for variable in domains}
        assignment: _Assignment = {}
        open_variables = set(domains)
        order = {variable: number for number, variable in enumerate(domains)}

        def search() -> Iterator[_Assignment]:
            if not open_variables:
                yield assignment.copy()
                return
            variable = min(open_variables, key=lambda v: (len(domains[v]), -degree[v], order[v]))
            open_variables.remove(variable)
            others = [domains[other] for other in open_variables]
            for value in list(domains[variable]):
                assignment[variable] = value
                for domain in others:
                    domain.pushState()
                if all(check(scope, domains, assignment, True) for check, scope in vconstraints[variable]):
                    yield from search()
                for domain in others:
                    domain.popState()
                del assignment[variable]
            open_variables.add(variable)

        return search()


SOLVERS: Mapping[str, tuple[str, type[constraint.Solver]]] = {
    "recursive": ("python-constraint RecursiveBacktrackingSolver", constraint.RecursiveBacktrackingSolver),
    "backtracking": ("python-constraint BacktrackingSolver", constraint.BacktrackingSolver),
    "optimized": ("python-constraint OptimizedBacktrackingSolver", constraint.OptimizedBacktrackingSolver),
    "minconflicts": ("python-constraint MinConflictsSolver", constraint.MinConflictsSolver),
    "smallest": ("ours, in python-constraint: smallest domain first", _SmallestDomainSolver),
}
"""The solvers by name, with their titles, the default first; a new one needs only an entry."""

_LOCAL = "minconflicts"
"""The one that is a local search, which has a seed and cannot count."""


def solvers() -> Mapping[str, Solver]:
    """Returns the solvers of the library and that of this project."""
    package = "python-constraint2"
    return {
        name: Solver(title, installed(package), complete=name != _LOCAL, packages=(package,))
        for name, (title, _) in SOLVERS.items()
    }


def load(solver: str) -> Model:
    """Imports nothing: python-constraint is imported with this module."""
    problem = constraint.Problem()
    problem.addVariable("x", [1])
    return Model(problem, lambda value: value("x"))


def build(formulation: Callable[[Puzzle], Model], puzzle: Puzzle) -> Model:
    """Returns the constraint.Problem of the puzzle."""
    return model_of(formulation, puzzle, constraint.Problem)


class _Count:
    """A constraint that always holds, and counts how often the solver checks it."""

    calls = 0

    def __call__(self, *_: object) -> bool:
        self.calls += 1
        return True


class _Watch:
    """Tells a watcher of each node of a search: of the root, and of each value tried."""

    def __init__(self, watcher: Watcher, model: Model) -> None:
        self.watcher = watcher
        self.view: Callable[[Left], View] = model.view or View
        self.values = {variable: list(domain) for variable, domain in model.problem._variables.items()}

    def root(self, domains: _Domains, consistent: bool) -> None:
        """Tells of the root, after preprocessing."""
        self.watcher.node(0, "", partial(self.known, domains, {}), consistent)

    def watched(self, check: _Check, variable: Hashable, last: bool) -> _Check:
        """Returns a check that tells of the node if it ends there: it fails, or all have held."""

        def checked(
            scope: object, domains: _Domains, assignment: _Assignment, forward: object = None
        ) -> bool:
            holds = bool(check(scope, domains, assignment, forward))
            if last or not holds:
                decision = _in_words(self.view({variable: [assignment[variable]]}))
                self.watcher.node(len(assignment), decision, partial(self.known, domains, assignment), holds)
            return holds

        return checked

    def known(self, domains: _Domains, assignment: _Assignment) -> View:
        """Returns what is known by the values that each variable can still have."""
        left: dict[Hashable, list[object]] = {}
        for variable, values in self.values.items():
            possible = [assignment[variable]] if variable in assignment else domains[variable]
            left[variable] = [value for value in values if value in possible]
        return self.view(left)


def _in_words(view: View) -> str:
    """Returns what is known if one variable has one value, as in `row 2, column 5: 7` or `edge A-B: 7`."""
    for unknown, values in view.left.items():
        return f"{_place(unknown)}: {values[0]}"
    return f"to {_place(view.path[-1])}" if view.path else " ".join(view.notes)


def _place(unknown: Unknown) -> str:
    """Returns where an unknown is; rows and columns count from 1."""
    match unknown:
        case (int(row), int(column)):
            return f"row {row + 1}, column {column + 1}"
        case (node, other):
            return f"edge {node}-{other}"
    return str(unknown)


class _Reported(list[_Assignment]):
    """The list of solutions of a solver that gives no iterator: reports each as it is added."""

    def __init__(self, report: Callable[[_Assignment], None]):
        self.report = report

    def append(self, solution: _Assignment) -> None:
        """Reports the solution, and keeps the last one."""
        self[:] = [solution]
        self.report(solution)


class _Measured(constraint.Solver):  # type: ignore[misc]
    """Passes a preprocessed problem to a solver; records when, its sizes, and the counters of the search.

    A backtracking solver checks the constraints of a variable in order for each value that it tries, until
    one fails. So a count in front of them counts the values tried, and one behind them those that held.
    """

    def __init__(
        self, inner: constraint.Solver, local: bool, single: bool, report: Callable[[_Assignment], None]
    ):
        self.inner, self.local, self.single, self.report = inner, local, single, report
        self.watch: _Watch | None = None
        self.entered_at: float | None = None
        self.sizes: Figures = {}
        self.tried, self.held = _Count(), _Count()

    def getSolutionIter(
        self, domains: _Domains, constraints: _Constraints, vconstraints: _ByVariable
    ) -> Iterator[_Assignment]:
        """Returns the solutions of the inner solver; a local search starts again until it has one."""
        self.entered_at = perf_counter()
        self.sizes = {
            "presolved_variables": sum(len(domain) > 1 for domain in domains.values()),
            "presolved_constraints": len(constraints),
            "values_left": sum(map(len, domains.values())),
        }
        if self.local:
            while not (solution := self.inner.getSolution(domains, constraints, vconstraints)):
                pass
            return iter([solution])
        counted: _ByVariable = {
            variable: [(self.tried, [variable]), *checks, (self.held, [variable])]
            for variable, checks in vconstraints.items()
        }
        if self.watch:
            self.watch.root(domains, consistent=True)
            for variable, checks in counted.items():
                counted[variable] = [
                    (self.watch.watched(check, variable, check is self.held), scope)
                    for check, scope in checks
                ]
        # Before 2.9 it gives no iterator.
        if isinstance(self.inner, constraint.RecursiveBacktrackingSolver) and not hasattr(
            self.inner, "recursiveBacktrackingIter"
        ):
            self.inner.recursiveBacktracking(_Reported(self.report), domains, counted, {}, self.single)
            return iter(())
        return iter(self.inner.getSolutionIter(domains, constraints, counted))


def solve(model: Model, request: SolveRequest, on_solution: OnSolution) -> Outcome:
    """Runs the solver on the problem; the library has no time limit, so an alarm ends the search."""
    problem: constraint.Problem = model.problem
    if request.seed != 1:  # The order of the model is that of seed 1.
        shuffle = random.Random(request.seed).shuffle
        in_order = list(problem._variables.items())
        shuffle(in_order)
        problem._variables = dict(in_order)
        shuffle(problem._constraints)
    variables, constraints = len(problem._variables), len(problem._constraints)
    values = sum(map(len, problem._variables.values()))
    local = request.solver == _LOCAL
    _, kind = SOLVERS[request.solver]
    if local and request.task != Task.FIRST:
        raise Unsupported(f"{kind.__name__} is a local search: it cannot count or optimise")
    recorder: Recorder | None = None

    def report(assignment: _Assignment) -> None:
        if recorder:
            recorder.solution()
        on_solution(model.decode(assignment.__getitem__), model.stands_for)
        if model.better:
            model.better.best = model.better.limit(assignment, {})

    inner = kind(rand=random.Random(request.seed)) if local else kind()
    measured = _Measured(inner, local, request.task == Task.FIRST, report)
    problem.setSolver(measured)
    traced = None if local else request.trace
    complete = True
    started = perf_counter()
    try:
        with Recorder(traced) if traced else nullcontext() as recorder, alarm(request.time_s):
            measured.watch = _Watch(recorder, model) if recorder else None
            for assignment in problem.getSolutionIter():
                report(assignment)
                if request.task == Task.FIRST:
                    break
            if measured.watch and not measured.entered_at:
                measured.watch.root(problem._variables, consistent=False)
    except TimeLimit:
        complete = False
    ended = perf_counter()
    entered = measured.entered_at
    searched = entered is not None and not local
    return Outcome(
        complete=complete, presolve_s=entered - started if entered else None,
        search_s=ended - entered if entered else None, solve_s=ended - started, variables=variables,
        constraints=constraints, branches=measured.tried.calls if searched else None,
        failures=measured.tried.calls - measured.held.calls if searched else None, values=values,
        **measured.sizes,
    )  # fmt: skip
