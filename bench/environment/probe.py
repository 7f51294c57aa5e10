"""What a system may tell or not: a look that fails costs that fact alone."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


def fact(look: Callable[[], T]) -> T | None:
    """What `look` finds; None if it fails.

    Files of a system may be missing, unreadable or hold anything, libraries fail on them in ways of their
    own, and some systems lack functions: any exception means that the fact is not known.
    """
    try:
        return look()
    except Exception:
        return None


def read(path: Path) -> str | None:
    """The content of a file of the system; None if it cannot be read, is empty or is no printable text."""
    text = fact(lambda: path.read_text(encoding="utf-8").strip())
    return text if text and text.replace("\n", "").replace("\t", "").isprintable() else None
