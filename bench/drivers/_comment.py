"""The comment that a model file begins with."""

import textwrap
from collections.abc import Iterable, Sequence

WIDTH = 110
INDENT = "  "
"""In front of the names of variables."""

APART_BY_ALL = "Two solutions are different if they differ in any variable."


def apart_by(names: Sequence[str]) -> list[str]:
    """Returns lines that say in which variables solutions of the puzzle differ, with their names indented."""
    return [
        f"Two solutions are different if they differ in one of these {len(names)} variables:",
        INDENT + " ".join(names),
    ]


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
