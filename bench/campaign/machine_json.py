"""What machine.json says of a campaign, as far as it is read by name, and the command that adds to it."""

import json
import os
import secrets
import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pydantic

from bench import catalogue
from bench.catalogue.errors import RequestError


def open_campaign(
    folder: Path, session: Mapping[str, Any], like: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The facts of the campaign in `folder`, this session's in front; writes them into its machine.json.

    machine.json has the name of the campaign, the seed of its order, and one entry a session: a campaign that
    is resumed has several, and each may have another machine, commit or request.

    Args:
        like: the facts of another folder's campaign; if this one is new, it is a part of that.

    Raises:
        RequestError: if the folder cannot be used.
    """
    path = folder / "machine.json"
    now = datetime.now(UTC)
    facts: dict[str, Any]
    try:
        if path.exists():
            facts = json.loads(path.read_text())
        else:
            like = like or {
                "campaign": f"{now:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}",
                "order_seed": secrets.randbelow(2**31),
            }
            facts = {name: like[name] for name in ("campaign", "order_seed")} | {"sessions": []}
        entry = {"started_at": now.isoformat(timespec="seconds"), **session}
        facts["sessions"].append(entry)
        replace_file(path, json.dumps(facts, indent=2) + "\n")
        return entry | {"campaign": facts["campaign"], "order_seed": facts["order_seed"]}
    except (OSError, json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "its machine.json cannot be read"
        raise RequestError(f"{folder}: {reason}; choose another folder with --out") from None


def replace_file(path: Path, text: str) -> None:
    """Writes a file so that a kill at any moment leaves the old content or the new one."""
    draft = path.with_name(f"{path.name}.new")
    with draft.open("w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


class Asked(pydantic.BaseModel, extra="allow"):
    """What machine.json says of a request."""

    what: list[str] = []
    instances: list[str] = []


class Session(pydantic.BaseModel, extra="allow"):
    """What machine.json says of one session."""

    started_at: str = ""
    command: list[str] = []
    request: Asked = Asked()
    environment: dict[str, str] = {}
    packages: dict[str, str] = {}


class Facts(pydantic.BaseModel):
    """What machine.json says."""

    sessions: list[Session] = []


def read_facts(folder: Path) -> Facts:
    """What machine.json says; nothing if it is not there or cannot be read."""
    try:
        return Facts.model_validate_json((folder / "machine.json").read_bytes())
    except (OSError, pydantic.ValidationError):
        return Facts()


def begun(facts: Facts) -> list[datetime]:
    """When the sessions of a campaign began, in order; without those that machine.json does not tell."""
    times = []
    for session in facts.sessions:
        with suppress(ValueError):
            times.append(datetime.fromisoformat(session.started_at))
    # Campaigns record in UTC; a time without a zone cannot be compared with theirs.
    return sorted(time for time in times if time.tzinfo)


def own_instances(facts: Facts, folder: Path) -> list[Path]:
    """The instance files that a campaign was asked for by their path.

    Without those that lie with a puzzle within the campaign's folder: see `find_puzzles`.
    """
    asked = [session.request for session in facts.sessions]
    names = [name for request in asked for name in (*request.what, *request.instances)]
    paths = [Path(name) for name in dict.fromkeys(names) if name.endswith(".toml")]
    return [path for path in paths if not came_with(folder, catalogue.home_of(path))]


def find_puzzles(facts: Facts, folder: Path) -> None:
    """Makes the puzzles from elsewhere that a campaign ran known again, as far as they are still there.

    Without those within the campaign's folder: they came with the results; nobody asked to run their code.
    """
    listed = [session.environment.get(catalogue.PUZZLES, "") for session in facts.sessions]
    for path in map(Path, dict.fromkeys(os.pathsep.join(listed).split(os.pathsep))):
        if path.is_absolute() and path.is_dir() and not came_with(folder, path):
            # What is no puzzle any more, or has the name of another, is not at hand.
            with suppress(RequestError):
                catalogue.find_puzzle(str(path))


def came_with(folder: Path, home: Path | None) -> bool:
    """Whether the folder of a puzzle lies within that of a campaign."""
    return home is not None and home.resolve().is_relative_to(folder.resolve())


def more_runs(facts: Facts, folder: Path, option: str) -> str:
    """The command that adds runs to a campaign.

    Args:
        folder: the campaign's.
        option: how many runs there are to be in the end, as `--repeat 6`.

    Returns:
        The command of the campaign's sessions with this option; the option alone if they are several, or
        were made by something else than `run`.
    """
    commands = {
        tuple(changed)
        for session in facts.sessions
        if (changed := with_options(session.command, [*option.split(), "--out", str(folder)]))
    }
    if len(commands) != 1 or not all(with_options(session.command, []) for session in facts.sessions):
        return option
    (command,) = commands
    return shlex.join(command)


def with_options(command: Sequence[str], options: Sequence[str]) -> list[str]:
    """A command `run` with these options in place of what it says of them; empty if it is another command."""
    words = list(command)
    if "run" not in words[1:4]:
        return []
    for option in options[::2]:
        while option in words:
            place = words.index(option)
            del words[place : place + 2]
        words = [word for word in words if not word.startswith(f"{option}=")]
    return [*words, *options]
