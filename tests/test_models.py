"""Every backend and formulation on every instance, in real workers, and on small random ones."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings

from bench import catalogue
from bench.contract import Task
from bench.verdict import DONE
from models.shared.document import Expected
from tests.conftest import CASES, Lab
from tests.strategies import MADE, as_toml

BEYOND = {
    ("june_2022_without_givens", "cp", "rubin"),
    ("june_2022_without_givens", "csp", "nearest"),
    ("june_2022_without_givens", "backtrack", "propagation"),
    ("december_2022_rational", "cp", "network"),
    ("december_2022_rational", "milp", "network"),
    ("aristotle", "milp", "all"),
    ("aristotle", "milp", "binaries"),
    ("aristotle", "cpsat", "binaries"),
}
"""What takes too long for a test, more than ten seconds, and so need not be tried."""


def measured(lab: Lab, path: Path, backend: str, formulation: str, task: Task) -> dict[str, Any]:
    """The row of a run; the test is skipped if that takes too long."""
    if (path.stem, backend, formulation) in BEYOND:
        pytest.skip("takes too long for a test")
    row = lab.measure(path, backend, formulation, task, time_limit_s=20)
    if row["status"] == "timeout":
        pytest.skip("takes too long for a test; tests/test_models.py can name it in BEYOND")
    return row


def statuses(expected: Expected) -> tuple[str, ...]:
    """The statuses that a run may have."""
    if expected.solutions is None:
        return DONE
    return ("solved",) if expected.solutions else ("infeasible",)


@pytest.mark.parametrize(("path", "backend", "formulation"), CASES)
def test_first(lab: Lab, path: Path, backend: str, formulation: str) -> None:
    """One solution, checked; none where none is expected."""
    expected = catalogue.load(path).expected
    row = measured(lab, path, backend, formulation, Task.FIRST)
    assert row["status"] in statuses(expected) and row["error"] == "", row
    if expected.answer is not None and expected.solutions == 1:
        assert str(row["answer"]) == str(expected.answer)


@pytest.mark.parametrize(("path", "backend", "formulation"), CASES)
def test_count(lab: Lab, path: Path, backend: str, formulation: str) -> None:
    """As many solutions as [expected] says, each one checked."""
    expected = catalogue.load(path).expected
    row = measured(lab, path, backend, formulation, Task.COUNT)
    assert row["status"] in statuses(expected) and row["error"] == "", row
    assert row["solutions"] == row["witnesses"] or expected.solutions is not None
    assert expected.solutions in (None, row["solutions"])


def shapes(puzzle: str) -> Any:
    """A test of one puzzle: random tables, and all its models on them."""
    tables, count = MADE[puzzle]

    @settings(
        max_examples=8 if puzzle == "number_cross" else 12,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(table=tables)
    def agree(lab: Lab, folder: Path, table: dict[str, Any]) -> None:
        path = folder / "random.toml"
        path.write_text(as_toml(table))
        expected = count(catalogue.load(path).puzzle)
        assume(expected <= 30)
        for backend, formulation in lab.models(puzzle):
            for task in Task:
                seed = 2 if backend == "backtrack" and task == Task.COUNT else 1
                row = lab.measure(path, backend, formulation, task, seed=seed, time_limit_s=20)
                status = "solved" if expected else "infeasible"
                found = min(expected, 1) if task == Task.FIRST else expected
                assert (backend, formulation, task, row["status"], row["solutions"], row["error"]) == (
                    *(backend, formulation, task, status, found, ""),
                )

    return agree


@pytest.mark.parametrize("puzzle", MADE)
def test_all_models_find_what_the_checker_accepts(lab: Lab, tmp_path: Path, puzzle: str) -> None:
    """On small random instances every model finds one solution, and counts as many as an exhaustive look."""
    shapes(puzzle)(lab, tmp_path)
