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

_HOME = {
    "ROOT": "bench.catalogue",
    "Redo": "bench.campaign.schedule",
    "Repeats": "bench.campaign.schedule",
    "Request": "bench.campaign.selection",
    "RequestError": "bench.catalogue",
    "Solvers": "bench.campaign.selection",
    "Status": "bench.contract",
    "Task": "bench.contract",
    "measure": "bench.analysis.tables",
    "measurements": "bench.analysis.measurements",
    "read_runs": "bench.analysis.tables",
}
"""The module of each name."""


def __getattr__(name: str) -> object:
    """Imports one of the names."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)
