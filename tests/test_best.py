"""The task `best` as it is read: integrals, scores, tables, pictures, and what `gate` and `solve` say."""

import json
from dataclasses import replace
from functools import partial
from io import StringIO
from itertools import pairwise
from math import inf, isclose
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rich.console import Console

from bench import catalogue
from bench.analysis import scores, trust
from bench.analysis.compare import textbook_pairs
from bench.analysis.measurements import Measurement, measurements
from bench.analysis.plots.pictures import pictures
from bench.analysis.tables import current_runs
from bench.analysis.trajectories import Trajectory, best_known, points, primal_gap, with_solution
from bench.campaign.results import Row
from bench.contract import Status, Task
from bench.instruments.regression import compare, gate
from bench.instruments.regression.gate import Exit
from bench.instruments.watch.tree import frames_of, tree_of
from bench.report import findings, tables
from bench.report.terminal import print_ending
from bench.trace import Node
from models.shared.puzzle import Sense
from models.shared.search import View
from tests.conftest import Once
from tests.synthetic import ROW

LIMIT_S = 10.0
Steps = list[tuple[float, int | None, int | None]]


def row(status: str, steps: Steps, total_s: float | None = None, **values: Any) -> Row:
    """A row of the task `best` whose value is to be least, with its trajectory."""
    _, objective, bound = steps[-1] if steps else (0.0, None, None)
    found = [at_s for at_s, value, _ in steps if value == objective]
    kept = ROW if objective is not None else replace(ROW, solution="", answer="", solutions=0, witnesses=0)
    kept = replace(
        kept, task=Task.BEST, status=Status(status), time_limit_s=LIMIT_S, total_s=total_s, sense="least"
    )
    kept = replace(kept, objective=objective, bound=bound, best_s=found[0] if found else None)
    answer = "" if objective is None else str(objective)
    return replace(kept, trajectory=json.dumps(steps) if steps else "", answer=answer, **values)


PROVED = partial(row, "optimal", [(1.0, 30, 10), (2.0, 20, 10), (3.0, 20, 20)], 3.0)
LATER = partial(row, "optimal", [(1.0, 20, None), (6.0, 20, 20)], 6.0)
FOUND = partial(row, "feasible", [(1.0, 40, None), (4.0, 25, 15)], 10.0)
NOTHING = partial(row, "timeout", [])


def runs_of(*rows: Row) -> pd.DataFrame:
    return current_runs(rows)


def measured(*rows: Row) -> list[Measurement]:
    return measurements(runs_of(*rows))


MIXED = (
    PROVED(backend="cpsat", solver="cpsat", formulation="textbook"),
    FOUND(backend="milp", solver="highs", formulation="textbook"),
    NOTHING(backend="asp", solver="clingo"),
)


# Trajectories -----------------------------------------------------------------------------------------------


@st.composite
def trajectories(draw: st.DrawFn) -> Trajectory:
    """Runs whose values become better, of a problem whose best value is 0."""
    sense = draw(st.sampled_from(Sense))
    sign = 1 if sense is Sense.LEAST else -1
    values = sorted(draw(st.lists(st.integers(0, 5), max_size=4, unique=True)), reverse=True)
    times = sorted(draw(st.lists(st.floats(0, 1.2 * LIMIT_S), min_size=len(values), max_size=len(values))))
    best = sign * 10
    steps = [(at_s, best + sign * value, None) for at_s, value in zip(times, values, strict=True)]
    proven = bool(values) and values[-1] == 0 and draw(st.booleans())
    end_s = min(LIMIT_S, times[-1] if proven else LIMIT_S)
    gaps = [(at_s, primal_gap(value, best)) for at_s, value, _ in steps]
    worth = -sign * steps[-1][1] if steps else -inf
    quality = (bool(steps), proven, worth)
    return Trajectory(steps, gaps, best, quality, end_s, LIMIT_S, "h")


@settings(max_examples=40)
@given(trajectories())
def test_the_integral_is_that_of_the_gap_at_each_time(run: Trajectory) -> None:
    """By definition: the gap of the best value until then, constant between the times at which it changes."""

    def gap_at(time_s: float) -> float:
        known = [value for at_s, value, _ in run.steps if at_s <= time_s]
        return primal_gap(known[-1], run.best) if known else 1.0

    times = sorted({0.0, LIMIT_S, *(at_s for at_s, *_ in run.steps if at_s < LIMIT_S)})
    naive = sum(gap_at((one + two) / 2) * (two - one) for one, two in pairwise(times)) / LIMIT_S
    assert isclose(run.integral, naive, abs_tol=1e-9)
    assert 0 <= run.integral <= 1


