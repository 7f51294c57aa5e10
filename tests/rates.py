"""How often the gates err: `python -m tests.rates [TRIALS]`; docs/regressions.md has most of what it prints.

Each trial is a whole gate. Noise is simulated, or drawn from what was recorded on a real machine without any
change (tests/aa/). A slowdown is put into all measurements of one puzzle by one backend, or into just one.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, cycle, product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from bench.campaign.results import COLUMNS
from bench.instruments.regression import compare, gate, significance
from bench.instruments.regression.compare import COUNTERS, Comparison
from bench.instruments.regression.significance import Drift, learn

AA = Path(__file__).parent / "aa"
MODEL = ["puzzle", "instance", "backend", "formulation", "task"]
PAIRS, CONFIRM = 10, 20
"""What `ab` makes unless it is told otherwise."""

Logs = np.ndarray[Any, np.dtype[np.float64]]
Draw = Callable[[np.random.Generator, int], Logs]
"""Gives logarithms of times, or of ratios of pairs, without any change: a row for each measurement."""

Where = tuple[str, ...]
"""What is made slower: a puzzle and a backend, or a single measurement; nothing if it is empty."""

GROUP, SINGLE = ["puzzle", "backend"], ["puzzle", "backend", "instance", "formulation", "task"]
"""What tells those apart."""

SIMULATED = pd.DataFrame(
    list(
        product(
            ["a", "b", "c", "d", "e"], "12", ["cpsat", "milp", "csp", "backtrack"], ["x"], ["first", "count"]
        )
    ),
    columns=MODEL,
)
"""The measurements of a simulated campaign: five puzzles with two instances, by four backends."""


def noise(deviation: float) -> Draw:
    """Student's distribution with 4 degrees of freedom: now and then far off."""
    return lambda rng, size: deviation * rng.standard_t(4, (len(SIMULATED), size)) / np.sqrt(2)


def recorded_pairs() -> tuple[pd.DataFrame, Draw]:
    """The measurements of aa/pairs.csv, and their pairs, drawn with replacement, turned round by chance."""
    times = pd.read_csv(AA / "pairs.csv").pivot(index=MODEL, columns="repeat", values=["base_s", "new_s"])
    logs = np.log(times["new_s"].to_numpy() / times["base_s"].to_numpy())

    def draw(rng: np.random.Generator, size: int) -> Logs:
        picked = rng.integers(0, logs.shape[1], (len(logs), size))
        return np.take_along_axis(logs, picked, axis=1) * rng.choice([-1, 1], picked.shape)

    return times.index.to_frame(index=False), draw


def recorded_campaigns() -> list[pd.DataFrame]:
    """The campaigns of aa/campaigns.csv as rows of runs.csv."""
    times = pd.read_csv(AA / "campaigns.csv")
    return [campaign(str(name), rows) for name, rows in times.groupby("campaign")]


def campaign(title: str, times: pd.DataFrame) -> pd.DataFrame:
    """Rows of a runs.csv from MODEL, repeat, total_s."""
    rows = times.reindex(columns=list(COLUMNS)).assign(
        campaign=title, host="host", cpu="cpu", solver="", solver_version="1", python="3", instance_sha256="",
        threads=1, seed=1, status="solved", answer="", error="", solutions=1, time_limit_s=60,
        memory_limit_mb=4096, reference_s=0.01,
    )  # fmt: skip
    figures = [*COUNTERS, "total_s", "repeat"]
    return rows.astype(dict.fromkeys(figures, float))


def simulated_campaign(
    title: str, rng: np.random.Generator, usual: Drift, draw: Draw, repeats: int
) -> pd.DataFrame:
    """A campaign with a drift of its own."""
    logs = draw(rng, repeats) + rng.normal(0, usual.common) / np.sqrt(2)
    logs += rng.normal(0, usual.own, (len(SIMULATED), 1)) / np.sqrt(2)
    times = SIMULATED.loc[SIMULATED.index.repeat(repeats)].reset_index(drop=True)
    return campaign(
        title,
        times.assign(repeat=np.tile(np.arange(1, repeats + 1), len(SIMULATED)), total_s=np.exp(logs).ravel()),
    )


