"""How often each run is repeated, and in which order."""

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from bench.campaign.results import Row, contents
from bench.contract import Run

PRECISION = 0.05
"""Repeats without a number go on until the interval of the median lies within this share of it."""

SMALLEST_SAMPLE = 6
"""With fewer runs there is no interval for the median at 95%."""


@dataclass(frozen=True)
class Repeats:
    """How often each run is repeated: `times` times; if that is None, until its time is known precisely.

    `budget_s` is how many seconds one run and its repeats may then take in all.
    """

    times: int | None = 1
    budget_s: float = 60.0


def wants_another(repeats: Repeats, repeat: int, rows: Collection[Row]) -> bool:
    """Whether a run with these rows so far is to be executed for the `repeat`-th time.

    A run that fails is not repeated for the sake of precision.
    """
    if repeats.times is not None:
        return repeat <= repeats.times
    if repeat == 1:
        return True
    if not all(row.status.conclusive for row in rows):
        return False
    times = [row.total_s or 0.0 for row in rows]
    if sum(times) + sum(row.overhead_s or 0.0 for row in rows) >= repeats.budget_s:
        return False
    # numpy and scipy take a while to import, and only this needs them.
    from bench.stats import median_interval

    median, low, high = median_interval(times)
    precise = high <= median * (1 + PRECISION) and low >= median * (1 - PRECISION)
    return len(times) < SMALLEST_SAMPLE or not precise


def has_repeats(run: Run, rows: Iterable[Row]) -> bool:
    """Whether a run that is executed now is a repeat of its rows so far: they depend on the same contents.

    They may not where old rows are kept.
    """
    return all(contents(row) == contents(run) for row in rows)


Completed = Callable[[Run], Mapping[int, Row]]
"""Gives the rows that a run has so far, by the number of the repeat."""

FAILURES = 2
"""At so many sizes in a row a model fails before it is given up."""


def climb(
    runs: Sequence[Run], sizes: Mapping[str, int], order_seed: int, completed: Completed
) -> Iterator[Run | None]:
    """The runs of each model from the smallest size up, one model after the other by turns.

    A model fails at a size if it does not solve most of its instances; it is given up after FAILURES sizes in
    a row. Of a size that can no longer be solved, the other instances are left out.

    Args:
        sizes: of the instances, by sha256.
    """
    ladders: dict[Run, dict[int, list[Run]]] = {}
    for run in sorted(runs, key=lambda run: sizes[run.instance_sha256]):
        model = replace(run, instance="", path="", instance_sha256="")
        ladders.setdefault(model, {}).setdefault(sizes[run.instance_sha256], []).append(run)
    ladders = dict(random.Random(order_seed).sample(list(ladders.items()), len(ladders)))
    asked: set[Run] = set()
    while ladders:
        turn = {model: next_step(ladder.values(), completed) for model, ladder in ladders.items()}
        ladders = {model: ladders[model] for model, runs in turn.items() if runs}
        steps = [next((run for run in runs if run not in asked), None) for runs in turn.values() if runs]
        if steps and not any(steps):
            yield None
        for step in filter(None, steps):
            asked.add(step)
            yield step


def next_step(ladder: Iterable[Sequence[Run]], completed: Completed) -> list[Run]:
    """The runs that a model is to execute now, all of one size; none if it has come to its end."""
    failures = 0
    for runs in ladder:
        statuses = [row.status for run in runs for row in completed(run).values()]
        solved = sum(status.conclusive for status in statuses)
        if 2 * (len(statuses) - solved) >= len(runs):
            failures += 1
        elif missing := [run for run in runs if not completed(run)]:
            return missing
        else:
            failures = 0
        if failures == FAILURES:
            return []
    return []


def schedule(
    runs: Sequence[Run], repeats: Repeats, order_seed: int, completed: Completed
) -> Iterator[Run | None]:
    """The runs that are still to be executed: the first repeat of all in a random order, then the second, ...

    So drift of the machine hits all backends alike, and a campaign that is cut short has whole repeats.
    Whether there is another repeat is decided when it is its turn.
    """
    for repeat in count(1):
        wanted = [
            run
            for run in runs
            if has_repeats(run, completed(run).values())
            and wants_another(repeats, repeat, completed(run).values())
        ]
        if not wanted:
            return
        # The seed is a text: its hash does not depend on the process.
        random.Random(f"{order_seed} {repeat}").shuffle(wanted)
        yield from (replace(run, repeat=repeat) for run in wanted if repeat not in completed(run))
