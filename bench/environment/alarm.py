"""A time limit for Python code in the main thread of a process."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from bench.contract import TimeLimit

AGAIN_S = 0.2
"""Seconds after which it is raised again: in finalizers and callbacks of its collector Python ignores it."""


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raises TimeLimit inside the block after `seconds` of wall time."""

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise TimeLimit

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6), AGAIN_S)
    try:
        yield
    finally:
        try:
            signal.setitimer(signal.ITIMER_REAL, 0)
        finally:  # It may ring before that.
            signal.setitimer(signal.ITIMER_REAL, 0)
