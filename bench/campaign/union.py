"""The rows of several campaigns as those of one: each counts once, and blocks stay apart."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from operator import attrgetter

from bench.campaign.results import KEY, Key, Row

BlockKey = tuple[str | int, ...]
"""The puzzle, instance, task, seed and repeat that the runs of a block have in common."""

block_key: Callable[[Row], BlockKey] = attrgetter("puzzle", "instance", "task", "seed", "repeat")
"""The key of a row's block."""

identity: Callable[[Row], Key] = attrgetter("campaign", "host", "started_at", *KEY)
"""What tells a run from all others, in whichever folder it is recorded: its repeat may be another there.

Runs of no time at all, of a solver that cannot do the task, may share it; so rows are counted.
"""


def with_repeat(row: Row, repeat: int) -> Row:
    """The row as the run of another repeat."""
    return row if row.repeat == repeat else replace(row, repeat=repeat)


class Union:
    """The rows of several campaigns: each counts once, and no block has rows of two campaigns.

    Args:
        rows: those that are there already.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        self.repeats: defaultdict[Key, list[int]] = defaultdict(list)
        self.blocks: Counter[BlockKey] = Counter()
        self.last = 0
        self.take(rows)

    def take(self, rows: Iterable[Row]) -> None:
        """Takes rows in as they are."""
        for row in rows:
            self.repeats[identity(row)].append(row.repeat)
            self.blocks[block_key(row)] += 1
            self.last = max(self.last, row.repeat)

    def add(self, rows: Iterable[Row]) -> list[Row]:
        """Adds the rows of a campaign; returns those that were not there, with the repeats that they get.

        A block that is there gets its further rows. All other blocks keep their repeats, or, if one of these
        is another campaign's, get repeats behind all others, shifted by the same number.
        """
        new = []
        seen: Counter[Key] = Counter()
        found: Counter[BlockKey] = Counter()
        places: dict[BlockKey, BlockKey] = {}
        for row in rows:
            name, at = identity(row), block_key(row)
            there = self.repeats.get(name, [])
            if seen[name] < len(there):
                places[at] = (*at[:-1], there[seen[name]])
                found[places[at]] += 1
                seen[name] += 1
            else:
                new.append(row)
        # Not a block that a campaign resumed after a merge has filled with other rows.
        own = {at: int(place[-1]) for at, place in places.items() if found[place] == self.blocks[place]}
        others = {block_key(row): row.repeat for row in new if block_key(row) not in own}
        clash = any(at in self.blocks for at in others)
        shift = self.last + 1 - min(others.values()) if clash else 0
        repeats = own | {at: repeat + shift for at, repeat in others.items()}
        numbered = [with_repeat(row, repeats[block_key(row)]) for row in new]
        self.take(numbered)
        return numbered
