"""Every backend and formulation on instances, in real workers, and on small random ones."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from bench import catalogue
from bench.campaign.results import Row
from bench.campaign.selection import DEFAULT, TEXTBOOK
from bench.contract import LOCAL, Status, Task
from bench.instruments.generate.instance_file import as_toml
from models.shared.document import Expected
from models.shared.random_instances import RandomInstances
from tests.conftest import EXTRA, INSTANCES, LAB, Lab
from tests.evidence import LOT

IN_FULL = {
    "block_party": "june_2022",
    "choco_banana": "july_2023_example",
    "die_agony": "december_2022_rational",
    "hooks": "march_2024_example",
    "knight_moves": "march_2016",
    "number_cross": "may_2024",
    "sudoku": "inkala_2012",
}
"""The published instance on which every formulation is tried; of other puzzles it is the smallest."""

BEYOND = {
    ("june_2022_without_givens", "csp:smallest", "nearest"),
    ("june_2022_without_givens", "cpmpy", "textbook"),
    ("june_2022_without_givens", "csp:smallest", "textbook"),
    *((name, "csp:smallest", "textbook") for name in ("june_2022", "november_2017", "september_2019")),
    ("bug_byte", "csp:smallest", "textbook"),
    ("may_2024", "csp:smallest", "textbook"),
    ("december_2022_rational", "milp", "textbook"),
    ("january_2018", "csp:smallest", "textbook"),
    ("january_2025", "csp:smallest", "textbook"),
    ("february_2023", "cpmpy", "textbook"),
    *((f"december_2020_{part}", "csp:smallest", "textbook") for part in "acd"),
    *((f"march_2019_{part}", "csp:smallest", "textbook") for part in "bc"),
    ("june_2018", "csp:smallest", "textbook"),
    *((f"march_2025{part}", "csp:smallest", "textbook") for part in ("", "_example")),
    *(
        (name, backend, "textbook")
        for name in ("slitherlink_10x10", "eighteen_cars")
        for backend in ("csp:smallest", "cpmpy")
    ),
    *(("nurikabe_question_marks", backend, "reach") for backend in ("csp:smallest", "cpmpy")),
    ("nurikabe_small", "csp:smallest", "textbook"),
    ("february_2023", "csp:smallest", "textbook"),
    ("aristotle", "milp", "textbook"),
    ("march_2016", "csp:smallest", "textbook"),
    ("april_2017", "csp:smallest", "textbook"),
    ("august_2019", "csp:smallest", "textbook"),
    ("september_2021", "csp:smallest", "textbook"),
    ("january_2022", "milp", "ranking"),
    ("march_2024", "milp", "ranking"),
    ("january_2022", "cpmpy", "textbook"),
    ("june_2019", "cpmpy", "textbook"),
    ("march_2024", "cpmpy", "textbook"),
    ("february_2018", "cpmpy", "textbook"),
    ("february_2014", "csp:smallest", "textbook"),
    ("february_2018", "csp:smallest", "textbook"),
    ("january_2022", "csp:smallest", "textbook"),
    ("june_2019", "csp:smallest", "textbook"),
    ("march_2024", "csp:smallest", "textbook"),
    ("august_2015", "csp:smallest", "textbook"),
    ("july_2016", "csp:smallest", "textbook"),
    ("july_2023_example", "milp", "textbook"),
    ("july_2023_example", "csp:smallest", "textbook"),
    ("july_2023_example", "cpmpy", "textbook"),
    ("july_2023", "csp:smallest", "textbook"),
    ("july_2023", "cpmpy", "textbook"),
    ("shikaku_question_marks", "csp:smallest", "textbook"),
    ("shikaku_question_marks", "cpmpy", "textbook"),
    *((f"{number}_stars", "csp:smallest", "textbook") for number in ("two", "three")),
    *((f"order_{order}", "csp:smallest", "textbook") for order in (16, 22)),
    ("order_22", "milp", "textbook"),
    ("order_22", "backtrack", "weighted"),
    ("lighthouse", "csp:smallest", "textbook"),
    ("spots", "csp:smallest", "textbook"),
    ("digits_of_pi", "csp:smallest", "textbook"),
    *(("twelve_items", backend, "textbook") for backend in ("asp", "cpmpy", "csp:smallest")),
}
"""What takes too long for a test: some of it more than a minute. Aristotle is half given in another."""

LONG_COUNTS = {
    ("aristotle", "milp", "mirrored"),
    ("aristotle", "asp", "textbook"),
    ("aristotle", "cpsat", "textbook"),
    ("aristotle", "csp:smallest", "textbook"),
    ("aristotle", "cpmpy", "textbook"),
    ("august_2019", "milp", "textbook"),
    ("august_2019", "milp", "visits"),
    ("december_2020_d", "cpmpy", "textbook"),
    ("december_2022_rational", "csp:smallest", "textbook"),
    ("july_2023", "milp", "flow"),
    ("march_2024", "cpsat", "ranking"),
}
"""Where a first solution is soon found, but counting takes longer than a test may: three seconds or more."""


def in_full() -> set[Path]:
    """The instances on which every formulation is tried: those of the tests, and one of each puzzle."""
    paths = {path for path in INSTANCES if path.parent.name not in catalogue.puzzle_names()}
    for puzzle in catalogue.puzzle_names():
        found = catalogue.instance_paths(puzzle)
        smallest = min(found, key=lambda name: (catalogue.load(found[name]).puzzle.size, name), default="")
        if name := IN_FULL.get(puzzle, smallest):
            paths.add(found[name])
    return paths


def cases() -> Iterator[tuple[Task, Path, str, str]]:
    """What is counted: by the default formulation of each backend all instances, by others those `in_full`.

    To count is to find a first solution. That task is tried where counting is not, by the default
    formulations in full, and by all models on random instances. The best solution is asked for `in_full`
    alone: a proof may take long.
    """
    every = in_full()
    for path in INSTANCES:
        defaults, instance = set[str](), catalogue.load(path)
        for backend, formulation in LAB.models(instance.puzzle_name):
            default = backend not in defaults
            defaults.add(backend)
            model = (path.stem, backend, formulation)
            if model in BEYOND or not (default or path in every):
                continue
            if instance.objective:
                if path in every:
                    yield Task.BEST, path, backend, formulation
                continue
            if model not in LONG_COUNTS:
                yield Task.COUNT, path, backend, formulation
            if model in LONG_COUNTS or (default and path in every):
                yield Task.FIRST, path, backend, formulation


def statuses(expected: Expected) -> tuple[str, ...]:
    """The statuses that a run may have."""
    if expected.solutions is None:
        return tuple(status for status in Status if status.conclusive)
    return ("solved",) if expected.solutions else ("infeasible",)


@pytest.mark.parametrize(
    ("task", "path", "backend", "formulation"),
    [pytest.param(*case, id="-".join([case[0], case[1].stem, *case[2:]])) for case in cases()],
)
def test_an_instance(lab: Lab, task: Task, path: Path, backend: str, formulation: str) -> None:
    """One solution, or as many as [expected] says, each one checked; none where none is expected."""
    instance = catalogue.load(path)
    expected, new = instance.expected, catalogue.random_instances(instance.puzzle_name) is None
    endless = LOCAL in (backend, formulation)
    row = lab.measure(path, backend, formulation, task, time_limit_s=1 if endless else 5 if new else 60)
    if endless:
        assert (row.status, row.error) == ("feasible", ""), row
        return
    if new and row.status == "timeout":
        pytest.skip("takes too long for a test; BEYOND can name it")
    assert row.status in statuses(expected) and row.error == "", row
    if expected.answer is not None and expected.solutions == 1:
        assert str(row.answer) == str(expected.answer)
    if task == Task.COUNT:
        assert row.solutions == row.witnesses or expected.solutions is not None
        assert expected.solutions in (None, row.solutions)


def test_what_takes_too_long_is_there() -> None:
    """A name that no model has would leave out nothing."""
    models = {
        (path.stem, backend, formulation)
        for path in INSTANCES
        for backend, formulation in LAB.models(catalogue.load(path).puzzle_name)
    }
    core = {model for model in BEYOND | LONG_COUNTS if model[1] not in EXTRA}
    assert core <= models
    assert not {name for puzzle, name in IN_FULL.items() if name not in catalogue.instance_paths(puzzle)}


def by_default(lab: Lab, backend: str, name: str, task: Task) -> Row:
    """The row of a backend's default formulation on an instance."""
    if missing := lab.backends[backend].missing:
        pytest.skip(missing)
    return lab.measure(catalogue.find_instance(name), backend, DEFAULT, task)


