"""Instructions of runs, counted by valgrind: nearly the same in every repeat, whatever the machine does.

A server runs under callgrind. What it imports is not counted; a worker begins and ends the count by client
requests, a sequence of machine instructions that does nothing outside of valgrind. A program that a worker
starts is counted from its first instruction.

Source: the Valgrind Manual, 2.2 and 6.6 (client requests); valgrind.h and callgrind.h.
"""

import ctypes
import mmap
import os
import platform
import shutil
from collections.abc import Mapping, Sequence
from enum import IntEnum
from functools import cache
from math import ceil
from pathlib import Path

from bench.contract import Run

_COUNTED = "BENCH_COUNTED"
"""The environment variable of servers under valgrind."""

IS_ON = _COUNTED in os.environ
"""Whether this process is one, or was forked from one."""

OPTIONS = "VALGRIND_OPTS"
"""The environment variable with options of valgrind, which programs that a run starts must not inherit."""


class _Request(IntEnum):
    """The requests to callgrind, by their numbers in callgrind.h."""

    DUMP = 0x43540000  # Writes what was counted since the last request of this kind, and begins at 0.
    ZERO = 0x43540001
    TOGGLE = 0x43540002
    START = 0x43540004
    STOP = 0x43540005  # Executes all that follows without counting.


def missing() -> str:
    """Why instructions cannot be counted here; empty if they can."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        return "instructions are counted on Linux on x86-64 only"
    if not shutil.which("valgrind"):
        return "valgrind counts instructions; to install it: apt install valgrind"
    return ""


def limit_s(run: Run, took_s: float) -> float:
    """How long a run may take under valgrind that took so long without; there its threads take turns."""
    return 60.0 + 200 * run.threads * ceil(took_s)


def under(layout: int, folder: Path) -> tuple[Sequence[str], Mapping[str, str]]:
    """The words before the command of a server that counts, and what its environment adds. Makes the folder.

    Another `layout` moves all that it has in memory. For 0 it is a server that does not count.
    """
    if not layout:
        return (), {}
    folder.mkdir()
    # No lines and no names of source files: only the sums are read. Threads take turns in a fixed order.
    options = ("-q", "--tool=callgrind", "--dump-line=no", "--trace-children=yes", "--fair-sched=yes")
    name = str(folder).replace("%", "%%")
    return ("valgrind", *options, f"--callgrind-out-file={name}/%p"), {
        _COUNTED: layout * 999 * "x",
        OPTIONS: "--instr-atstart=no",  # Imports are executed without being counted.
        "PYTHONMALLOC": "malloc",  # How much Python's own allocator does depends on the layout by 0.4%.
    }


def counted(folder: Path) -> tuple[int | None, int | None]:
    """The instructions of the last run and of its building, from the files that it left; removes these.

    None for a run that did not come to its end.
    """
    # A worker leaves one for building and one for solving; each program that it started, one.
    laps = [_total(path) for path in sorted(folder.glob("*.*"))]
    programs = [_total(path) for path in folder.iterdir() if not path.suffix]
    for path in folder.iterdir():
        path.unlink()
    return (sum(laps + programs), laps[0]) if len(laps) == 2 else (None, None)


def _total(path: Path) -> int:
    """The instructions in a file of callgrind; 0 if it is not complete."""
    lines = path.read_text(errors="replace").splitlines()
    return next((int(line.split()[1]) for line in reversed(lines) if line.startswith("totals:")), 0)


def begin() -> None:
    """Begins the count of a run."""
    _tell(_Request.START, _Request.ZERO)


def lap() -> None:
    """Ends the count of building."""
    _tell(_Request.DUMP)


def end() -> None:
    """Ends the count of the run."""
    _tell(_Request.DUMP, _Request.STOP, _Request.ZERO)


def toggle() -> None:
    """Stops the count for a while, or continues it."""
    _tell(_Request.TOGGLE)


def _tell(*requests: _Request) -> None:
    if IS_ON:
        send = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(ctypes.addressof(ctypes.c_char.from_buffer(_code())))
        for request in requests:
            send((ctypes.c_ulong * 6)(request))


@cache
def _code() -> mmap.mmap:
    """A function in machine code, which sends a request with its five arguments; it gets their address."""
    code = bytes.fromhex(
        "4889f8"  # mov rax, rdi: the address
        "31d2"  # xor edx, edx: the result outside of valgrind
        "48c1c703 48c1c70d 48c1c73d 48c1c733"  # rol rdi by 3, 13, 61 and 51, in all by nothing
        "4887db"  # xchg rbx, rbx
        "c3"  # ret
    )
    page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    return page
