"""The machine and the environment: what a reader needs to know to repeat a campaign."""

import math
import os
import platform
import re
import socket
import subprocess
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.catalogue import PUZZLES, ROOT
from bench.catalogue.programs import PROGRAMS, without_arguments
from bench.environment import processes
from bench.environment.processes import or_none, read_text

_CPU = Path("/sys/devices/system/cpu")
_CPU_INFO = Path("/proc/cpuinfo")
_CLOCK = Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
_CGROUP = Path("/sys/fs/cgroup")
_RECORDED = (
    "GLIBC_TUNABLES", "LD_BIND_NOW", "LD_LIBRARY_PATH", "LD_PRELOAD",
    "MALLOC_ARENA_MAX", "MALLOC_ARENA_TEST", "MALLOC_CHECK_", "MALLOC_CONF", "MALLOC_MMAP_MAX_",
    "MALLOC_MMAP_THRESHOLD_", "MALLOC_PERTURB_", "MALLOC_TOP_PAD_", "MALLOC_TRIM_THRESHOLD_",
    "MKL_DYNAMIC", "MKL_NUM_THREADS", "OMP_DYNAMIC", "OMP_NUM_THREADS", "OMP_PLACES", "OMP_PROC_BIND",
    "OMP_SCHEDULE", "OMP_THREAD_LIMIT", "OMP_WAIT_POLICY", "OPENBLAS_CORETYPE", "OPENBLAS_NUM_THREADS",
    "PYTHONDEVMODE", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "PYTHONMALLOC",
    "PYTHONNOUSERSITE", "PYTHONOPTIMIZE", "PYTHONPATH", "PYTHONPERFSUPPORT", "PYTHONPROFILEIMPORTTIME",
    "PYTHONTRACEMALLOC", "PYTHON_CPU_COUNT", "PYTHON_GIL", "PYTHON_JIT",
    PUZZLES, PROGRAMS,
)  # fmt: skip
"""The environment variables that can change what a run does, how fast, or what it executes.

Of others not even the names are recorded: results are published, and anything may stand there.
"""

_EXECUTED = ("bench", "models", "instances", "pyproject.toml")
"""What runs depend on in a checkout: the log of a job beside it changes nothing."""


def _fact(find: Callable[[], object]) -> Any:
    """A field of Machine that is found when one is made; None if that fails."""
    return field(default_factory=lambda: or_none(find))


def _psutil() -> Any:
    """psutil, imported where it is used: `solve` asks only for cores."""
    return import_module("psutil")


def _is_dirty() -> bool | None:
    """Whether what runs depend on differs from the commit; None outside a checkout."""
    status = git("status", "--porcelain", "--", *_EXECUTED)
    return None if status is None else bool(status)


@dataclass(frozen=True, kw_only=True)
class Machine:
    """The machine, its operating system, this project and its environment, as machine.json records them.

    Made without arguments, it describes what this process is on. What is unknown is None.

    Attributes:
        threads: the number of hardware threads, as `cores` is that of physical cores.
        clock: the clock source of the kernel.
        timer: the function behind `perf_counter`.
        governor: what sets the frequency of the processor.
        turbo: whether that may rise for a while.
        load: processes that ran or were ready to run in the last minute, on average.
        unavailable: what other systems measure or do for runs, and this one does not.
    """

    version: str | None = _fact(lambda: import_module("importlib.metadata").version("puzzle-bench"))
    commit: str | None = _fact(lambda: git("rev-parse", "HEAD"))
    dirty: bool | None = _fact(lambda: _is_dirty())
    host: str | None = _fact(lambda: printable(socket.gethostname()))
    system: str | None = _fact(lambda: platform.system())
    kernel: str | None = _fact(lambda: platform.release())
    architecture: str | None = _fact(lambda: platform.machine())
    cpu: str | None = _fact(lambda: cpu())
    cores: int | None = _fact(lambda: _psutil().cpu_count(logical=False))
    threads: int | None = _fact(lambda: _psutil().cpu_count())
    usable_cores: Sequence[Sequence[int]] = field(default_factory=lambda: usable_cores())
    quota: float | None = _fact(lambda: quota())
    memory_mb: int | None = _fact(lambda: round(_psutil().virtual_memory().total / 1e6))
    virtual: str | None = _fact(lambda: _virtual())
    clock: str | None = _fact(lambda: read_text(_CLOCK))
    timer: str | None = _fact(lambda: time.get_clock_info("perf_counter").implementation)
    timer_resolution_s: float | None = _fact(lambda: time.get_clock_info("perf_counter").resolution)
    governor: str | None = _fact(lambda: read_text(_CPU / "cpu0/cpufreq/scaling_governor"))
    turbo: bool | None = _fact(lambda: _turbo())
    load: float | None = _fact(lambda: _psutil().getloadavg()[0])
    swap_mb: int | None = _fact(lambda: round(_psutil().swap_memory().total / 1e6))
    swapped_mb: int | None = _fact(lambda: round(_psutil().swap_memory().used / 1e6))
    on_battery: bool | None = _fact(lambda: not _psutil().sensors_battery().power_plugged)
    address_randomisation: str | None = _fact(lambda: read_text(Path("/proc/sys/kernel/randomize_va_space")))
    huge_pages: str | None = _fact(lambda: read_text(Path("/sys/kernel/mm/transparent_hugepage/enabled")))
    python: str | None = _fact(lambda: platform.python_version())
    implementation: str | None = _fact(lambda: platform.python_implementation())
    compiler: str | None = _fact(lambda: platform.python_compiler())
    libc: str | None = _fact(lambda: " ".join(platform.libc_ver()).strip() or None)
    unavailable: Sequence[str] = field(default_factory=lambda: _unavailable())
    environment: Mapping[str, str] = field(default_factory=lambda: recorded(os.environ))
    packages: Mapping[str, str] = field(default_factory=lambda: packages())