def places(models: pd.DataFrame, by: float | None, parts: list[str]) -> Iterator[Where]:
    """Each puzzle and backend by turns, or each measurement; nothing if there is no change."""
    return cycle(list(models.groupby(parts).groups) if by else [()])


def slowed(models: pd.DataFrame, where: Where) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which measurements are made slower."""
    matches = (models[SINGLE[: len(where)]] == list(where)).all(axis=1)
    return matches.to_numpy() & bool(where)


def fails_interleaved(
    models: pd.DataFrame, draw: Draw, rng: np.random.Generator, where: Where, by: float | None, confirm: int
) -> bool:
    """Whether `ab` finds something slower; or if something is, whether it finds that."""
    change = np.log(by or 1.0) * slowed(models, where)[:, None]
    first, later = (draw(rng, size) + change for size in (PAIRS, confirm))
    suspected = significance.suspects(with_pairs(models, list(first)))
    both = np.concatenate([first, later], axis=1)
    logs = [both[row] if row in suspected else first[row] for row in range(len(models))]
    compared = Comparison(with_pairs(models, logs), True, PAIRS, ("here", "here"), 1.0)
    return fails(compared, Drift(), 1.05, where)


def with_pairs(models: pd.DataFrame, logs: Sequence[Logs]) -> pd.DataFrame:
    """The measurements with the logarithms of the ratios of their pairs."""
    versions = [f"{what}_{side}" for what in ("solver_version", "python") for side in ("base", "new")]
    return models.assign(
        **dict.fromkeys(versions, ""),
        label=models["backend"],
        name=models["instance"]
        + " "
        + models["backend"]
        + " "
        + models["formulation"]
        + " "
        + models["task"],
        total_s_base=1.0,
        total_s_new=1.0,
        logs_base=[np.zeros(len(sample)) for sample in logs],
        logs_new=logs,
        repeats=[np.arange(1, len(sample) + 1) for sample in logs],
    )


def fails_between(compared: Comparison, usual: Drift, where: Where, by: float | None) -> bool:
    """Whether `gate` finds something slower in a campaign; or if something is, whether it finds that."""
    added = pd.Series(np.log(by or 1.0) * slowed(compared.changes, where))
    changes = compared.changes.assign(logs_new=lambda table: table["logs_new"] + added)
    return fails(replace(compared, changes=changes), usual, 1.10, where)


def fails(compared: Comparison, usual: Drift, threshold: float, where: Where) -> bool:
    """Whether the gate fails; if something is slower, whether for that, or its puzzle and backend."""
    lines = {found.text.partition(":")[0] for found in gate.longer(compared, threshold, usual) if found.exit}
    slower = compared.changes.loc[slowed(compared.changes, where), "name"]
    return bool(lines & {" ".join(where[: len(GROUP)]), *slower} if where else lines)


def interleaved(
    models: pd.DataFrame,
    draw: Draw,
    trials: int,
    by: float | None,
    confirm: int = CONFIRM,
    parts: list[str] = GROUP,
) -> float:
    """The share of trials in which `ab` fails: without a change, or where it should."""
    rng, where = np.random.default_rng(1), places(models, by, parts)
    found = [fails_interleaved(models, draw, rng, next(where), by, confirm) for _ in range(trials)]
    return float(np.mean(found))


def between_simulated(
    deviation: float,
    usual: Drift,
    repeats: int,
    trials: int,
    changes: Sequence[float | None],
    parts: list[str] = GROUP,
) -> list[float]:
    """The share of trials in which `gate` fails, for each change.

    Its drift is learned from six campaigns, anew each tenth. To compare two campaigns takes most
    of the time, so each change is put into the same ones.
    """
    rng, draw = np.random.default_rng(1), noise(deviation)
    where = [places(SIMULATED, by, parts) for by in changes]
    found = []
    for trial in range(trials):
        if trial % 10 == 0:
            learned = learn(
                [simulated_campaign(str(number), rng, usual, draw, repeats) for number in range(6)]
            )
        base, new = (simulated_campaign(title, rng, usual, draw, repeats) for title in ("base", "new"))
        compared = compare.compare(base, new)
        found.append(
            [
                fails_between(compared, learned, next(each), by)
                for each, by in zip(where, changes, strict=True)
            ]
        )
    return [float(rate) for rate in np.mean(found, axis=0)]


def between_recorded(
    changes: Sequence[float | None], parts: list[str] = GROUP, aa: bool = True
) -> tuple[list[float], int]:
    """The share of pairs of recorded campaigns for which `gate` fails.

    Its drift is learned from the others, or without `aa` assumed.
    """
    campaigns = recorded_campaigns()
    where = [places(campaigns[0], by, parts) for by in changes]
    found = []
    for base, new in combinations(range(len(campaigns)), 2):
        others = [runs for number, runs in enumerate(campaigns) if number not in (base, new)]
        learned = learn(others) if aa else Drift()
        for sides in ((base, new), (new, base)):
            compared = compare.compare(*(campaigns[side] for side in sides))
            found.append(
                [
                    fails_between(compared, learned, next(each), by)
                    for each, by in zip(where, changes, strict=True)
                ]
            )
    return [float(rate) for rate in np.mean(found, axis=0)], len(found)


CHANGES = {"no change": None, "+10%": 1.1, "+20%": 1.2, "+50%": 1.5, "+100%": 2.0}
SLOWER = {"group": GROUP, "single": SINGLE}
DEVIATIONS = (0.05, 0.1, 0.2)
BETWEEN = ((0.03, Drift(0.05, 0.01)), (0.03, Drift(0.15, 0.03)), (0.16, Drift(0.05, 0.0)))


def main(trials: int) -> None:
    """Prints the rows of which docs/regressions.md has most."""
    print(f"| gate | noise | slower | trials | {' | '.join(CHANGES)} |")
    print("| --- | --- | --- | --- |" + " --- |" * len(CHANGES), flush=True)
    models, recorded = recorded_pairs()
    changes, few = [*CHANGES.values()], max(20, trials // 10)
    for what, rows, draw in (
        ("recorded here", models, recorded),
        *((f"simulated, {deviation:.0%} a pair", SIMULATED, noise(deviation)) for deviation in DEVIATIONS),
    ):
        for slower, parts in SLOWER.items():
            rates = [interleaved(rows, draw, trials, by, parts=parts) for by in changes]
            show("`ab`", what, slower, trials, rates)
    for slower, parts in SLOWER.items():
        rates = [interleaved(models, recorded, trials, by, 0, parts) for by in changes]
        show("`ab --confirm 0`", "recorded here", slower, trials, rates)
    for deviation, usual in BETWEEN:
        what = f"simulated, {deviation:.0%} a run, {usual.common:.0%} and {usual.own:.0%} between campaigns"
        for slower, parts in SLOWER.items():
            rates = between_simulated(deviation, usual, 5, few, changes, parts)
            show("`gate`, 5 repeats", what, slower, few, rates)
    for what, aa in (("recorded here, 6 A/A campaigns", True), ("recorded here, no A/A campaign", False)):
        for slower, parts in SLOWER.items():
            rates, pairs = between_recorded(changes, parts, aa)
            show("`gate`, 5 repeats", what, slower, pairs, rates)


def show(which: str, what: str, slower: str, trials: int, rates: Sequence[float]) -> None:
    """A line of the table."""
    cells = (which, what, slower, str(trials), *(f"{rate:.1%}" for rate in rates))
    print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
