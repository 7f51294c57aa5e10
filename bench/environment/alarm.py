"""A time limit for Python code in the main thread of a process."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from bench.contract import TimeLimit


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raises TimeLimit inside the block after `seconds` of wall time."""

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise TimeLimit

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
