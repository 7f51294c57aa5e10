"""A program that reads its standard input and writes lines, within a time limit."""

import os
import select
import signal
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from time import perf_counter, sleep
from typing import Self

from bench.catalogue.errors import one_line
from bench.contract import ModelError
from models.shared.document import shorten

LAST_WORDS_S = 0.2
"""Seconds that a program whose time is up has to say what it has counted."""

_MOST_BYTES = 1 << 24
"""No line of its output may be longer."""

_CHUNK = 1 << 14
"""So much of its output is read before the clock is looked at."""

_KEPT_BYTES = 2000
"""How much of the end of its standard error is kept."""

_NO_MEMORY = 3
"""The exit code of a program that the system gives no more memory."""


class Conversation:
    """A program that is started with its input, and ends with the block.

    Args:
        words: the command.
        given: the lines of integers on its standard input.
        hear: receives what it writes to its standard error, as it comes.

    Attributes:
        late: whether it was ended because its time was up.

    Raises:
        ModelError: on entering, if it cannot be started; on leaving, if it failed.
        MemoryError: on leaving, if it says that it got no more memory.
    """

    def __init__(
        self,
        words: Sequence[str],
        given: Sequence[Sequence[int]],
        hear: Callable[[str], None] = lambda _: None,
    ):
        self.words, self.hear = list(words), hear
        self.text = "".join(f"{' '.join(map(str, line))}\n" for line in given)
        self.late = False
        self.said = b""
        self.code: int | None = None

    def __enter__(self) -> Self:
        """Starts the program; posix_spawn copies nothing of this process, and costs the least."""
        (self.output, theirs), (self.complaints, theirs_too) = os.pipe(), os.pipe()
        given = _file_with(self.text.encode())
        streams = [
            (os.POSIX_SPAWN_DUP2, file, stream) for stream, file in enumerate((given, theirs, theirs_too))
        ]
        try:
            self.pid = os.posix_spawnp(
                self.words[0], self.words, os.environ, file_actions=streams,
                setsigdef=(signal.SIGPIPE, signal.SIGXFSZ),  # Python ignores them.
            )  # fmt: skip
        except OSError as error:
            self.close()
            raise ModelError(f"{self.words[0]} cannot be started: {error.strerror}") from None
        finally:
            for file in (given, theirs, theirs_too):
                os.close(file)
        return self

    def lines(self, deadline: float) -> Iterator[str]:
        """Yields the lines of its output until it ends, or until the deadline, a time of perf_counter.

        Raises:
            ModelError: if a line does not end.
        """
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
                chunk = os.read(pipe, _CHUNK)
                if not chunk:
                    listening.remove(pipe)
                elif pipe == self.complaints:
                    self.said = (self.said + chunk)[-_KEPT_BYTES:]
                    self.hear(chunk.decode("utf-8", "replace"))
                else:
                    rest += chunk
                    if b"\n" in chunk:
                        *lines, rest = rest.split(b"\n")
                        yield from (line.decode("utf-8", "replace") for line in lines)
            if len(rest) > _MOST_BYTES:
                begins = shorten(rest[:100].decode("utf-8", "replace"))
                raise ModelError(
                    f"a line of the program's output has more than {_MOST_BYTES:,} bytes: {begins}"
                )
        pause = 2e-5
        while not self.has_ended():
            if perf_counter() >= deadline:
                self.late = True
                return
            sleep(pause)
            pause = min(2 * pause, 0.01)
        # One that failed or was interrupted may have been so within a line.
        if rest and not self.late and not self.code:
            yield rest.decode("utf-8", "replace")

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
        failure = MemoryError if self.code == _NO_MEMORY else ModelError
        raise failure(one_line(f"the program {how}: {words[-1]}"))

    def close(self) -> None:
        """Closes what it writes to."""
        for pipe in (self.output, self.complaints):
            os.close(pipe)


def _file_with(content: bytes) -> int:
    """A file to be read; with a pipe this process would wait for a program that does not read."""
    if hasattr(os, "memfd_create"):
        file = os.memfd_create("input")
    else:
        with tempfile.TemporaryFile() as temporary:
            file = os.dup(temporary.fileno())
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(file, rest) :]
    os.lseek(file, 0, os.SEEK_SET)
    return file


def _name_of(number: int) -> str:
    """The name of a signal; those without one have their number."""
    with suppress(ValueError):
        return signal.Signals(number).name
    return f"signal {number}"
