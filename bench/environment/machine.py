"""The machine and the environment: what a reader needs to know to repeat a campaign.

psutil and importlib.metadata are imported where they are used: `solve` asks only for cores.
"""

import math
import os
import platform
import re
import socket
import subprocess
import time
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from bench.catalogue import PUZZLES, ROOT
from bench.catalogue.programs import PROGRAMS, without_arguments
from bench.environment import processes
from bench.environment.processes import or_none, read_text

_CPU = Path("/sys/devices/system/cpu")
_CPU_INFO = Path("/proc/cpuinfo")
_CGROUP = Path("/sys/fs/cgroup")
RECORDED = (
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


@dataclass(frozen=True, kw_only=True)
class Machine:
    """The machine, its operating system, this project and its environment, as machine.json records them.

    What is unknown is None, as is the commit outside a checkout.

    Attributes:
        dirty: whether what runs depend on (_EXECUTED) differs from the commit.
        threads: the number of hardware threads, as `cores` is that of physical cores.
        clock: the clock source of the kernel.
        timer: the function behind `perf_counter`.
        governor: what sets the frequency of the processor.
        turbo: whether that may rise for a while.
        load: processes that ran or were ready to run in the last minute, on average.
        unavailable: what other systems measure or do for runs, and this one does not.
        environment: the variables that `recorded` keeps.
        packages: versions by name.
    """

    version: str | None = None
    commit: str | None = None
    dirty: bool | None = None
    host: str | None = None
    system: str | None = None
    kernel: str | None = None
    architecture: str | None = None
    cpu: str | None = None
    cores: int | None = None
    threads: int | None = None
    usable_cores: Sequence[Sequence[int]] = ()
    quota: float | None = None
    memory_mb: int | None = None
    virtual: str | None = None
    clock: str | None = None
    timer: str | None = None
    timer_resolution_s: float | None = None
    governor: str | None = None
    turbo: bool | None = None
    load: float | None = None
    swap_mb: int | None = None
    swapped_mb: int | None = None
    on_battery: bool | None = None
    address_randomisation: str | None = None
    huge_pages: str | None = None
    python: str | None = None
    implementation: str | None = None
    compiler: str | None = None
    libc: str | None = None
    unavailable: Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    packages: Mapping[str, str] = field(default_factory=dict)


def describe() -> Machine:
    """The machine and the environment of this process."""
    from importlib.metadata import version

    import psutil

    status = git("status", "--porcelain", "--", *_EXECUTED)
    timer = time.get_clock_info("perf_counter")
    lacks = {
        "pinning": not can_pin(),
        "control groups": processes.own_group() is None,
        "waited_s": processes.waited_s() is None,
        "stolen_s": processes.stolen_s(None) is None,
        "workers end with their server": processes.PRCTL is None,
    }
    # Libraries warn of what is unknown here.
    with warnings.catch_warnings(action="ignore"):
        return Machine(
            version=or_none(lambda: version("puzzle-bench")),
            commit=git("rev-parse", "HEAD"),
            dirty=None if status is None else bool(status),
            host=or_none(lambda: printable(socket.gethostname())),
            system=or_none(platform.system),
            kernel=or_none(platform.release),
            architecture=or_none(platform.machine),
            cpu=or_none(cpu),
            cores=or_none(lambda: psutil.cpu_count(logical=False)),
            threads=or_none(psutil.cpu_count),
            usable_cores=usable_cores(),
            quota=or_none(quota),
            memory_mb=or_none(lambda: round(psutil.virtual_memory().total / 1e6)),
            virtual=or_none(_virtual),
            clock=read_text(Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")),
            timer=timer.implementation,
            timer_resolution_s=timer.resolution,
            governor=read_text(_CPU / "cpu0/cpufreq/scaling_governor"),
            turbo=_turbo(),
            load=or_none(lambda: psutil.getloadavg()[0]),
            swap_mb=or_none(lambda: round(psutil.swap_memory().total / 1e6)),
            swapped_mb=or_none(lambda: round(psutil.swap_memory().used / 1e6)),
            on_battery=or_none(lambda: not psutil.sensors_battery().power_plugged),
            address_randomisation=read_text(Path("/proc/sys/kernel/randomize_va_space")),
            huge_pages=read_text(Path("/sys/kernel/mm/transparent_hugepage/enabled")),
            python=platform.python_version(),
            implementation=platform.python_implementation(),
            compiler=platform.python_compiler(),
            libc=or_none(lambda: " ".join(platform.libc_ver()).strip()) or None,
            unavailable=[name for name, lacking in lacks.items() if lacking],
            environment=recorded(os.environ),
            packages=dict(sorted(packages().items(), key=lambda package: package[0].lower())),
        )


def recorded(environment: Mapping[str, str]) -> dict[str, str]:
    """What a record has of environment variables: those of RECORDED, and of programs no arguments."""
    found = {name: printable(environment[name]) for name in RECORDED if name in environment}
    if PROGRAMS in found:
        found[PROGRAMS] = "\n".join(map(without_arguments, found[PROGRAMS].splitlines()))
    return found


def packages() -> dict[str, str]:
    """Every package that is installed, and its version; one whose metadata cannot be read is left out."""
    from importlib.metadata import distributions

    found: dict[str, str] = {}
    for package in or_none(lambda: [*distributions()]) or ():
        with suppress(Exception):
            if name := str(package.metadata["Name"] or ""):
                # Of a package that is there twice the first is imported.
                found.setdefault(name, str(package.metadata["Version"] or ""))
    return found


def cpu() -> str:
    """The name of the processor."""
    found = re.search(r"^model name\s*: (.+)", read_text(_CPU_INFO) or "", re.MULTILINE)
    return found[1] if found else platform.processor() or platform.machine()


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
    words = (read_text(_CGROUP / "cpu.max") or "").split()
    if not words:
        old = (read_text(_CGROUP / f"cpu/cpu.cfs_{name}_us") for name in ("quota", "period"))
        words = [word for word in old if word]
    if len(words) != 2 or not words[0].isdigit():
        return None
    return int(words[0]) / int(words[1])


def usable_cores() -> list[tuple[int, ...]]:
    """The physical cores that this process may use, or all if unknown, by their hardware threads' numbers."""
    allowed = or_none(lambda: os.sched_getaffinity(0))
    if not allowed:
        import psutil

        return [(core,) for core in range(or_none(lambda: psutil.cpu_count(logical=False)) or 1)]
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
