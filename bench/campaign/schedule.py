"""Which runs are executed, also when a campaign is resumed, how often, and in which order.

Runs come in blocks: those of all models on one instance, with the same task, seed and repeat. A block is
executed on one machine, back to back, so that what is compared had the same machine at nearly the same time.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import count
from math import ceil

from bench.campaign.results import Key, Row, contents, current, key, lacks_instructions, without_repeated
from bench.contract import Run, Task

PRECISION = 0.05
"""With `--repeat auto` a run is repeated until the interval of its median lies within this share of it."""

SMALLEST_SAMPLE = 6
"""Fewer runs are too few for a 95% interval of the median."""

USUAL_REPEATS = 5
"""How often `run` executes each run if it is not told a number, within the budget."""

USUAL_BUDGET = 0.1
"""The share of the time limit of a run that it and its repeats may last, if `run` is not told a budget."""


class Redo(StrEnum):
    """Which of the recorded runs are executed again when a campaign is resumed."""

    KEEP = "keep"  # None.
    STALE = "stale"  # Those of other CONTENTS, and those with a status that is `retried`.
    FAILED = "failed"  # Also those that did not finish, such as timeouts.
    DISTURBED = "disturbed"  # Those that are stale, and once those that were disturbed.
    ALL = "all"


@dataclass(frozen=True)
class Repeats:
    """How often each run is executed.

    Attributes:
        times: how often; None: until the median of its time is precise (PRECISION).
        budget_s: a run is not repeated after it and its repeats have lasted so many seconds, or one of them
            has failed; None for no such limit (with `times` None, failures still end the repeats).
    """

    times: int | None = 1
    budget_s: float | None = None

    @property
    def fixed(self) -> bool:
        """Whether every run is executed equally often, whatever becomes of it."""
        return self.times is not None and self.budget_s is None


def _wants_another(repeats: Repeats, repeat: int, rows: Collection[Row]) -> bool:
    """Whether to execute a run for the `repeat`-th time, by its rows so far."""
    if repeats.times is not None and repeat > repeats.times:
        return False
    if repeat == 1 or repeats.fixed:
        return True
    spent = repeats.budget_s is not None and lasted_s(rows) >= repeats.budget_s
    if spent or not all(row.status.finished for row in rows):
        return False
    if repeats.times is not None:
        return True
    # numpy and scipy take a while to import, and only this needs them.
    from bench.stats import median_interval

    median, low, high = median_interval([row.total_s or 0.0 for row in rows])
    precise = high <= median * (1 + PRECISION) and low >= median * (1 - PRECISION)
    return len(rows) < SMALLEST_SAMPLE or not precise


def lasted_s(rows: Iterable[Row]) -> float:
    """How long the runs of these rows lasted together, overhead included."""
    return sum((row.total_s or 0.0) + (row.overhead_s or 0.0) for row in rows)


def to_come(repeats: Repeats, rows: Mapping[int, Row], each_s: float = 0.0) -> int:
    """How many repeats of a run are missing; with `auto` at least.

    Each is taken to last as long as those so far, or if there are none, `each_s` seconds (0: unknown).
    """
    missing = sum(repeat not in rows for repeat in range(1, (repeats.times or SMALLEST_SAMPLE) + 1))
    if repeats.fixed:
        return missing
    if not all(row.status.finished for row in rows.values()):
        return 0
    lasted = lasted_s(rows.values())
    each_s = lasted / len(rows) if rows else each_s
    if repeats.budget_s is None or not each_s:
        return missing
    return min(missing, max(int(not rows), ceil((repeats.budget_s - lasted) / each_s)))


def what_counts(
    rows: Sequence[Row], runs: Sequence[Run], redo: Redo
) -> tuple[defaultdict[Key, dict[int, Row]], str]:
    """The recorded rows that stand, by run and repeat; and a line on those that do not, or are kept stale."""
    asked = {key(run): contents(run) for run in runs}
    to_count = {key(run) for run in runs if run.counted}
    reasons: Counter[str] = Counter()
    counted = defaultdict[Key, dict[int, Row]](dict)
    # With --keep, rows stand even if later ones of another measurement have another instance file.
    numbers = without_repeated(rows, range(len(rows))) if redo == Redo.KEEP else current(rows)
    executed = Counter((key(row), row.repeat) for row in rows)
    for row in (rows[number] for number in numbers):
        name = key(row)
        reason = _why_again(row, asked[name], redo) if name in asked else ""
        once = executed[name, row.repeat] == 1
        if not reason and redo == Redo.DISTURBED and name in asked and row.disturbed and once:
            reason = "disturbed"
        if not reason and name in to_count and lacks_instructions(row):
            reason = "without instructions"
        if reason:
            reasons[reason] += 1
        if redo == Redo.KEEP or not reason:
            counted[name][row.repeat] = row
    if not reasons:
        return counted, ""
    because = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
    if redo == Redo.KEEP:
        return counted, f"recorded runs that are kept, and get no more repeats: {because}"
    keep = "; --keep leaves them as they are" if redo == Redo.STALE else ""
    return counted, f"recorded runs that are run again: {because}{keep}"


def _why_again(row: Row, now: Sequence[str], redo: Redo) -> str:
    """Why the run of a row is executed again, which now has the contents `now`; empty if it is not."""
    if redo == Redo.ALL:
        return "as asked for"
    # In the order of CONTENTS.
    changed = ("instance file", "model", "solver release")
    for what, recorded, content in zip(changed, contents(row), now, strict=True):
        if recorded != content:
            return f"with {'another' if recorded else 'an unknown'} {what}"
    again = not row.status.finished if redo == Redo.FAILED else row.status.retried
    return row.status if again else ""


Block = Sequence[Run]
"""The runs of all models on one instance, with the same task, seed and repeat."""

_RowsOf = Callable[[Run], Mapping[int, Row]]
"""Returns the rows of a run so far, by the number of the repeat."""

FAILURES = 2
"""A climb ends after so many sizes in a row at which the model fails."""


def climb(
    runs: Sequence[Run], sizes: Mapping[str, int], order_seed: int, rows_of: _RowsOf
) -> Iterator[Block | None]:
    """Yields the runs of each model from the smallest size up, the models together in blocks.

    A model fails at a size as soon as half of its instances have failed; the others are then left out.
    FAILURES sizes in a row end its climb.

    Args:
        sizes: of the instances, by sha256.
        order_seed: determines the order of the models.

    Returns:
        Blocks, and None where the next one depends on runs that have not ended.
    """
    climbs: dict[Run, dict[int, list[Run]]] = {}
    for run in sorted(runs, key=lambda run: sizes[run.instance_sha256]):
        model = replace(run, instance="", path="", instance_sha256="")
        climbs.setdefault(model, {}).setdefault(sizes[run.instance_sha256], []).append(run)
    going = random.Random(order_seed).sample([*climbs.values()], len(climbs))
    asked: set[Run] = set()
    while going:
        steps = [_next_step(each.values(), rows_of) for each in going]
        going = [each for each, missing in zip(going, steps, strict=True) if missing]
        fresh = [[run for run in missing if run not in asked] for missing in steps]
        begun = [runs[0] for runs in fresh if runs]
        if going and not begun:
            yield None
        asked.update(begun)
        yield from blocks(begun)


def _next_step(sizes: Iterable[Sequence[Run]], rows_of: _RowsOf) -> list[Run]:
    """The missing runs of a model at its next size; none if it is given up or complete."""
    failures = 0
    for runs in sizes:
        # A campaign that was merged has several repeats.
        last = [[*rows.values()][-1] for run in runs if (rows := rows_of(run))]
        failed = sum(not row.status.finished for row in last)
        if 2 * failed >= len(runs):
            failures += 1
        elif missing := [run for run in runs if not rows_of(run)]:
            return missing
        else:
            failures = 0
        if failures == FAILURES:
            return []
    return []


def schedule(
    runs: Sequence[Run], repeats: Repeats, order_seed: int, rows_of: _RowsOf
) -> Iterator[Block | None]:
    """Yields the runs still to be executed: the first repeat of all, then the second, ...

    The blocks are in a random order, those that count solutions behind the others, and so are the runs of
    each: drift of the machine affects all alike.
    Whether a run is repeated again is decided when its next repeat is due.

    Returns:
        Blocks, and None where all that are left depend on runs that have not ended.
    """
    due = {block[0]: block for block in blocks(runs)}
    asked: dict[Run, Block] = dict.fromkeys(due, ())
    repeat_of = dict.fromkeys(due, 0)
    for turn in count(1):
        # The seed is a text: its hash does not depend on the process.
        order = random.Random(f"{order_seed} {turn}")
        waiting = True
        # What finds no solution need not count them.
        for first in sorted(order.sample([*due], len(due)), key=lambda run: run.task != Task.FIRST):
            if not repeats.fixed and any(repeat_of[first] not in rows_of(run) for run in asked[first]):
                continue
            waiting = False
            repeat = repeat_of[first] = repeat_of[first] + 1
            asked[first] = [
                run
                for run in order.sample(due[first], len(due[first]))
                # With --keep, recorded rows may be of other contents.
                if all(contents(row) == contents(run) for row in rows_of(run).values())
                and _wants_another(repeats, repeat, rows_of(run).values())
            ]
            if not asked[first]:
                del due[first]
            elif block := [replace(run, repeat=repeat) for run in asked[first] if repeat not in rows_of(run)]:
                yield block
        if not due:
            return
        if waiting:
            yield None


def blocks(runs: Iterable[Run]) -> list[Block]:
    """The runs in blocks, in their order."""
    found: dict[Hashable, list[Run]] = {}
    for run in runs:
        found.setdefault(run.block, []).append(run)
    return list(found.values())
