"""The C compiler of this machine, and the programs that it made, which are kept for later campaigns."""

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from time import perf_counter

from bench.catalogue.backends import SHARED, with_included
from bench.catalogue.errors import one_line, shown
from bench.contract import ModelError, Unsupported
from bench.environment.files import cache_folder, replace_file
from bench.environment.releases import installed

FLAGS = ("-std=c11", "-O2", "-Wall", "-Wextra", "-Wshadow", "-Werror")

INSTALL = "a C compiler (cc), or: pip install ziglang"

_COMPILE_S = 60.0
"""Seconds after which a compiler is taken to hang."""


@dataclass(frozen=True)
class Compiler:
    """A C compiler, with its name and release, as in gcc 12.2.0, and what it says itself of its version."""

    command: tuple[str, ...]
    version: str
    says: str  # Tells builds of a release apart.


@dataclass(frozen=True)
class _Executable:
    """A compiled program, and the seconds that its compilation took, whenever that was."""

    path: Path
    compile_s: float


@cache
def compiler() -> Compiler | None:
    """Returns `cc` if there is one, else the compiler in the package ziglang; None without both."""
    if cc := shutil.which("cc"):
        said = subprocess.run([cc, "--version"], capture_output=True, text=True, check=False).stdout
        if release := re.search(r"\b(\d+\.\d+(?:\.\d+)?)\s", said.partition("\n")[0] + "\n"):
            return Compiler((cc,), f"{'clang' if 'clang' in said else 'gcc'} {release[1]}", said)
    if version := installed("ziglang"):
        # For every processor of this kind, as cc does: a home may be shared.
        return Compiler(
            (sys.executable, "-m", "ziglang", "cc", "-mcpu=baseline"), f"zig cc {version}", version
        )
    return None


@cache
def executable(source: Path) -> _Executable:
    """Returns the program of a C file; compiles it unless the same compiler has done so before.

    What a crash of the machine has damaged since is compiled again; a server looks once. Raises ModelError if
    there is no compiler, or it refuses the file; Unsupported if there is no such file.
    """
    if not source.is_file():
        raise Unsupported(f"there is no {shown(source)}")
    cc = compiler()
    if cc is None:
        raise ModelError(f"{shown(source)} cannot be compiled: install {INSTALL}")
    try:
        program = programs() / key_of(cc, source)
        note = program.with_suffix(".sha256")
        with suppress(OSError, ValueError):
            digest, seconds = note.read_text().split()
            if os.access(program, os.X_OK) and sha256(program.read_bytes()).hexdigest() == digest:
                return _Executable(program, float(seconds))
        with tempfile.TemporaryDirectory() as own:
            made = Path(own) / program.name
            compile_s = compile_to(made, source, cc)
            content = made.read_bytes()
        replace_file(program, content, 0o777)
        replace_file(note, f"{sha256(content).hexdigest()} {compile_s:.3f}\n")
    except OSError as error:
        raise ModelError(one_line(f"{shown(source)} cannot be compiled: {error}")) from None
    return _Executable(program, compile_s)


@cache
def programs() -> Path:
    """The folder of programs in the user's cache, or a temporary one where that cannot be written."""
    folder = cache_folder("programs")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        # Within the TMPDIR of the server, which is removed when it ends.
        return Path(tempfile.mkdtemp(prefix="puzzle-bench-"))
    return folder


def key_of(cc: Compiler, source: Path) -> str:
    """The name of a program in the cache: a hash of all that it depends on."""
    machine = platform.system(), platform.machine(), platform.libc_ver()
    digest = sha256(repr((cc, FLAGS, machine)).encode())
    for path, content in with_included(source).items():
        digest.update(f"{path.name} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:32]


def compile_to(made: Path, source: Path, cc: Compiler) -> float:
    """Compiles a C file; returns the seconds that it took, or raises ModelError with the first mistake."""
    # The messages are to be in English; zig keeps the parts of the standard library that it compiles.
    zig = {f"ZIG_{kind}_CACHE_DIR": str(programs() / "zig") for kind in ("GLOBAL", "LOCAL")}
    started = perf_counter()
    try:
        done = subprocess.run(
            [*cc.command, *FLAGS, f"-I{SHARED}", "-o", str(made), str(source)],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_COMPILE_S,
            check=False,
            env={**os.environ, "LC_ALL": "C", **zig},
        )
    except subprocess.TimeoutExpired:
        raise ModelError(f"{shown(source)}: {cc.version} has not compiled it in {_COMPILE_S:g} s") from None
    if done.returncode:
        raise ModelError(f"{_complaint(done.stderr, source)} ({cc.version})")
    return perf_counter() - started


def _complaint(said: str, source: Path) -> str:
    """The first error in what a compiler says, with file and line where it has them."""
    lines = re.findall(r"^.*(?:error|undefined|multiple definition).*$", said, re.MULTILINE)
    first = next(iter(lines), said.strip().partition("\n")[0] or "no reason is given")
    if at := re.match(r"(.+?):(\d+):(?:\d+:)? (?:fatal )?error: ", first):
        return one_line(f"{shown(Path(at[1]).resolve())}:{at[2]}: {first[at.end() :]}")
    return one_line(f"{shown(source)}: {first}")
