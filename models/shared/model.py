"""Models, as a model file hands them to a driver, and how their solutions are decoded."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from models.shared.puzzle import Solution
from models.shared.search import View

Option = TypeVar("Option")
Formulation = TypeVar("Formulation", bound=Callable[..., Any])

Values = Callable[[Any], Any]
"""Returns the value that the solver assigned to a variable of the model."""


Left = Mapping[Any, Sequence[Any]]
"""The values that each variable of a model can still have."""


@dataclass(frozen=True)
class Model:
    """A puzzle stated for one solver library.

    Attributes:
        problem: the library's own object, or a LogicProgram or NativeInput.
        decode: turns the values of the variables into a solution of the puzzle.
        decisions: the variables that tell solutions apart, for a driver that cuts solutions off; empty means
            all variables of CP-SAT, all binary ones of PuLP.
        stands_for: the number of solutions of the puzzle for which each solution of the model stands
            (more than 1 where the model breaks symmetry).
        view: what is known of the puzzle if so many values are left, for a search that is watched; of one
            variable and one value, what is known then. None if the variables are the unknowns.
        lazy: constraints that `problem` leaves out, since there are too many: returns some that the values of
            a solution of `problem` break, none if it is a solution of the puzzle. The driver adds them and
            solves again. Each holds in all solutions of the puzzle. None if nothing is left out.
        integral: for PuLP, whether each continuous variable has a whole value in some solution with the
            values of the others.
        better: for python-constraint, which has no objective, the constraint `Better` of `problem`.
    """

    problem: Any
    decode: Callable[[Values], Solution]
    decisions: Sequence[Any] = ()
    stands_for: int = 1
    view: Callable[[Left], View] | None = None
    lazy: Callable[[Values], Sequence[Any]] | None = None
    integral: bool = False
    better: Any = None


@dataclass(frozen=True)
class Reasoned:
    """A formulation that states what Python infers from the puzzle first, which is timed by itself.

    Attributes:
        infer: what is inferred from a puzzle, such as the values that its rules leave.
        state: the model of a puzzle, given that.
    """

    infer: Callable[[Any], Any]
    state: Callable[[Any, Any], Any]

    @property
    def __name__(self) -> str:
        """The name of the formulation."""
        return self.state.__name__

    def __call__(self, puzzle: Any) -> Any:
        """The model, as a driver asks for it."""
        return self.state(puzzle, self.infer(puzzle))


def reasoned(infer: Callable[[Any], Any]) -> Callable[[Callable[[Any, Any], Any]], Reasoned]:
    """Declares that a formulation reasons: above a function of the puzzle and of what `infer` returns."""
    return lambda state: Reasoned(infer, state)


class Fillable(Protocol):
    """A puzzle whose solution is one value for each of its unknowns: cells, or edges."""

    def solution(self, value_of: Callable[[Any], Any]) -> Solution:
        """The solution in which each unknown i has the value `value_of(i)`."""
        ...


def by_name(*formulations: Formulation) -> dict[str, Formulation]:
    """The formulations of a model file by the names of their functions, the default first."""
    return {formulation.__name__: formulation for formulation in formulations}


def from_integers(puzzle: Fillable, x: Mapping[Any, Any]) -> Callable[[Values], Solution]:
    """Decodes integer variables: unknown i has the value of x[i]."""
    return lambda value: puzzle.solution(lambda i: value(x[i]))


def from_literals(puzzle: Fillable, holds: Mapping[Any, Mapping[Any, Any]]) -> Callable[[Values], Solution]:
    """Decodes binary variables: unknown i has the value v for which holds[i][v] is 1."""
    return lambda value: puzzle.solution(lambda i: chosen(holds[i], value))


def from_atoms(puzzle: Fillable) -> Callable[[Values], Solution]:
    """Decodes atoms holds(I,V): unknown i has the value v for which one is true."""
    return lambda value: puzzle.solution(dict(value("holds")).__getitem__)


def chosen(options: Mapping[Option, Any], value: Values) -> Option:
    """Returns the option whose binary variable is 1."""
    return next(option for option, variable in options.items() if value(variable))
