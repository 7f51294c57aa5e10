"""Measures solvers on puzzles; what notebooks and scripts use of it stands here.

    from bench import Repeats, Request, measure

    runs = measure(Request(puzzles=["block_party"]), "results/mine", Repeats(5))

Each name is imported when it is used: a worker imports this package too, and needs none of them.
"""

import os
import sys

# `python -m` looks for modules in the current folder first. If this one is from elsewhere, that folder may
# have somebody's results, which are data.
if sys.argv[:1] == ["-m"] and not sys.flags.safe_path and __file__ != f"{sys.path[0]}/bench/__init__.py":
    del sys.path[0]
    # For what this process starts there.
    os.environ["PYTHONSAFEPATH"] = "1"

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bench.analysis.measurements import measurements
    from bench.analysis.tables import measure, read_runs
    from bench.campaign.schedule import Redo, Repeats
    from bench.campaign.selection import Request, Solvers
    from bench.catalogue import ROOT, RequestError
    from bench.contract import Status, Task

_NAMES = {
    "bench.analysis.measurements": ("measurements",),
    "bench.analysis.tables": ("measure", "read_runs"),
    "bench.campaign.schedule": ("Redo", "Repeats"),
    "bench.campaign.selection": ("Request", "Solvers"),
    "bench.catalogue": ("ROOT", "RequestError"),
    "bench.contract": ("Status", "Task"),
}
"""The names of each module."""


def __getattr__(name: str) -> object:
    """Imports one of the names."""
    for module, names in _NAMES.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
