"""The sessions of a campaign as machine.json describes them, and the commands that repeat them."""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd

from bench.campaign.machine_json import Facts, Session

LISTED_FACTS = (
    "host", "cpu", "cores", "threads", "pinned", "memory_mb", "virtual", "system", "kernel", "governor",
    "turbo", "clock", "load", "unavailable", "python", "compiler", "libc", "version", "commit", "dirty",
)  # fmt: skip


@dataclass(frozen=True)
class SessionFacts:
    """A session as the page shows it: facts, variables of the environment and versions, by name.

    Attributes:
        hosts: the facts of each host that executed runs on a cluster, by its name.
    """

    started: str
    command: str
    facts: Mapping[str, str]
    environment: Mapping[str, str]
    packages: Mapping[str, str]
    hosts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def sessions(facts: Facts) -> list[SessionFacts]:
    """The sessions of a campaign, in order."""
    found = []
    for session in facts.sessions:
        told = session.model_dump() | session.request.model_dump()
        command = shlex.join(session.command)
        by_host = {name: listed_facts(of_host) for name, of_host in session.hosts.items()}
        more = session.environment, session.packages, by_host
        found.append(SessionFacts(session.started_at, command, listed_facts(told), *more))
    return found


def on_cluster(session: Session) -> bool:
    """Whether a session executed its runs on a cluster."""
    return bool(session.request.model_dump().get("cluster"))


def listed_facts(told: Mapping[str, object]) -> dict[str, str]:
    """The facts that the page lists, as far as they are known."""
    return {
        key: value if isinstance(value, str) else json.dumps(value)
        for key in LISTED_FACTS
        if (value := told.get(key)) is not None
    }


def repeating_command(runs: pd.DataFrame) -> str:
    """A command that executes the runs again, from the runs alone; it may execute more than these."""
    backend = runs["backend"].where(runs["solver"] == "", runs["backend"] + ":" + runs["solver"])
    words = ["python", "-m", "bench", "run"]
    for option, names in (("--instance", runs["instance"]), ("--backend", backend),
                          ("--formulation", runs["formulation"]), ("--task", runs["task"])):  # fmt: skip
        for name in sorted(set(names) - {""}):
            words += [option, name]
    for option, column in (("--repeat", "repeat"), ("--seeds", "seed"), ("--time-limit", "time_limit_s"),
                           ("--memory-limit", "memory_limit_mb")):  # fmt: skip
        words += [option, f"{runs[column].max():g}"]
    threads = sorted(set(runs["threads"]))
    for number in threads if threads != [1] else ():
        words += ["--threads", f"{number:g}"]
    return shlex.join(words)
