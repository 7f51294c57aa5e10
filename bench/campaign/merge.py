"""Puts shards, and campaigns of several machines, together into one campaign: `python -m bench merge`."""

import os
import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from bench.campaign.machine_json import Facts, facts_or_new, read_facts, write
from bench.campaign.plan import SHARDS, Shard
from bench.campaign.recorder import LOGS, recorder_of
from bench.campaign.results import KEY, Key, Row, current, read
from bench.catalogue.errors import RequestError, command_line
from bench.contract import Status


class _Recorded(NamedTuple):
    """What the folder of a campaign records."""

    folder: Path
    rows: Sequence[Row]
    facts: Facts

    @property
    def shards(self) -> set[Shard]:
        """The shards that it has; none if it is a whole campaign."""
        asked = [session.request.shard for session in self.facts.sessions]
        return {Shard.parse(shard) for shard in asked if shard} if all(asked) else set()


class Merged(NamedTuple):
    """How many runs a merged campaign has, and how many are new; the shards that it lacks."""

    runs: int
    new: int
    missing: Sequence[Shard]
    climb: bool


def merge(folders: Iterable[Path], out: Path) -> Merged:
    """Adds the campaigns of these folders to that of `out`, which need not exist.

    What is there already is not added again: a merge can be repeated with the same folders, or with more.
    Raises RequestError if a folder cannot be read or does not belong to the others, or if `out` has shards or
    a campaign that was not merged; then nothing is written. If logs cannot be copied, the rest is.
    """
    sources = [_read(folder) for folder in folders]
    campaigns = [*_merged_before(out), *sources]
    _refuse_differences(campaigns)
    with recorder_of(out) as recorder:
        facts, rows = facts_or_new(out), [*recorder.rows]
        for source in sources:
            rows += added(rows, source.rows)
        new = rows[len(recorder.rows) :]
        sessions = [session for campaign in campaigns for session in campaign.facts.sessions]
        # Of a session that several campaigns have, the latest form is kept.
        unique = {(each.started_at, *each.command, each.model_dump().get("host")): each for each in sessions}
        facts.sessions = list(unique.values())
        names = [name for source in sources for name in source.facts.merged or [source.facts.campaign]]
        facts.merged = list(dict.fromkeys([*facts.merged, *names]))
        # Before the rows: if the merge is killed in between, the next one adds them.
        write(out, facts)
        if new:
            recorder.extend(new)
        merge_logs([source.folder for source in sources], out)
        return Merged(len(rows), len(new), _missing_shards(campaigns), sessions[-1].request.climb)


_identity: Callable[[Row], Key] = attrgetter("campaign", "host", "started_at", *KEY)
"""What identifies a run in any folder, whatever its repeat there; several of no time at all may share it."""

_block: Callable[[Row], Key] = attrgetter("puzzle", "instance", "task", "seed")
"""With a repeat, what the runs of a block have in common."""


def added(there: Sequence[Row], rows: Sequence[Row]) -> list[Row]:
    """The rows of a campaign that are not there, with the repeats that they get: no block has two campaigns.

    A block that is there gets its further rows. All other blocks keep their repeats; if one of these is
    another campaign's, they are shifted behind all others by the same number.
    """
    recorded: defaultdict[Key, list[int]] = defaultdict(list)
    for row in there:
        recorded[_identity(row)].append(row.repeat)
    size = Counter((_block(row), row.repeat) for row in there)
    found: Counter[tuple[Key, int]] = Counter()
    repeats: dict[tuple[Key, int], int] = {}
    new = []
    for row in rows:
        if known := recorded[_identity(row)]:
            repeat = repeats[_block(row), row.repeat] = known.pop(0)
            found[_block(row), repeat] += 1
        else:
            new.append(row)
    # Not those of a block that a campaign resumed after a merge has filled with other rows.
    repeats = {at: repeat for at, repeat in repeats.items() if found[at[0], repeat] == size[at[0], repeat]}
    others = {(_block(row), row.repeat) for row in new} - repeats.keys()
    shift = 0
    if not others.isdisjoint(size):
        shift = max(row.repeat for row in there) + 1 - min(repeat for _, repeat in others)
    return [replace(row, repeat=repeats.get((_block(row), row.repeat), row.repeat + shift)) for row in new]


def _read(folder: Path) -> _Recorded:
    """Reads a folder to merge.

    Raises RequestError if runs.csv or machine.json is missing or damaged, or if something that a merge copies
    is a link, which may lead to what nobody wants to pass on.
    """
    files = (folder / name for name in ("runs.csv", "runs.csv.gz", "machine.json", LOGS))
    for path in chain(files, (folder / LOGS).rglob("*")):
        if path.is_symlink() or (path.exists() and not (path.is_file() or path.is_dir())):
            message = "this is a link, or no regular file; only files are merged: remove it"
            raise RequestError(f"{path}: {message}")
    facts = read_facts(folder)
    if not facts.sessions:
        message = "it is missing or damaged, and nothing else says what was asked for; leave this folder out"
        raise RequestError(f"{folder / 'machine.json'}: {message}")
    return _Recorded(folder, read(folder / "runs.csv"), facts)


