"""Bug Byte: the search in C takes the same steps as that in Python."""

from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings

from bench.contract import OnSolution, SolveRequest, Task
from bench.drivers import native as driver
from bench.drivers._compiler import compiler
from models.bug_byte import backtrack, native
from models.bug_byte.puzzle import parse
from models.bug_byte.random_instances import bug_bytes
from models.shared.search import Tally

STAR = {
    "puzzle": "bug_byte",
    "title": "star",
    "source": "made",
    "edges": [["A", "B"], ["A", "C"]],
    "endpoints": ["A", "C"],
    "paths": {},
}

needs_compiler = pytest.mark.skipif(compiler() is None, reason="there is no C compiler")


@needs_compiler
@settings(max_examples=20, suppress_health_check=list(HealthCheck), database=None)
@given(bug_bytes())
@example(STAR | {"sums": {"A": -47}})
@example(STAR | {"sums": {"A": 10**30}})
def test_the_search_in_c_takes_the_same_steps(table: dict[str, Any]) -> None:
    """Thus the two compare languages."""
    puzzle, tally, found = parse(table), Tally(), list[Any]()
    expected = list(backtrack.propagation(puzzle, tally))
    keep: OnSolution = lambda solution, stands_for: found.append(solution)  # noqa: E731
    request = SolveRequest(Task.COUNT, time_s=60, threads=1, seed=1, solver="c")
    figures = asdict(driver.solve(native.propagation(puzzle), request, keep))
    assert found == expected
    assert figures["presolved_variables"] == tally.undecided
    for counter in ("variables", "branches", "failures", "propagations"):
        assert figures[counter] == getattr(tally, counter), counter
