"""Appends rows to runs.csv, so that the file is valid after a kill at any moment; keeps logs beside it."""

import csv
import errno
import fcntl
import io
import os
import re
import stat
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

from bench.campaign.check import Agreement, settle
from bench.campaign.results import COLUMNS, Row, checked_rows, current, located, measurement, parse, parts_of
from bench.catalogue.errors import RequestError, writing
from bench.contract import Run
from bench.environment.files import replace_file

_ADVICE = "choose another folder with --out"


class Recorder:
    """Appends rows to a runs.csv, which is created if it is not there; one campaign at a time may hold it.

    Attributes:
        rows: all that is recorded.

    Raises:
        RequestError: if it cannot be written, is held by another campaign, or has other columns.
    """

    def __init__(self, path: Path):
        self.path = path
        self.about: dict[tuple[str, str], list[int]] = defaultdict(list)
        self.agreements: dict[tuple[str, str], Agreement] = defaultdict(Agreement)
        self.file = self.opened(path)
        try:
            content = path.read_bytes()
            self.rows = parse(path, content, resume=True)
            # A kill may have cut off the last line, or have come between a row and those that it refutes.
            whole = content.rfind(b"\n") + 1
            if whole < len(content):
                os.ftruncate(self.file, whole)
            if not whole:
                self.append_line(COLUMNS)
            if self.revise(range(len(self.rows))) or parts_of(path, content)[0] != COLUMNS:
                self.rewrite()
        except RequestError:
            self.close()
            raise

    @staticmethod
    def opened(path: Path) -> int:
        """Opens and locks a file."""
        while True:
            with writing(path, _ADVICE):
                file = os.open(located(path, resume=True), os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            if not stat.S_ISREG(os.fstat(file).st_mode):
                os.close(file)
                raise RequestError(f"{path}: this is no regular file; {_ADVICE}")
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(file)
                message = "another campaign is writing here; wait for it or use --out"
                raise RequestError(f"{path}: {message}") from None
            # The campaign that held it may have put another file in its place meanwhile.
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file), path.stat()):
                    return file
            os.close(file)

    def append(self, row: Row) -> Row:
        """Writes a row, through to the disk; returns it as recorded: with another status if it is refuted.

        Raises RequestError if the disk is full; what was recorded before is untouched.
        """
        number = len(self.rows)
        self.rows.append(row)
        revised = self.revise([number])
        self.append_line(self.rows[number].to_csv())
        if revised - {number}:
            self.rewrite()
        return self.rows[number]

    def extend(self, rows: Sequence[Row]) -> None:
        """Records many rows as `append` does, at once: a kill at any moment leaves none or all of them."""
        before = len(self.rows)
        self.rows.extend(rows)
        self.revise(range(before, len(self.rows)))
        self.rewrite()

    def revise(self, numbers: Iterable[int]) -> set[int]:
        """Compares new rows with all about their instance and rules; returns the numbers of those changed."""
        disagreeing = set()
        for number in numbers:
            row = self.rows[number]
            subject = row.instance_sha256, row.rules_sha256
            self.about[subject].append(number)
            if not self.agreements[subject].add(row):
                disagreeing.add(subject)
        revised = set()
        for about in map(self.about.__getitem__, disagreeing):
            rows = [self.rows[number] for number in about]
            claiming = current(rows)
            settled = settle([rows[place] for place in claiming], rows)
            for place, (status, error) in zip(claiming, settled, strict=True):
                if (rows[place].status, rows[place].error) != (status, error):
                    self.rows[about[place]] = replace(rows[place], status=status, error=error)
                    revised.add(about[place])
        return revised

    def rewrite(self) -> None:
        """Replaces the file by one with the rows as they are; a kill at any moment leaves one of the two."""
        # It may be a link to the file.
        path = self.path.resolve()
        draft = path.with_name(f"{path.name}.new")
        draft.unlink(missing_ok=True)
        before, self.file = self.file, self.opened(draft)
        try:
            self.append_line(COLUMNS, *(row.to_csv() for row in self.rows))
            draft.replace(path)
        except (RequestError, OSError) as error:
            os.close(self.file)
            self.file = before
            draft.unlink(missing_ok=True)
            reason = error.strerror if isinstance(error, OSError) else "no space left"
            raise RequestError(f"{self.path}: {reason}; all earlier runs are recorded") from None
        os.close(before)

    def append_line(self, *lines: Iterable[str]) -> None:
        """Writes lines in one call; removes all of them if they do not fit."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(lines)
        line = text.getvalue().encode()
        size = os.fstat(self.file).st_size
        try:
            if os.write(self.file, line) != len(line):
                raise OSError(errno.ENOSPC, "no space left")
            os.fsync(self.file)
        except OSError as error:
            os.ftruncate(self.file, size)
            raise RequestError(f"{self.path}: {error.strerror}; all earlier runs are recorded") from None

    def close(self) -> None:
        """Lets another campaign open the file."""
        os.close(self.file)


def damaged_beside(path: Path) -> Path:
    """The file that has the damaged rows of a runs.csv, beside it."""
    return path.with_suffix(".damaged.csv")


def set_aside(path: Path) -> int:
    """Moves the damaged rows of a runs.csv, as they stand there, to the end of `damaged_beside` it.

    A kill at any moment loses none: at worst they are in both files. Returns how many there were. Raises
    RequestError if the first line is damaged, or one of the files cannot be written.
    """
    beside = damaged_beside(path)
    for each in (path, beside):
        if each.is_symlink() or (each.exists() and not each.is_file()):
            raise RequestError(f"{each}: this is no regular file; put one in its place")
    with os.fdopen(Recorder.opened(path), "rb") as locked, writing(path, "nothing recorded is lost"):
        content = locked.read()
        rows = list(checked_rows(*parts_of(path, content)))
        damaged = [row for row, why in rows if why]
        if damaged:
            header, end, _ = content.partition(b"\n")
            whole = [header, end, *(row for row, why in rows if not why), content[content.rfind(end) + 1 :]]
            with beside.open("ab") as file:
                file.write(b"".join(damaged))
                file.flush()
                os.fsync(file.fileno())
            replace_file(path, b"".join(whole))
    return len(damaged)


def recorder_of(folder: Path) -> closing[Recorder]:
    """The recorder of a campaign's folder, which is made if missing; raises RequestError as Recorder does."""
    with writing(folder, _ADVICE):
        folder.mkdir(parents=True, exist_ok=True)
    return closing(Recorder(folder / "runs.csv"))


LOGS = "logs"
"""The folder of solvers' logs, within that of a campaign."""


def path_of(folder: Path, puzzle: object, instance: object, *model: object) -> Path:
    """The file of a log, by the values of MEASUREMENT; its name has a release, and threads but one."""
    within, name = (re.sub(r"[^\w.-]|^\.", "_", str(part)) for part in (puzzle, instance))
    *names, release, threads = map(str, model)
    names += [release] * bool(release) + [f"{threads}-threads"] * (threads != "1")
    file = re.sub(r"[^\w.-]", "_", "-".join(names))
    return folder / LOGS / within / name / f"{file}.log.gz"


def keep_log(folder: Path, run: Run, log: bytes) -> str:
    """Writes the log of a model's first run in the place of an earlier one, which goes if there is none.

    Returns:
        A line if it cannot be written, else "": that is no reason to stop a campaign.
    """
    path = path_of(folder, *measurement(run))
    try:
        if run.is_first and log:
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, log)
        elif run.is_first:
            path.unlink(missing_ok=True)
    except OSError as error:
        return f"{path}: {error.strerror}: logs are missing; all runs are recorded"
    return ""
