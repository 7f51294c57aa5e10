"""The C compiler of this machine, and the programs that it made, which are kept for later campaigns."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import perf_counter

from bench.catalogue.errors import one_line, shown
from bench.catalogue.imports import with_included
from bench.contract import ModelError
from bench.drivers._libraries import installed

FLAGS = ("-std=c11", "-O2", "-Wall", "-Wextra", "-Werror")

INSTALL = "a C compiler (cc), or: pip install ziglang"

COMPILE_S = 120.0
"""Seconds after which a compiler is taken to hang."""


@dataclass(frozen=True)
class Compiler:
    """A C compiler: its command, and what it says of its version."""

    command: tuple[str, ...]
    version: str


@dataclass(frozen=True)
class Executable:
    """A compiled program, and the seconds that its compilation took, whenever that was."""

    path: Path
    compile_s: float


@cache
def compiler() -> Compiler | None:
    """Returns the compiler: `cc` if there is one, else the one in the package ziglang; None without both."""
    if cc := shutil.which("cc"):
        said = subprocess.run([cc, "--version"], capture_output=True, text=True, check=False).stdout
        if said:
            return Compiler((cc,), said.splitlines()[0])
    if version := installed("ziglang"):
        return Compiler((sys.executable, "-m", "ziglang", "cc"), f"zig cc {version}")
    return None


@cache
def executable(source: Path) -> Executable:
    """Returns the program of a C file; compiles it unless the same compiler has done so before.

    Raises:
        ModelError: if the compiler refuses it, with the first line that it says; or if there is none.
    """
    cc = compiler()
    if cc is None:
        raise ModelError(f"{shown(source)} cannot be compiled: install {INSTALL}")
    digest = hashlib.sha256(repr((cc, FLAGS)).encode())
    for path, content in with_included(source).items():
        digest.update(f"{path.name} {len(content)}\n".encode() + content)
    folder = cache_folder()
    program = folder / digest.hexdigest()[:32]
    seconds = program.with_suffix(".seconds")
    with suppress(OSError, ValueError):
        return Executable(existing(program), float(seconds.read_text()))
    # Others may compile the same file now: each writes to a folder of its own and moves the result.
    with tempfile.TemporaryDirectory(dir=folder) as own:
        made = Path(own) / program.name
        started = perf_counter()
        done = subprocess.run(
            [*cc.command, *FLAGS, "-o", str(made), str(source)],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=COMPILE_S,
            check=False,
        )
        compile_s = perf_counter() - started
        if done.returncode:
            said = [line for line in done.stderr.splitlines() if "error" in line] or [
                done.stderr or "no reason"
            ]
            raise ModelError(one_line(f"{cc.version}: {said[0]}".replace(str(source), shown(source))))
        seconds.write_text(f"{compile_s:.3f}\n")
        made.replace(program)
    return Executable(program, compile_s)


def existing(path: Path) -> Path:
    """Returns the path of a program that may be executed; raises FileNotFoundError if there is none."""
    if not os.access(path, os.X_OK):
        raise FileNotFoundError(path)
    return path


def cache_folder() -> Path:
    """Returns the folder of compiled programs: in the user's cache, or else a temporary one."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(home) / "puzzle-bench" / "programs"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return Path(tempfile.mkdtemp(prefix="puzzle-bench-"))
    return folder