@settings(max_examples=40)
@given(trajectories(), st.sampled_from([1.0, 0.1, 0.01, 0.0]))
def test_a_target_is_reached_when_the_first_value_is_as_near(run: Trajectory, target: float) -> None:
    near = [at_s for at_s, value, _ in run.steps if abs(value - run.best) <= target * max(abs(value), 10)]
    assert run.reached_s(target) == min(near, default=inf)
    assert run.reached_s(-1.0) == (run.end_s if run.quality[1] else inf)


@settings(max_examples=40)
@given(trajectories(), trajectories())
def test_scores_are_those_of_the_rules(one: Trajectory, other: Trajectory) -> None:
    """Of the MiniZinc Challenge 2020, with its three conditions as they stand there."""

    def score(s: Trajectory, t: Trajectory) -> float:
        def better(a: Trajectory, b: Trajectory) -> bool:
            (solved, optimal, quality), (solved_b, optimal_b, quality_b) = a.quality, b.quality
            return (solved and not solved_b) or (optimal and not optimal_b) or quality > quality_b

        if not s.quality[0] or better(t, s):
            return 0.0
        if better(s, t):
            return 1.0
        return 0.5 if s.end_s == t.end_s == 0 else t.end_s / (t.end_s + s.end_s)

    assume(one.best == other.best)
    assert points(one, other) == score(one, other)
    solved = one.quality[0] or other.quality[0]
    assert points(one, other) + points(other, one) == pytest.approx(float(solved))


def test_equal_answers_of_different_hosts_are_not_told_apart_by_time() -> None:
    one = Trajectory([(1.0, 5, 5)], [], 5, (True, True, -5), 1.0, LIMIT_S, "fast")
    assert points(one, one._replace(end_s=3.0)) == 0.75
    assert points(one, one._replace(end_s=3.0, host="slow")) == 0.5


@pytest.mark.parametrize(
    ("value", "best", "gap"),
    [(5, 5, 0), (0, 0, 0), (8, 10, 0.2), (-8, -10, 0.2), (-1, 1, 1), (3, 0, 1), (None, 1, 1)],
)
def test_gaps_by_hand(value: int | None, best: int, gap: float) -> None:
    assert primal_gap(value, best) == pytest.approx(gap)


def test_the_best_known_value_is_of_any_run_or_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = runs_of(*MIXED)
    assert best_known(runs) == {"s": 20}
    expected = type("Expected", (), {"answer": None, "best": 18})
    monkeypatch.setattr(catalogue, "unchanged", lambda *_: type("Instance", (), {"expected": expected}))
    assert best_known(runs) == {"s": 18}


# Measurements, tables, sentences ----------------------------------------------------------------------------


def test_the_median_run_stands_for_a_measurement() -> None:
    (three,) = measured(FOUND(), PROVED(repeat=2), LATER(repeat=3))
    assert three.typical and three.typical.end_s == 6.0
    (two,) = measured(PROVED(), FOUND(repeat=2))
    assert two.typical and two.typical.steps[-1][1] == 25, "the worse one"
    wrong = replace(PROVED(), status=Status.WRONG, error="it claims that nothing is better")
    (refuted,) = measured(wrong)
    assert refuted.typical and refuted.typical.quality == (False, False, -inf)


def test_integrals_by_hand() -> None:
    of_cpsat, of_milp, of_asp = (each.typical for each in measured(*MIXED))
    assert of_cpsat and of_milp and of_asp
    assert of_cpsat.integral == pytest.approx((1 + 1 / 3) / 10)
    assert of_milp.integral == pytest.approx((1 + 3 * 0.5 + 6 * 0.2) / 10)
    assert of_asp.integral == 1.0


def test_a_solution_that_is_not_proved_is_no_failure() -> None:
    found = {each.backend: each for each in measured(*MIXED)}
    assert found["milp"].failure == "feasible: 25, bound 15"
    assert found["asp"].failure == "timeout"
    assert [failed[5] for failed in tables.failures(runs_of(*MIXED)).rows] == ["timeout"]
    cells = {str(cell) for line in tables.overview(list(found.values())).rows for cell in line}
    assert {"best solution", "feasible: 25, bound 15", "timeout"} <= cells
    statuses = {status: status.failed for status in Status}
    assert [status for status, failed in statuses.items() if not failed] == [
        "solved",
        "infeasible",
        "optimal",
        "feasible",
    ]


