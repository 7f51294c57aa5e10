"""The order of formulations and solvers follows the rule of tests/defaults.py."""

from bench import catalogue
from bench.analysis.tables import read_runs
from tests import defaults

RUNS = read_runs(defaults.FOLDER)


def test_formulations_stand_in_the_order_of_the_rule() -> None:
    for (puzzle, backend), means in defaults.by_formulation(RUNS).items():
        assert defaults.formulations(puzzle, backend) == [*means], f"{puzzle}, {backend}"


def test_the_default_solvers_are_those_of_the_rule() -> None:
    for backend, means in defaults.by_solver(RUNS).items():
        others = {*defaults.SETTINGS[backend]} - {*means}
        names = [name for name in catalogue.solver_names(backend) if name in means]
        assert not others and names[0] == next(iter(means))


def test_the_tables_are_those_of_the_campaign() -> None:
    text = (defaults.FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(table.markdown() in text for table in defaults.tables(RUNS))
