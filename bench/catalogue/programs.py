"""Programs of users, which `--program NAME=COMMAND` makes solvers of the backend `native`."""

import os
import re
import shlex
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from bench.catalogue.errors import RequestError

PROGRAMS = "BENCH_PROGRAMS"
"""The environment variable that tells processes of these programs, `NAME=COMMAND` a line."""

BACKEND = "native"
"""The backend whose solvers they are."""

OURS = "c"
"""Its solver that is this project's own program for a puzzle, in C."""

_LEFT_OUT = "..."
"""What stands in a record for the arguments of a program, which may have secrets."""

_NAME = re.compile(f"(?!{OURS}$)[a-z][a-z0-9_-]*")
"""What a program may be called."""


def add_program(text: str) -> str:
    """Adds the program that `NAME=COMMAND` names, for this process and those it starts; returns the solver.

    Raises RequestError if the text is not of this form, the name cannot be one, or there is no such program.
    """
    name, _, command = text.partition("=")
    usage = "write NAME=COMMAND, as in --program mine=./search"
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise RequestError(f"--program {text}: {error}; {usage}") from None
    if not words or "\n" in text:
        raise RequestError(f"--program {text}: there is no command; {usage}")
    if not _NAME.fullmatch(name):
        form = f"the name of a program, which has small letters, digits, - and _, and is not {OURS}"
        raise RequestError(f"--program {text}: {name!r} cannot be {form}; {usage}")
    # Servers work in another folder. As in a shell, a name without a folder is looked up in PATH first.
    program, *rest = words
    if rest == [_LEFT_OUT]:
        raise RequestError(f"--program {text}: write the arguments of {program} in place of {_LEFT_OUT}")
    # Symbolic links stay: the python of an environment is one. A word may be too long for Path.is_file.
    here = [str(Path(word).absolute()) if os.path.isfile(word) else word for word in rest]  # noqa: PTH113
    if os.sep in program or not shutil.which(program):
        program = str(Path(program).absolute())
    if not shutil.which(program):
        there = os.path.isfile(program)  # noqa: PTH113
        lacks = "it cannot be executed (chmod +x)" if there else "there is no such program"
        raise RequestError(f"--program {text}: {words[0]}: {lacks}")
    if programs().get(name, [program, *here]) != [program, *here]:
        raise RequestError(f"--program {text}: {name} names another program already; choose another name")
    os.environ[PROGRAMS] = listing({**programs(), name: [program, *here]})
    return f"{BACKEND}:{name}"


def is_program(backend: str, solver: str) -> bool:
    """Whether a solver is a program of a user, whose runs have no formulation: its search is its own."""
    return backend == BACKEND and solver not in ("", OURS)


def without_arguments(text: str) -> str:
    """What a record has of `NAME=COMMAND`: the program, and _LEFT_OUT for its arguments."""
    name, _, command = text.partition("=")
    try:
        program, *rest = shlex.split(command)
    except ValueError:  # It has none, or is no command.
        return f"{name}="
    return f"{name}={shlex.quote(program)} {_LEFT_OUT}" if rest else text


def listing(commands: Mapping[str, Sequence[str]]) -> str:
    """The value of the environment variable for these commands by name."""
    return "\n".join(f"{name}={shlex.join(words)}" for name, words in commands.items())


def programs() -> Mapping[str, Sequence[str]]:
    """The commands of users by name, as words."""
    return dict(filter(None, map(_program_of, os.environ.get(PROGRAMS, "").splitlines())))


def _program_of(line: str) -> tuple[str, Sequence[str]] | None:
    """The name and the words of a program; None if the line is not of that form."""
    name, _, command = line.partition("=")
    with suppress(ValueError):
        if _NAME.fullmatch(name) and (words := shlex.split(command)):
            return name, words
    return None


def forget_malformed() -> list[str]:
    """Takes out of the environment variable what is no program; a line on each."""
    lines = os.environ.get(PROGRAMS, "").splitlines()
    malformed = [line for line in lines if not _program_of(line)]
    if malformed:
        os.environ[PROGRAMS] = "\n".join(line for line in lines if _program_of(line))
    form = "names no program; write NAME=COMMAND, as in mine=/home/me/search"
    return [f"left out: {PROGRAMS}: {line} {form}" for line in malformed]
