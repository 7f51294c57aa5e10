"""Variants of solvers: each of them on a small instance with several solutions."""

import pytest

from bench.analysis.tables import STOPPING
from bench.contract import Status, Task
from tests.conftest import LAB, Lab
from tests.test_solvers import FAMILIES

VARIANTS = [
    f"{name}:{solver}"
    for name, backend in LAB.backends.items()
    for solver, found in backend.solvers.items()
    if found.variant and not found.missing
]
CROSS = FAMILIES / "number_cross/family-size/number_cross_3_1.toml"
"""An instance with 6 solutions."""


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_claims_nothing_wrong(lab: Lab, name: str) -> None:
    """It has as many solutions as there are, or gives up as its name says; a search may lack steps."""
    backend = name.partition(":")[0]
    formulation = lab.backends[backend].formulations["number_cross"][0]
    row = lab.measure(CROSS, name, formulation, Task.COUNT)
    gives_up = Status.STOPPED if name.partition(":")[2] in STOPPING else Status.UNSUPPORTED
    assert (row.status, row.solutions) == (Status.SOLVED, 6) or row.status is gives_up, row.error
    assert row.status is not Status.UNSUPPORTED or name.startswith("backtrack:") or name == "asp:usc"
