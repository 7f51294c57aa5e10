"""A program that reads its standard input and writes lines, within a time limit."""

import os
import select
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from signal import Signals
from time import perf_counter
from typing import Self

from bench.catalogue.errors import one_line
from bench.contract import ModelError

LAST_WORDS_S = 0.2
"""Seconds that a program whose time is up has to say what it has counted."""

MOST_BYTES = 1 << 24
"""No line of its output may be longer."""


class Conversation:
    """A program that is started with its input, and ends with the block.

    Args:
        words: the command.
        given: the lines of integers on its standard input.

    Attributes:
        late: whether it was ended because its time was up.

    Raises:
        ModelError: on entering, if it cannot be started; on leaving, if it failed.
    """

    def __init__(self, words: Sequence[str], given: Sequence[Sequence[int]]):
        self.words = words
        self.text = "".join(f"{' '.join(map(str, line))}\n" for line in given)
        self.late = False
        self.files = ExitStack()

    def __enter__(self) -> Self:
        """Starts the program. Its input is a file, so that neither side can wait for the other."""
        given = self.files.enter_context(tempfile.TemporaryFile())
        self.complaints = self.files.enter_context(tempfile.TemporaryFile())
        given.write(self.text.encode())
        given.seek(0)
        try:
            self.popen = subprocess.Popen(
                self.words, stdin=given, stdout=subprocess.PIPE, stderr=self.complaints, bufsize=0
            )
        except OSError as error:
            self.files.close()
            raise ModelError(f"{self.words[0]} cannot be started: {error.strerror}") from None
        return self

    def lines(self, deadline: float) -> Iterator[str]:
        """Yields the lines of its output until it ends, or until the deadline, a time of perf_counter.

        Raises:
            ModelError: if a line does not end.
        """
        assert self.popen.stdout
        pipe = self.popen.stdout.fileno()
        rest = b""
        while True:
            if not select.select([pipe], [], [], max(0.0, deadline - perf_counter()))[0]:
                if self.late:
                    return
                self.late, deadline = True, perf_counter() + LAST_WORDS_S
                self.popen.terminate()
                continue
            chunk = os.read(pipe, 1 << 16)
            *lines, rest = (rest + chunk).split(b"\n")
            yield from (line.decode("utf-8", "replace") for line in lines)
            if not chunk:
                break
            if len(rest) > MOST_BYTES:
                raise ModelError(f"the program writes a line of more than {MOST_BYTES:,} bytes")
        if rest and not self.late:
            yield rest.decode("utf-8", "replace")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Ends the program if it goes on; raises ModelError if it failed by itself."""
        assert self.popen.stdout
        self.popen.stdout.close()
        with self.files:
            if kind or self.late:
                self.popen.kill()
            code = self.popen.wait()
            self.complaints.seek(0)
            said = self.complaints.read().decode("utf-8", "replace").strip()
        if said:
            os.write(2, said.encode())
        if code and not kind and not self.late:
            how = f"exits with {code}" if code > 0 else f"was ended by {Signals(-code).name}"
            raise ModelError(one_line(f"the program {how}: {(said or 'it says nothing').splitlines()[-1]}"))