@pytest.mark.parametrize(
    ("backend", "name"), [("cpsat", "sudoku_planted_25_13"), ("cpmpy", "june_2022"), ("cpmpy", "may_2024")]
)
def test_a_default_has_one_variable_for_each_cell(lab: Lab, backend: str, name: str) -> None:
    """An integer, or a literal where the rules leave it one value; others have 5 times as many and more."""
    row = by_default(lab, backend, name, Task.FIRST)
    assert (row.status, row.variables) == (Status.SOLVED, row.size), row


def agree_on_the_best(
    lab: Lab, instance: catalogue.Instance, drawn: RandomInstances, models: list[tuple[str, str]]
) -> None:
    """All models prove the best value of all candidates; a local search finds one, and proves nothing."""
    rules, sense = instance.puzzle, instance.objective and instance.objective.sense
    values = {rules.answer(one) for one in drawn.candidates(rules) if not rules.check(one)}
    best = sense.best(values) if sense and values else None  # type: ignore[type-var]
    for backend, formulation in models:
        endless = LOCAL in (backend, formulation)
        row = lab.measure(
            instance.path, backend, formulation, Task.BEST, time_limit_s=0.2 if endless else 120
        )
        if endless:
            assert row.status == ("timeout" if best is None else "feasible"), row
            continue
        status = "infeasible" if best is None else "optimal"
        assert (backend, formulation, row.status, row.objective, row.error) == (
            *(backend, formulation, status, best, ""),
        )


