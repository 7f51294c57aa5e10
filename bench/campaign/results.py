"""The rows of runs.csv, one a run: how they are read, and which of them count."""

import csv
import gzip
import io
import re
import shlex
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import MISSING, dataclass, fields
from math import inf, nextafter
from operator import attrgetter
from pathlib import Path
from typing import Any, get_type_hints

from bench.catalogue.errors import RequestError, read_bytes
from bench.contract import Run, Status, Task
from bench.execution.protocol import LARGEST
from models.shared.document import shorten


@dataclass(frozen=True)
class Row:
    """One run, a line of runs.csv; docs/columns.md defines its columns. Unknown figures are None."""

    campaign: str
    started_at: str
    puzzle: str
    instance: str
    instance_sha256: str
    size: int
    backend: str
    solver: str
    solver_version: str
    formulation: str
    task: Task
    seed: int
    repeat: int
    threads: int
    time_limit_s: float
    memory_limit_mb: int
    status: Status
    solutions: int | None = None
    answer: str = ""
    build_s: float | None = None
    translate_s: float | None = None
    presolve_s: float | None = None
    search_s: float | None = None
    solve_s: float | None = None
    total_s: float | None = None
    cpu_s: float | None = None
    peak_mb: float | None = None
    overhead_s: float | None = None
    variables: int | None = None
    constraints: int | None = None
    nonzeros: int | None = None
    presolved_variables: int | None = None
    presolved_constraints: int | None = None
    presolved_nonzeros: int | None = None
    branches: int | None = None
    failures: int | None = None
    propagations: int | None = None
    lp_iterations: int | None = None
    work: float | None = None
    base_mb: float | None = None
    host: str = ""
    cpu: str = ""
    python: str = ""
    version: str = ""
    commit: str = ""
    error: str = ""
    solution: str = ""
    switches: int | None = None
    waited_s: float | None = None
    stolen_s: float | None = None
    disturbed: int | None = None
    reference_s: float | None = None
    restarts: int | None = None
    model_sha256: str = ""
    rules_sha256: str = ""
    witnesses: int | None = None
    values: int | None = None
    values_left: int | None = None
    relaxation_feasible: int | None = None
    fractional_min: int | None = None
    fractional_max: int | None = None
    agreeing: int | None = None
    single_point: int | None = None
    rounds: int | None = None
    schema: int | None = None
    instructions: int | None = None
    build_instructions: int | None = None
    reasoning_s: float | None = None
    collection: str = ""
    license: str = ""
    sense: str = ""
    objective: int | None = None
    bound: int | None = None
    gap: float | None = None
    first_s: float | None = None
    best_s: float | None = None
    trajectory: str = ""
    release: str = ""

    @property
    def model(self) -> str:
        """The solver, the release and the formulation, if it has them."""
        words = f"{self.backend}:{self.solver}", self.release, self.formulation
        return " ".join(filter(None, words))

    def to_csv(self) -> list[str]:
        """The cells of the row, one for each column: times to the microsecond, nothing for None."""
        return [_written(value) for value in vars(self).values()]


COLUMNS = tuple(field.name for field in fields(Row))
"""The columns of runs.csv in order."""

HASHED = "sha256:"
"""Begins the hash that stands for a solution that may not be passed on; never valid JSON."""

SCHEMA = 1
"""The version of runs.csv, raised only when a column changes its meaning, not for one that is added."""

MOST_COUNTED = 7
"""Instructions are counted in so many repeats."""

MODEL_AND_SOLVER = ("puzzle", "instance", "backend", "solver", "formulation", "task", "release")
"""The columns that identify a model on a problem, and the solver that it is handed to."""

MEASUREMENT = (*MODEL_AND_SOLVER, "threads")
"""The columns that identify a measurement, whatever the seeds of its runs."""

KEY = (*MEASUREMENT, "seed", "time_limit_s", "memory_limit_mb")
"""The columns that identify a run of a campaign, but for its repeat; all are known before the run."""

CONTENTS = ("instance_sha256", "model_sha256", "solver_version")
"""The columns of what a run depends on: only runs with the same contents are repeats of each other."""

Key = tuple[str | int | float, ...]
"""The values of KEY, or of some of these columns."""

measurement: Callable[[Run | Row], Key] = attrgetter(*MEASUREMENT)
"""The measurement that a run or a row belongs to."""

contents: Callable[[Run | Row], tuple[str, ...]] = attrgetter(*CONTENTS)
"""The contents that a run or a row depends on."""


def key(of: Run | Row) -> Key:
    """What identifies a run or the run of a row, the same for all its repeats."""
    # As it is read from runs.csv: to the microsecond.
    return *measurement(of), of.seed, round(of.time_limit_s, 6), of.memory_limit_mb


