"""The comment that a model file begins with."""

import textwrap
from collections.abc import Iterable

WIDTH = 110
INDENT = "  "
"""In front of the names of variables."""


def apart_by(variables: Iterable[str]) -> list[str]:
    """Returns lines that say in which variables solutions of the puzzle differ, with their names indented."""
    names = list(variables)
    say = f"Two solutions are different if they differ in one of these {len(names)} variables:"
    return [say, INDENT + " ".join(names)]


def comment(mark: str, lines: Iterable[str]) -> str:
    """Returns lines as a comment, each behind the mark and wrapped; names are never broken."""
    wrapped = (
        textwrap.wrap(
            line, WIDTH, subsequent_indent=line[: len(line) - len(line.lstrip())],
            break_long_words=False, break_on_hyphens=False,
        )
        for line in lines
    )  # fmt: skip
    return "".join(f"{mark} {part}\n" for parts in wrapped for part in parts)
