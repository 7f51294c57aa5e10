"""Files and temporary folders that outlast no kill: not half-written, and not for ever."""

import fcntl
import os
import secrets
import shutil
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from weakref import finalize

from bench.catalogue.errors import RequestError, writing

TEMPORARY = "bench-owned-"
"""How the names of temporary folders begin that go with the process that owns them."""


def replace_file(path: Path, content: str | bytes, mode: int = 0o666, durable: bool = True) -> None:
    """Writes a file so that a kill at any moment leaves the old content or the new one.

    Several processes may write the same file at once. A link is replaced, as somebody else may have put it
    there; a device or a pipe is written to. The user's mask applies to `mode`. What is not `durable` may be
    damaged by a crash of the machine. Raises OSError if it cannot be written; its `filename` is the path.
    """
    content = content.encode() if isinstance(content, str) else content
    if path.parent == Path("/dev") or (path.exists() and not path.is_file()):
        path.write_bytes(content)
        return
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with open(draft, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(content)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        # Of a full disk it names none.
        error.filename = str(path)
        raise
    finally:
        draft.unlink(missing_ok=True)


def refuse_unwritable(folder: Path, advice: str) -> None:
    """Raises RequestError with the advice if files cannot be written to a folder, which need not exist."""
    if folder.exists() and not folder.is_dir():
        raise RequestError(f"{folder}: this is a file; {advice}")
    there = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    with writing(folder, advice):
        tempfile.TemporaryDirectory(prefix=".part-", dir=there).cleanup()


def cache_folder(name: str) -> Path:
    """The folder of this name in the user's cache, which need not be there."""
    home = os.environ.get("XDG_CACHE_HOME") or f"{os.environ.get('HOME', '')}/.cache"
    return Path(home) / "puzzle-bench" / name


class TemporaryFolder:
    """A temporary folder that this process owns: the lock on it ends with the process, whatever ends that.

    The first one removes those whose owner is gone.
    """

    def __init__(self) -> None:
        remove_abandoned()
        while True:
            self.folder = tempfile.TemporaryDirectory(prefix=TEMPORARY, ignore_cleanup_errors=True)
            self.path = Path(self.folder.name)
            try:
                lock = os.open(self.path, os.O_RDONLY)
            except FileNotFoundError:  # Another process found it before it was locked.
                continue
            self.unlock = finalize(self, os.close, lock)
            # Where there are no locks, none is removed.
            with suppress(OSError):
                fcntl.flock(lock, fcntl.LOCK_EX)
            if self.path.exists():
                break
            self.unlock()

    def close(self) -> None:
        """Removes the folder with all that is in it."""
        self.folder.cleanup()
        self.unlock()


@cache
def remove_abandoned() -> None:
    """Removes this user's temporary folders whose owner is gone."""
    for path in Path(tempfile.gettempdir()).glob(f"{TEMPORARY}*"):
        with suppress(OSError):
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                if os.fstat(lock).st_uid == os.geteuid():
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(lock)
