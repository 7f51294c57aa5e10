"""Programs in any language: this project's searches in C, and commands of users (docs/programs.md)."""

import hashlib
import os
import re
import select
import shlex
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import perf_counter, sleep
from typing import Self

from bench.catalogue.errors import one_line, where
from bench.catalogue.programs import OURS, programs
from bench.contract import ModelError, OnSolution, Outcome, Solver, SolveRequest, Task
from bench.drivers._common import Figures, LogFile, model_of
from bench.drivers._compiler import INSTALL, compiler, executable
from bench.environment import counting
from models.shared.document import shorten
from models.shared.model import Model
from models.shared.native import NativeInput
from models.shared.puzzle import Puzzle

CORE = False

SOLVERS = {"c": "search in C"}
"""This project's own programs; those of users are solvers beside it."""

_FIGURES = {"variables": "variables", "root": "presolved_variables"} | {
    counter: counter for counter in ("branches", "failures", "propagations", "restarts")
}
"""What a program may report beside solutions, and the field of Outcome that it is."""

_NOTHING = Path("true")  # To warm up: a program of a user gets nothing but puzzles.

_LINE = re.compile("([a-z]+)((?:[ \t]+-?[0-9]{1,20})*)[ \t\r]*")
"""A line of output."""


def solvers() -> Mapping[str, Solver]:
    """Returns this project's programs as one solver, whose version is the compiler's, and those of users."""
    cc = compiler()
    ours = Solver(SOLVERS[OURS], cc.version if cc else None, None if cc else INSTALL)
    return {OURS: ours, **{name: solver_of(words) for name, words in programs().items()}}


def solver_of(words: Sequence[str]) -> Solver:
    """Returns a user's program; its version is a hash of the command and the files that it names."""
    program = shutil.which(words[0])
    if program is None:
        return Solver(words[0], None, f"the program {words[0]}")
    digest = hashlib.sha256()
    for word in (program, *words[1:]):
        # Where a file lies does not matter. One that may be executed need not be readable.
        content = word.encode()
        with suppress(OSError):
            content = Path(word).read_bytes()
        digest.update(f"{len(content)}\n".encode() + content)
    return Solver(shlex.join(words), f"sha256 {digest.hexdigest()[:12]}")


def load(solver: str) -> Model:
    """Imports nothing: there is no library."""
    return Model(NativeInput(_NOTHING, [], 0), lambda _: None)


def prepare(source: Path) -> float:
    """Compiles a C file, unless that was done before; returns the seconds that it took then."""
    return executable(source).compile_s if compiler() else 0.0


def build(formulation: Callable[[Puzzle], Model], puzzle: Puzzle) -> Model:
    """Returns the integers that a program reads."""
    return model_of(formulation, puzzle, NativeInput)


def solve(model: Model, request: SolveRequest, on_solution: OnSolution) -> Outcome:
    """Runs the program until it ends, or its time is up; reads its solutions as it writes them."""
    instance: NativeInput = model.problem
    started = perf_counter()
    if instance.source == _NOTHING:
        words: Sequence[str] = [str(_NOTHING)]
    elif request.solver == OURS:
        words = [str(executable(instance.source).path)]
    else:
        words = programs()[request.solver]
    wanted = int(request.task == Task.FIRST)  # 0 is all of them.
    figures: Figures = {}
    root_at: float | None = None
    found = 0
    given = "".join(f"{' '.join(map(str, line))}\n" for line in [[wanted, request.seed], *instance.lines])
    output = LogFile(request.last_model and request.last_model.with_name("output.txt"))
    with _Conversation(words, given, LogFile(request.log).write) as program:
        if request.last_model:
            request.last_model.write_text(given)
        for number, text in enumerate(_uncounted(program.lines(started + request.time_s)), 1):
            output.write(f"{text}\n")
            keyword, values = _read_line(number, text)
            if keyword == "bound":
                if request.task != Task.BEST:
                    raise _broken(number, text, "the puzzle has no objective that could have a bound")
                request.on_bound(values[0])
                continue
            if keyword in _FIGURES:
                figures[_FIGURES[keyword]] = values[0]
                root_at = perf_counter() if keyword == "root" else root_at
                continue
            found += 1
            if len(values) != instance.length:
                raise _broken(number, text, f"a solution has {instance.length} integers, not {len(values)}")
            if wanted and found > wanted:
                raise _broken(number, text, "one solution was asked for, and this is the second")
            try:
                solution = model.decode(values.__getitem__)
            except Exception as error:
                reason = where(error, instance.source.parent)
                raise _broken(number, text, f"it cannot be decoded: {reason}") from error
            on_solution(solution, model.stands_for)
    ended = perf_counter()
    return Outcome(
        complete=not program.late,
        presolve_s=root_at - started if root_at else None,
        search_s=ended - root_at if root_at else None,
        solve_s=ended - started,
        **figures,
    )


def _uncounted(lines: Iterator[str]) -> Iterator[str]:
    """Counts no instructions of waiting for lines: into how many pieces these are cut is up to chance."""
    counting.toggle()
    for line in lines:
        counting.toggle()
        yield line
        counting.toggle()
    counting.toggle()


def _read_line(number: int, text: str) -> tuple[str, Sequence[int]]:
    """Returns the keyword and the integers of a line of output; raises ModelError for any other line."""
    keyword = (text.split() or [""])[0]
    if keyword not in ("solution", "bound") and keyword not in _FIGURES:
        raise _broken(number, text, f"a line begins with solution, bound, {', '.join(_FIGURES)}")
    if not (parts := _LINE.fullmatch(text)):
        raise _broken(number, text, f"{keyword} is followed by integers alone, of at most 20 digits")
    values = [int(word) for word in parts[2].split()]
    if keyword == "bound" and len(values) != 1:
        raise _broken(number, text, "bound is followed by one integer")
    if keyword in _FIGURES and (len(values) != 1 or values[0] < 0):
        raise _broken(number, text, f"{keyword} is followed by one integer, 0 or more")
    return keyword, values


