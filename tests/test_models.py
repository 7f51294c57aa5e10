"""Every backend and formulation on every instance, in real workers, and on small random ones."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from bench import catalogue
from bench.contract import Task
from models.block_party.puzzle import parse
from tests.conftest import CASES, Lab
from tests.strategies import block_parties, fillings

BEYOND = {
    ("june_2022_without_givens", "csp", "nearest"),
    ("june_2022_without_givens", "backtrack", "propagation"),
}
"""What does not finish within a minute here, whatever the task; measured, and written down in the README."""


def skip_beyond(path: Path, backend: str, formulation: str) -> None:
    if (path.stem, backend, formulation) in BEYOND:
        pytest.skip("does not finish within a minute")


@pytest.mark.parametrize(("path", "backend", "formulation"), CASES)
def test_first(lab: Lab, path: Path, backend: str, formulation: str) -> None:
    """One solution, checked; none where none is expected."""
    skip_beyond(path, backend, formulation)
    expected = catalogue.load(path).expected
    row = lab.measure(path, backend, formulation, Task.FIRST)
    assert (row["status"], row["error"]) == ("infeasible" if expected.solutions == 0 else "solved", "")
    if expected.answer is not None and expected.solutions == 1:
        assert str(row["answer"]) == str(expected.answer)


@pytest.mark.parametrize(("path", "backend", "formulation"), CASES)
def test_count(lab: Lab, path: Path, backend: str, formulation: str) -> None:
    """As many solutions as [expected] says, each one checked."""
    skip_beyond(path, backend, formulation)
    expected = catalogue.load(path).expected
    row = lab.measure(path, backend, formulation, Task.COUNT)
    assert (row["status"], row["error"]) == ("infeasible" if expected.solutions == 0 else "solved", "")
    assert expected.solutions is not None
    assert row["solutions"] == expected.solutions


def as_toml(table: dict[str, Any]) -> str:
    """The table of an instance as a file."""
    return "\n".join(f"{key} = {quoted(value)}" for key, value in table.items() if value is not None) + "\n"


def quoted(value: Any) -> str:
    return f'"""\n{value}\n"""' if "\n" in str(value) else f'"{value}"'


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(table=block_parties())
def test_all_models_count_what_the_checker_accepts(lab: Lab, tmp_path: Path, table: dict[str, Any]) -> None:
    """On small random grids every model finds just the fillings that the checker lets pass."""
    puzzle = parse(table)
    accepted = sum(not puzzle.check(filling) for filling in fillings(puzzle))
    path = tmp_path / "random.toml"
    path.write_text(as_toml(table))
    for backend, formulation in lab.models("block_party"):
        row = lab.measure(path, backend, formulation, Task.COUNT)
        assert (backend, formulation, row["status"], row["solutions"], row["error"]) == (
            backend,
            formulation,
            "solved" if accepted else "infeasible",
            accepted,
            "",
        )
