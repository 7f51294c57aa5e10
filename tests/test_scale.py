"""Climbing the sizes of a family: which runs are made, what is read from them, and the command."""

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import catalogue
from bench.analysis import growth, tables
from bench.analysis.measurements import measurements
from bench.analysis.plots.pictures import pictures
from bench.campaign.results import COLUMNS, Row
from bench.campaign.schedule import FAILURES, climb
from bench.contract import Run, Status, Task
from tests import synthetic
from tests.synthetic import ROW

SIZES = (2, 4, 8, 16, 32)
SEEDS = 3
BASE = Run("puzzle", "", "", "", "backtrack", "python", "", Task.FIRST, 1, 1, 1, 60.0, 4096)
Rows = dict[Run, dict[int, Row]]

capacities = st.dictionaries(
    st.sampled_from("abc"), st.lists(st.integers(0, 40), min_size=SEEDS, max_size=SEEDS), min_size=1
)
"""For each model the largest size that it solves, of the instances of each seed."""


def ladder(models: Any) -> tuple[list[Run], dict[str, int]]:
    sizes = {f"{size}-{seed}": size for size in SIZES for seed in range(SEEDS)}
    runs = [
        replace(BASE, formulation=model, instance=sha, instance_sha256=sha)
        for model in models
        for sha in sizes
    ]
    return runs, sizes


def solves(capacity: dict[str, list[int]], run: Run) -> bool:
    size, seed = map(int, run.instance.split("-"))
    return size <= capacity[run.formulation][seed]


def simulate(
    capacity: dict[str, list[int]], slots: int, completed: Rows, stop_after: int = 10_000
) -> list[Run]:
    """Executes the runs of a climb, so many at a time; returns them in the order in which they were begun."""
    runs, sizes = ladder(capacity)
    order = climb(runs, sizes, 7, lambda run: completed.get(run, {}))
    asked: list[Run] = []
    waiting: list[Run] = []
    while True:
        while len(waiting) < slots and (block := next(order, None)):
            assert len({run.instance for run in block}) == 1
            asked += block
            waiting += block
        if not waiting or len(asked) > stop_after:
            return asked
        run = waiting.pop(0)
        status = Status.SOLVED if solves(capacity, run) else Status.TIMEOUT
        completed[run] = {1: replace(ROW, status=status)}


@given(capacities, st.integers(1, 4))
def test_each_model_climbs_until_it_fails_twice(capacity: dict[str, list[int]], slots: int) -> None:
    asked = simulate(capacity, slots, {})
    assert len(asked) == len(set(asked))
    for model, largest in capacity.items():
        mine = [run for run in asked if run.formulation == model]
        sizes = [int(run.instance.split("-")[0]) for run in mine]
        assert sizes == sorted(sizes)
        most = [2 * sum(size <= each for each in largest) > SEEDS for size in SIZES]
        ends = next(
            (place for place in range(1, len(SIZES)) if not any(most[place - FAILURES + 1 : place + 1])),
            len(SIZES) - 1,
        )
        assert set(sizes) == set(SIZES[: ends + 1])
        for size, solved in zip(SIZES, most, strict=True):
            tried = [run for run in mine if run.instance.startswith(f"{size}-")]
            failed = sum(not solves(capacity, run) for run in tried)
            assert not tried or len(tried) == SEEDS or (not solved and 2 * failed >= SEEDS)


@given(capacities, st.integers(0, 20))
def test_a_climb_that_was_cut_short_makes_the_rest(capacity: dict[str, list[int]], cut: int) -> None:
    whole: Rows = {}
    simulate(capacity, 1, whole)
    made = {run: rows for number, (run, rows) in enumerate(whole.items()) if number < cut}
    rest = simulate(capacity, 1, dict(made))
    assert not set(rest) & set(made)
    assert set(rest) | set(made) == set(whole)


def campaign(
    time_of: Any, puzzle: str = "die_agony", family: str = "size", limit: float = 60.0
) -> pd.DataFrame:
    """A campaign over a family of the project, with the time that a size takes; beyond the limit it fails."""
    rows = []
    for name, path in catalogue.families(puzzle)[family].items():
        size = catalogue.load(path).puzzle.size
        time_s = time_of(size)
        row = dict.fromkeys(COLUMNS, "") | {
            "puzzle": puzzle, "instance": name, "size": size, "backend": "csp", "solver": "smallest",
            "formulation": "pruned", "task": "first", "status": "solved" if time_s <= limit else "timeout",
            "total_s": time_s if time_s <= limit else "", "time_limit_s": limit, "branches": size,
            "variables": size, "constraints": size, "peak_mb": 50, "seed": 1, "repeat": 1,
            "threads": 1, "memory_limit_mb": 4096,
        }  # fmt: skip
        rows.append(row)
    return pd.DataFrame(rows)


def read(made: pd.DataFrame, folder: Path) -> pd.DataFrame:
    synthetic.write(folder, made)
    return tables.read_runs(folder)


def test_the_frontier_and_the_rate_of_a_known_law(tmp_path: Path) -> None:
    """The interval holds the exponent about as often as it says: 95 times of 100."""
    noise = np.random.default_rng(1)
    inside = []
    for exponent in np.linspace(0.5, 1.5, 40):
        law = read(campaign(lambda size, b=exponent: 0.02 * size**b * noise.lognormal(0, 0.1)), tmp_path)
        (climb,) = growth.climbs(measurements(law))
        assert climb.top and climb.largest == law["size"].max() and climb.top.size <= climb.largest
        assert climb.top.size == climb.largest or (climb.failed and climb.failed.size > climb.top.size)
        rate = climb.rate
        assert rate and rate.low < rate.median < rate.high
        inside.append(rate.low < exponent < rate.high)
    assert sum(inside) >= 33


