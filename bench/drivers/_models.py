"""Checks of what a formulation returns."""

from collections.abc import Callable
from pathlib import Path

from bench.catalogue.errors import shown
from bench.contract import ModelError
from models.shared.document import shorten
from models.shared.model import Model
from models.shared.puzzle import Puzzle


def model_of(formulation: Callable[[Puzzle], Model], puzzle: Puzzle, kind: type) -> Model:
    """Builds the model of a puzzle by a function of a model file.

    Raises:
        ModelError: if the function returns anything but a Model of this kind, the library's class of models.
    """
    model: object = formulation(puzzle)
    wanted = f"write `return Model(...)` with a {kind.__name__} and a function that decodes"
    if not isinstance(model, Model):
        raise ModelError(f"{place_of(formulation)} returns {shorten(model)}, not a Model; {wanted}")
    if not isinstance(model.problem, kind):
        raise ModelError(f"{place_of(formulation)} returns a Model of {shorten(model.problem)}; {wanted}")
    if not callable(model.decode):
        raise ModelError(f"{place_of(formulation)} returns a Model that cannot decode; {wanted}")
    return model


def place_of(function: Callable[..., object]) -> str:
    """Returns the file, line and name of a function."""
    name = getattr(function, "__name__", repr(function))
    code = getattr(function, "__code__", None)
    return f"{shown(Path(code.co_filename))}:{code.co_firstlineno}: {name}" if code else name