def test_the_table_has_a_line_for_each_model() -> None:
    table = tables.optimisation(measured(*MIXED))
    assert [list(line) for line in table.rows] == [
        ["p", "cpsat textbook", "1 of 1", "1", "0.133", "2.0 of 2"],
        ["p", "milp textbook", "0 of 1", "0", "0.370", "1.0 of 2"],
        ["p", "asp f", "0 of 1", "0", "1.000", "0.0 of 2"],
    ]
    counted = scores.challenge(measured(*MIXED))
    assert sum(map(sum, counted.values())) == 3, "each of three pairs shares a point"
    text = Console(file=StringIO(), width=120)
    runs = runs_of(*MIXED)
    print_ending(text, runs, measurements(runs), Path("nowhere"))
    shown = text.file.getvalue()  # type: ignore[attr-defined]
    assert "primal integral" in shown and "0.370" in shown


def test_of_unproved_formulations_the_one_with_the_least_integral_is_best() -> None:
    better = row("feasible", [(1.0, 25, None)], formulation="z")
    assert [each.formulation for each in scores.best_formulations(measured(FOUND(), better))] == ["z"]


def test_textbook_models_are_compared_by_the_best_solution() -> None:
    of = measured(*MIXED)
    ((ip, cp),) = textbook_pairs(of)
    assert (ip.backend, cp.backend) == ("milp", "cpsat")
    slowdowns = scores.slowdowns(of)
    assert findings.winner(slowdowns)[0] == "cpsat"
    assert findings.winner(scores.slowdowns(measured(FOUND(), NOTHING(backend="asp")))) == ("", "not proved")


def test_the_best_solution_of_an_instance_is_shown() -> None:
    most = [replace(each, sense="most") for each in (FOUND(), PROVED(backend="c"))]
    for rows, best in ((MIXED, "20"), (most, "25")):
        assert with_solution(runs_of(*rows))["answer"].iloc[0] == best


# Trust ------------------------------------------------------------------------------------------------------


def test_a_proof_is_confirmed_by_another_library(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "that nothing is better than what was found for i" in trust.unconfirmed(runs_of(*MIXED))
    other = LATER(backend="native", solver="ours")
    assert trust.unconfirmed(runs_of(*MIXED, other)) == ""
    assert trust.unconfirmed(runs_of(FOUND())) == "", "it claims nothing"
    expected = type("Expected", (), {"answer": 20, "best": None, "solutions": None})
    monkeypatch.setattr(catalogue, "unchanged", lambda *_: type("Instance", (), {"expected": expected}))
    assert trust.unconfirmed(runs_of(*MIXED)) == ""


# Pictures ---------------------------------------------------------------------------------------------------


def test_pictures_show_values_and_targets() -> None:
    runs = runs_of(*MIXED)
    drawn = {picture.name: picture for picture in pictures(runs, measurements(runs))}
    assert {"targets", "objective-p-i"} <= drawn.keys()
    above, below, *_ = drawn["objective-p-i"].figure().axes
    curves = {tuple(line.get_ydata()) for line in above.lines}
    assert {(30, 20, 20, 20), (40, 25, 25), (20, 20)} <= curves, "of both that found something, and the best"
    gaps = [line.get_ydata()[-1] for line in below.lines]
    assert gaps == pytest.approx([0.0, 0.4])
    (axes,) = drawn["targets"].figure().axes
    heights = {line.get_label(): max(line.get_ydata()) for line in axes.lines if len(line.get_ydata()) > 1}
    assert (heights["cpsat"], heights["milp"]) == (1.0, 0.0), "25 is 20% from 20"
    nothing = runs_of(NOTHING())
    assert "objective-p-i" not in {picture.name for picture in pictures(nothing, measurements(nothing))}


# Regressions ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("base", "new", "code", "said"),
    [
        (FOUND(), FOUND(), Exit.PASS, ""),
        (FOUND(), row("feasible", [(1.0, 26, 1)], 10.0), Exit.PASS, ""),  # Base needed 4 of 10 s.
        (
            row("feasible", [(3.0, 25, 1)]),
            row("feasible", [(1.0, 26, 1)]),
            Exit.WRONG,
            "worse value: i b:s f best",
        ),
        (
            row("feasible", [(3.0, 25, 1)]),
            NOTHING(),
            Exit.WRONG,
            "base was better after 3 s; timeout in 1 of 1",
        ),
        (row("feasible", [(3.0, 25, 1)]), row("feasible", [(9.0, 24, 1)]), Exit.PASS, ""),
        (FOUND(), PROVED(), Exit.PASS, ""),
        (PROVED(), FOUND(), Exit.WRONG, "base solved it; feasible in 1 of 1 runs"),
        (LATER(), FOUND(), Exit.PASS, "at its limit: i b:s f best: base needed 6 s"),
        (PROVED(), LATER(), Exit.PASS, ""),
        (PROVED(), row("optimal", [(1.0, 19, 19)], 1.0), Exit.WRONG, "other answer"),
    ],
)
def test_what_gate_says_of_values(base: Row, new: Row, code: Exit, said: str) -> None:
    found = gate.judge(compare.compare(runs_of(base), runs_of(replace(new, campaign="new"))))
    told = "\n".join(f"{finding.what}: {finding.text}" for finding in found if finding.what != "times")
    assert gate.code(found) == code, told
    assert said.replace("b:s f", "b f") in told if said else not told


