"""The same search in Python and in C."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from bench.contract import SolveRequest, Task
from bench.drivers import backtrack, native
from bench.drivers._compiler import compiler
from models.shared.model import Model
from models.shared.puzzle import Solution
from models.shared.search import Tally

needs_compiler = pytest.mark.skipif(compiler() is None, reason="there is no C compiler")


def found_alike(
    puzzle: Any, search: Callable[[Any, Tally], Iterator[Solution]], program: Model, task: Task = Task.BEST
) -> list[list[Solution]]:
    """What both find; both end, after equally many branches and failures, and find solutions alone."""
    found: list[list[Solution]] = [[], []]
    request = SolveRequest(task, 60.0, 1, 1, "python")
    python = backtrack.solve(partial(search, puzzle), request, lambda each, _: found[0].append(each))
    c = native.solve(program, replace(request, solver="c"), lambda each, _: found[1].append(each))
    assert (python.complete, python.branches, python.failures) == (c.complete, c.branches, c.failures)
    assert c.complete and not any(puzzle.check(each) for one in found for each in one)
    return found