def _merged_before(out: Path) -> list[_Recorded]:
    """The campaign that earlier merges recorded in a folder; raises RequestError for any other."""
    if any(out.glob(SHARDS)):
        raise RequestError(f"{out}: it has shards; choose a new folder with --out")
    facts, rows = read_facts(out), read(out / "runs.csv", resume=True)
    if facts.merged:
        return [_Recorded(out, rows, facts)]
    if rows or (out / "machine.json").exists():
        raise RequestError(f"{out}: the campaign there was not merged; choose a new folder with --out")
    return []


def _missing_shards(campaigns: Iterable[_Recorded]) -> list[Shard]:
    """The shards that are in none of these campaigns; none if one of them is whole."""
    shards = [campaign.shards for campaign in campaigns]
    if not all(shards):
        return []
    there = set[Shard]().union(*shards)
    of = max(shard.of for shard in there)
    return [shard for number in range(1, of + 1) if (shard := Shard(number, of)) not in there]


def _refuse_differences(campaigns: Iterable[_Recorded]) -> None:
    """Raises RequestError for two campaigns that differ in what their runs depend on."""
    first: dict[str, tuple[Path, Sequence[str]]] = {}
    for campaign in campaigns:
        for what, values in _dependencies(campaign):
            folder, before = first.setdefault(what, (campaign.folder, values))
            if values != before:
                both = f"{_shown(before)} in {folder}, {_shown(values)} in {campaign.folder}"
                hint = f"`{command_line('compare', folder, campaign.folder)}` compares them instead"
                raise RequestError(f"cannot merge: {what} differs, {both}; {hint}")


_OF_ROWS = (
    ("the instance file of", "instance_sha256", ("puzzle", "instance")),
    ("the rules file of", "rules_sha256", ("puzzle",)),
    ("the model file of", "model_sha256", ("puzzle", "backend")),
    ("the solver release of", "solver_version", ("backend", "solver", "release")),
    ("the version of the project", "version", ()),
    ("the commit of the project", "commit", ()),
)
"""What merged runs must have in common, in words; the column that has it, and those that say of what."""

OF_REQUEST = {
    "what": "WHAT", "puzzles": "--puzzle", "families": "--family", "instances": "--instance",
    "collections": "--collection", "at_most": "--at-most",
    "backends": "--backend", "programs": "--program", "solvers": "--solvers",
    "formulations": "--formulation", "tasks": "--task", "seeds": "--seeds", "time_limit_s": "--time-limit",
    "memory_limit_mb": "--memory-limit",
    "threads": "--threads", "releases": "--release", "times": "--repeat", "budget_s": "--budget",
    "instructions": "--instructions",
}  # fmt: skip
"""The option of each field of Request and Repeats; the rest of what was asked is how runs are executed."""


def _dependencies(campaign: _Recorded) -> Iterator[tuple[str, Sequence[str]]]:
    """What the runs of a campaign depend on, in words, and its values: of the latest request and the rows."""
    if shards := campaign.shards:
        yield "the number of shards", sorted({str(shard.of) for shard in shards})
    asked = campaign.facts.sessions[-1].request
    yield "the command", ["scale" if asked.climb else "run"]
    request = asked.model_dump()
    for name, option in OF_REQUEST.items():
        value = request.get(name)
        values = value if isinstance(value, list) else [value]
        # What `scale` calls PUZZLE.
        yield "PUZZLE" if asked.climb and name == "puzzles" else option, [_value(each) for each in values]
    found: dict[str, set[str]] = defaultdict(set)
    rows = [campaign.rows[number] for number in current(campaign.rows)]
    # A solver that is not installed has no release, and its backend need not say what it offers.
    for row in (row for row in rows if row.status != Status.UNAVAILABLE):
        for what, column, names in _OF_ROWS:
            found[" ".join(filter(None, [what, *(getattr(row, name) for name in names)]))].add(
                getattr(row, column)
            )
    yield from ((what, sorted(found[what])) for what in found)


def _value(value: object) -> str:
    """A value of a request; of files and folders, which may lie elsewhere on another machine, the name."""
    text = "auto" if value is None else f"{value:.10g}" if isinstance(value, float) else str(value)
    return Path(text).name if text.endswith(".toml") or text.startswith((".", os.sep)) else text


def _shown(values: Iterable[str]) -> str:
    """Values for people: hashes are cut, several are in quotation marks."""
    texts = [value[:12] if re.fullmatch("[0-9a-f]{40,}", value) else value for value in values if value]
    return f'"{" ".join(texts)}"' if len(texts) > 1 else "".join(texts) or "none"


def merge_logs(sources: Sequence[Path], out: Path) -> None:
    """Copies the logs of campaigns, of each model that of the first; raises RequestError if one cannot be."""
    for folder in reversed(sources):
        if (folder / LOGS).is_dir():
            try:
                shutil.copytree(folder / LOGS, out / LOGS, dirs_exist_ok=True)
            except (OSError, shutil.Error) as error:
                reason = getattr(error, "strerror", None) or "not all logs can be copied"
                hint = "all runs are recorded; merge again to copy the logs"
                raise RequestError(f"{out / LOGS}: {reason}; {hint}") from None
