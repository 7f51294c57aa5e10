"""Recording, resuming, and the validation of results."""

import csv
import gzip
import io
import json
import random
import re
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import count
from math import inf
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bench
from bench import catalogue
from bench.campaign import check
from bench.campaign.check import Exhausted, Solutions, settle, validate
from bench.campaign.execute import complete
from bench.campaign.recorder import Recorder
from bench.campaign.results import COLUMNS, KEY, SCHEMA, Row, current, parse, read
from bench.campaign.schedule import Redo, Repeats, schedule, to_come, what_counts
from bench.catalogue import ROOT
from bench.catalogue.errors import PuzzleError, RequestError
from bench.contract import Run, Status, Task
from bench.execution.protocol import Answer, Killed
from bench.stats import median_interval
from models.shared.document import Expected
from tests.conftest import Once, with_forked_servers
from tests.synthetic import ROW

EXAMPLE = ROOT / "instances/block_party/june_2022_example.toml"
SMALL = ("run", "--no-plots", "--instance", "june_2022_example", "--backend", "backtrack", "--backend", "csp")


def rows_of(folder: Path, name: str = "runs.csv") -> list[dict[str, str]]:
    with (folder / name).open(newline="") as file:
        return list(csv.DictReader(file))


def identity(row: dict[str, str]) -> tuple[str, ...]:
    return tuple(row[column] for column in (*KEY, "repeat"))


@pytest.fixture(scope="session")
def twice(command_in: Any, once: Once) -> Path:
    """A campaign in `out`, with one repeat and then two; `first.csv` has the rows of the first session."""

    def execute(folder: Path) -> None:
        assert command_in(folder, *SMALL, "--repeat", 1, "--out", "out").returncode == 0
        shutil.copy(folder / "out" / "runs.csv", folder / "first.csv")
        assert command_in(folder, *SMALL, "--repeat", 2, "--out", "out").returncode == 0

    return once("twice", execute)


def test_a_second_run_does_only_what_is_missing(twice: Path) -> None:
    before, after = rows_of(twice, "first.csv"), rows_of(twice / "out")
    assert after[: len(before)] == before
    assert len(after) == 2 * len(before) > 0
    assert len({identity(row) for row in after}) == len(after)
    assert len({row["campaign"] for row in after}) == 1


def test_a_line_that_a_kill_cut_off_is_made_again(twice: Path, command: Any, tmp_path: Path) -> None:
    out = shutil.copytree(twice / "out", tmp_path / "out")
    path = out / "runs.csv"
    whole = rows_of(out)
    path.write_bytes(path.read_bytes()[:-30])
    assert command(*SMALL, "--repeat", 2, "--out", out).returncode == 0
    again = rows_of(out)
    assert again[:-1] == whole[:-1]
    assert identity(again[-1]) == identity(whole[-1])