def describe() -> Machine:
    """The machine and the environment of this process."""
    # Libraries warn of what is unknown here.
    with warnings.catch_warnings(action="ignore"):
        return Machine()


def _unavailable() -> list[str]:
    """What this system cannot measure or do for runs, of what Linux can."""
    lacks = {
        "pinning": not can_pin(),
        "control groups": processes.own_group() is None,
        "waited_s": processes.waited_s() is None,
        "stolen_s": processes.stolen_s(None) is None,
        "workers end with their server": processes.PRCTL is None,
    }
    return [name for name, lacking in lacks.items() if lacking]


def recorded(environment: Mapping[str, str]) -> dict[str, str]:
    """What a record has of environment variables: those of _RECORDED, and of programs no arguments."""
    found = {name: printable(environment[name]) for name in _RECORDED if name in environment}
    if PROGRAMS in found:
        found[PROGRAMS] = "\n".join(map(without_arguments, found[PROGRAMS].splitlines()))
    return found


def packages() -> dict[str, str]:
    """Every package that is installed, and its version; one whose metadata cannot be read is left out."""
    from email import message_from_string
    from importlib.metadata import distributions

    found: dict[str, str] = {}
    for package in or_none(lambda: [*distributions()]) or ():
        with suppress(Exception):
            # The last one is of a package that is a single file.
            text = next(filter(None, map(package.read_text, ("METADATA", "PKG-INFO", ""))), "")
            # Behind an empty line comes a description, which takes long to read.
            header = message_from_string(text.partition("\n\n")[0])
            if name := str(header["Name"] or ""):
                # Of a package that is there twice the first is imported.
                found.setdefault(name, str(header["Version"] or ""))
    return dict(sorted(found.items(), key=lambda package: package[0].lower()))


def cpu() -> str:
    """The name of the processor."""
    found = re.search(r"^model name\s*: (.+)", read_text(_CPU_INFO) or "", re.MULTILINE)
    return found[1].strip() if found else platform.processor() or platform.machine()


def _turbo() -> bool | None:
    """Whether the processor may raise its frequency for a while; None if the system does not tell."""
    for name, on in (("intel_pstate/no_turbo", "0"), ("cpufreq/boost", "1")):
        if (told := read_text(_CPU / name)) in ("0", "1"):
            return told == on
    return None


def _virtual() -> str | None:
    """`virtual machine` or `container`, None if neither shows."""
    if " hypervisor " in (read_text(_CPU_INFO) or ""):
        return "virtual machine"
    return "container" if Path("/.dockerenv").exists() or Path("/run/.containerenv").exists() else None


def quota() -> float | None:
    """How many cores' worth of time a control group leaves to this process; None if it sets no quota."""
    old = (read_text(_CGROUP / f"cpu/cpu.cfs_{name}_us") or "" for name in ("quota", "period"))
    words = (read_text(_CGROUP / "cpu.max") or " ".join(old)).split()
    if len(words) != 2 or not words[0].isdigit():
        return None
    return int(words[0]) / int(words[1])


def usable_cores() -> list[tuple[int, ...]]:
    """The physical cores that this process may use, or all if unknown, by their hardware threads' numbers."""
    allowed = or_none(lambda: os.sched_getaffinity(0))
    if not allowed:
        return [(core,) for core in range(or_none(lambda: _psutil().cpu_count(logical=False)) or 1)]
    threads: dict[str, list[int]] = {}
    for number in sorted(allowed):
        threads.setdefault(siblings(number), []).append(number)
    cores = [tuple(core) for core in threads.values()]
    return cores[: max(1, math.floor(limit))] if (limit := or_none(quota)) else cores


def can_pin() -> bool:
    """Whether this process may choose its cores."""
    try:
        os.sched_setaffinity(0, os.sched_getaffinity(0))
    except (AttributeError, OSError):
        return False
    return True


def siblings(number: int) -> str:
    """The hardware threads of the physical core that has this one, as the system writes them."""
    return read_text(_CPU / f"cpu{number}/topology/thread_siblings_list") or str(number)


def git(*arguments: str, folder: Path | None = None) -> str | None:
    """What git says about the project, or another folder; None if it refuses, or outside a checkout."""
    folder = folder or ROOT
    # An installed package may lie in a repository that is not its own.
    if folder == ROOT and not (ROOT / ".git").exists():
        return None
    try:
        result = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True)
    except (OSError, ValueError, subprocess.CalledProcessError):
        return None
    return result.stdout.strip()


def printable(text: str) -> str:
    """The text with what is no UTF-8 in it replaced."""
    return os.fsencode(text).decode("utf-8", "replace")
