"""Cross Sums: the search in C executes the same steps as that in Python."""

from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.contract import OnSolution, SolveRequest, Task
from bench.drivers import native as driver
from bench.drivers._compiler import compiler
from models.cross_sums import native
from models.cross_sums.backtrack import propagation
from models.cross_sums.puzzle import parse
from models.cross_sums.random_instances import cross_sums
from models.shared.random_instances import header
from models.shared.search import Tally


def long_row(length: int, clue: int, rule: str = "sum_or_product") -> dict[str, Any]:
    """A table of one row."""
    cells = " ".join("." * length)
    return header("cross_sums") | {
        "cells": cells,
        "rule": rule,
        "across": f"1 0 0 {length} {clue}",
    }


LARGE = [
    *(long_row(11, 2**31), long_row(19, 9**18), long_row(18, 8**18), long_row(70, 629)),
    *(long_row(6, 39, "sum"), long_row(40, 200, "sum")),
]
"""Products of more than 32 bits; more cells than a machine word has bits, or than there are digits."""


@pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
@settings(max_examples=20, suppress_health_check=list(HealthCheck), database=None)
@given(st.one_of(cross_sums(), cross_sums(), st.sampled_from(LARGE)))
def test_the_search_in_c_executes_the_same_steps(table: dict[str, Any]) -> None:
    """Thus the two compare languages."""
    puzzle = parse(table)
    tally = Tally()
    expected = list(propagation(puzzle, tally))
    found: list[Any] = []
    keep: OnSolution = lambda solution, stands_for: found.append(solution)  # noqa: E731
    request = SolveRequest(Task.COUNT, time_s=60, threads=1, seed=1, solver="c")
    figures = asdict(driver.solve(native.propagation(puzzle), request, keep))
    assert found == expected
    assert [figures[name] for name in ("variables", "presolved_variables")] == [
        tally.variables,
        tally.undecided,
    ]
    counters = ("branches", "failures", "propagations")
    assert [figures[name] for name in counters] == [getattr(tally, name) for name in counters]
