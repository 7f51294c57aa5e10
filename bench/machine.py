"""The machine and the environment: what a reader needs to know to repeat a campaign."""

import math
import os
import platform
import socket
import subprocess
import time
from importlib.metadata import distributions
from importlib.metadata import version as package_version
from pathlib import Path
from typing import Any

import psutil

from bench.catalogue import PUZZLES, ROOT
from bench.facts import read

CPU = Path("/sys/devices/system/cpu")
CGROUP = Path("/sys/fs/cgroup")
WATCHED = ("OMP_", "OPENBLAS_", "MKL_", "MALLOC_", "PYTHON", "LD_PRELOAD", "GLIBC_TUNABLES", PUZZLES)
"""The environment variables that can change what a run does or how fast, and where its puzzle lies."""


def describe() -> dict[str, Any]:
    """The facts for machine.json; a fact that this system does not tell is None."""
    return {
        "version": package_version("puzzle-bench"),
        "commit": git("rev-parse", "HEAD"),
        "dirty": None if (status := git("status", "--porcelain")) is None else bool(status),
        "host": socket.gethostname(),
        **hardware(),
        **state(),
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "compiler": platform.python_compiler(),
        "libc": " ".join(platform.libc_ver()).strip() or None,
        "environment": {name: value for name, value in os.environ.items() if name.startswith(WATCHED)},
        "packages": dict(sorted(packages().items(), key=lambda package: package[0].lower())),
    }


def packages() -> dict[str, str]:
    """Every package that is installed, and its version."""
    # Asking a package for its name or its version reads its metadata again; that is slow.
    found = (package.metadata for package in distributions())
    return {metadata["Name"]: metadata["Version"] for metadata in found if metadata["Name"]}


def hardware() -> dict[str, Any]:
    """What the machine is: processor, memory, kernel, clock."""
    timer = time.get_clock_info("perf_counter")
    return {
        "system": platform.system(),
        "kernel": platform.release(),
        "architecture": platform.machine(),
        "cpu": cpu(),
        "cores": psutil.cpu_count(logical=False),
        "threads": psutil.cpu_count(),
        "usable_cores": [list(core) for core in usable_cores()],
        "quota": quota(),
        "memory_mb": round(psutil.virtual_memory().total / 1e6),
        "virtual": virtual(),
        "clock": read(Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")),
        "timer": timer.implementation,
        "timer_resolution_s": timer.resolution,
    }


def state() -> dict[str, Any]:
    """What may change from one campaign to the next: frequency control, load, swap, power."""
    battery = psutil.sensors_battery() if hasattr(psutil, "sensors_battery") else None
    swap = psutil.swap_memory()
    return {
        "governor": read(CPU / "cpu0/cpufreq/scaling_governor"),
        "turbo": turbo(),
        "load": psutil.getloadavg()[0] if hasattr(psutil, "getloadavg") else None,
        "swap_mb": round(swap.total / 1e6),
        "swapped_mb": round(swap.used / 1e6),
        "on_battery": None if battery is None else not battery.power_plugged,
        "address_randomisation": read(Path("/proc/sys/kernel/randomize_va_space")),
        "huge_pages": read(Path("/sys/kernel/mm/transparent_hugepage/enabled")),
    }


def cpu() -> str:
    """The name of the processor."""
    for line in (read(Path("/proc/cpuinfo")) or "").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def turbo() -> bool | None:
    """Whether the processor may raise its frequency for a while; None if the system does not tell."""
    if (no_turbo := read(CPU / "intel_pstate/no_turbo")) is not None:
        return no_turbo == "0"
    boost = read(CPU / "cpufreq/boost")
    return None if boost is None else boost == "1"


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
    if not hasattr(os, "sched_getaffinity"):
        return [(core,) for core in range(psutil.cpu_count(logical=False) or 1)]
    allowed = os.sched_getaffinity(0)
    threads: dict[str, list[int]] = {}
    for number in sorted(allowed):
        threads.setdefault(siblings(number), []).append(number)
    cores = [tuple(core) for core in threads.values()]
    return cores[: max(1, math.floor(limit))] if (limit := quota()) else cores


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
    except (OSError, subprocess.CalledProcessError):
        return None
    return result.stdout.strip()