def test_the_frontier_is_drawn_of_the_family_that_is_harder(tmp_path: Path) -> None:
    both = pd.concat([campaign(lambda size: 1.0), campaign(lambda size: 0.1 * size, family="hard")])
    climbs = growth.climbs(measurements(read(both, tmp_path)))
    assert [each.family.name for each in climbs] == ["hard", "size"]
    (shown,) = growth.hardest(climbs)
    assert shown.family.name == "hard" and shown.failed
    assert growth.hardest(climbs[1:]) == climbs[1:]


def test_a_model_that_solves_nothing_has_no_frontier(tmp_path: Path) -> None:
    runs = read(campaign(lambda size: 1e9), tmp_path)
    (climb,) = growth.climbs(measurements(runs))
    assert climb.top is None and climb.rate is None
    assert climb.failed and (climb.failed.size, climb.failed.status) == (runs["size"].min(), "timeout")


def test_a_climb_of_two_sizes_has_no_frontier(tmp_path: Path) -> None:
    """As of a model that fails at the first two sizes; the terminal says nothing of growth then."""
    made = campaign(lambda size: 1e9)
    runs = read(made[made["size"].isin(sorted(set(made["size"]))[:2])], tmp_path)
    assert growth.climbs(measurements(runs)) == []


def test_givens_are_counted(tmp_path: Path) -> None:
    runs = read(campaign(lambda size: 1.0, "magic_hexagon", "givens"), tmp_path)
    (counted,) = growth.givens(measurements(runs)).values()
    assert len(counted) == len(runs)
    for number, measurement in counted:
        file = catalogue.families("magic_hexagon")["givens"][measurement.instance]
        assert number == len(catalogue.load(file).puzzle.givens)
    assert growth.climbs(measurements(runs)) == [], "one size shows no growth"
    names = {picture.name: picture for picture in pictures(runs, measurements(runs))}
    picture = names["givens-magic_hexagon-givens-first"]
    assert not any(name.startswith(("frontier", "growth")) for name in names)
    marks = [line for axes in picture.figure().axes for line in axes.lines if line.get_linestyle() == "None"]
    assert {len(line.get_xdata()) for line in marks} == {len(runs), 0}, "each run has a mark; none failed"


def test_instances_outside_of_families_have_no_growth(tmp_path: Path) -> None:
    runs = read(campaign(lambda size: 1.0).assign(instance="mine"), tmp_path)
    assert growth.climbs(measurements(runs)) == [] and growth.givens(measurements(runs)) == {}
    names = [picture.name for picture in pictures(runs, measurements(runs))]
    assert names and not any(name.startswith(("frontier", "growth", "givens")) for name in names)


def test_the_command(command: Any, tmp_path: Path) -> None:
    """Small limits: most backends fail early, and all is drawn."""
    out = tmp_path / "out"
    climbing = ("scale", "bug_byte", "--backend", "backtrack", "--backend", "csp", "--task", "first")
    climbing += ("--time-limit", 0.1)
    result = command(*climbing, "--out", out)
    assert result.returncode == 0 and "bug_byte, family size, one solution" in result.stdout, result
    drawn = {path.name for path in (out / "plots").iterdir()}
    assert {"frontier.svg", "growth-bug_byte-size-first.svg"} <= drawn
    assert "frontier" in (out / "report.html").read_text()
    with (out / "runs.csv").open(newline="") as file:
        made = list(csv.DictReader(file))
    assert {row["status"] for row in made} == {"solved", "timeout"}
    assert command(*climbing, "--no-plots", "--out", out).returncode == 0
    with (out / "runs.csv").open(newline="") as file:
        assert list(csv.DictReader(file)) == made, "nothing is left to do"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("scale", "chess"), "unknown puzzle 'chess'"),
        (("scale", "bug_byte", "--family", "sise"), "unknown family 'sise'; did you mean size?"),
        (("scale", "bug_byte", "--family", "givens"), "unknown family 'givens'"),
        (("run", "--family", "gives"), "unknown family 'gives'; did you mean givens?"),
        (("run", "--all", "--family", "sise", "--dry-run"), "unknown family 'sise'; did you mean size?"),
    ],
)
def test_what_does_not_exist_is_refused(command: Any, arguments: tuple[str, ...], said: str) -> None:
    result = command(*arguments)
    assert result.returncode == 2 and said in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_families_are_run_by_name_only(command: Any, tmp_path: Path) -> None:
    everything = {
        path.stem for puzzle in catalogue.puzzle_names() for path in catalogue.instance_paths(puzzle).values()
    }
    families = [names for puzzle in catalogue.puzzle_names() for names in catalogue.families(puzzle).values()]
    assert not everything & {name for names in families for name in names}
    runs = ("--backend", "backtrack", "--task", "first", "--repeat", 1, "--no-plots")
    for asked, found in (
        (("--instance", "die_agony_4_1"), 1),
        (("--family", "size", "--puzzle", "die_agony"), len(catalogue.families("die_agony")["size"])),
    ):
        out = tmp_path / str(found)
        assert command("run", *asked, *runs, "--out", out).returncode == 0
        assert len(tables.read_runs(out)) == found