def random_cases() -> Iterator[Any]:
    """Each puzzle with the models of the core and of C, and with those of other solvers that are installed.

    What is counted exhaustively is most of the time, and done for each of these anew.
    """
    for puzzle in catalogue.puzzle_names():
        if (drawn := catalogue.random_instances(puzzle)) is None:
            continue
        models = LAB.models(puzzle)
        core = [model for model in models if model[0] not in EXTRA - {"native"}]
        yield pytest.param(puzzle, drawn, core, id=puzzle)
        if extra := [model for model in models if model not in core]:
            yield pytest.param(puzzle, drawn, extra, id=f"{puzzle}-extra", marks=pytest.mark.extra)


@pytest.mark.parametrize(("puzzle", "drawn", "models"), list(random_cases()))
def test_all_models_find_what_the_checker_accepts(
    lab: Lab, tmp_path: Path, puzzle: str, drawn: RandomInstances, models: list[tuple[str, str]]
) -> None:
    """On small random instances every model finds one solution, and counts as many as an exhaustive look."""

    @settings(max_examples=5, suppress_health_check=list(HealthCheck))
    @given(table=drawn.INSTANCES, turn=st.integers(0, 2))
    def agree(table: dict[str, Any], turn: int) -> None:
        path = tmp_path / "random.toml"
        path.write_text(as_toml(table))
        instance = catalogue.load(path)
        rules = instance.puzzle
        if instance.objective:
            agree_on_the_best(lab, instance, drawn, models)
            return
        expected = sum(not rules.check(candidate) for candidate in drawn.candidates(rules))
        assume(expected <= 30)
        for number, (backend, formulation) in enumerate(models):
            # A first solution is asked for by every third model.
            for task in instance.tasks if number % 3 == turn else [Task.COUNT]:
                seed = 2 if backend == "backtrack" and task == Task.COUNT else 1
                row = lab.measure(path, backend, formulation, task, seed=seed, time_limit_s=120)
                status = "solved" if expected else "infeasible"
                found = min(expected, 1) if task == Task.FIRST else expected
                assert (backend, formulation, task, row.status, row.solutions, row.error) == (
                    *(backend, formulation, task, status, found, ""),
                )

    agree()


MODELLED = ("cpsat", "milp", "cpmpy", "asp", "csp")


@pytest.mark.parametrize("puzzle", catalogue.puzzle_names())
def test_a_kind_is_stated_in_one_place(puzzle: str) -> None:
    """In at most 300 words, which name every formulation; each backend with models has the textbook's."""
    text = (catalogue.folder(puzzle) / "model.md").read_text(encoding="utf-8")
    assert sum(any(map(str.isalnum, word)) for word in text.split()) <= 300
    for backend in MODELLED:
        # Those that were drawn by lot have a fixed effort.
        if backend == "cpmpy" and puzzle in LOT:
            continue
        names = catalogue.tables_in(catalogue.source_of(puzzle, backend), "FORMULATIONS")
        assert TEXTBOOK in names and len(names) <= 4, backend
        assert not [name for name in names if f"`{name}`" not in text], backend
