"""Calls and files of the operating system that may fail: then what they would tell is not known."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


def or_none(call: Callable[[], T]) -> T | None:
    """What a call returns; None if it raises any exception.

    Files of a system may be missing, unreadable or hold anything, libraries fail on them in ways of their
    own, and some systems lack functions.
    """
    try:
        return call()
    except Exception:
        return None


def read_text(path: Path) -> str | None:
    """The content of a file of the system; None if it cannot be read, is empty or is no printable text."""
    text = or_none(lambda: path.read_text(encoding="utf-8").strip())
    return text if text and text.replace("\n", "").replace("\t", "").isprintable() else None
