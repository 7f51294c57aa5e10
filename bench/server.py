"""The process that holds one backend preloaded and forks a worker for each run.

`python -m bench.server BACKEND` imports the backend's driver and models, says on one line what it found,
then answers one line of JSON (a Run) with one line of JSON (what became of it), until its input ends. It
enforces the limits, and nothing that a run does can harm it: the worker is its own process group with
its own output, and is killed as a whole.
"""

import gc
import json
import os
import resource
import selectors
import signal
import sys
from contextlib import suppress
from dataclasses import asdict
from time import monotonic
from typing import Any

import psutil

from bench import catalogue
from bench.run import Run, execute

GRACE_S = 0.5
"""How long a run may outlive its time limit before it is killed."""

POLL_S = 0.01
"""How often the memory of a run is looked at."""

SPARE_MB = 1024
"""RLIMIT_DATA lies this much above the memory limit: it stops what grows faster than the poll."""

RECURSION = 20_000
"""A depth-first search may be as deep as an instance has variables; Python's own limit is 1,000."""

TAIL_BYTES = 2000
"""How much of the output of a run is kept, from its end."""


def main(backend: str) -> None:
    """Serves runs of one backend on the standard streams."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # What a library prints must not get between the answers.
    answers.write(json.dumps(describe(backend)) + "\n")
    gc.collect()
    gc.freeze()
    for line in requests():
        answers.write(json.dumps(supervise(Run(**json.loads(line)))) + "\n")


def requests() -> Any:
    """The lines of the standard input, read without a buffer so that `select` sees what is there."""
    pending = b""
    while chunk := os.read(0, 65536):
        pending += chunk
        while b"\n" in pending:
            line, pending = pending.split(b"\n", 1)
            yield line


def describe(backend: str) -> dict[str, Any]:
    """What the backend offers, or why it is missing; imports all that its runs will need."""
    try:
        driver = catalogue.driver(backend)
    except ImportError as error:
        return {"missing": f"{error}"}
    formulations: dict[str, list[str]] = {}
    broken: dict[str, str] = {}
    for puzzle in catalogue.puzzle_names():
        try:
            catalogue.puzzle_module(puzzle)
            formulations[puzzle] = list(catalogue.formulations(puzzle, backend))
        except Exception as error:
            broken[puzzle] = f"models/{puzzle}: {type(error).__name__}: {error}"
    return {
        "missing": None,
        "core": driver.CORE,
        "seeded": driver.SEEDED,
        "solvers": {name: asdict(solver) for name, solver in driver.solvers().items()},
        "formulations": formulations,
        "broken": broken,
    }


def supervise(run: Run) -> dict[str, Any]:
    """Forks a worker, drains its pipes, enforces the limits, and tells what became of it.

    Returns:
        result (of `execute`, None if it gave none), killed (`time`, `memory` or None), signal or exit code,
        cpu_s, peak_mb, base_mb (what the worker starts with: its libraries), tail (of its output).
    """
    base_mb = psutil.Process().memory_info().rss / 1e6
    result_read, result_write = os.pipe()
    output_read, output_write = os.pipe()
    started = monotonic()
    pid = os.fork()
    if pid == 0:
        work(run, result_write, output_write)
    with suppress(OSError):
        os.setpgid(pid, pid)  # Here and in the worker: whoever is first, it can be killed as a group.
    os.close(result_write)
    os.close(output_write)

    result, tail = bytearray(), bytearray()
    killed: str | None = None
    deserted = False
    ended: tuple[int, Any] | None = None
    process = psutil.Process(pid)
    with selectors.DefaultSelector() as selector:
        for source in (0, result_read, output_read):
            selector.register(source, selectors.EVENT_READ)
        while not result.endswith(b"\n"):
            for key, _ in selector.select(POLL_S):
                chunk = os.read(key.fd, 1 << 20)
                if not chunk:
                    selector.unregister(key.fd)
                    deserted |= key.fd == 0
                elif key.fd == result_read:
                    result += chunk
                elif key.fd == output_read:
                    tail = (tail + chunk)[-TAIL_BYTES:]
            if deserted:
                break
            if monotonic() - started > run.time_limit_s + GRACE_S:
                killed = "time"
                break
            with suppress(psutil.Error):
                if process.memory_info().rss / 1e6 > run.memory_limit_mb:
                    killed = "memory"
                    break
            done, status, usage = os.wait4(pid, os.WNOHANG)
            if done:
                ended = status, usage
                while (chunk := read_now(result_read)) and not result.endswith(b"\n"):
                    result += chunk
                break
        while chunk := read_now(output_read):
            tail = (tail + chunk)[-TAIL_BYTES:]
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    status, usage = ended or os.wait4(pid, 0)[1:]
    os.close(result_read)
    os.close(output_read)
    if deserted:
        sys.exit(0)
    unit = 1e6 if sys.platform == "darwin" else 1e3
    return {
        "result": json.loads(result) if result.endswith(b"\n") else None,
        "killed": killed,
        "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else None,
        "exit": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
        "cpu_s": usage.ru_utime + usage.ru_stime,
        "peak_mb": usage.ru_maxrss / unit,
        "base_mb": base_mb,
        "tail": tail.decode("utf-8", "replace"),
    }


def read_now(source: int) -> bytes:
    """What a pipe holds at this moment."""
    os.set_blocking(source, False)
    try:
        return os.read(source, 1 << 20)
    except BlockingIOError:
        return b""


def work(run: Run, result_write: int, output_write: int) -> None:
    """The worker: makes the run, writes the result as one line and ends the process."""
    try:
        os.setpgid(0, 0)
        die_with_parent()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output_write, 1)
        os.dup2(output_write, 2)
        limit = (run.memory_limit_mb + SPARE_MB) * 1_000_000
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
        sys.setrecursionlimit(RECURSION)
        try:
            result = execute(run)
        except MemoryError:
            result = {"status": "memout", "error": "MemoryError"}
        except Exception as error:
            result = {"status": "crashed", "error": f"{type(error).__name__}: {error}"}
        line = json.dumps(result).encode() + b"\n"
        while line:
            line = line[os.write(result_write, line) :]
        sys.stdout.flush()
    finally:
        os._exit(0)


def die_with_parent() -> None:
    """On Linux a worker does not outlive its server, whatever ends the server."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # 1 is PR_SET_PDEATHSIG


if __name__ == "__main__":
    main(sys.argv[1])
