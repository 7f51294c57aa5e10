"""How the user called this program, so that a hint can be copied as it stands."""

import shlex
import sys
from pathlib import Path

PROGRAM = "puzzle-bench"
"""The console script."""


def invoked() -> str:
    """`puzzle-bench` if that was called, else `python -m bench`."""
    return PROGRAM if Path(sys.argv[0]).name == PROGRAM else "python -m bench"


def command_line(*arguments: object) -> str:
    """A command of this program as the user would type it."""
    return f"{invoked()} {shlex.join(map(str, arguments))}"


def this_command() -> list[str]:
    """The words of the command that is running."""
    return [*invoked().split(), *sys.argv[1:]]
