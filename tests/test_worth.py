"""What the page of `explain` says of language and paradigm."""

from dataclasses import asdict, replace

import numpy as np
import pandas as pd
import pytest

from bench.analysis.measurements import Figures, Measurement, Place, measurements
from bench.contract import Status, Task
from bench.instruments.explain.tables import worth_table
from bench.stats import Interval
from tests.synthetic import ROW


def measured(
    backend: str, total_s: float, instance: str = "i", formulation: str = "f", **figures: float
) -> Measurement:
    """A measurement of six runs by hand; unsolved if the time is not finite."""
    solved = np.isfinite(total_s)
    times = (total_s,) * 6 if solved else ()
    total = Interval(total_s, total_s, total_s) if solved else None
    return Measurement(
        "p", instance, backend, "c" if backend == "native" else "s", formulation, Task.COUNT, 1, backend,
        size=1, time_limit_s=60.0, runs=6, conclusive=len(times),
        status=Status.SOLVED if solved else Status.TIMEOUT, error="", times=times, sample=(total_s,) * 6,
        unbuilt=(total_s - figures.get("build_s", 0.0),) * 6, total=total, figures=Figures(**figures),
    )  # fmt: skip


def rows(found: list[Measurement]) -> list[list[str]]:
    """Of each row of the table what is compared, on how many problems, the ratios, and the rest."""
    shown = worth_table(found)
    return [[row[0], *row[2:]] for row in shown.rows] if shown else []


def test_the_language_is_worth_what_the_same_search_gains() -> None:
    """Another search in C counts for the paradigm alone, as it is the best formulation here."""
    found = [
        measured("native", 0.01, "a"),
        measured("backtrack", 1.0, "a"),
        measured("native", 0.2, "b"),
        measured("backtrack", 0.8, "b"),
        measured("native", 0.001, "a", "better"),
        measured("native", 0.002, "b", "better"),
        measured("cpsat", 0.1, "a"),
        measured("milp", 0.2, "a"),
        measured("cpsat", 0.3, "b"),
        measured("milp", 0.001, "b"),
    ]
    language, paradigm, unbuilt = rows(found)
    assert language[1:] == ["2", "20", "4.0", "100", "", "", "C 2"] and language[0] == "Python"
    assert paradigm == ["solver", "2", "7.1", "0.50", "100", "", "", "C 1, milp 1"]
    assert unbuilt == ["solver, unbuilt", "2", "7.1", "0.50", "100", "", "", "C 1, milp 1"]
    shown = worth_table(found)
    assert shown and "the fastest of cpsat and milp" in shown.notes[1]


def test_search_and_model_have_their_own_times() -> None:
    """The search alone where it is long; what is solved without building where a model is built."""
    ours = measured("native", 1.0, search_s=0.5, build_s=0.5)
    theirs = measured("backtrack", 10.0, search_s=10.0)
    solver = measured("cpsat", 4.0, build_s=3.0)
    found = rows([ours, theirs, solver])
    assert [row[1:3] for row in found] == [["1", "10"], ["1", "20"], ["1", "4.0"], ["1", "2.0"]]
    assert found[1][0] == "Python, after the root"
    short = replace(theirs, figures=replace(theirs.figures, search_s=0.009))
    assert not any("after the root" in row[0] for row in rows([ours, short, solver]))


def test_what_is_left_without_building_is_of_the_same_runs() -> None:
    """The median time may be less than the median time of building, with a slow seed of most repeats."""
    slow = [(1, repeat, 1.0, 0.9) for repeat in range(1, 6)]
    of_cpsat = pd.DataFrame(
        [
            {
                **asdict(ROW),
                "backend": "cpsat",
                "seed": seed,
                "repeat": repeat,
                "total_s": total_s,
                "build_s": build_s,
            }
            for seed, repeat, total_s, build_s in [*slow, (2, 1, 0.2, 0.1), (3, 1, 0.2, 0.1)]
        ]
    )
    of_native = of_cpsat.assign(backend="native", solver="c", build_s=0.0)
    runs = pd.concat([of_native, of_cpsat], ignore_index=True)
    found = [each for number in range(6) for each in measurements(runs.assign(instance=f"i{number}"))]
    _, unbuilt = rows(found)
    assert unbuilt[0] == "solver, unbuilt" and unbuilt[2] == "0.50"


@pytest.mark.parametrize(
    ("others", "alone"),
    [
        ([measured("backtrack", np.inf, "b"), measured("native", 1.0, "b")], ["1", ""]),
        ([measured("backtrack", 1.0, "b"), measured("native", np.inf, "b")], ["", "1"]),
    ],
)
def test_what_one_side_solves_alone_is_counted(others: list[Measurement], alone: list[str]) -> None:
    (language,) = rows([measured("native", 1.0), measured("backtrack", 3.0), *others])
    assert language[5:7] == alone


def test_nothing_is_said_of_what_was_not_measured_or_not_on_one_host() -> None:
    ours, theirs = measured("native", 1.0), measured("backtrack", 3.0)
    assert rows([theirs, measured("cpsat", 1.0)]) == []
    assert rows([replace(ours, solver="mine"), theirs]) == []
    assert rows([replace(ours, formulation="g"), theirs]) == []
    apart = [replace(each, blocks={Place(each.backend, 0, 1, 1): 1.0}) for each in (ours, theirs)]
    assert rows(apart) == []


def test_few_runs_of_few_problems_say_nothing() -> None:
    """One run of each of many problems does."""

    def once(backend: str, problems: int) -> list[Measurement]:
        found = [measured(backend, 1.0, f"i{number}") for number in range(problems)]
        return [replace(each, runs=1, times=each.times[:1], sample=each.sample[:1]) for each in found]

    assert rows(once("native", 5) + once("backtrack", 5)) == []
    assert len(rows(once("native", 6) + once("backtrack", 6))) == 1
