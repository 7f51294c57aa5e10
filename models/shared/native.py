"""A puzzle as the input of a program in any language: lines of integers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class NativeInput:
    """What a program is told of an instance, the `problem` of a Model; docs/programs.md has the protocol.

    In `decode(value)`, `value(k)` is the integer at index k of a solution that the program reported.

    Attributes:
        source: the C file of this project's own program; without it only programs of users solve the puzzle.
        lines: the instance, as the puzzle's native.py describes it; line breaks are for people alone.
        length: how many integers a solution has.
    """

    source: Path
    lines: Sequence[Sequence[int]]
    length: int


def numbered(unknowns: Iterable[object]) -> dict[object, int]:
    """Returns the index of each unknown, in their order."""
    return {unknown: index for index, unknown in enumerate(unknowns)}