def _broken(number: int, text: str, rule: str) -> ModelError:
    """Returns the error of a line that breaks a rule of the protocol."""
    return ModelError(f"line {number} of the program's output is {shorten(text)}: {rule}")


LAST_WORDS_S = 0.2
"""Seconds that a program whose time is up has to say what it has counted."""

_MOST_BYTES = 1 << 24
"""No line of its output may be longer."""


class _Conversation:
    """A program that is started with its input, and ends with the block.

    Attributes:
        given: its standard input.
        hear: receives what it writes to its standard error, as it comes.
        late: whether it was ended because its time was up.

    Raises:
        ModelError: on entering, if it cannot be started; on leaving, if it failed.
        MemoryError: on leaving, if it says that it got no more memory.
    """

    def __init__(self, words: Sequence[str], given: str, hear: Callable[[str], None]):
        self.words, self.given, self.hear = list(words), given.encode(), hear
        self.late = False
        self.said = b""
        self.code: int | None = None

    def __enter__(self) -> Self:
        """Starts the program; posix_spawn copies nothing of this process, and costs the least."""
        (self.output, theirs), (self.complaints, theirs_too) = os.pipe(), os.pipe()
        # With a pipe this process would wait for a program that does not read; a file on a disk takes longer.
        memory = os.memfd_create("input") if hasattr(os, "memfd_create") else None
        with tempfile.TemporaryFile() if memory is None else os.fdopen(memory, "w+b", 0) as given:
            given.write(self.given)
            given.seek(0)
            files = enumerate((given.fileno(), theirs, theirs_too))
            try:
                self.pid = os.posix_spawnp(
                    self.words[0], self.words, os.environ,
                    file_actions=[(os.POSIX_SPAWN_DUP2, file, stream) for stream, file in files],
                    setsigdef=(signal.SIGPIPE, signal.SIGXFSZ),  # Python ignores them.
                )  # fmt: skip
            except OSError as error:
                self.close()
                raise ModelError(f"{self.words[0]} cannot be started: {error.strerror}") from None
            finally:
                os.close(theirs)
                os.close(theirs_too)
        return self

    def lines(self, deadline: float) -> Iterator[str]:
        """Yields the lines of its output until it ends, or until the deadline, a time of perf_counter."""
        rest = bytearray()
        listening = {self.output, self.complaints}
        while listening:
            ready = select.select(listening, [], [], max(0.0, deadline - perf_counter()))[0]
            if perf_counter() >= deadline:
                if self.late:
                    return
                self.late, deadline = True, perf_counter() + LAST_WORDS_S
                os.kill(self.pid, signal.SIGTERM)
                continue
            for pipe in ready:
                chunk = os.read(pipe, 1 << 14)  # Not too much before the clock is looked at.
                if not chunk:
                    listening.remove(pipe)
                elif pipe == self.complaints:
                    self.said = (self.said + chunk)[-2000:]
                    self.hear(chunk.decode("utf-8", "replace"))
                else:
                    rest += chunk
                    if b"\n" in chunk:
                        *lines, rest = rest.split(b"\n")
                        yield from (line.decode("utf-8", "replace") for line in lines)
            if len(rest) > _MOST_BYTES:
                begins = shorten(rest[:100].decode("utf-8", "replace"))
                too_long = f"a line of the program's output has more than {_MOST_BYTES:,} bytes"
                raise ModelError(f"{too_long}: {begins}")
        self.late |= not self.ends_by(deadline)
        if self.late:
            return
        # One that failed or was interrupted may have been so within a line.
        if rest and not self.code:
            yield rest.decode("utf-8", "replace")

    def ends_by(self, deadline: float) -> bool:
        """Waits for its end until the deadline; returns whether it has ended."""
        # Linux has it from 5.3 on; elsewhere the process is looked at again and again.
        with suppress(AttributeError, OSError):
            ending = os.pidfd_open(self.pid)
            select.select([ending], [], [], max(0.0, deadline - perf_counter()))
            os.close(ending)
        while not self.has_ended() and perf_counter() < deadline:
            sleep(1e-4)
        return self.has_ended()

    def has_ended(self, options: int = os.WNOHANG) -> bool:
        """Whether it has ended; with other options than WNOHANG, waits for that."""
        if self.code is None:
            pid, status = os.waitpid(self.pid, options)
            self.code = os.waitstatus_to_exitcode(status) if pid else None
        return self.code is not None

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Ends the program if it goes on; raises an exception if it failed by itself."""
        self.close()
        if not self.has_ended():
            os.kill(self.pid, signal.SIGKILL)
            self.has_ended(options=0)
        if self.said:
            os.write(2, self.said)
        if not self.code or kind or self.late:
            return
        how = f"exits with {self.code}" if self.code > 0 else f"was ended by {_name_of(-self.code)}"
        words = self.said.decode("utf-8", "replace").strip().splitlines() or ["it says nothing"]
        failure = MemoryError if self.code == 3 else ModelError  # docs/programs.md
        raise failure(one_line(f"the program {how}: {words[-1]}"))

    def close(self) -> None:
        """Closes what it writes to."""
        for pipe in (self.output, self.complaints):
            os.close(pipe)


def _name_of(number: int) -> str:
    """The name of a signal, or its number."""
    with suppress(ValueError):
        return signal.Signals(number).name
    return f"signal {number}"
