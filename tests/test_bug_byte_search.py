"""Bug Byte: the search in C takes the same steps as that in Python."""

from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bench import catalogue
from bench.contract import OnSolution, SolveRequest, Task
from bench.drivers import native as driver
from bench.drivers._compiler import compiler
from models.bug_byte import backtrack, native
from models.bug_byte.backtrack import TREE
from models.bug_byte.puzzle import BugByte, parse
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


def takes_the_same_steps(name: str, puzzle: BugByte, task: Task) -> Tally:
    """Asserts that both searches find the same and count the same; returns what they count."""
    tally, found = Tally(), list[Any]()
    solutions = backtrack.FORMULATIONS[name](puzzle, tally)
    expected = list(solutions) if task == Task.COUNT else [next(solutions)]
    keep: OnSolution = lambda solution, stands_for: found.append(solution)  # noqa: E731
    request = SolveRequest(task, time_s=60, threads=1, seed=1, solver="c")
    figures = asdict(driver.solve(native.FORMULATIONS[name](puzzle), request, keep))
    assert found == expected
    assert figures["presolved_variables"] == tally.undecided
    for counter in ("variables", "branches", "failures", "propagations"):
        assert figures[counter] == getattr(tally, counter), counter
    return tally


@needs_compiler
@settings(max_examples=20, suppress_health_check=list(HealthCheck), database=None)
@given(bug_bytes(), st.sampled_from(list(backtrack.FORMULATIONS)))
@example(STAR | {"sums": {"A": -47}}, "propagation")
@example(STAR | {"sums": {"A": 10**30}}, "propagation")
def test_the_search_in_c_takes_the_same_steps(table: dict[str, Any], name: str) -> None:
    """Thus the two compare languages."""
    takes_the_same_steps(name, parse(table), Task.COUNT)


@needs_compiler
def test_both_searches_restart_at_the_same_failures() -> None:
    path = catalogue.ROOT / "instances/bug_byte/family-size/bug_byte_64_1.toml"
    puzzle = catalogue.load(path).puzzle
    assert isinstance(puzzle, BugByte)
    tally = takes_the_same_steps("weighted_degree", puzzle, Task.FIRST)
    assert tally.failures > TREE
