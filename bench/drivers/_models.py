"""Checks of what a formulation returns."""

from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from bench.catalogue.errors import shown
from bench.contract import ModelError, Unsupported, WrongValues
from models.shared.document import shorten
from models.shared.model import Model
from models.shared.puzzle import Puzzle

TOLERATED = 1e-3
"""An integer variable's value that is further from a whole number is none; solvers tolerate 1e-5 or less."""


def refuse_fractions(solver: str, values: Iterable[float]) -> None:
    """Raises WrongValues if one of the values of integer variables is no whole number."""
    for value in values:
        if abs(value - round(value)) > TOLERATED:
            raise WrongValues(f"{solver} calls {value:g} the value of an integer variable")


def model_of(
    formulation: Callable[[Puzzle], Model], puzzle: Puzzle, kind: type, adds_lazy: bool = False
) -> Model:
    """Builds the model of a puzzle by a function of a model file.

    Args:
        adds_lazy: whether the driver adds lazy constraints.

    Raises:
        ModelError: if the function returns anything but a Model of this kind, the library's class of models,
            or one with lazy constraints that the driver does not add.
    """
    model: object = formulation(puzzle)
    wanted = f"write `return Model(...)` with a {kind.__name__} and a function that decodes"
    if not isinstance(model, Model):
        raise ModelError(f"{place_of(formulation)} returns {shorten(model)}, not a Model; {wanted}")
    if not isinstance(model.problem, kind):
        raise ModelError(f"{place_of(formulation)} returns a Model of {shorten(model.problem)}; {wanted}")
    if not callable(model.decode):
        raise ModelError(f"{place_of(formulation)} returns a Model that cannot decode; {wanted}")
    if model.lazy and not adds_lazy:
        raise ModelError(
            f"{place_of(formulation)} returns a Model with lazy constraints, which only cpsat and milp add; "
            "state all constraints in the model"
        )
    return model


def refuse_lazy(model: Model) -> None:
    """Raises Unsupported if a model that is to be written to a file leaves constraints out of it."""
    if model.lazy:
        raise Unsupported(
            "the model has lazy constraints, which are not in it until a solution breaks them: "
            "choose another formulation"
        )


def refuse_turned_off(turned_off: Collection[str], model: Model) -> None:
    """Raises Unsupported if a variant would turn off what the formulation's own parameters have set."""
    if taken := sorted(set(turned_off) & set(model.options)):
        raise Unsupported(f"the formulation itself sets {taken[0]}: compare with a formulation that does not")


def place_of(function: Callable[..., object]) -> str:
    """Returns the file, line and name of a function."""
    name = getattr(function, "__name__", repr(function))
    code = getattr(function, "__code__", None)
    return f"{shown(Path(code.co_filename))}:{code.co_firstlineno}: {name}" if code else name
