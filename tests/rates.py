"""How often `ab` errs: `python -m tests.rates [TRIALS]`; docs/regressions.md has most of what it prints.

Each trial is a whole `ab`. Noise is simulated, or drawn from what was recorded on a real machine without any
change (tests/aa/). A slowdown is put into all measurements of one puzzle by one backend, into just one, or
into everything.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from bench.campaign.results import COLUMNS, MOST_COUNTED
from bench.instruments.regression import compare, gate, significance
from bench.instruments.regression.compare import COUNTERS, Comparison

AA = Path(__file__).parent / "aa"
MODEL = ["puzzle", "instance", "backend", "formulation", "task"]
PAIRS, CONFIRM = 10, 20
"""What `ab` makes unless it is told otherwise."""

Logs = np.ndarray[Any, np.dtype[np.float64]]
Draw = Callable[[np.random.Generator, int], Logs]
"""Gives logarithms of times, or of ratios of pairs, without any change: a row for each measurement."""

Where = tuple[str, ...]
"""What is made slower: a puzzle and a backend, a measurement, or EVERYTHING; nothing if it is empty."""

GROUP, SINGLE = ["puzzle", "backend"], ["puzzle", "backend", "instance", "formulation", "task"]
"""What tells those apart."""

EVERYTHING = ("everything",)

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


def places(models: pd.DataFrame, by: float | None, parts: list[str]) -> Iterator[Where]:
    """Each puzzle and backend by turns, each measurement, or EVERYTHING; nothing if there is no change."""
    changed = list(models.groupby(parts).groups) if parts else [EVERYTHING]
    return cycle(changed if by else [()])


def slowed(models: pd.DataFrame, where: Where) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which measurements are made slower."""
    if where in ((), EVERYTHING):
        return np.full(len(models), bool(where))
    return (models[SINGLE[: len(where)]] == list(where)).all(axis=1).to_numpy()


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
    return fails(compared, 1.05, where)


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


def fails(compared: Comparison, threshold: float, where: Where) -> bool:
    """Whether the gate fails; if something is slower, whether for that, or its puzzle and backend."""
    lines = {found.text.partition(":")[0] for found in gate.longer(compared, threshold) if found.exit}
    if where in ((), EVERYTHING):
        return bool(lines)
    slower = compared.changes.loc[slowed(compared.changes, where), "name"]
    return bool(lines & {" ".join(where[: len(GROUP)]), *slower})


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


def recorded_counts() -> pd.DataFrame:
    """The runs of aa/instructions.csv as rows of runs.csv: of each measurement 24."""
    rows = pd.read_csv(AA / "instructions.csv").reindex(columns=list(COLUMNS))
    rows = rows.assign(
        campaign="aa", host="host", cpu="cpu", solver="", solver_version="1", python="3", instance_sha256="",
        threads=1, seed=1, status="solved", answer="", error="", solutions=1, time_limit_s=60,
        memory_limit_mb=4096, reference_s=0.01, total_s=1.0, release="",
    )  # fmt: skip
    return rows.astype(dict.fromkeys(COUNTERS, float))


def counted(trials: int, by: float | None) -> float:
    """The share of trials in which `ab --instructions` fails, or names the one measurement that needs more.

    Both sides are drawn from what was recorded; what is more is in building and in solving by turns.
    """
    rng, recorded, found = np.random.default_rng(1), recorded_counts(), []
    where = places(recorded, by, SINGLE)
    for trial in range(trials):
        drawn = recorded.groupby(MODEL).sample(2 * MOST_COUNTED, random_state=rng)
        place = drawn.groupby(MODEL).cumcount()
        drawn = drawn.assign(repeat=place % MOST_COUNTED + 1)
        base, new = (drawn[place // MOST_COUNTED == side] for side in (0, 1))
        changed = next(where)
        more = ((by or 1) - 1) * slowed(new, changed) * new["instructions"]
        building = new["build_instructions"] + more * (trial % 2)
        new = new.assign(instructions=new["instructions"] + more, build_instructions=building)
        found.append(fails_counted(base, new, changed))
    return float(np.mean(found))


def fails_counted(base: pd.DataFrame, new: pd.DataFrame, where: Where) -> bool:
    """Whether the gate fails; or if something needs more, whether it names that."""
    first = [side[side["repeat"] <= 3] for side in (base, new)]
    again = significance.needing_more(compare.compare(*first).counted)[MODEL]
    later = (side[side["repeat"] > 3].merge(again) for side in (base, new))
    compared = compare.compare(*map(pd.concat, zip(first, later, strict=True)))
    lines = [found.text for found in gate.judge(compared) if found.exit]
    named = compared.changes.loc[slowed(compared.changes, where), "name"]
    return any(line.startswith(f"{name}: ") for name in named for line in lines) if where else bool(lines)


CHANGES = {"no change": None, "+10%": 1.1, "+20%": 1.2, "+50%": 1.5, "+100%": 2.0}
SLOWER: dict[str, list[str]] = {"group": GROUP, "single": SINGLE, "everything": []}
DEVIATIONS = (0.05, 0.1, 0.2)


def main(trials: int) -> None:
    """Prints the rows of which docs/regressions.md has most."""
    print(f"| gate | noise | slower | trials | {' | '.join(CHANGES)} |")
    print("| --- | --- | --- | --- |" + " --- |" * len(CHANGES), flush=True)
    models, recorded = recorded_pairs()
    changes = [*CHANGES.values()]
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
    for what, by in {"no change": None, "+0.5%": 1.005, "+1%": 1.01}.items():
        print(f"`ab --instructions`, {what}: {counted(trials, by):.1%}", flush=True)


def show(which: str, what: str, slower: str, trials: int, rates: Sequence[float]) -> None:
    """A line of the table."""
    cells = (which, what, slower, str(trials), *(f"{rate:.1%}" for rate in rates))
    print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
