"""CP-SAT's Python API, imported without pandas, which needs longer than all the rest and is not used here.

`cp_model` imports it for the types of functions on series of variables.
"""

import importlib
import sys
from types import ModuleType


class _Named(ModuleType):
    """A library whose names are empty classes, until it is imported when one of them is used."""

    used = False

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(importlib.import_module(self.__name__), name) if self.used else type(name, (), {})


_named = _Named("pandas")
_meanwhile = sys.modules.setdefault("pandas", _named)
try:
    from ortools.sat.python import cp_model, cp_model_helper
finally:
    # Functions that look up a name of it when they are called get pandas itself, as do later imports.
    _named.used = True
    if _meanwhile is _named:
        del sys.modules["pandas"]

__all__ = ["cp_model", "cp_model_helper"]
