"""Variants of clingo: what propagation and failed literals decide at the root, and what options turn off."""

from functools import cache

import pytest

from bench import catalogue
from bench.campaign.results import Row
from bench.contract import Status, Task
from tests.conftest import LAB


@cache
def measured(instance: str, solver: str, formulation: str = "") -> Row:
    """The row of a variant that counts; figures that it lacks are an error where they are compared.

    Args:
        formulation: by default the backend's.
    """
    path = catalogue.find_instance(instance)
    default, *_ = LAB.backends["asp"].formulations[catalogue.load(path).puzzle_name]
    return LAB.measure(path, f"asp:{solver}", formulation or default, Task.COUNT)


@pytest.mark.parametrize(
    ("instance", "solved"),
    [
        ("november_2017", ()),
        ("inkala_2012", ()),
        ("september_2019", ("probing",)),
        ("december_2022", ("propagation", "probing")),
    ],
)
def test_probing_decides_what_propagation_decides_and_more(instance: str, solved: tuple[str, ...]) -> None:
    """A variant that decides all atoms has the solution, another stops; only then does the search choose."""
    search, propagation, probing = (measured(instance, name) for name in ("clingo", "propagation", "probing"))
    assert search.variables <= probing.values_left <= propagation.values_left <= propagation.values
    assert search.variables == propagation.variables and propagation.values == probing.values
    for name, row in ("propagation", propagation), ("probing", probing):
        assert (row.values_left == row.variables) == (name in solved)
        assert (row.status, row.solutions) == ((Status.SOLVED, 1) if name in solved else (Status.STOPPED, 0))
    assert (search.branches == 0) == ("propagation" in solved)


def test_variants_turn_off_what_they_say() -> None:
    """The default is `tweety` by another name."""

    def of_bug_byte(solver: str) -> Row:
        return measured("bug_byte", solver, "textbook")

    def figures(solver: str) -> tuple[int | None, ...]:
        row = of_bug_byte(solver)
        return row.branches, row.failures, row.restarts, row.presolved_variables

    default = of_bug_byte("clingo")
    assert figures("tweety") == figures("clingo") != figures("trendy")
    assert of_bug_byte("norestarts").restarts == 0 < default.restarts
    assert of_bug_byte("nopreprocessing").presolved_variables > default.presolved_variables
    assert of_bug_byte("lookahead").branches < default.branches
    without, learning = (measured("june_2022", name, "textbook") for name in ("nolearning", "clingo"))
    assert without.restarts == 0 and without.failures > learning.failures
