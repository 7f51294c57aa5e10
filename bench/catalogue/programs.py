"""Programs of users, which `--program NAME=COMMAND` makes solvers of the backend `native`."""

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.catalogue.errors import RequestError

PROGRAMS = "BENCH_PROGRAMS"
"""The environment variable that tells processes of these programs, `NAME=COMMAND` a line."""

BACKEND = "native"
"""The backend whose solvers they are."""

OURS = "c"
"""Its solver that is this project's own program for a puzzle, in C."""


def add_program(text: str) -> str:
    """Adds the program that `NAME=COMMAND` names, for this process and those it starts; returns the solver.

    Raises:
        RequestError: if the text is not of this form, or the name cannot be one.
    """
    name, _, command = text.partition("=")
    usage = "write NAME=COMMAND, as in --program mine=./search"
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise RequestError(f"--program {text}: {error}; {usage}") from None
    if not words or "\n" in text:
        raise RequestError(f"--program {text}: there is no command; {usage}")
    if not re.fullmatch("[a-z][a-z0-9_-]*", name) or name == OURS:
        raise RequestError(
            f"--program {text}: {name!r} cannot be the name of a program, which has small letters, digits, "
            f"- and _, and is not {OURS}; {usage}"
        )
    # Servers work in another folder.
    words = [str(Path(word).resolve()) if Path(word).is_file() else word for word in words]
    listed = {**programs(), name: words}
    os.environ[PROGRAMS] = "\n".join(f"{name}={shlex.join(words)}" for name, words in listed.items())
    return f"{BACKEND}:{name}"


def programs() -> Mapping[str, Sequence[str]]:
    """The commands of users by name, as words."""
    lines = os.environ.get(PROGRAMS, "").splitlines()
    return {name: shlex.split(command) for name, _, command in (line.partition("=") for line in lines)}
