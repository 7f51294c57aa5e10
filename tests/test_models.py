"""Every backend and formulation on every instance, in real workers, and on small random ones."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings

from bench import catalogue
from bench.campaign.results import Row
from bench.contract import Status, Task
from models.shared.document import Expected
from tests.conftest import EXTRA, INSTANCES, LAB, Lab
from tests.strategies import MADE
from tests.strategies.tables import as_toml

CASES = [
    pytest.param(path, backend, formulation, id=f"{path.stem}-{backend}-{formulation}")
    for path in INSTANCES
    for backend, formulation in LAB.models(catalogue.load(path).puzzle_name)
]
"""Every backend and formulation on every instance."""

BEYOND = {
    ("june_2022_without_givens", "cpmpy", "rubin"),
    ("june_2022_without_givens", "csp", "nearest"),
    ("december_2022_rational", "cpmpy", "network"),
    ("december_2022_rational", "milp", "network"),
    ("aristotle", "milp", "integers"),
    ("aristotle", "milp", "binaries"),
    ("aristotle", "cpsat", "binaries"),
}
"""What takes too long for a test: some of it more than a minute, all of it more than ten seconds."""


def measured(lab: Lab, path: Path, backend: str, formulation: str, task: Task) -> Row:
    """The row of a run; the test is skipped if that takes too long, of a puzzle that is new here any time."""
    if (path.stem, backend, formulation) in BEYOND:
        pytest.skip("takes too long for a test")
    new = catalogue.load(path).puzzle_name not in MADE
    row = lab.measure(path, backend, formulation, task, time_limit_s=20 if new else 60)
    if new and row.status == "timeout":
        pytest.skip("takes too long for a test; BEYOND can name it")
    return row


def statuses(expected: Expected) -> tuple[str, ...]:
    """The statuses that a run may have."""
    if expected.solutions is None:
        return tuple(status for status in Status if status.conclusive)
    return ("solved",) if expected.solutions else ("infeasible",)


@pytest.mark.parametrize(("path", "backend", "formulation"), CASES)
def test_first(lab: Lab, path: Path, backend: str, formulation: str) -> None:
    """One solution, checked; none where none is expected."""
    expected = catalogue.load(path).expected
    row = measured(lab, path, backend, formulation, Task.FIRST)
    assert row.status in statuses(expected) and row.error == "", row
    if expected.answer is not None and expected.solutions == 1:
        assert str(row.answer) == str(expected.answer)


@pytest.mark.parametrize(("path", "backend", "formulation"), CASES)
def test_count(lab: Lab, path: Path, backend: str, formulation: str) -> None:
    """As many solutions as [expected] says, each one checked."""
    expected = catalogue.load(path).expected
    row = measured(lab, path, backend, formulation, Task.COUNT)
    assert row.status in statuses(expected) and row.error == "", row
    assert row.solutions == row.witnesses or expected.solutions is not None
    assert expected.solutions in (None, row.solutions)


def shapes(puzzle: str, models: list[tuple[str, str]]) -> Any:
    """A test of one puzzle: random tables, and these models of it on them."""
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
        for backend, formulation in models:
            for task in Task:
                seed = 2 if backend == "backtrack" and task == Task.COUNT else 1
                row = lab.measure(path, backend, formulation, task, seed=seed, time_limit_s=20)
                status = "solved" if expected else "infeasible"
                found = min(expected, 1) if task == Task.FIRST else expected
                assert (backend, formulation, task, row.status, row.solutions, row.error) == (
                    *(backend, formulation, task, status, found, ""),
                )

    return agree


def random_cases() -> Iterator[Any]:
    """Each puzzle with the models of the core, and with those of the other solvers that are installed."""
    for puzzle in MADE:
        models = LAB.models(puzzle)
        core = [model for model in models if model[0] not in EXTRA]
        yield pytest.param(puzzle, core, id=puzzle)
        if extra := [model for model in models if model not in core]:
            yield pytest.param(puzzle, extra, id=f"{puzzle}-extra", marks=pytest.mark.extra)


@pytest.mark.parametrize(("puzzle", "models"), list(random_cases()))
def test_all_models_find_what_the_checker_accepts(
    lab: Lab, tmp_path: Path, puzzle: str, models: list[tuple[str, str]]
) -> None:
    """On small random instances every model finds one solution, and counts as many as an exhaustive look."""
    shapes(puzzle, models)(lab, tmp_path)
