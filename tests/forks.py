"""Runs `python -m bench` in processes forked from one that has imported it: most commands mainly import.

`python -m tests.forks` is the process that forks. A line of its input has a folder, the words of a command,
the environment, the cores and the folder of Preloaded; it answers with the exit code, the standard output
and the standard error.
"""

import gc
import json
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).parent.parent

SLOW = (
    "bench.report.page", "bench.report.terminal", "bench.instruments.regression.gate",
    "bench.instruments.regression.report",
    "matplotlib.backends.backend_agg", "matplotlib.backends.backend_svg", "networkx", "pydantic.type_adapter",
    "scipy.stats",
)  # fmt: skip
"""What commands import when they need it."""

TIMEOUT_S = 600
"""A command that needs longer is ended."""


class Forks:
    """The process that forks, seen from a test; the servers of its commands are preloaded.

    Args:
        sockets: the folder of Preloaded.
    """

    def __init__(self, sockets: str) -> None:
        self.sockets = sockets
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.forks"],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def run(
        self, folder: Path, words: Sequence[str], env: Mapping[str, str]
    ) -> subprocess.CompletedProcess[str]:
        """Runs a command in a folder, on the cores that the test may use now."""
        assert self.process.stdin and self.process.stdout
        cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        asked = [str(folder), words, dict(env), cores, self.sockets]
        print(json.dumps(asked), file=self.process.stdin, flush=True)
        return subprocess.CompletedProcess(words, *json.loads(self.process.stdout.readline()))

    def close(self) -> None:
        """Ends the process."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


def main() -> None:
    """Answers until the input ends."""
    from bench import catalogue
    from bench.cli import app
    from bench.execution import process
    from tests.preloaded import start

    commands = (f"bench.{place.rpartition('.')[0]}" for place in app.COMMANDS.values())
    for module in (*commands, *SLOW):
        import_module(module)
    for puzzle in catalogue.puzzle_names():
        catalogue.puzzle_module(puzzle)
        # What a file imports is found once for each content.
        for backend in ("puzzle", *catalogue.backend_names()):
            catalogue.model_sha256(puzzle, backend)
    gc.freeze()
    for line in sys.stdin:
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            if (pid := os.fork()) == 0:
                signal.alarm(TIMEOUT_S)
                folder, words, env, cores, sockets = json.loads(line)
                process.Popen = partial(start, sockets)
                nothing = os.open(os.devnull, os.O_RDONLY)
                become("bench", folder, words, env, cores, (nothing, out.fileno(), errors.fileno()))
            code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            print(json.dumps([code, text_of(out.fileno()), text_of(errors.fileno())]), flush=True)


def become(
    module: str,
    folder: str | Path,
    words: Sequence[str],
    env: Mapping[str, str],
    cores: Sequence[int],
    streams: Sequence[int],
) -> NoReturn:
    """Runs a module as `python -m` with these words in this process, and exits."""
    code: Any = 1
    try:
        for stream, file in enumerate(streams):
            os.dup2(file, stream)
            os.close(file)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(env)
        if cores:
            os.sched_setaffinity(0, cores)
        # Its own folder for temporary files, and not the one that was found before.
        tempfile.tempdir = None
        sys.path[0] = str(folder)
        sys.argv[1:] = words
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as ended:
        code = ended.code
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    # Python's own end would take a tenth of a second to free what this process shares with the other.
    os._exit(code or 0)


def text_of(file: int) -> str:
    """All that was written to a file."""
    return os.pread(file, os.fstat(file).st_size, 0).decode()


if __name__ == "__main__":
    main()
