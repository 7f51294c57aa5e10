"""Asks the operating system, and watches and ends a process with all its descendants.

psutil is imported where it is used: servers have imported it, and the harness seldom needs it.
"""

import ctypes
import os
import resource
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, TypeVar

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


if TYPE_CHECKING:
    import psutil

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36

# Loaded here: in the worker it would cost time in every run.
PRCTL: Callable[..., int] | None = ctypes.CDLL(None).prctl if sys.platform == "linux" else None

_SCAN_S = 0.1
"""Seconds between two searches for new descendants: each asks the system about all processes."""

END_S = 1.0
"""Seconds for which descendants are searched for, where processes cannot be inspected."""


def die_with_parent() -> None:
    """On Linux, makes this process end with its parent, whatever ends that."""
    if PRCTL:
        PRCTL(_PR_SET_PDEATHSIG, signal.SIGKILL)


def adopt_orphans() -> None:
    """On Linux, makes a descendant whose parent has ended a child of this process."""
    if PRCTL:
        PRCTL(_PR_SET_CHILD_SUBREAPER, 1)


class ProcessTree:
    """The resident memory of a process and its descendants."""

    def __init__(self, pid: int):
        import psutil

        # None where processes cannot be inspected: then its memory counts as 0.
        self.leader: psutil.Process = or_none(lambda: psutil.Process(pid))
        self.descendants: list[psutil.Process] = []
        self.scanned_at = monotonic()

    def resident_mb(self) -> float:
        """Megabytes (10^6 bytes) resident now, shared pages counted in each process that has them."""
        if monotonic() - self.scanned_at > _SCAN_S:
            found = or_none(lambda: self.leader.children(recursive=True))
            self.descendants = self.descendants if found is None else found
            self.scanned_at = monotonic()
        return sum(map(resident_mb, (self.leader, *self.descendants)))


def resident_mb(process: "psutil.Process") -> float:
    """Megabytes (10^6 bytes) resident; 0 if the process has ended, or that is unknown."""
    return or_none(lambda: float(process.memory_info().rss) / 1e6) or 0.0


def peak_mb(usage: resource.struct_rusage) -> float:
    """Megabytes (10^6 bytes) resident at most so far; of a process that was just forked, those it has."""
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6


def end_group(pid: int) -> None:
    """Kills a process group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def end_children() -> None:
    """Kills and reaps all descendants that are left, those in sessions of their own too."""
    import psutil

    until = monotonic() + END_S
    while True:
        try:
            reaped, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not reaped:
            left = or_none(lambda: psutil.Process().children(recursive=True))
            if left is None and monotonic() > until:
                return
            kill(left or [])
            sleep(0.001)


def end_marked(variable: str, value: str) -> None:
    """Kills every process with this environment variable: what a killed supervisor left behind."""
    import psutil

    marked = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.environ().get(variable) == value:
                marked.append(process)
    kill(marked)


def kill(processes: "list[psutil.Process]") -> None:
    """Kills processes; ignores those that have ended."""
    import psutil

    for process in processes:
        with suppress(psutil.Error):
            process.kill()


def waited_s() -> float | None:
    """Seconds for which the threads of this process were ready to run and had no core; None if unknown."""

    def delay(thread: str) -> int:
        with open(f"/proc/self/task/{thread}/schedstat", "rb") as file:  # noqa: PTH123, a fork is slow in pathlib
            return int(file.read().split()[1])

    delays = or_none(lambda: [*map(delay, os.listdir("/proc/self/task"))])  # noqa: PTH208
    return sum(delays) / 1e9 if delays else None


def stolen_s(cores: Sequence[int] | None) -> float | None:
    """Seconds for which a hypervisor ran something else on the cores (no cores: on all); None if unknown."""
    import psutil

    def stolen() -> float:
        if not cores:
            return float(psutil.cpu_times().steal)
        times = psutil.cpu_times(percpu=True)
        return sum(float(times[core].steal) for core in cores)

    return or_none(stolen)


def since(before: float | None, now: float | None) -> float | None:
    """The seconds by which a count has grown; None if that is unknown, as where a thread ended."""
    return None if before is None or now is None or now < before else now - before
