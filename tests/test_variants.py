"""Variants of solvers: each of them on a small instance of each puzzle."""

import pytest

from bench import catalogue
from bench.analysis.why.variants import STOPPING
from bench.contract import Status, Task
from tests.conftest import LAB, Lab
from tests.test_solvers import SMALL

VARIANTS = [
    f"{name}:{solver}"
    for name, backend in LAB.backends.items()
    for solver, found in backend.solvers.items()
    if found.variant and not found.missing
]


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_claims_nothing_wrong(lab: Lab, name: str) -> None:
    """It has as many solutions as the default has, or says that it gave up or has no such step.

    All but those that do not search solve one of the instances at least.
    """
    backend = name.partition(":")[0]
    statuses = set()
    for path in SMALL[:3]:
        puzzle = catalogue.load(path).puzzle_name
        formulation = lab.backends[backend].formulations[puzzle][0]
        expected = lab.measure(path, backend, formulation, Task.COUNT)
        row = lab.measure(path, name, formulation, Task.COUNT)
        assert row.status in (Status.SOLVED, Status.STOPPED, Status.UNSUPPORTED), row.error
        assert row.status is not Status.SOLVED or row.solutions == expected.solutions
        statuses.add(row.status)
    assert Status.SOLVED in statuses or name.partition(":")[2] in STOPPING
