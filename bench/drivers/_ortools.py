"""CP-SAT's Python API, imported without pandas, which needs longer than all the rest and is not used here.

`cp_model` imports it for the types of functions on series of variables.
"""

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType


class _Named(ModuleType):
    """A library whose names are empty classes, until it is imported when one of them is used."""

    used = False

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(importlib.import_module(self.__name__), name) if self.used else type(name, (), {})


@contextmanager
def _only_named(library: str) -> Iterator[None]:
    """Does not import a library that is imported meanwhile for type annotations.

    Functions that look up a name of it, as `pd.Series`, when they are called get the library itself, and so
    does whoever imports it afterwards.
    """
    if library in sys.modules:
        yield
        return
    sys.modules[library] = named = _Named(library)
    try:
        yield
    finally:
        named.used = True
        del sys.modules[library]


with _only_named("pandas"):
    from ortools.sat.python import cp_model, cp_model_helper

__all__ = ["cp_model", "cp_model_helper"]
