"""machine.json: what a campaign was asked for, and where and with what it was executed."""

import secrets
import shlex
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import pydantic

from bench.campaign.collections import cache_of
from bench.catalogue.errors import RequestError, read_bytes, writing
from bench.catalogue.programs import without_arguments
from bench.catalogue.sources import ADDRESS
from bench.contract import Backend, Run
from bench.environment.files import replace_file
from bench.environment.machine import Machine, recorded

_WithoutGrid = Annotated[str, pydantic.AfterValidator(lambda word: ADDRESS.sub("puzz.link", word))]
"""A word of a command; an address of puzz.link is a grid, which may not be passed on."""


class Asked(pydantic.BaseModel, extra="allow"):
    """What a campaign was asked for: the fields of its Request and Repeats, and how it was executed."""

    what: list[str] = []
    families: list[str] = []
    instances: list[str] = []
    collections: list[_WithoutGrid] = []
    times: int | None = None
    budget_s: float | None = None
    climb: bool = False
    shard: str | None = None
    instructions: bool = False


class Session(pydantic.BaseModel, extra="allow"):
    """What was asked for, and the facts of the machine and the project; what may be secret is left out."""

    started_at: str = ""
    command: list[_WithoutGrid] = []
    request: Asked = Asked()
    environment: dict[str, str] = {}
    packages: dict[str, str] = {}
    hosts: dict[str, dict[str, object]] = {}  # The machines of a cluster that executed runs, by name.

    @pydantic.field_validator("environment")
    @classmethod
    def only_recorded(cls, environment: dict[str, str]) -> dict[str, str]:
        """Leaves out all others, also of what earlier versions recorded."""
        return recorded(environment)

    @pydantic.field_validator("command")
    @classmethod
    def without_arguments_of_programs(cls, words: list[str]) -> list[str]:
        """Leaves out the arguments of programs: `--program NAME=COMMAND` or `--program=NAME=COMMAND`."""
        told: list[str] = []
        for before, word in pairwise(["", *words]):
            if before == "--program":
                word = without_arguments(word)
            elif word.startswith("--program="):
                word = f"--program={without_arguments(word.partition('=')[2])}"
            told.append(word)
        return told


class Facts(pydantic.BaseModel, extra="allow"):
    """What machine.json says: the sessions of a campaign, or of those that were merged to one."""

    campaign: str = ""
    order_seed: int = 0
    sessions: list[Session] = []
    merged: list[str] = []

    @cached_property
    def own_instances(self) -> list[Path]:
        """The instance files that the campaign was asked for by their path, and those of its collections."""
        asked = [session.request for session in self.sessions]
        names = dict.fromkeys(name for request in asked for name in (*request.what, *request.instances))
        folders = {cache_of(name) for request in asked for name in request.collections}
        files = [file for folder in sorted(folders) for file in folder.glob("*/*.toml")]
        return [*(Path(name) for name in names if name.endswith(".toml")), *files]


def open_campaign(
    folder: Path,
    here: Machine,
    command: Sequence[str],
    asked: Mapping[str, object],
    runs: Iterable[Run],
    backends: Mapping[str, Backend],
    like: Facts | None = None,
) -> Facts:
    """Adds a session that begins now to the machine.json of a folder, or raises RequestError."""
    facts = facts_or_new(folder, like)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    session = {"started_at": now, "request": asked, "command": list(command), **vars(here)}
    # The seconds that compiling programs took, by backend and puzzle.
    compile_s: dict[str, dict[str, float]] = {}
    for run in runs:
        if seconds := backends[run.offered].compile_s.get(run.puzzle):
            compile_s.setdefault(run.backend, {})[run.puzzle] = seconds
    if compile_s:
        session["compile_s"] = compile_s
    facts.sessions.append(Session.model_validate(session))
    write(folder, facts)
    return facts


def facts_or_new(folder: Path, like: Facts | None = None) -> Facts:
    """What machine.json says, or a new campaign, or that of `like`; raises RequestError if damaged."""
    if not (folder / "machine.json").exists():
        name = f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
        new = like or Facts(campaign=name, order_seed=secrets.randbelow(2**31))
        return Facts(campaign=new.campaign, order_seed=new.order_seed, sessions=[])
    facts = read_facts(folder)
    if not {"campaign", "order_seed", "sessions"} <= facts.model_fields_set:
        raise RequestError(f"{folder}: its machine.json cannot be read; choose another folder with --out")
    return facts


def add_host(folder: Path, facts: Facts, machine: Machine) -> None:
    """Adds a machine of a cluster to the current session, once; raises RequestError if it cannot be."""
    session, name = facts.sessions[-1], machine.host or "unknown"
    if name in session.hosts:
        return
    # The packages that matter are the same as here.
    known = {key: value for key, value in vars(machine).items() if key not in ("packages", "environment")}
    session.hosts = {**session.hosts, name: known}
    write(folder, facts)


def write(folder: Path, facts: Facts) -> None:
    """Writes the machine.json of a folder; raises RequestError if it cannot be written."""
    with writing(folder, "choose another folder with --out"):
        replace_file(folder / "machine.json", facts.model_dump_json(indent=2, exclude_unset=True) + "\n")


def read_facts(folder: Path) -> Facts:
    """What machine.json says, if it can be read; raises RequestError if it is no regular file."""
    try:
        return Facts.model_validate_json(read_bytes(folder / "machine.json"))
    except (OSError, pydantic.ValidationError):
        return Facts()


def more_runs(facts: Facts, folder: Path | None, option: str) -> str:
    """The `run` command of a campaign with this option, as `--repeat 6`, or several, in place of its own.

    Only the option if sessions had different commands, or not `run`; without a folder for a new campaign.
    """
    options = [*shlex.split(option), *(("--out", str(folder)) if folder else ())]
    # Merged shards are a whole campaign.
    replaced = {*options[::2], "--out", *(["--shard"] if facts.merged else [])}
    found = set()
    for words in (session.command for session in facts.sessions):
        places = [place for place, word in enumerate(words) if word.partition("=")[0] in replaced]
        values = [place + 1 for place in places if "=" not in words[place]]
        kept = [word for place, word in enumerate(words) if place not in {*places, *values}]
        found.add(shlex.join([*kept, *options]) if "run" in words[1:4] else option)
    return found.pop() if len(found) == 1 else option
