"""Asks the operating system, watches and ends a process with all its descendants, and limits their memory.

Memory is limited by control groups (cgroup v2), where this user may set them: in a delegated group, as by
`systemd-run --user --scope -p Delegate=yes`, and for root in a container with a writable hierarchy. The
harness then moves to a leaf of that group, and each run has one beside it.
Documentation: https://docs.kernel.org/admin-guide/cgroup-v2.html

psutil is imported where it is used: servers have imported it, and the harness seldom needs it.
"""

import ctypes
import os
import re
import resource
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, TypeVar

T = TypeVar("T")


def or_none(call: Callable[[], T]) -> T | None:
    """What a call returns; None if it raises: systems lack files and functions, or fail in their own ways."""
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

# Loaded here: in the worker it would cost time in every run.
PRCTL: Callable[..., int] | None = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


def die_with_parent() -> None:
    """On Linux, makes this process end with its parent, whatever ends that."""
    if PRCTL:
        PRCTL(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def adopt_orphans() -> None:
    """On Linux, makes a descendant whose parent has ended a child of this process."""
    if PRCTL:
        PRCTL(36, 1)  # PR_SET_CHILD_SUBREAPER


class ProcessTree:
    """The resident memory of a process and its descendants; 0 where processes cannot be inspected."""

    def __init__(self, pid: int):
        import psutil

        self.leader: psutil.Process = or_none(lambda: psutil.Process(pid))
        self.descendants: list[psutil.Process] = []
        self.scanned_at = monotonic()

    def resident_mb(self) -> float:
        """Megabytes (10^6 bytes) resident now, shared pages counted in each process that has them."""
        # A search for descendants asks the system about all processes.
        if monotonic() - self.scanned_at > 0.1:
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


def end_children() -> None:
    """Kills and reaps all descendants that are left, those in sessions of their own too."""
    import psutil

    until = monotonic() + 1.0  # Where processes cannot be inspected.
    while True:
        try:
            reaped, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not reaped:
            left = or_none(lambda: psutil.Process().children(recursive=True))
            if left is None and monotonic() > until:
                return
            _kill(left or [])
            sleep(0.001)


def end_marked(variable: str, value: str) -> None:
    """Kills every process with this environment variable: what a killed supervisor left behind."""
    import psutil

    _kill([each for each in psutil.process_iter() if (or_none(each.environ) or {}).get(variable) == value])


def _kill(processes: "Sequence[psutil.Process]") -> None:
    """Kills processes; ignores those that have ended."""
    for process in processes:
        or_none(process.kill)


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
        times = psutil.cpu_times(percpu=True) if cores else [psutil.cpu_times()]
        return sum(float(times[core].steal) for core in cores or (0,))

    return or_none(stolen)


def since(before: float | None, now: float | None) -> float | None:
    """The seconds by which a count has grown; None if that is unknown, as where a thread ended."""
    return None if before is None or now is None or now < before else now - before


GROUP_PARENT = "BENCH_CGROUP"
"""The environment variable that names the parent of all groups of runs."""


def own_group() -> Path | None:
    """The folder of the group that this process is in; None without cgroup v2."""
    mounts, groups = (or_none(Path(f"/proc/self/{name}").read_text) or "" for name in ("mounts", "cgroup"))
    root = re.search(r"^\S+ (\S+) cgroup2 ", mounts, re.MULTILINE)
    name = re.search(r"^0::(.*)", groups, re.MULTILINE)
    return Path(root[1] + name[1]) if root and name else None


@contextmanager
def delegated_group() -> Iterator[Path | None]:
    """The group in which this user may limit memory; None if there is none.

    This process is in a leaf of it meanwhile: a group with limits for its children holds no process itself.
    """
    group = own_group()
    if group and "memory" not in (read_text(group / "cgroup.controllers") or "").split():
        group = None
    with ExitStack() as undo:
        if group:
            leaf = group / "harness"
            undo.callback(_leave_leaf, group, leaf)
            try:
                leaf.mkdir(exist_ok=True)
                enter_group(leaf)
                (group / "cgroup.subtree_control").write_text("+memory")
                os.environ[GROUP_PARENT] = str(group)
                undo.callback(os.environ.pop, GROUP_PARENT)
            except OSError:
                undo.close()
                group = None
        yield group


def _leave_leaf(group: Path, leaf: Path) -> None:
    """Moves this process back, whether it had moved or not, and removes the leaf."""
    for path, word in ((group / "cgroup.subtree_control", "-memory"), (group / "cgroup.procs", os.getpid())):
        with suppress(OSError):
            path.write_text(str(word))
    _remove(leaf)


def _remove(group: Path) -> None:
    """Removes a group as soon as its processes have ended; gives up after five seconds."""
    until = monotonic() + 5.0
    while monotonic() < until:
        try:
            group.rmdir()
            return
        except FileNotFoundError:
            return
        except OSError:
            sleep(0.001)


class MemoryGroup:
    """The control group of one run; `limit_mb` excludes what the run shares with its server.

    Raises OSError if it cannot be made.
    """

    def __init__(self, parent: Path, limit_mb: float):
        self.path = parent / f"run-{os.getpid()}"
        self.path.mkdir()
        (self.path / "memory.max").write_text(str(max(1, int(limit_mb * 1e6))))
        for name, value in (("memory.swap.max", "0"), ("memory.oom.group", "1")):
            with suppress(OSError):
                (self.path / name).write_text(value)

    def ran_out(self) -> bool:
        """Whether the system killed the run because it exceeded its limit."""
        events = read_text(self.path / "memory.events") or ""
        return any(line.startswith("oom_kill ") and line != "oom_kill 0" for line in events.splitlines())

    def end(self) -> None:
        """Kills all that is left in the group, and removes it."""
        with suppress(OSError):
            (self.path / "cgroup.kill").write_text("1")
        _remove(self.path)


def enter_group(group: Path) -> None:
    """Moves this process into a group."""
    (group / "cgroup.procs").write_text(str(os.getpid()))
