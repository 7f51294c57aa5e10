"""The machine and the environment: what a reader needs to know to repeat a campaign."""

import os
import platform
import socket
import subprocess
import sys
from importlib.metadata import distributions
from importlib.metadata import version as package_version
from pathlib import Path
from typing import Any

import psutil

from bench.catalogue import ROOT


def describe() -> dict[str, Any]:
    """The facts for machine.json; a fact that this system does not tell is None."""
    return {
        "host": socket.gethostname(),
        "system": platform.system(),
        "kernel": platform.release(),
        "cpu": cpu(),
        "cores": psutil.cpu_count(logical=False),
        "threads": psutil.cpu_count(),
        "usable_threads": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None,
        "memory_mb": round(psutil.virtual_memory().total / 1e6),
        "governor": read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "version": package_version("puzzle-bench"),
        "commit": git("rev-parse", "HEAD"),
        "dirty": None if (status := git("status", "--porcelain")) is None else bool(status),
        "packages": {
            name: package.version
            for package in sorted(distributions(), key=lambda package: str(package.metadata["Name"]).lower())
            if (name := package.metadata["Name"])
        },
        "command": sys.argv,
    }


def cpu() -> str:
    """The name of the processor."""
    for line in (read("/proc/cpuinfo") or "").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def read(path: str) -> str | None:
    """The content of a file of the system, None if there is no such file."""
    try:
        return Path(path).read_text().strip()
    except OSError:
        return None


def git(*arguments: str) -> str | None:
    """What git says about the project, None outside a checkout."""
    try:
        result = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return result.stdout.strip()
