"""Puts shards, and campaigns of several machines, together into one campaign: `python -m bench merge`."""

import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Self

from bench.campaign.current import current
from bench.campaign.logs import LOGS, merge_logs
from bench.campaign.machine_json import Facts, facts_or_new, read_facts, write
from bench.campaign.recorder import recorder_of
from bench.campaign.results import KEY, Key, Row, read
from bench.campaign.shard import SHARDS, Shard
from bench.catalogue.errors import RequestError
from bench.contract import Status
from bench.invocation import command_line

_BlockKey = tuple[str | int, ...]
"""The puzzle, instance, task, seed and repeat that the runs of a block have in common."""

_block_key: Callable[[Row], _BlockKey] = attrgetter("puzzle", "instance", "task", "seed", "repeat")
"""The key of a row's block."""

identity: Callable[[Row], Key] = attrgetter("campaign", "host", "started_at", *KEY)
"""What tells a run from all others, in whichever folder it is recorded: its repeat may be another there.

Runs of no time at all, of a solver that cannot do the task, may share it; so rows are counted.
"""


def _with_repeat(row: Row, repeat: int) -> Row:
    return row if row.repeat == repeat else replace(row, repeat=repeat)


class Union:
    """The rows of several campaigns: each counts once, and no block has rows of two campaigns.

    Args:
        rows: those that are there already.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        self.repeats: defaultdict[Key, list[int]] = defaultdict(list)
        self.blocks: Counter[_BlockKey] = Counter()
        self.last = 0
        self.take(rows)

    def take(self, rows: Iterable[Row]) -> None:
        """Takes rows in as they are."""
        for row in rows:
            self.repeats[identity(row)].append(row.repeat)
            self.blocks[_block_key(row)] += 1
            self.last = max(self.last, row.repeat)

    def add(self, rows: Iterable[Row]) -> list[Row]:
        """Adds the rows of a campaign; returns those that were not there, with the repeats that they get.

        A block that is there gets its further rows. All other blocks keep their repeats, or, if one of these
        is another campaign's, get repeats behind all others, shifted by the same number.
        """
        new = []
        seen: Counter[Key] = Counter()
        found: Counter[_BlockKey] = Counter()
        places: dict[_BlockKey, _BlockKey] = {}
        for row in rows:
            name, at = identity(row), _block_key(row)
            there = self.repeats.get(name, [])
            if seen[name] < len(there):
                places[at] = (*at[:-1], there[seen[name]])
                found[places[at]] += 1
                seen[name] += 1
            else:
                new.append(row)
        # Not a block that a campaign resumed after a merge has filled with other rows.
        own = {at: int(place[-1]) for at, place in places.items() if found[place] == self.blocks[place]}
        others = {_block_key(row): row.repeat for row in new if _block_key(row) not in own}
        clash = any(at in self.blocks for at in others)
        shift = self.last + 1 - min(others.values()) if clash else 0
        repeats = own | {at: repeat + shift for at, repeat in others.items()}
        numbered = [_with_repeat(row, repeats[_block_key(row)]) for row in new]
        self.take(numbered)
        return numbered


@dataclass(frozen=True)
class Recorded:
    """What the folder of a campaign records."""

    folder: Path
    rows: Sequence[Row]
    facts: Facts

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Reads a folder.

        Raises:
            RequestError: if its runs.csv or its machine.json is missing or damaged, or it has links.
        """
        _refuse_links(folder)
        facts = read_facts(folder)
        if not facts.sessions:
            message = (
                "it is missing or damaged, and nothing else says what was asked for; leave this folder out"
            )
            raise RequestError(f"{folder / 'machine.json'}: {message}")
        return cls(folder, read(folder / "runs.csv"), facts)

    @property
    def shards(self) -> set[Shard]:
        """The shards that it has; none if it is a whole campaign."""
        asked = [session.request.shard for session in self.facts.sessions]
        return {Shard.parse(shard) for shard in asked if shard} if all(asked) else set()


@dataclass(frozen=True)
class Merged:
    """What a merged campaign has.

    Attributes:
        runs, new: how many runs it has, and how many of them it did not have before.
        missing: the shards that it lacks.
        climb: whether it is a climb.
    """

    runs: int
    new: int
    missing: Sequence[Shard]
    climb: bool


def merge(folders: Iterable[Path], out: Path) -> Merged:
    """Adds the campaigns of these folders to that of `out`, which need not exist.

    What is there already is not added again: a merge can be repeated with the same folders, or with more.

    Raises:
        RequestError: if a folder cannot be read or does not belong to the others, or if `out` has shards or a
            campaign that was not merged; then nothing is written. If logs cannot be copied, the rest is.
    """
    sources = [Recorded.read(folder) for folder in folders]
    before = _merged_before(out)
    campaigns = [*before, *sources]
    _refuse_differences(campaigns)
    with recorder_of(out) as recorder:
        union = Union(recorder.rows)
        new = [row for source in sources for row in union.add(source.rows)]
        # Before the rows: if the merge is killed in between, the next one adds them.
        _write_sessions(out, campaigns, sources)
        if new:
            recorder.extend(new)
        merge_logs([source.folder for source in sources], out)
        climb = campaigns[-1].facts.sessions[-1].request.climb
        return Merged(len(recorder.rows), len(new), _missing_shards(campaigns), climb)


def _refuse_links(folder: Path) -> None:
    """Refuses a folder in which something that a merge copies is a link, or no regular file.

    Raises:
        RequestError: if there is any: it may lead to what nobody wants to pass on.
    """
    files = (folder / name for name in ("runs.csv", "runs.csv.gz", "machine.json", LOGS))
    for path in chain(files, (folder / LOGS).rglob("*")):
        if path.is_symlink() or (path.exists() and not (path.is_file() or path.is_dir())):
            raise RequestError(
                f"{path}: this is a link, or no regular file; only files are merged: remove it"
            )


