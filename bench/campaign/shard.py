"""A fixed part of a campaign, `--shard 2/8`: machines that know nothing of each other execute one each."""

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from bench.campaign.plan import Plan
from bench.catalogue.errors import RequestError
from bench.contract import Task

SHARDS = "shard-*-of-*"
"""The pattern of the names of shards' folders."""

_ADVICE = "choose another folder with --out"

_NOTES = ("logs", ".md", ".txt", ".log", ".out", ".err")
"""The name, or the endings of names, of what may be in a folder before a campaign is."""


@dataclass(frozen=True)
class Shard:
    """One of the equal parts that a campaign is divided into; `number` counts from 1."""

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """The shard that a text such as 2/8 means; raises RequestError if there is no such shard."""
        found = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
        if not found or not 1 <= int(found[1]) <= int(found[2]):
            raise RequestError(f"--shard {text}: write K/N with K from 1 to N, as in 2/8")
        return cls(int(found[1]), int(found[2]))

    def __str__(self) -> str:
        """The text that `parse` reads."""
        return f"{self.number}/{self.of}"

    def folder(self, out: Path) -> Path:
        """Where the shard is recorded: a folder within `out`, or `out` if that has the shard's name."""
        name = f"shard-{self.number}-of-{self.of}"
        return out if out.name == name else out / name

    def part(self, plan: Plan, tasks: Sequence[Task], climbing: bool) -> Plan:
        """The plan with the runs of this shard alone: all runs of every N-th problem.

        What is compared stays together: an instance with a task, or in a climb, where larger instances depend
        on smaller ones, a puzzle with a task. Only the request and the instance files decide which shard has
        which, so that a shard is the same on every machine, whatever is installed there. All problems of one
        task are counted before those of the next, so that every shard has some of each.
        """

        def problem(puzzle: str, instance_sha256: str, task: Task) -> Hashable:
            return puzzle if climbing else instance_sha256, task

        instances = plan.instances.values()
        problems = dict.fromkeys(
            problem(each.puzzle_name, each.sha256, t) for t in tasks for each in instances
        )
        mine = set(list(problems)[self.number - 1 :: self.of])
        runs = [run for run in plan.runs if problem(run.puzzle, run.instance_sha256, run.task) in mine]
        return replace(plan, runs=runs)


def refuse_other(out: Path, marks: Sequence[str] = ("runs.csv*", "machine.json", SHARDS)) -> None:
    """Refuses a folder to record in if it has other things, as that of a project: they would be mixed.

    Notes, and logs of a job, may be in it before a campaign is.

    Args:
        marks: patterns of what tells that it has a campaign.

    Raises:
        RequestError: if so, or if it is a file.
    """
    if out.exists() and not out.is_dir():
        raise RequestError(f"{out}: this is a file; {_ADVICE}")
    others = [path for path in out.glob("[!.]*") if not path.name.endswith(_NOTES)]
    if others and not any(any(out.glob(mark)) for mark in marks):
        raise RequestError(f"{out}: it has other things ({others[0].name}), and no campaign; {_ADVICE}")


def folder_of(out: Path, shard: Shard | None) -> Path:
    """The folder that a shard, or a whole campaign, is recorded in if --out names `out`.

    Raises:
        RequestError: if `out` would have both: `merge` could not tell which of them is meant; or has others.
    """
    refuse_other(out)
    if shard is None:
        if any(out.glob(SHARDS)):
            raise RequestError(f"{out}: it has shards; {_ADVICE}, or add --shard")
        return out
    folder = shard.folder(out)
    if folder != out and (out / "runs.csv").exists():
        raise RequestError(f"{out}: it has a whole campaign; {_ADVICE} for shards")
    return folder
