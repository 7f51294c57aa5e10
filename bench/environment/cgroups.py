"""Memory limits by control groups (cgroup v2), where this user may set them.

That is so in a delegated group, as by `systemd-run --user --scope -p Delegate=yes`, and for root in a
container with a writable hierarchy. The harness then moves to a leaf of that group, and each run has one
beside it. Documentation: https://docs.kernel.org/admin-guide/cgroup-v2.html
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

from bench.environment.processes import or_none, read_text

PARENT = "BENCH_CGROUP"
"""The environment variable that names the parent of all groups of runs."""

END_S = 5.0
"""Seconds to wait until a group is empty after its processes were killed."""


def own_group() -> Path | None:
    """The folder of the group that this process is in; None without cgroup v2."""

    def find() -> Path | None:
        mounts = [line.split() for line in Path("/proc/self/mounts").read_text().splitlines()]
        groups = Path("/proc/self/cgroup").read_text().splitlines()
        roots = [mount[1] for mount in mounts if mount[2] == "cgroup2"]
        names = [line.removeprefix("0::") for line in groups if line.startswith("0::")]
        return Path(roots[0] + names[0]) if roots and names else None

    return or_none(find)


@contextmanager
def delegated() -> Iterator[Path | None]:
    """The group in which this user may limit memory; None if there is none.

    This process is in a leaf of it meanwhile: a group with limits for its children holds no process itself.
    """
    group = own_group()
    leaf = group / "harness" if group else None
    if not group or not leaf or not _enter_leaf(group, leaf):
        yield None
        return
    os.environ[PARENT] = str(group)
    try:
        yield group
    finally:
        del os.environ[PARENT]
        _leave_leaf(group, leaf)


def _enter_leaf(group: Path, leaf: Path) -> bool:
    """Moves this process to the leaf and lets the group limit its children's memory; False if it cannot."""
    try:
        if "memory" not in (group / "cgroup.controllers").read_text().split():
            return False
        leaf.mkdir(exist_ok=True)
        enter(leaf)
        (group / "cgroup.subtree_control").write_text("+memory")
    except (OSError, ValueError):
        _leave_leaf(group, leaf)
        return False
    return True


def _leave_leaf(group: Path, leaf: Path) -> None:
    """Undoes `_enter_leaf`, whatever part of it was done."""
    for path, word in ((group / "cgroup.subtree_control", "-memory"), (group / "cgroup.procs", os.getpid())):
        with suppress(OSError):
            path.write_text(str(word))
    _remove(leaf)


def _remove(group: Path) -> None:
    """Removes a group as soon as its processes have ended; gives up after some seconds."""
    until = monotonic() + END_S
    while monotonic() < until:
        try:
            group.rmdir()
            return
        except FileNotFoundError:
            return
        except OSError:
            sleep(0.001)


class Group:
    """The group of one run, below the one in which this user may limit memory.

    Args:
        limit_mb: megabytes for all processes of the run together, beyond what they share with their server.

    Raises:
        OSError: if the group cannot be made.
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


def enter(group: Path) -> None:
    """Moves this process into a group."""
    (group / "cgroup.procs").write_text(str(os.getpid()))
