"""python-constraint: its stock solvers, and one that branches on the smallest domain."""

import random
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from time import perf_counter
from typing import Any

import constraint

from bench.contract import Limits, Outcome, Solver, Task, TimeLimit, Unsupported
from bench.drivers._alarm import alarm
from bench.drivers._models import model_of
from models.shared.model import Model
from models.shared.puzzle import Puzzle, Solution

CORE = True

Assignment = dict[Any, Any]
Domains = dict[Any, Any]
Constraints = list[tuple[constraint.Constraint, Any]]
ByVariable = dict[Any, Constraints]


class SmallestDomainSolver(constraint.Solver):  # type: ignore[misc]
    """Backtracking with forward checking that assigns a variable with the fewest values left.

    The stock solvers order variables by degree first, once or at every node. Ties go to the degree here.
    """

    def getSolutionIter(
        self, domains: Domains, constraints: Constraints, vconstraints: ByVariable
    ) -> Iterator[Assignment]:
        """Every solution, by depth-first search."""
        degree = {variable: len(vconstraints[variable]) for variable in domains}
        assignment: Assignment = {}
        open_variables = set(domains)
        order = {variable: number for number, variable in enumerate(domains)}

        def search() -> Iterator[Assignment]:
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


SOLVERS: dict[str, tuple[str, type[constraint.Solver]]] = {
    "smallest": ("python-constraint, smallest domain first", SmallestDomainSolver),
    "backtracking": ("python-constraint BacktrackingSolver", constraint.BacktrackingSolver),
    "optimized": ("python-constraint OptimizedBacktrackingSolver", constraint.OptimizedBacktrackingSolver),
    "recursive": ("python-constraint RecursiveBacktrackingSolver", constraint.RecursiveBacktrackingSolver),
    "minconflicts": ("python-constraint MinConflictsSolver", constraint.MinConflictsSolver),
}


def solvers() -> Mapping[str, Solver]:
    """The solver of this project and the stock ones."""
    installed = version("python-constraint2")
    return {name: Solver(title, installed) for name, (title, _) in SOLVERS.items()}


def load(solver: str) -> None:
    """Nothing: all is imported with this module."""


def build(formulation: Callable[[Puzzle], Model], puzzle: Puzzle) -> Model:
    """The constraint.Problem of the puzzle."""
    return model_of(formulation, puzzle, constraint.Problem)


class Count(constraint.Constraint):  # type: ignore[misc]
    """Always true; counts how often the solver asks."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, *_: Any) -> bool:
        """Counts, and lets everything pass."""
        self.calls += 1
        return True


class Measured(constraint.Solver):  # type: ignore[misc]
    """Hands a problem on to a solver and notes when, what preprocessing left of it, and the search.

    A backtracking solver asks the constraints of a variable in order for each value that it tries, until
    one is false. So a count in front of them counts the values tried, and one behind them those that held.
    """

    def __init__(self, inner: constraint.Solver, task: Task):
        self.inner, self.task = inner, task
        self.entered_at: float | None = None
        self.variables: int | None = None
        self.constraints: int | None = None
        self.tried, self.held = Count(), Count()

    def getSolutionIter(
        self, domains: Domains, constraints: Constraints, vconstraints: ByVariable
    ) -> Iterator[Assignment]:
        """The solutions of the inner solver; of MinConflictsSolver the first, however often it must start."""
        self.entered_at = perf_counter()
        self.variables = sum(len(domain) > 1 for domain in domains.values())
        self.constraints = len(constraints)
        if isinstance(self.inner, constraint.MinConflictsSolver):
            if self.task == Task.COUNT:
                raise Unsupported("MinConflictsSolver is a local search: it cannot count")
            while not (solution := self.inner.getSolution(domains, constraints, vconstraints)):
                pass
            return iter([solution])
        counted = {
            variable: [(self.tried, [variable]), *checks, (self.held, [variable])]
            for variable, checks in vconstraints.items()
        }
        solutions: Iterator[Assignment] = self.inner.getSolutionIter(domains, constraints, counted)
        return solutions


def permute(problem: constraint.Problem, seed: int) -> None:
    """Puts variables and constraints in the order of the seed; that of seed 1 is the order of the model."""
    if seed != 1:
        shuffle = random.Random(seed).shuffle
        variables = list(problem._variables.items())
        shuffle(variables)
        problem._variables = dict(variables)
        shuffle(problem._constraints)


def solve(
    model: Model,
    task: Task,
    limits: Limits,
    seed: int,
    solver: str,
    on_solution: Callable[[Solution, int], None],
) -> Outcome:
    """Runs the solver over the problem; the library has no time limit, so an alarm ends it."""
    problem: constraint.Problem = model.problem
    permute(problem, seed)
    variables, constraints = len(problem._variables), len(problem._constraints)
    kind = SOLVERS[solver][1]
    local_search = kind is constraint.MinConflictsSolver
    measured = Measured(kind(rand=random.Random(seed)) if local_search else kind(), task)
    problem.setSolver(measured)
    complete = True
    started = perf_counter()
    try:
        with alarm(limits.time_s):
            for assignment in problem.getSolutionIter():
                on_solution(model.decode(assignment.__getitem__), model.stands_for)
                if task == Task.FIRST:
                    break
    except TimeLimit:
        complete = False
    ended = perf_counter()
    entered = measured.entered_at
    searched = entered is not None and not local_search
    return Outcome(
        complete=complete,
        presolve_s=entered - started if entered else None,
        search_s=ended - entered if entered else None,
        solve_s=ended - started,
        variables=variables,
        constraints=constraints,
        presolved_variables=measured.variables,
        presolved_constraints=measured.constraints,
        branches=measured.tried.calls if searched else None,
        failures=measured.tried.calls - measured.held.calls if searched else None,
    )
