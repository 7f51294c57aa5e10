"""Reserves cores for runs: each campaign on this machine has its own, and the harness uses none of them.

A core is reserved by a socket that is bound to its name in the abstract namespace of Unix sockets: no two
processes hold the same name, whoever their users are, and it is free again when its holder ends or is killed.
Documentation: https://man7.org/linux/man-pages/man7/unix.7.html
"""

import errno
import os
import socket
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress

from bench.environment.machine import can_pin, siblings, usable_cores

NAMES = "puzzle-bench/core/"


@contextmanager
def reserved_cores(jobs: int, threads: int = 1, spare: int = 1) -> Iterator[list[tuple[int, ...] | None]]:
    """Cores for each job, as the number of a hardware thread of each, one a thread of the run.

    None if there are not enough; a line on the standard error says so if other campaigns are the cause.
    Meanwhile this process and what it starts use cores that nobody has reserved, so that watching a run
    does not disturb it: `spare` ones are left for that, unless jobs with several threads need all.
    """
    cores = usable_cores()
    if not can_pin():
        yield [None] * jobs
        return
    if threads > 1:
        spare = max(0, min(spare, len(cores) - jobs * threads))
    before = os.sched_getaffinity(0)
    with ExitStack() as stack:
        taken = reserve(cores[spare:], jobs * threads, stack)
        others = [core for core in cores if core not in taken and _is_reserved(core)]
        if not taken and jobs * threads <= len(cores) - spare:
            which = f"core{'s' * (len(others) != 1)} {', '.join(str(core[0]) for core in others)}"
            print(
                f"note: other campaigns have reserved {which}, which leaves too few: the runs of this "
                "campaign are not pinned, and its times are less reliable",
                file=sys.stderr,
            )
        ours = before - numbers(taken)
        move_to(ours - numbers(others) or ours or before)
        try:
            first = [core[0] for core in taken]
            yield [tuple(first[job * threads :][:threads]) or None for job in range(jobs)]
        finally:
            move_to(before)


def keep_off_reserved(cores: Sequence[tuple[int, ...]]) -> None:
    """Moves this process to those of the cores that nobody has reserved by now, if there are any."""
    if can_pin() and (free := numbers([core for core in cores if not _is_reserved(core)])):
        move_to(free)


def move_to(cores: set[int]) -> None:
    """Moves all threads of this process to cores, where it may choose them."""
    for thread in threading.enumerate() if can_pin() else ():
        # One that has just ended is nowhere.
        with suppress(OSError):
            os.sched_setaffinity(thread.native_id or 0, cores)


def reserve(cores: Sequence[tuple[int, ...]], wanted: int, stack: ExitStack) -> list[tuple[int, ...]]:
    """Reserves the last `wanted` free cores until the stack ends; none if there are fewer."""
    with ExitStack() as held:
        taken: list[tuple[int, ...]] = []
        for core in reversed(cores):
            if len(taken) == wanted:
                break
            lock = held.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
            try:
                lock.bind(name(core))
            except OSError as error:
                # Without such a namespace nobody can reserve anything.
                if error.errno == errno.EADDRINUSE:
                    continue
            taken.append(core)
        if len(taken) < wanted:
            return []
        stack.push(held.pop_all())
        return sorted(taken)


def _is_reserved(core: tuple[int, ...]) -> bool:
    """Whether a process has reserved a core."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(name(core))
        return True
    return False


def name(core: tuple[int, ...]) -> str:
    """The name of a physical core, the same whichever of its hardware threads a process may use."""
    return f"\0{NAMES}{siblings(core[0])}"


def numbers(cores: Sequence[tuple[int, ...]]) -> set[int]:
    """The numbers of the hardware threads of cores."""
    return {thread for core in cores for thread in core}
