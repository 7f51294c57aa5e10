"""The machine and the environment: what a reader needs to know to repeat a campaign."""

import math
import os
import platform
import socket
import subprocess
import time
import warnings
from collections.abc import Callable
from functools import partial
from importlib.metadata import Distribution, distributions
from importlib.metadata import version as package_version
from pathlib import Path
from typing import Any

import psutil

from bench.catalogue import PUZZLES, ROOT
from bench.environment import cgroups, processes
from bench.environment.probe import fact, read

CPU = Path("/sys/devices/system/cpu")
CGROUP = Path("/sys/fs/cgroup")
WATCHED = ("OMP_", "OPENBLAS_", "MKL_", "MALLOC_", "PYTHON", "LD_PRELOAD", "GLIBC_TUNABLES", PUZZLES)
"""The environment variables that can change what a run does or how fast, and where its puzzle lies."""


def describe() -> dict[str, Any]:
    """The facts for machine.json; a fact that this system does not tell is None."""
    return {
        **told(
            version=lambda: package_version("puzzle-bench"),
            commit=lambda: git("rev-parse", "HEAD"),
            dirty=lambda: None if (status := git("status", "--porcelain")) is None else bool(status),
            host=lambda: printable(socket.gethostname()),
        ),
        **hardware(),
        **state(),
        **told(
            python=platform.python_version,
            implementation=platform.python_implementation,
            compiler=platform.python_compiler,
            libc=lambda: " ".join(platform.libc_ver()).strip() or None,
        ),
        "unavailable": unavailable(),
        "environment": {
            name: printable(value) for name, value in os.environ.items() if name.startswith(WATCHED)
        },
        "packages": dict(sorted(packages().items(), key=lambda package: package[0].lower())),
    }


def told(**looks: Callable[[], Any]) -> dict[str, Any]:
    """What each of the looks finds, None where one fails, without the warnings of libraries."""
    with warnings.catch_warnings(action="ignore"):
        return {name: fact(look) for name, look in looks.items()}


def unavailable() -> list[str]:
    """What runs lack on this system, of that which is measured or done elsewhere."""
    lacks = {
        "pinning": not can_pin(),
        "control groups": cgroups.own_group() is None,
        "waited_s": processes.waited_s() is None,
        "stolen_s": processes.stolen_s(None) is None,
        "workers end with their server": processes.PRCTL is None,
    }
    return [name for name, lacking in lacks.items() if lacking]


def packages() -> dict[str, str]:
    """Every package that is installed, and its version; one whose metadata cannot be read is left out."""

    def name_and_version(package: Distribution) -> tuple[str, str]:
        # Asking a package for its name or its version reads its metadata again; that is slow.
        metadata = package.metadata
        return str(metadata["Name"] or ""), str(metadata["Version"] or "")

    found = (fact(partial(name_and_version, package)) for package in fact(lambda: [*distributions()]) or ())
    return {name: version for name, version in filter(None, found) if name}


def hardware() -> dict[str, Any]:
    """What the machine is: processor, memory, kernel, clock."""
    return told(
        system=platform.system,
        kernel=platform.release,
        architecture=platform.machine,
        cpu=cpu,
        cores=lambda: psutil.cpu_count(logical=False),
        threads=psutil.cpu_count,
        usable_cores=lambda: [list(core) for core in usable_cores()],
        quota=quota,
        memory_mb=lambda: round(psutil.virtual_memory().total / 1e6),
        virtual=virtual,
        clock=lambda: read(Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")),
        timer=lambda: time.get_clock_info("perf_counter").implementation,
        timer_resolution_s=lambda: time.get_clock_info("perf_counter").resolution,
    )


def state() -> dict[str, Any]:
    """What may change from one campaign to the next: frequency control, load, swap, power."""
    return told(
        governor=lambda: read(CPU / "cpu0/cpufreq/scaling_governor"),
        turbo=turbo,
        load=lambda: psutil.getloadavg()[0],
        swap_mb=lambda: round(psutil.swap_memory().total / 1e6),
        swapped_mb=lambda: round(psutil.swap_memory().used / 1e6),
        on_battery=lambda: not psutil.sensors_battery().power_plugged,
        address_randomisation=lambda: read(Path("/proc/sys/kernel/randomize_va_space")),
        huge_pages=lambda: read(Path("/sys/kernel/mm/transparent_hugepage/enabled")),
    )


def cpu() -> str:
    """The name of the processor."""
    for line in (read(Path("/proc/cpuinfo")) or "").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def turbo() -> bool | None:
    """Whether the processor may raise its frequency for a while; None if the system does not tell."""
    if (no_turbo := read(CPU / "intel_pstate/no_turbo")) in ("0", "1"):
        return no_turbo == "0"
    boost = read(CPU / "cpufreq/boost")
    return boost == "1" if boost in ("0", "1") else None


def virtual() -> str | None:
    """`virtual machine` or `container`, None if neither shows."""
    if " hypervisor " in (read(Path("/proc/cpuinfo")) or ""):
        return "virtual machine"
    return "container" if Path("/.dockerenv").exists() or Path("/run/.containerenv").exists() else None


def quota() -> float | None:
    """How many cores' worth of time a control group leaves to this process; None if it sets no quota."""
    words = (read(CGROUP / "cpu.max") or "").split()
    if not words:
        old = (read(CGROUP / f"cpu/cpu.cfs_{name}_us") for name in ("quota", "period"))
        words = [word for word in old if word]
    if len(words) != 2 or not words[0].isdigit():
        return None
    return int(words[0]) / int(words[1])


def usable_cores() -> list[tuple[int, ...]]:
    """The physical cores that this process may use, each as the numbers of its hardware threads.

    On systems that do not tell, the numbers of all cores.
    """
    allowed = fact(lambda: os.sched_getaffinity(0))
    if not allowed:
        return [(core,) for core in range(fact(lambda: psutil.cpu_count(logical=False)) or 1)]
    threads: dict[str, list[int]] = {}
    for number in sorted(allowed):
        threads.setdefault(siblings(number), []).append(number)
    cores = [tuple(core) for core in threads.values()]
    return cores[: max(1, math.floor(limit))] if (limit := fact(quota)) else cores


def can_pin() -> bool:
    """Whether this process may choose its cores."""
    try:
        os.sched_setaffinity(0, os.sched_getaffinity(0))
    except (AttributeError, OSError):
        return False
    return True


def siblings(number: int) -> str:
    """The hardware threads of the physical core that has this one, as the system writes them."""
    return read(CPU / f"cpu{number}/topology/thread_siblings_list") or str(number)


def git(*arguments: str) -> str | None:
    """What git says about the project, None outside a checkout."""
    # An installed package may lie in a repository that is not its own.
    if not (ROOT / ".git").exists():
        return None
    try:
        result = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, ValueError, subprocess.CalledProcessError):
        return None
    return result.stdout.strip()


def printable(text: str) -> str:
    """The text with what is no UTF-8 in it replaced."""
    return os.fsencode(text).decode("utf-8", "replace")
