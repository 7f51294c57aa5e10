"""A time limit for Python code in the main thread of a process."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType

from bench.contract import TimeLimit

AGAIN_S = 0.2
"""It is raised again after this time: Python ignores it in finalizers and callbacks of its collector."""


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raises TimeLimit inside the block after `seconds` of wall time; an alarm around it waits meanwhile."""

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise TimeLimit

    started = monotonic()
    before = signal.signal(signal.SIGALRM, ring)
    left = signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6), AGAIN_S)[0]
    try:
        yield
    finally:
        try:
            signal.setitimer(signal.ITIMER_REAL, 0)
        finally:  # It may ring before that.
            signal.setitimer(signal.ITIMER_REAL, 0)
            if left:
                signal.signal(signal.SIGALRM, before)
                signal.setitimer(signal.ITIMER_REAL, max(left - (monotonic() - started), 1e-6), AGAIN_S)
