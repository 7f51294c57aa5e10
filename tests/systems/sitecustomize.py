"""Other systems than this one: Python imports a module of this name first, in all processes.

The environment variable TEST_SYSTEM says which.
"""

import builtins
import collections
import io
import os
import select
import socket
import sys
import types
from collections.abc import Callable, Mapping
from typing import Any

ONLY_LINUX: Mapping[Any, str] = {
    os: "sched_getaffinity sched_setaffinity pipe2 posix_fadvise memfd_create fdatasync",
    select: "epoll",
}


def hide(error: type[OSError], *folders: str) -> None:
    """Looking at a file in these folders fails."""

    def hiding(function: Callable[..., Any]) -> Callable[..., Any]:
        def look(path: Any = ".", *arguments: Any, **options: Any) -> Any:
            if not isinstance(path, int) and os.fsdecode(path).startswith(folders):
                raise error(2, "there is no such file", os.fsdecode(path))
            return function(path, *arguments, **options)

        return look

    builtins.open = io.open = hiding(io.open)
    for name in ("listdir", "scandir", "stat", "readlink"):
        setattr(os, name, hiding(getattr(os, name)))


def tells_nothing(error: type[OSError]) -> None:
    """Files and calls by which a system tells about itself fail."""

    def fail(*arguments: Any) -> Any:
        raise OSError("this is not told")

    hide(error, "/sys", "/proc", "/.dockerenv", "/run/.containerenv")
    os.getloadavg = os.sched_setaffinity = socket.gethostname = fail
    os.cpu_count = lambda: None


def tells_nonsense() -> None:
    """Every such file holds bytes that are no text, and some lines that are cut off."""
    content = bytes(range(256)) * 4 + b"\nmodel name : \x1b[31m\xff\nctxt\n\n"
    opening = io.open

    def lie(path: Any, mode: str = "r", *arguments: Any, **options: Any) -> Any:
        if isinstance(path, int) or not os.fsdecode(path).startswith(("/sys", "/proc")):
            return opening(path, mode, *arguments, **options)
        file = io.BytesIO(content)
        return file if "b" in mode else io.TextIOWrapper(file, encoding="utf-8")

    builtins.open = io.open = lie
    os.getloadavg = lambda: ()
    socket.gethostname = lambda: "\udcff\x1b[31m"


def is_macos() -> None:
    """What only Linux has is not there.

    Of `sys` and `psutil` only what the project sees is changed, for their own parts for macOS are not here.
    """

    class Macos(types.ModuleType):
        platform = "darwin"

        def __getattr__(self, name: str) -> Any:
            return getattr(sys, name)

    def cpu_times(percpu: bool = False) -> Any:
        times = collections.namedtuple("scputimes", "user nice system idle")(1.0, 0.0, 1.0, 1.0)
        return [times] if percpu else times

    importing = builtins.__import__

    def import_(name: str, variables: Any = None, *arguments: Any, **options: Any) -> Any:
        module = importing(name, variables, *arguments, **options)
        if (variables or {}).get("__name__", "").startswith(("bench.", "models.")):
            if name == "psutil":
                module.cpu_times = cpu_times
            return Macos("sys") if name == "sys" else module
        return module

    builtins.__import__ = import_
    hide(FileNotFoundError, "/sys", "/proc/self", "/proc/cpuinfo", "/proc/sys")
    os.process_cpu_count = os.cpu_count
    for module, names in ONLY_LINUX.items():
        for name in filter(module.__dict__.__contains__, names.split()):
            delattr(module, name)


match os.environ["TEST_SYSTEM"]:
    case "missing":
        tells_nothing(FileNotFoundError)
    case "unreadable":
        tells_nothing(PermissionError)
    case "nonsense":
        tells_nonsense()
    case "macos":
        is_macos()