def _write_sessions(out: Path, campaigns: Iterable[Recorded], sources: Iterable[Recorded]) -> None:
    """Writes the machine.json of a merged campaign.

    Args:
        campaigns: whose sessions it has; of a session that several have, in its latest form.
        sources: the campaigns that are merged now.
    """
    facts = facts_or_new(out)
    sessions = {
        (session.started_at, *session.command, session.model_dump().get("host")): session
        for campaign in campaigns
        for session in campaign.facts.sessions
    }
    facts.sessions = list(sessions.values())
    names = [name for source in sources for name in source.facts.merged or [source.facts.campaign]]
    facts.merged = list(dict.fromkeys([*facts.merged, *names]))
    write(out, facts)


def _merged_before(out: Path) -> list[Recorded]:
    """The campaign that earlier merges recorded in a folder; none if there is nothing in it.

    Raises:
        RequestError: if there is another campaign, or shards.
    """
    if any(out.glob(SHARDS)):
        raise RequestError(f"{out}: it has shards; choose a new folder with --out")
    facts, rows = read_facts(out), read(out / "runs.csv", resume=True)
    if facts.merged:
        return [Recorded(out, rows, facts)]
    if rows or (out / "machine.json").exists():
        raise RequestError(f"{out}: the campaign there was not merged; choose a new folder with --out")
    return []


def _missing_shards(campaigns: Iterable[Recorded]) -> list[Shard]:
    """The shards that are in none of these campaigns; none if one of them is whole."""
    shards = [campaign.shards for campaign in campaigns]
    if not all(shards):
        return []
    there = set[Shard]().union(*shards)
    of = max(shard.of for shard in there)
    return [shard for number in range(1, of + 1) if (shard := Shard(number, of)) not in there]


def _refuse_differences(campaigns: Iterable[Recorded]) -> None:
    """Refuses campaigns that differ in what their runs depend on.

    Raises:
        RequestError: naming two of them, and what differs.
    """
    first: dict[str, tuple[Path, Sequence[str]]] = {}
    for campaign in campaigns:
        for what, values in dependencies(campaign):
            folder, before = first.setdefault(what, (campaign.folder, values))
            if values != before:
                several = len(before) > 1 or len(values) > 1
                both = f"{shown(before, several)} in {folder}, {shown(values, several)} in {campaign.folder}"
                hint = f"`{command_line('compare', folder, campaign.folder)}` compares them instead"
                raise RequestError(f"cannot merge: {what} differs, {both}; {hint}")


_OF_ROWS = (
    ("the instance file of", "instance_sha256", ("puzzle", "instance")),
    ("the rules file of", "rules_sha256", ("puzzle",)),
    ("the model file of", "model_sha256", ("puzzle", "backend")),
    ("the solver release of", "solver_version", ("backend", "solver")),
    ("the version of the project", "version", ()),
    ("the commit of the project", "commit", ()),
)
"""What merged runs must have in common, in words; the column that has it, and those that say of what."""

OF_REQUEST = {
    "what": "WHAT", "puzzles": "--puzzle", "families": "--family", "instances": "--instance",
    "backends": "--backend", "programs": "--program", "solvers": "--solvers",
    "formulations": "--formulation", "tasks": "--task", "seeds": "--seeds", "time_limit_s": "--time-limit",
    "memory_limit_mb": "--memory-limit",
    "threads": "--threads", "times": "--repeat", "budget_s": "--budget",
}  # fmt: skip
"""The fields of Request and Repeats, and the option of each.

They decide which runs there are, and their limits; the rest of a request is how the runs are executed.
"""


def dependencies(campaign: Recorded) -> Iterator[tuple[str, Sequence[str]]]:
    """What the runs of a campaign depend on, in words, each with its value: several if there are several.

    Of requests the latest counts, and of rows those that no later one supersedes.
    """
    if shards := campaign.shards:
        yield "the number of shards", sorted({str(shard.of) for shard in shards})
    asked = campaign.facts.sessions[-1].request
    yield "the command", ["scale" if asked.climb else "run"]
    request = asked.model_dump()
    for name, option in OF_REQUEST.items():
        value = request.get(name)
        values = value if isinstance(value, list) else [value]
        # What `scale` calls PUZZLE.
        yield "PUZZLE" if asked.climb and name == "puzzles" else option, [written(each) for each in values]
    rows = [campaign.rows[number] for number in current(campaign.rows)]
    for what, column, names in _OF_ROWS:
        found: dict[str, set[str]] = defaultdict(set)
        for row in rows:
            # A solver that is not installed has no release, and its backend need not say what it offers.
            if row.status != Status.UNAVAILABLE:
                found[" ".join([what, *(getattr(row, name) for name in names)])].add(getattr(row, column))
        yield from ((thing, sorted(values)) for thing, values in found.items())


def written(value: object) -> str:
    """A value of a request; files and folders, which may lie elsewhere on another machine, by their name."""
    text = "auto" if value is None else f"{value:.10g}" if isinstance(value, float) else str(value)
    return Path(text).name if text.endswith(".toml") or text.startswith((".", os.sep)) else text


def shown(values: Iterable[str], several: bool) -> str:
    """Values for people: of hashes the beginning; where there are several, in quotation marks."""
    texts = [value[:12] if re.fullmatch("[0-9a-f]{40,}", value) else value for value in values]
    text = " ".join(filter(None, texts))
    return (f'"{text}"' if several else text) if text else "none"