def lacks_instructions(row: Row) -> bool:
    """Whether a row could have instructions, and has none."""
    return row.instructions is None and row.status.conclusive and row.repeat <= MOST_COUNTED


def _written(value: str | float | None) -> str:
    if isinstance(value, float) and not value.is_integer():
        return f"{value:.6f}"
    return "" if value is None else str(value)


KINDS = get_type_hints(Row)
"""The types of the columns by name."""


def _parsed(kind: Any, texts: Sequence[str]) -> Sequence[Any]:
    """The values of a column; raises ValueError for inf and nan, too, and for what no float can hold."""
    if kind is str:
        return texts
    parse = {int | None: int, float | None: float}.get(kind, kind)
    may_lack = parse is not kind
    values: list[Any] = [None if may_lack and not text else parse(text) for text in texts]
    if parse is float and ".000000" in " ".join(texts):
        # A rounded number is made larger than the whole one, so that it is written as it was read: 0.000000
        # is below half a microsecond, 0.0 is nothing at all.
        values = [
            nextafter(value, inf) if text.endswith(".000000") else value
            for value, text in zip(values, texts, strict=True)
        ]
    if parse in (int, float) and not all(-LARGEST < value < LARGEST for value in values if value is not None):
        raise ValueError("not a figure")
    return values


# A solution may be longer than the 131,072 characters to which a cell is limited otherwise.
csv.field_size_limit(2**31 - 1)


def parse(path: Path, content: bytes, resume: bool = False) -> list[Row]:
    """The rows of a runs.csv, without a last line that a kill cut off.

    With `resume`, since rows are to be appended, other columns are refused: they would be lost. Raises
    RequestError if columns are missing, or a row is damaged or has another schema.
    """
    columns, body = parts_of(path, content, resume)
    try:
        lines = _cells_of(body)
        cells = dict(zip(columns, zip(*lines, strict=True), strict=bool(lines)))
        rows = [Row.__new__(Row) for _ in lines]
        # Column by column is twice as fast as row by row.
        for name in COLUMNS:
            values = _parsed(KINDS[name], cells.get(name, [""] * len(lines)))
            for row, value in zip(rows, values, strict=True):
                vars(row)[name] = value
    except _DAMAGE:
        found = enumerate(checked_rows(columns, body), 1)
        number, why = next((number, why) for number, (_, why) in found if why)
        mend = f"mend it{', choose another --out' * resume} or go on without it (--skip-damaged)"
        raise RequestError(f"{path}: row {number} is damaged: {why}; {mend}") from None
    if others := {row.schema for row in rows} - {None, SCHEMA}:
        message = f"it has the schema {others.pop()}, and this version reads {SCHEMA}"
        raise RequestError(f"{path}: {message}; use the version of the project that recorded it")
    return rows


_DAMAGE = (csv.Error, ValueError)
"""What reading a damaged row raises."""

_CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]")
"""Invisible characters, which no row has; CRLF ends lines that other programs wrote."""


def parts_of(path: Path, content: bytes, resume: bool = False) -> tuple[tuple[str, ...], bytes]:
    """The columns that the first line of a runs.csv names, and its other lines, without one that was cut off.

    Raises RequestError if columns are missing; with `resume` also if there are unknown ones.
    """
    header, end, body = content[: content.rfind(b"\n") + 1].partition(b"\n")
    try:
        columns = tuple(*_cells_of(header + end)) if end else COLUMNS
    except _DAMAGE:
        columns = ()
    if len({*columns} - {""}) < len(columns) or not columns:
        raise RequestError(f"{path}: its first line does not name the columns; mend it")
    if resume and (unknown := [column for column in columns if column not in COLUMNS]):
        raise RequestError(f"{path}: this version has no column {unknown[0]}; choose another --out")
    # Others that it lacks are read as empty.
    required = [field.name for field in fields(Row) if field.default is MISSING]
    if missing := [column for column in required if column not in columns]:
        raise RequestError(f"{path}: the column {missing[0]} is missing")
    return columns, body


def _cells_of(lines: bytes) -> list[list[str]]:
    """The cells of lines of a runs.csv; raises csv.Error or ValueError, saying why they cannot be read."""
    lines = lines.replace(b"\r\n", b"\n")
    if found := _CONTROL.search(lines):
        raise ValueError(f"it has the character {found[0].decode()!r}")
    return [cells for cells in csv.reader(io.StringIO(lines.decode()), strict=True) if cells]