def test_ctrl_c_keeps_what_is_finished_and_says_how_to_go_on(tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = [*SMALL, "--repeat", "400", "--out", str(out)]
    process = subprocess.Popen(
        with_forked_servers(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while not (out / "runs.csv").exists() or len(rows_of(out)) < 5:
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    said, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert f"To resume: python -m bench {' '.join(arguments)}" in said
    assert "Traceback" not in errors
    assert 5 <= len(rows_of(out)) < 1600
    assert len({identity(row) for row in rows_of(out)}) == len(rows_of(out))


@pytest.fixture(scope="session")
def eleven(command_in: Any, once: Once) -> Path:
    """A campaign in `out` with eleven repeats, and what it printed in `said.txt`."""

    def execute(folder: Path) -> None:
        result = command_in(folder, *SMALL, "--repeat", 11, "--out", "out")
        assert result.returncode == 0, result.stderr
        (folder / "said.txt").write_text(result.stdout)

    return once("eleven", execute)


@pytest.mark.parametrize("room", [100, 1500])
def test_a_full_disk_loses_nothing(tmp_path: Path, eleven: Path, room: int) -> None:
    """There is room for no row, or for some; the last one is taken back whole, and the error is one line.

    A file size limit stands in for the disk.
    """
    out = shutil.copytree(eleven / "out", tmp_path / "out")
    before = (out / "runs.csv").read_bytes()
    limit = len(before) + room
    assert (out / "machine.json").stat().st_size * 2 < limit
    result = subprocess.run(
        with_forked_servers(*SMALL, "--repeat", 20, "--out", out),
        capture_output=True, text=True, cwd=tmp_path,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )  # fmt: skip
    assert result.returncode == 2, result.stderr
    assert result.stderr.startswith("error: ") and result.stderr.count("\n") == 1
    assert "all earlier runs are recorded" in result.stderr
    content = (out / "runs.csv").read_bytes()
    assert content.startswith(before) and content.endswith(b"\n")
    assert all(None not in row.values() for row in rows_of(out))


def test_a_full_disk_is_told_with_the_file(tmp_path: Path, eleven: Path) -> None:
    """The system's error does not name it. No picture has room."""
    out = shutil.copytree(eleven / "out", tmp_path / "out")
    result = subprocess.run(
        with_forked_servers("plot", out), capture_output=True, text=True, cwd=tmp_path,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
    )  # fmt: skip
    assert result.returncode == 2 and result.stderr.count("\n") == 1
    assert result.stderr.startswith(f"error: {out}/plots/"), result.stderr
    assert "nothing recorded is lost" in result.stderr


def test_a_folder_that_cannot_be_written_is_refused(command: Any, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("in the way")
    for out in (file, file / "below", Path("/proc/bench")):
        result = command(*SMALL, "--out", out)
        assert result.returncode == 2
        *_, said = result.stderr.splitlines()
        assert said.startswith("error: ") and out.name in said
        assert "--out" in result.stderr


def test_a_puzzle_is_created_elsewhere(command_in: Any) -> None:
    result = command_in(Path("/proc"), "new", "towers")
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert "towers: " in result.stderr and "from a folder that can be written" in result.stderr


def test_two_campaigns_cannot_write_one_folder(command: Any, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    recorder = Recorder(out / "runs.csv")
    result = command(*SMALL, "--out", out)
    recorder.close()
    assert result.returncode == 2 and "another campaign" in result.stderr


def test_other_columns_are_refused(tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text("a,b\n1,2\n")
    with pytest.raises(RequestError, match="has no column"):
        Recorder(tmp_path / "runs.csv")


def test_the_reference_load_is_measured_now_and_then(eleven: Path) -> None:
    said = [float(row["reference_s"]) for row in rows_of(eleven / "out")]
    assert len(said) == 44 and min(said) > 0
    assert len(set(said)) < 44
    printed = (eleven / "said.txt").read_text()
    assert "The reference load, a fixed computation between the runs, " in printed
    assert "Overhead of the harness per run in ms, median (95th percentile): backtrack " in printed


def test_machine_json_has_every_session(twice: Path, command: Any, tmp_path: Path) -> None:
    out = shutil.copytree(twice / "out", tmp_path / "out")
    facts = json.loads((out / "machine.json").read_text())
    assert [session["request"]["times"] for session in facts["sessions"]] == [1, 2]
    for session in facts["sessions"]:
        assert session["command"][:4] == ["python", "-m", "bench", "run"]
        assert {"ortools", "highspy", "pulp"} <= {name.lower() for name in session["packages"]}
        assert session["cpu"] and session["kernel"] and session["usable_cores"]
    (out / "machine.json").write_text("{")
    result = command(*SMALL, "--out", out)
    assert result.returncode == 2 and "machine.json cannot be read" in result.stderr


def test_a_file_without_columns_that_were_added_goes_on(tmp_path: Path) -> None:
    """They are read as empty, and written from then on; to read it changes nothing."""
    path = tmp_path / "runs.csv"
    cells = [COLUMNS, ROW.to_csv()]
    with path.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(row[:-2] for row in cells)
    before = path.read_bytes()
    assert read(path) == [replace(ROW, rounds=None, schema=None)] and path.read_bytes() == before
    Recorder(path).close()
    assert path.read_text().splitlines()[0] == ",".join(COLUMNS)
    assert read(path) == [replace(ROW, rounds=None, schema=None)]


def test_a_file_of_another_schema_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "runs.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([COLUMNS, replace(ROW, schema=SCHEMA + 1).to_csv()])
    with pytest.raises(RequestError, match=f"schema {SCHEMA + 1}, and this version reads {SCHEMA}"):
        read(path)


WORDS = st.text(
    st.characters(codec="utf-8", exclude_characters=[*map(chr, range(32)), *map(chr, range(127, 160))])
)
CELLS = {
    str: WORDS, int: st.integers(), float: st.floats(0, 1e299), Task: st.sampled_from(Task),
    Status: st.sampled_from(Status), int | None: st.none() | st.integers(),
    float | None: st.none() | st.floats(0, 1e299),
}  # fmt: skip
ROWS = st.tuples(*(CELLS[kind] for kind in get_type_hints(Row).values())).map(
    lambda values: replace(Row(*values), schema=SCHEMA)
)
"""Rows with anything in them that belongs there."""


def to_the_microsecond(row: Row) -> Row:
    """The row with the numbers that stand in runs.csv."""
    return Row(
        *(float(f"{value:.6f}") if isinstance(value, float) else value for value in vars(row).values())
    )


def read_back(cells: list[str]) -> Row:
    text = io.StringIO()
    csv.writer(text).writerows([COLUMNS, cells])
    (row,) = parse(Path("runs.csv"), text.getvalue().encode())
    return row


@given(ROWS)
def test_a_row_reads_back(row: Row) -> None:
    """What is read is written again as it stood, and is the row but for what is below a microsecond."""
    cells = row.to_csv()
    read = read_back(cells)
    assert read.to_csv() == cells
    assert to_the_microsecond(read) == to_the_microsecond(row)
    assert all(
        type(one) is type(other) for one, other in zip(vars(read).values(), vars(row).values(), strict=True)
    )
    assert read_back(to_the_microsecond(row).to_csv()) == to_the_microsecond(row)


@pytest.mark.parametrize("path", sorted(ROOT.glob("results/*/runs.csv*")), ids=lambda path: path.parent.name)
def test_campaigns_are_written_as_they_were_read(path: Path) -> None:
    """Byte for byte, but for columns that were added since: those are empty."""
    content = path.read_bytes()
    content = gzip.decompress(content) if path.suffix == ".gz" else content
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [COLUMNS, *(row.to_csv() for row in parse(path, content, resume=True))]
    )
    recorded = list(csv.reader(io.StringIO(content.decode())))
    added = COLUMNS[len(recorded[0]) :]
    recorded[0] += added
    for cells in recorded[1:]:
        cells += [""] * len(added)
    before = io.StringIO()
    csv.writer(before, lineterminator="\n").writerows(recorded)
    assert text.getvalue() == before.getvalue()


@given(ROWS)
def test_every_row_is_one_line_that_reads_back(tmp_path_factory: pytest.TempPathFactory, row: Row) -> None:
    folder = tmp_path_factory.mktemp("row")
    recorder = Recorder(folder / "runs.csv")
    recorded = recorder.append(row)
    recorder.close()
    again = Recorder(folder / "runs.csv")
    assert [read.to_csv() for read in again.rows] == [recorded.to_csv()]
    assert replace(recorded, status=row.status, error=row.error) == row, "only that may be refuted"
    again.close()
    shutil.rmtree(folder)


def run_of(backend: str) -> Run:
    return Run("block_party", "x", str(EXAMPLE), "s", backend, "s", "f", Task.COUNT, 1, 1, 1, 60.0, 4096)


RUN = run_of("cpsat")


def example() -> tuple[catalogue.Instance, Any]:
    """The worked example and its solution, found by the hand search."""
    from models.block_party.backtrack import shaving
    from models.shared.search import Tally

    instance = catalogue.load(EXAMPLE)
    return instance, next(shaving(instance.puzzle, Tally()))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("found", "status", "becomes", "says"),
    [
        (lambda right: [(right, 1)], "solved", "solved", ""),
        (lambda right: [(right, 1), (right, 1)], "solved", "solved", ""),
        (lambda right: [(right[::-1], 1)], "solved", "wrong", "solution 1: "),
        (lambda right: [(right, 1), (right[::-1], 1)], "timeout", "wrong", "solution 2: "),
        (lambda right: [(right, 2)], "solved", "wrong", "2 solutions found, 1 expected"),
        (lambda right: [], "infeasible", "wrong", "0 solutions found, 1 expected"),
        (lambda right: [("nonsense", 1)], "solved", "wrong", "solution 1: "),
        (lambda right: [], "timeout", "timeout", ""),
    ],
)
def test_a_solution_counts_only_if_the_checker_accepts_it(
    found: Any, status: str, becomes: str, says: str
) -> None:
    instance, right = example()
    solutions = Solutions(instance)
    for solution, stands_for in found(right):
        solutions.add(solution, stands_for)
    validation = validate(instance, RUN, Answer(Status(status)), solutions)
    assert validation.status == becomes
    assert says in validation.error if says else not validation.error


ANY_TEXT = st.text(st.characters(exclude_categories=()))
"""Surrogates too."""


@dataclass(frozen=True)
class Said:
    """A puzzle that says something of a solution."""

    text: str
    size: int = 1

    def check(self, solution: Any) -> list[str]:
        return [] if solution else [self.text]

    def answer(self, solution: Any) -> str:
        return self.text


@given(ANY_TEXT, ANY_TEXT, st.sampled_from(Status), st.booleans())
def test_what_puzzles_and_solvers_say_is_read_back_as_it_is_recorded(
    tmp_path_factory: pytest.TempPathFactory, text: str, other: str, claim: Status, solves: bool
) -> None:
    """Whatever that is: an answer that cannot be shown is a mistake, all else is made one printable line."""
    instance = replace(catalogue.load(EXAMPLE), puzzle=Said(text), expected=Expected())  # type: ignore[arg-type]
    found = Solutions(instance)
    found.add([text] if solves else [], 1)
    answer = Answer(claim, other, other, tail=other)
    run = replace(RUN, solver_version=other)
    completed = complete(instance, run, answer, {"cpu": other}, found)
    row = completed.row
    if solves and not text.isprintable():
        assert row.status == Status.CRASHED and "characters that cannot be shown" in row.error
    elif solves:
        assert row.answer == text and json.loads(row.solution) == [text]
    else:
        assert row.status == Status.WRONG and row.error.startswith("solution 1:")
    assert all(cell.isprintable() for cell in row.to_csv())
    assert all(line.isprintable() for line in completed.traceback.split("\n"))
    folder = tmp_path_factory.mktemp("said")
    with closing(Recorder(folder / "runs.csv")) as recorder:
        recorded = recorder.append(row)
    assert [read_row.to_csv() for read_row in read(folder / "runs.csv")] == [recorded.to_csv()]
    shutil.rmtree(folder)


def test_a_row_is_not_compared_with_all_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While they agree: a campaign may have thousands on one instance, and recording is part of each run."""
    looked_at = []
    witnesses_of = check._witnesses_of
    monkeypatch.setattr(check, "_witnesses_of", lambda row: looked_at.append(row) or witnesses_of(row))
    with closing(Recorder(tmp_path / "runs.csv")) as recorder:
        for _ in range(20):
            recorder.append(ROW)
    assert len(looked_at) == 20


def test_the_way_in_which_a_worker_dies_is_told() -> None:
    instance, right = example()
    cases = {
        ("timeout", "time limit"): Answer(killed=Killed.TIME),
        ("memout", "4096 MB"): Answer(killed=Killed.MEMORY),
        ("crashed", "SIGSEGV"): Answer(signal=11),
        ("memout", "no more memory"): Answer(signal=6, tail="what():  std::bad_alloc\n"),
        ("crashed", "exit code 3 and without a result: boom"): Answer(exit=3, tail="first\nboom\n"),
        ("crashed", "SIGABRT: division by zero"): Answer(signal=6, tail="division by zero\nnote: set it\n"),
    }
    for (status, says), how in cases.items():
        nothing, something = Solutions(instance), Solutions(instance)
        something.add(right, 1)
        validation = validate(instance, RUN, how, nothing)
        assert validation.status == status and says in validation.error
        assert (validation.solutions, validation.witnesses) == (None, 0)
        validation = validate(instance, RUN, how, something)
        assert (validation.status, validation.solutions, validation.witnesses) == (status, 1, 1)


BOTH = ("wrong", "wrong")
NONE = {"status": Status.INFEASIBLE, "solutions": 0, "witnesses": 0, "answer": "", "solution": ""}


@pytest.mark.parametrize(
    ("one", "other", "becomes", "says"),
    [
        ({}, {}, ("solved", "solved"), ""),
        ({}, {"task": Task.FIRST}, ("solved", "solved"), ""),
        # Whoever has more witnesses refutes the other, whichever came first.
        ({}, {"backend": "c", "solutions": 3, "witnesses": 3}, ("wrong", "solved"), "c:s f (seed 1)"),
        ({}, NONE, ("solved", "wrong"), "no solutions, but b:s f (seed 1) found a solution that passed"),
        ({"task": Task.FIRST}, NONE, ("solved", "wrong"), "no solutions, but b:s f"),
        ({}, {"task": Task.FIRST, "answer": "8"}, ("wrong", "solved"), "7 (b:s f (seed 1)) and 8"),
        # A run that was ended has witnesses, too.
        ({}, {"status": Status.TIMEOUT, "solutions": 2, "witnesses": 2}, ("wrong", "timeout"), "2 different"),
        ({}, {"status": Status.TIMEOUT, "solutions": 1, "witnesses": 1}, ("solved", "timeout"), ""),
        # One solution that stands for twelve is one witness.
        ({"solutions": 12}, {"solutions": 6}, BOTH, "12 solutions, but b:s f (seed 1) counts 6; no checked"),
        ({"solutions": 12}, {"solutions": 6, "witnesses": 6}, BOTH, "6 solutions, but b:s f (seed 1) counts"),
        ({"solutions": 12}, {"solutions": 20, "witnesses": 20}, ("wrong", "solved"), "20 different"),
    ],
)  # fmt: skip
def test_claims_are_held_against_each_other(
    one: dict[str, Any], other: dict[str, Any], becomes: tuple[str, str], says: str
) -> None:
    rows = [replace(ROW, **one), replace(ROW, **other)]
    settled = settle(rows)
    assert tuple(status for status, _ in settled) == becomes
    assert says in " ".join(error for _, error in settled)
    backwards = settle(rows[::-1])
    assert {status for status, _ in settled} == {status for status, _ in backwards}
    assert tuple(status for status, _ in backwards) == becomes[::-1], "the order does not matter"


def test_what_a_later_run_took_the_place_of_is_still_a_witness() -> None:
    before = replace(ROW, solutions=3, witnesses=3)
    assert settle([ROW], [before, ROW])[0][0] == "wrong"


@pytest.mark.parametrize(
    ("row", "exhaustive", "becomes", "says"),
    [
        ({"solutions": 18}, 18, "solved", ""),
        (
            {"solutions": 17},
            18,
            "wrong",
            "17 solutions, but the checker accepts exactly 18 of all candidates",
        ),
        (
            {"solutions": 19},
            18,
            "wrong",
            "19 solutions, but the checker accepts exactly 18 of all candidates",
        ),
        ({"solutions": 12, "witnesses": 0}, 0, "wrong", "the checker accepts none of all candidates"),
        (NONE, 0, "infeasible", ""),
        (NONE | {"task": Task.FIRST}, 18, "wrong", "no solutions, but the checker accepts exactly 18"),
        ({"task": Task.FIRST}, 18, "solved", ""),
    ],
)
def test_an_exhaustive_count_refutes_every_other_claim(
    row: dict[str, Any], exhaustive: int, becomes: str, says: str
) -> None:
    """Of too many solutions as of too few, whatever others claim."""
    rows = [replace(ROW, **row), replace(ROW, solutions=20, witnesses=0)]
    (status, error), (other, _) = settle(
        rows, exhausted=Exhausted([*map(str, range(exhaustive))], exhaustive)
    )
    assert (status, other) == (becomes, "wrong")
    assert says in error if says else not error


def test_more_witnesses_than_an_exhaustive_count_is_a_fault_of_the_puzzle() -> None:
    found = "b:s f (seed 1) found a solution that passed the checker"
    with pytest.raises(PuzzleError, match=re.escape(f"none of all candidates, but {found}")):
        settle([replace(ROW, task=Task.FIRST)], exhausted=Exhausted([], 0))


def test_both_sides_of_a_contradiction_are_executed_again(tmp_path: Path) -> None:
    """While only one side was, both remain wrong; if they agree then, neither is."""
    sides = [replace(ROW, solutions=12), replace(ROW, solutions=6, backend="c")]
    runs = [replace(run_of(side.backend), puzzle="p", instance="i") for side in sides]
    with closing(Recorder(tmp_path / "runs.csv")) as recorder:
        recorder.extend(sides)
        counted, again = what_counts(recorder.rows, runs, Redo.STALE)
        assert not counted and again.startswith("recorded runs that are run again: 2 wrong")
        assert recorder.append(sides[0]).status == "wrong"
        recorder.append(replace(sides[1], solutions=12))
        rows = recorder.rows
    assert [row.status for row in rows[2:]] == ["solved", "solved"] and current(rows) == [2, 3]


def test_what_was_disturbed_is_executed_once_more(tmp_path: Path) -> None:
    row = replace(ROW, disturbed=1)
    run = replace(run_of(row.backend), puzzle="p", instance="i")
    with closing(Recorder(tmp_path / "runs.csv")) as recorder:
        recorder.append(row)
        assert what_counts(recorder.rows, [run], Redo.STALE)[0]
        counted, again = what_counts(recorder.rows, [run], Redo.DISTURBED)
        assert not counted and "1 disturbed" in again
        recorder.append(row)
        assert what_counts(recorder.rows, [run], Redo.DISTURBED)[0]


RUNS = [replace(run_of(backend), instance_sha256=sha256) for sha256 in "xyz" for backend in "abcd"]
Completed = dict[Run, dict[int, Row]]


def simulate(
    repeats: Repeats, order_seed: int, completed: Completed, clock: Callable[[Run], float]
) -> list[Run]:
    """Executes the runs of a schedule, each in the time that `clock` says."""
    order: list[Run] = []
    for block in schedule(RUNS, repeats, order_seed, lambda run: completed[run]):
        assert block, "nothing to wait for: all runs have ended"
        assert len({(run.instance_sha256, run.repeat) for run in block}) == 1
        order += block
        for run in block:
            completed[replace(run, repeat=1)][run.repeat] = row_of(run, total_s=clock(run))
        assert len(order) < 10_000
    return order


def row_of(run: Run, **changes: Any) -> Row:
    """A row of a run."""
    return replace(ROW, instance_sha256=run.instance_sha256, **changes)


def nothing_completed() -> Completed:
    return {run: {} for run in RUNS}


@settings(max_examples=30)
@given(st.integers(0, 2**31), st.integers(1, 5))
def test_the_order_interleaves_repeats(order_seed: int, repeats: int) -> None:
    """Whole repeats one after the other, each in its own order, always the same for one seed."""
    order = simulate(Repeats(repeats), order_seed, nothing_completed(), lambda _: 1.0)
    numbers = [run.repeat for run in order]
    assert numbers == sorted(numbers)
    assert set(order) == {replace(run, repeat=n) for run in RUNS for n in range(1, repeats + 1)}
    assert len(order) == len(set(order))
    assert order == simulate(Repeats(repeats), order_seed, nothing_completed(), lambda _: 1.0)


@settings(max_examples=30)
@given(st.integers(0, 2**31), st.sets(st.tuples(st.integers(0, 11), st.integers(1, 4))))
def test_a_schedule_leaves_out_what_is_made(order_seed: int, there: set[tuple[int, int]]) -> None:
    completed = nothing_completed()
    for index, repeat in there:
        completed[RUNS[index]][repeat] = row_of(RUNS[index])
    order = simulate(Repeats(4), order_seed, completed, lambda _: 1.0)
    assert not {(RUNS.index(replace(run, repeat=1)), run.repeat) for run in order} & there
    assert len(order) + len(there) == 4 * len(RUNS)


@settings(max_examples=20)
@given(st.integers(0, 2**31), st.floats(0, 0.3))
def test_auto_repeats_until_the_median_is_known(order_seed: int, noise: float) -> None:
    """Each run stops when its interval is narrow or its budget is spent, and not before."""
    generator = random.Random(order_seed)
    completed = nothing_completed()
    simulate(Repeats(None, 30.0), order_seed, completed, lambda _: generator.lognormvariate(0, noise))
    for rows in completed.values():
        times = [row.total_s or 0.0 for row in rows.values()]
        spent = sum(times) + 0.01 * len(times)
        median, low, high = median_interval(times)
        precise = len(times) >= 6 and 0.95 * median <= low and high <= 1.05 * median
        assert precise or spent >= 30.0
        assert list(rows) == list(range(1, len(rows) + 1))
        before = median_interval(times[:-1])
        assert len(times) == 6 or not (0.95 * before[0] <= before[1] and before[2] <= 1.05 * before[0])


@settings(max_examples=30)
@given(st.integers(0, 2**31), st.lists(st.floats(0.001, 3), min_size=4, max_size=4))
def test_a_budget_ends_the_repeats(order_seed: int, times: list[float]) -> None:
    """Of what lasts longer than the budget, and of what fails; else there are as many as asked for."""
    completed = nothing_completed()
    repeats = Repeats(5, 2.0)
    time_of = dict(zip("abcd", times, strict=True))
    planned = []
    for block in schedule(RUNS, repeats, order_seed, lambda run: completed[run]):
        for run in block or ():
            status = Status.TIMEOUT if time_of[run.backend] > 2.5 else Status.SOLVED
            row = row_of(run, status=status, total_s=time_of[run.backend], overhead_s=0.0)
            completed[replace(run, repeat=1)][run.repeat] = row
        planned.append(sum(len(rows) + to_come(repeats, rows) for rows in completed.values()))
    for run, rows in completed.items():
        time_s = time_of[run.backend]
        assert list(rows) == list(range(1, len(rows) + 1))
        assert len(rows) == (1 if time_s > 2.5 else min(5, next(n for n in count(1) if n * time_s >= 2.0)))
    assert planned[0] <= 5 * len(RUNS) and planned == sorted(planned, reverse=True)
    assert planned[-1] == sum(map(len, completed.values()))


@settings(max_examples=30)
@given(st.integers(0, 2**31), st.integers(1, 3))
def test_auto_waits_for_the_repeat_before(order_seed: int, slots: int) -> None:
    """With several blocks at a time no run is repeated before it is known whether it failed."""
    completed = nothing_completed()
    order = schedule(RUNS, Repeats(None, 1e9), order_seed, lambda run: completed[run])
    waiting: list[Run] = []
    while True:
        while len({run.instance_sha256 for run in waiting}) < slots and (block := next(order, None)):
            waiting += block
        if not waiting:
            break
        run = waiting.pop(order_seed % len(waiting))
        status = Status.TIMEOUT if run.backend == "a" else Status.SOLVED
        completed[replace(run, repeat=1)][run.repeat] = row_of(run, status=status)
    assert all(len(rows) == (1 if run.backend == "a" else 6) for run, rows in completed.items())


def test_repeat_auto_on_the_command_line(command: Any, tmp_path: Path) -> None:
    out = tmp_path / "out"
    auto = ("run", "--no-plots", "--instance", "june_2022_example", "--backend", "backtrack",
            "--task", "first", "--repeat", "auto", "--out", out)  # fmt: skip
    assert command(*auto, "--budget", 0).returncode == 0
    assert len(rows_of(out)) == 1, "no budget: one run"
    assert command(*auto, "--budget", 1).returncode == 0
    assert 6 <= len(rows_of(out)) == len({identity(row) for row in rows_of(out)})
    result = command("run", "--instance", "june_2022_example", "--repeat", "often", "--out", out)
    assert result.returncode == 2 and "--repeat often: write a number" in result.stderr


FEW = bench.Request(instances=["june_2022_example"], backends=["backtrack"], tasks=[Task.FIRST])


def test_measure_is_called_from_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It gives the runs of the folder, which a text names."""
    monkeypatch.chdir(tmp_path)
    runs = bench.measure(replace(FEW, tasks=["first"]), "mine", bench.Repeats(2))
    assert list(runs["status"]) == ["solved"] * 2 and set(runs["task"]) == {"first"}
    assert runs.equals(bench.read_runs(tmp_path / "mine"))
    assert len(bench.measure(FEW, Path("mine"), bench.Repeats(3))) == 3, "a campaign is resumed"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((replace(FEW, backends="cpsat"), "mine"), "request.backends: write a list, as in ['cpsat']"),
        ((replace(FEW, threads=2), "mine"), "request.threads: write a list, as in [2]"),
        (
            (replace(FEW, tasks=["frst"]), "mine"),
            "request.tasks, entry 1: input should be 'first', 'count' or 'best'",
        ),
        ((replace(FEW, seeds=0), "mine"), "request.seeds: should be greater than 0 and at most 1000, not 0"),
        (
            (replace(FEW, time_limit_s=inf), "mine"),
            "request.time_limit_s: should be greater than 0 and at most ",
        ),
        (
            (FEW, "mine", bench.Repeats(10**9)),
            "repeats.times: should be greater than 0 and at most 10000, not ",
        ),
        (("june_2022", "mine"), "request: input should be a dictionary or an instance of Request"),
        ((FEW, 4), "folder: input is not a valid path for <class 'pathlib.Path'>, not 4"),
        ((FEW, "file"), "folder: file is a file; choose another name"),
        ((FEW, "mine", 5), "repeats: input should be a dictionary or an instance of Repeats, not 5"),
        ((FEW, "mine", bench.Repeats(), 0), "jobs: input should be greater than 0, not 0"),
        ((replace(FEW, instances=["june"]), "mine"), "unknown instance 'june'"),
    ],
)
def test_measure_refuses_wrong_arguments_before_it_begins(
    arguments: Any, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bench.campaign.runner.LocalExecutor", None)
    Path("file").touch()
    with pytest.raises(bench.RequestError) as refused:
        bench.measure(*arguments)
    assert reason in str(refused.value) and "\n" not in str(refused.value)
    assert not Path("mine").exists()