def test_no_run_of_new_may_be_as_good() -> None:
    base = runs_of(row("feasible", [(1.0, 25, 1)]), row("feasible", [(1.0, 27, 1)], repeat=2))
    new = [
        row("feasible", [(1.0, value, 1)], repeat=number, campaign="n")
        for number, value in ((1, 30), (2, 27))
    ]
    assert gate.code(gate.judge(compare.compare(base, runs_of(*new)))) == Exit.PASS
    assert gate.code(gate.judge(compare.compare(base, runs_of(new[0])))) == Exit.WRONG


# Commands ---------------------------------------------------------------------------------------------------

PUZZLE = """
from models.shared.puzzle import Objective, Sense
class Bits:
    size = 3
    objective = Objective(Sense.LEAST, "ones")
    def check(self, solution): return [] if len(solution) == 3 and 1 in solution else ["no one"]
    def answer(self, solution): return sum(solution)
    def text(self, solution): return str(solution)
    def draw(self, axes, solution): axes.set(xlim=(0, 3), ylim=(1, 0))
def parse(table): return Bits()
"""
SEARCH = """
from models.shared.search import View
def better(puzzle, tally):
    for depth, bits in enumerate(([1, 1, 1], [1, 1, 0], [1, 0, 0])):
        if tally.watcher:
            tally.watcher.node(depth, "one" * depth, lambda: View({(0, 0): bits}), True)
        yield bits
def endless(puzzle, tally):
    yield [1, 1, 1]
    while True: pass
FORMULATIONS = {"better": better, "endless": endless}
"""


def fill(home: Path) -> None:
    (home / "bits" / "instances").mkdir(parents=True)
    (home / "bits" / "puzzle.py").write_text(PUZZLE)
    (home / "bits" / "backtrack.py").write_text(SEARCH)
    (home / "bits" / "instances" / "three.toml").write_text(
        'puzzle = "bits"\ntitle = "Three"\nsource = "me"\n'
    )


@pytest.fixture
def three(once: Once) -> Path:
    return once("bits", fill) / "bits" / "instances" / "three.toml"


@pytest.mark.parametrize(
    ("formulation", "said"),
    [("better", "optimal, objective 1, bound 1, gap 0.0%, "), ("endless", "feasible, objective 3, ")],
)
def test_solve_says_how_good_the_solution_is(command: Any, three: Path, formulation: str, said: str) -> None:
    result = command(
        "solve", three, "--backend", "backtrack", "--formulation", formulation, "--time-limit", 0.3
    )
    assert said in result.stdout and result.returncode == 0, result.stderr
    assert ("Nothing is better (unconfirmed" in result.stdout) == (formulation == "better")


def test_frames_say_the_best_value_so_far() -> None:
    nodes = [
        Node(depth, "x", True, solution, View()) for depth, solution in enumerate((False, True, False, True))
    ]
    told = [
        frame.place for frame in frames_of(tree_of(nodes, True), 9, "[[1, 7, null], [2, 7, 3], [3, 5, 3]]")
    ]
    assert [place.partition("best so far: ")[2] for place in told] == ["", "7", "7", "5"]
    assert "best" not in frames_of(tree_of(nodes, True), 9)[3].place
    assert "best" not in frames_of(tree_of(nodes, True), 9, "[[1, 7, null]]")[3].place, "one is not better"
