"""What the report says of language and paradigm."""

from dataclasses import replace

import numpy as np
import pytest

from bench.analysis import worth
from bench.analysis.measurements import Figures, Measurement
from bench.contract import Status, Task
from bench.stats import Interval


def measured(
    backend: str, total_s: float, instance: str = "i", formulation: str = "f", **figures: float
) -> Measurement:
    """A measurement by hand; unsolved if the time is not finite."""
    solved = np.isfinite(total_s)
    times = (total_s,) if solved else ()
    total = Interval(total_s, total_s, total_s) if solved else None
    return Measurement(
        "p", instance, backend, "c" if backend == "native" else "s", formulation, Task.COUNT, backend, size=1,
        time_limit_s=60.0, runs=1, conclusive=len(times), status=Status.SOLVED if solved else Status.TIMEOUT,
        error="", times=times, sample=(total_s,), total=total, figures=Figures(**figures),
    )  # fmt: skip


def test_the_language_is_worth_what_the_same_search_gains() -> None:
    """Another search in C counts for the paradigm alone, and is its best formulation here."""
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
    language, paradigm = worth.worth(found)
    assert language == (
        "All solutions, what the language is worth: the same search in C is 20 (geometric mean; from 4.0 to "
        "100) times as fast as in Python (2 problems, starting the program included)."
    )
    assert paradigm == (
        "All solutions, what the paradigm is worth: the search in C is 7.1 (geometric mean; from 0.50 to "
        "100) times as fast as the fastest of cpsat and milp (2 problems); without building the model 7.1 "
        "(geometric mean; from 0.50 to 100) times; the fastest is native on 1 and milp on 1."
    )


def test_a_branch_and_the_model_have_their_own_times() -> None:
    """Each branch where both search; what is solved without building where a model is built."""
    ours = measured("native", 1.0, branches=10_000, search_s=0.5, build_s=0.5)
    theirs = measured("backtrack", 10.0, branches=5_000, search_s=10.0)
    solver = measured("cpsat", 4.0, build_s=3.0)
    language, paradigm = worth.worth([ours, theirs, solver])
    assert "is 10 times as fast as in Python (1 problem" in language
    assert language.endswith("; where it searches (1 problem), each branch 40 times.")
    assert "is 4.0 times as fast as cpsat (1 problem); without building the model 2.0 times" in paradigm
    few = replace(ours, figures=replace(ours.figures, branches=worth.ENOUGH - 1))
    assert "each branch" not in worth.worth([few, theirs, solver])[0]


@pytest.mark.parametrize(
    ("others", "says"),
    [
        ([measured("backtrack", np.inf, "b"), measured("native", 1.0, "b")], "; 1 more solved by C alone."),
        (
            [measured("backtrack", 1.0, "b"), measured("native", np.inf, "b")],
            "; 1 more solved by Python alone.",
        ),
    ],
)
def test_what_one_side_solves_alone_is_counted(others: list[Measurement], says: str) -> None:
    (language,) = worth.worth([measured("native", 1.0), measured("backtrack", 3.0), *others])
    assert language.endswith(says)


def test_nothing_is_said_of_what_was_not_measured_or_not_on_one_host() -> None:
    ours, theirs = measured("native", 1.0), measured("backtrack", 3.0)
    assert worth.worth([theirs, measured("cpsat", 1.0)]) == []
    assert worth.worth([replace(ours, solver="mine"), theirs]) == []
    assert worth.worth([replace(ours, formulation="g"), theirs]) == []
    assert worth.worth([replace(ours, host="one"), replace(theirs, host="two")]) == []