def checked_rows(columns: Sequence[str], body: bytes) -> Iterator[tuple[bytes, str]]:
    """Each row of a runs.csv as it stands there, and why it is damaged; "" if it is not."""
    lines = [line for line in re.findall(rb"[^\n]*\n", body) if line not in (b"\n", b"\r\n")]
    place = 0
    while place < len(lines):
        row, why = lines[place], _why_damaged(columns, lines[place])
        # A text with line breaks is in quotation marks, and ends in a later line: at most 100 are tried.
        last = range(place + 2, place + 100) if why and row.count(b'"') % 2 else ()
        several = (b"".join(lines[place:end]) for end in last)
        if whole := next((rows for rows in several if not _why_damaged(columns, rows)), b""):
            row, why = whole, ""
        yield row, why
        place += row.count(b"\n")


def _why_damaged(columns: Sequence[str], row: bytes) -> str:
    """Why a row is damaged, "" if it is not."""
    try:
        cells, *more = _cells_of(row)
    except UnicodeError:
        return "it is not in UTF-8"
    except csv.Error:
        return "its quotation marks do not match"
    except ValueError as error:
        return str(error)
    if more or len(cells) != len(columns):
        return f"it has {len(cells)} cells, not {len(columns)}"
    for name, cell in zip(columns, cells, strict=True):
        try:
            _parsed(KINDS.get(name, str), [cell])
        except ValueError:
            return f"{name} is {shorten(cell)}"
    return ""


def located(path: Path, resume: bool = False) -> Path:
    """A runs.csv, or the runs.csv.gz in its place: campaigns are committed compressed.

    Raises RequestError if both are there; with `resume` also if only the compressed one is.
    """
    plain = path.with_suffix("") if path.suffix == ".gz" else path
    packed = plain.with_name(f"{plain.name}.gz")
    if not packed.exists():
        return plain
    if plain.exists():
        raise RequestError(f"{packed.parent}: it has {plain.name} and {packed.name}; remove one of them")
    if resume:
        unpack = f"gunzip {shlex.quote(str(packed))}"
        raise RequestError(f"{packed}: this campaign is compressed; to go on with it, unpack it: {unpack}")
    return packed


def read(path: Path, resume: bool = False) -> list[Row]:
    """The rows of a runs.csv or runs.csv.gz; with `resume` as for `parse`, and none if there is no file.

    Raises RequestError if it cannot be read.
    """
    try:
        path = located(path, resume)
        content = read_bytes(path)
        return parse(path, gzip.decompress(content) if path.suffix == ".gz" else content, resume)
    except FileNotFoundError:
        if resume:
            return []
        raise RequestError(f"{path}: there is no such file") from None
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise RequestError(f"{path}: this is no whole gzip file; copy it again") from None
    except OSError as error:
        advice = "; choose another folder with --out" if resume else ""
        raise RequestError(f"{path}: {error.strerror}{advice}") from None


def disturbed(total_s: float | None, waited_s: float | None, stolen_s: float | None) -> int | None:
    """1 if a run had to wait for a core for more than 1 ms and 2% of its time, else 0; None if unknown."""
    if total_s is None or waited_s is None:
        return None
    return int(waited_s + (stolen_s or 0.0) > max(0.001, 0.02 * total_s))


def current(rows: Sequence[Row]) -> list[int]:
    """The numbers of the rows that count, in their order: those that no later row supersedes."""
    return without_repeated(rows, latest_contents(rows))


def latest_contents(rows: Sequence[Row]) -> list[int]:
    """The numbers of the rows with the latest contents, in their order.

    Of an instance only the file of its latest row counts, for all backends; of a model and solver on it only
    the CONTENTS of the latest row, whatever the threads. If a backend had no model for a while (its rows have
    no formulation), its latest row decides which of the two count. Rows of a solver that was not available
    count only if there are no others of it.
    """
    solver_of = attrgetter("puzzle", "instance", "task", "release", "backend", "solver")
    model_of = attrgetter(*MODEL_AND_SOLVER)
    files = {(row.puzzle, row.instance): row.instance_sha256 for row in rows}
    kept = [n for n, row in enumerate(rows) if row.instance_sha256 == files[row.puzzle, row.instance]]
    available = {solver_of(rows[n]) for n in kept if rows[n].status != Status.UNAVAILABLE}
    # A backend that was not installed could not name its solver: any solver of the backend stands for it.
    available |= {(*solver[:-1], "") for solver in available}
    kept = [n for n in kept if rows[n].status != Status.UNAVAILABLE or solver_of(rows[n]) not in available]
    has_model = {solver_of(rows[n]): rows[n].formulation != "" for n in kept}
    kept = [n for n in kept if (rows[n].formulation != "") == has_model[solver_of(rows[n])]]
    latest = {model_of(rows[n]): contents(rows[n]) for n in kept}
    return [n for n in kept if latest[model_of(rows[n])] == contents(rows[n])]


def without_repeated(rows: Sequence[Row], numbers: Iterable[int]) -> list[int]:
    """Of these rows only the last one of each run, in their order."""
    run_of = attrgetter(*KEY, "repeat")
    return sorted({run_of(rows[number]): number for number in numbers}.values())
