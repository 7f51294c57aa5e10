"""Prints a file while it is written."""

import codecs
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, Thread

from bench.catalogue.errors import plain
from bench.environment.files import TemporaryFolder

_EVERY_S = 0.05
"""Seconds between two looks at the file."""


@contextmanager
def followed() -> Iterator[Path]:
    """Provides an empty file, and prints what is written to it on the standard error until the block ends."""
    ended = Event()
    with closing(TemporaryFolder()) as temporary:
        (log := temporary.path / "log").touch()
        thread = Thread(target=follow, args=(log, ended.wait))
        thread.start()
        try:
            yield log
        finally:
            ended.set()
            thread.join()


def follow(path: Path, wait: Callable[[float], bool]) -> None:
    """Prints a file as it grows, until `wait` returns True, and then what is left."""
    decode = codecs.getincrementaldecoder("utf-8")("replace").decode
    with path.open("rb") as file:
        ended = False
        while not ended:
            ended = wait(_EVERY_S)
            while chunk := file.read(1 << 20):
                sys.stderr.write(plain(decode(chunk)))
            sys.stderr.flush()
