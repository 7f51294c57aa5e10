"""The sessions of a campaign as machine.json describes them, and the commands that repeat them."""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from bench.campaign.machine_json import Facts

LISTED_FACTS = (
    "host", "cpu", "cores", "threads", "pinned", "memory_mb", "virtual", "system", "kernel", "governor",
    "turbo", "clock", "load", "unavailable", "python", "compiler", "libc", "version", "commit", "dirty",
)  # fmt: skip


@dataclass(frozen=True)
class SessionFacts:
    """What machine.json says of a session, as text.

    Attributes:
        facts: of the machine and the request, by name.
        environment: variables of the environment.
        packages: versions by name.
    """

    started: str
    command: str
    facts: Mapping[str, str]
    environment: Mapping[str, str]
    packages: Mapping[str, str]


def sessions(facts: Facts) -> list[SessionFacts]:
    """The sessions of a campaign, in order."""
    found = []
    for session in facts.sessions:
        told = session.model_dump() | session.request.model_dump()
        known = {key: told[key] for key in LISTED_FACTS if told.get(key) is not None}
        found.append(
            SessionFacts(
                started=session.started_at,
                command=shlex.join(session.command),
                facts={
                    key: value if isinstance(value, str) else json.dumps(value)
                    for key, value in known.items()
                },
                environment=session.environment,
                packages=session.packages,
            )
        )
    return found


def repeating_command(runs: pd.DataFrame) -> str:
    """A command that executes the runs again, from the runs alone; it may execute more than these."""

    def names(column: str) -> list[str]:
        return sorted(set(runs[column]) - {""})

    solvers = runs[["backend", "solver"]].drop_duplicates()
    words = ["python", "-m", "bench", "run"]
    words += [word for name in names("instance") for word in ("--instance", name)]
    for backend, solver in solvers.sort_values(["backend", "solver"]).itertuples(index=False):
        words += ["--backend", f"{backend}:{solver}" if solver else backend]
    words += [word for name in names("formulation") for word in ("--formulation", name)]
    words += [word for name in names("task") for word in ("--task", name)]
    for option, column in (("--repeat", "repeat"), ("--seeds", "seed"), ("--time-limit", "time_limit_s"),
                           ("--memory-limit", "memory_limit_mb")):  # fmt: skip
        words += [option, f"{runs[column].max():g}"]
    return shlex.join(words)
