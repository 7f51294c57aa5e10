"""Results that were damaged, or put in place by somebody: each is one line, and nothing recorded is lost."""

import os
import random
import re
import shutil
import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bench.analysis import tables
from bench.analysis.measurements import measurements
from bench.campaign.machine_json import read_facts
from bench.campaign.recorder import Recorder, set_aside
from bench.campaign.results import COLUMNS, read
from bench.catalogue.errors import RequestError
from bench.report import page as report
from tests import synthetic
from tests.conftest import Once
from tests.synthetic import ROW

SMALL = (
    "run", "june_2022_example", "--backend", "backtrack", "--task", "first", "--no-plots", "--out", "out",
)  # fmt: skip
HUGE = "9" * 400
CELLS = ROW.to_csv()


def line(**changes: object) -> bytes:
    """A line of runs.csv, with other cells for some columns."""
    cells = [str(changes.get(name, cell)) for name, cell in zip(COLUMNS, CELLS, strict=True)]
    return ",".join(cells).encode() + b"\n"


HEADER, GOOD = ",".join(COLUMNS).encode() + b"\n", line()
DAMAGED = {
    "a carriage return": (line(error="a\rb"), r"it has the character '\r'"),
    "zeros": (b"\0" * 100 + GOOD, r"it has the character '\x00'"),
    "a colour": (line(error="\x1b[31m"), r"it has the character '\x1b'"),
    "a colour in one character": (line(error="\x9b31m"), r"it has the character '\x9b'"),
    "inf": (line(reference_s="inf"), "reference_s is 'inf'"),
    "nan": (line(total_s="nan"), "total_s is 'nan'"),
    "-inf": (line(total_s="-inf"), "total_s is '-inf'"),
    "400 digits": (line(branches=HUGE), f"branches is '{HUGE[:56]}..."),
    "5000 digits": (line(branches="9" * 5000), f"branches is '{HUGE[:56]}..."),
    "a status": (line(status="solvd"), "status is 'solvd'"),
    "no size": (line(size=""), "size is ''"),
    "too few cells": (b"1,2,3\n", f"it has 3 cells, not {len(COLUMNS)}"),
    "a quotation mark": (line(error='"a'), "its quotation marks do not match"),
    "a half one": (line(error='"a"b'), "its quotation marks do not match"),
    "Latin-1": (GOOD.replace(b",f,", b",\xe9,"), "it is not in UTF-8"),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_row_is_told_and_can_be_moved_away(tmp_path: Path, damage: str) -> None:
    """Byte for byte, beside what is read and appended to from then on."""
    (bad, says), path = DAMAGED[damage], tmp_path / "runs.csv"
    path.write_bytes(HEADER + GOOD + bad + GOOD + bad + GOOD + b"cut off")
    for reading in (partial(read, path), partial(Recorder, path)):
        with pytest.raises(RequestError) as refused:
            reading()
        said = str(refused.value)
        assert said.startswith(f"{path}: row 2 is damaged: {says}; mend it") and "\n" not in said
        assert said.endswith(" or go on without it (--skip-damaged)")
    assert set_aside(path) == 2
    assert path.read_bytes() == HEADER + 3 * GOOD + b"cut off"
    assert (tmp_path / "runs.damaged.csv").read_bytes() == 2 * bad
    assert set_aside(path) == 0 and read(path) == 3 * [ROW]
    path.write_bytes(HEADER + bad)
    assert set_aside(path) == 1
    assert (tmp_path / "runs.damaged.csv").read_bytes() == 3 * bad
    Recorder(path).close()


def test_a_text_of_several_lines_is_no_damage(tmp_path: Path) -> None:
    """An answer that an earlier version recorded; beside damage too. Windows ends lines in its own way."""
    path, several = tmp_path / "runs.csv", line(answer='"a\nb"')
    path.write_bytes((HEADER + several + b"\n" + GOOD).replace(b"\n", b"\r\n"))
    assert [row.answer for row in read(path)] == ["a\nb", "7"]
    path.write_bytes(HEADER + b"1,2\n" + several + line(answer='"a') + GOOD)
    assert set_aside(path) == 2
    assert [row.answer for row in read(path)] == ["a\nb", "7"]


def mutated(content: bytes, chance: random.Random) -> bytes:
    """The content with some bytes changed, left out, or put in."""
    inserted = (
        b"\r", b"\0", b'"', b",", b"\n", b"inf", b"nan", b"-", b"1e308", HUGE.encode(), b"\xff", b"\\ud800",
    )  # fmt: skip
    changed = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 5))):
        place = chance.randrange(len(changed))
        if (how := chance.randrange(3)) == 0:
            changed[place] = chance.randrange(256)
        elif how == 1:
            del changed[place : place + chance.choice((1, 1, 10, 300))]
        else:
            changed[place:place] = chance.choice(inserted)
    return bytes(changed)


def test_whatever_is_damaged_the_report_is_written_or_refused_in_a_line(tmp_path: Path) -> None:
    """All that it reads, for 400 mutations of its files; moving them away loses none of their bytes."""
    runs = synthetic.campaign(instances=1, repeats=1)
    synthetic.write(tmp_path, runs[runs["puzzle"].isin(["bug_byte", "magic_hexagon"])])
    files = {"runs.csv": (tmp_path / "runs.csv").read_bytes(), "machine.json": SESSIONS}
    chance = random.Random(1)
    refused = 0
    for number in range(400):
        for name, content in files.items():
            mutate = number % 4 == 3 if name == "machine.json" else number % 4 != 3
            (tmp_path / name).write_bytes(mutated(content, chance) if mutate else content)
        content = (tmp_path / "runs.csv").read_bytes()
        try:
            facts, found = read_facts(tmp_path), tables.read_runs(tmp_path)
            measured = measurements(found)
            if number % 40 == 3:
                report.make_report(found, measured, [], facts, tmp_path).encode()
        except RequestError as error:
            refused += 1
            assert "\n" not in str(error)
        try:
            moved = set_aside(tmp_path / "runs.csv")
            read(tmp_path / "runs.csv")
        except RequestError as error:
            assert "column" in str(error) and content == (tmp_path / "runs.csv").read_bytes()
            continue
        kept = (tmp_path / "runs.csv").read_bytes()
        if moved:
            kept += b"\n" + (tmp_path / "runs.damaged.csv").read_bytes()
            (tmp_path / "runs.damaged.csv").unlink()
        assert sorted(filter(None, kept.split(b"\n"))) == sorted(filter(None, content.split(b"\n")))
    assert 100 < refused < 300


SESSIONS = b"""{"campaign": "c", "order_seed": 1, "merged": [], "sessions": [
 {"started_at": "2026-01-01T00:00:00+00:00", "command": ["python", "-m", "bench", "run", "x"], "request":
  {"what": ["bug_byte"], "times": 5, "budget_s": 2.5, "climb": false, "shard": null, "cluster": null},
  "environment": {"LANG": "C"}, "packages": {"ortools": "9"}, "hosts": {"n": {"cpu": "x", "load": [1.5, 2]}}},
 {"started_at": "2026-01-01T00:01:00+00:00", "cores": 2, "virtual": true}]}"""


@pytest.mark.parametrize("name", ["runs.csv", "machine.json"])
def test_what_is_no_file_is_refused(command: Any, tmp_path: Path, name: str) -> None:
    """A pipe is not waited for, whether its content is to be read or appended to."""
    synthetic.write(tmp_path / "out", synthetic.campaign(instances=1, repeats=1))
    (tmp_path / "out" / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / "out" / name)
    for words in (("report", "out"), ("merge", "out", "--out", "all"), SMALL):
        result = command(*words)
        assert result.returncode == 2, result.stdout
        assert re.fullmatch("error: out/.*no regular file; .*", result.stderr.splitlines()[-1])
    (tmp_path / "out" / name).replace(tmp_path / "three.toml")
    assert "there is no such file" in command("solve", "three.toml").stderr


@pytest.fixture(scope="session")
def three(command_in: Any, once: Once) -> Path:
    """A campaign of three runs in `out`."""
    return once("three", lambda folder: command_in(folder, *SMALL, "--repeat", 3))


def test_every_command_that_reads_goes_on_without_damaged_rows(
    command: Any, tmp_path: Path, three: Path
) -> None:
    """It says how many it moved; a campaign that is resumed executes them again."""
    header, *rows = (three / "out" / "runs.csv").read_bytes().splitlines(keepends=True)
    bad = rows[1].replace(b"solved", b"\0" * 6)
    commands = {
        "report": ("report", "out"),
        "compare": ("compare", "out", "out"),
        "gate": ("gate", "out", "out"),
        "merge": ("merge", "out", "--out", "all", "--no-plots"),
        "which": ("which", "out"),
        "run": (*SMALL, "--repeat", 3),
    }
    for name, words in commands.items():
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        shutil.copytree(three / "out", tmp_path / "out")
        (tmp_path / "out" / "runs.csv").write_bytes(b"".join((header, rows[0], bad, rows[2])))
        refused = command(*words)
        assert refused.returncode == 2 and "out/runs.csv: row 2 is damaged: " in refused.stderr
        went_on = command(*words, "--skip-damaged")
        assert "1 damaged row was moved to out/runs.damaged.csv\n" in went_on.stderr
        assert went_on.returncode == 0 or name == "which"
        assert (tmp_path / "out" / "runs.damaged.csv").read_bytes() == bad
        kept = (tmp_path / "out" / "runs.csv").read_bytes()
        assert kept.startswith(b"".join((header, rows[0], rows[2])))
        assert len(kept.splitlines()) == (4 if name == "run" else 3)


def test_a_compressed_campaign_reads_as_it_was(command: Any, tmp_path: Path, three: Path) -> None:
    """Read in full or refused in a line; what would append to it asks for gunzip, and goes on after it."""
    shutil.copytree(three / "out", tmp_path / "out")
    reading = {
        "report": ("report", "out"),
        "compare": ("compare", "out", "out"),
        "gate": ("gate", "out", "out"),
        "which": ("which", "out"),
        "merge": ("merge", "out", "--out", "all", "--no-plots"),
    }
    writing = {
        "run": (*SMALL, "--repeat", 4),
        "dry": (*SMALL, "--repeat", 4, "--dry-run"),
        "merge": ("merge", "all", "--out", "out", "--no-plots"),
        "skip": ("report", "out", "--skip-damaged"),
    }
    plain = {name: command(*words) for name, words in reading.items()}
    page = (tmp_path / "out" / "report.html").read_bytes()
    shutil.rmtree(tmp_path / "all")
    recorded = tmp_path / "out" / "runs.csv"
    subprocess.run(["gzip", "-9n", recorded], check=True)
    packed = tmp_path / "out" / "runs.csv.gz"
    assert packed.exists() and not recorded.exists()
    for name, words in reading.items():
        result = command(*words)
        assert (result.returncode, result.stdout, result.stderr) == (
            plain[name].returncode,
            plain[name].stdout,
            plain[name].stderr,
        )
    assert (tmp_path / "out" / "report.html").read_bytes() == page
    assert read(tmp_path / "all" / "runs.csv") == read(recorded) == read(packed)
    assert command("gate", packed, "out").stdout == plain["gate"].stdout
    says = "error: out/runs.csv.gz: this campaign is compressed; to go on with it, unpack it: gunzip "
    for words in writing.values():
        refused = command(*words)
        assert (refused.returncode, refused.stderr) == (2, f"{says}out/runs.csv.gz\n")
    whole = packed.read_bytes()
    for damaged in (whole[:-9], whole[:100], b"campaign,started_at\n"):
        packed.write_bytes(damaged)
        refused = command("report", "out")
        says = "error: out/runs.csv.gz: this is no whole gzip file; copy it again\n"
        assert (refused.returncode, refused.stderr) == (2, says)
    packed.write_bytes(whole)
    recorded.write_bytes(b"")
    for words in (*reading.values(), *writing.values()):
        refused = command(*words)
        says = "error: out: it has runs.csv and runs.csv.gz; remove one of them\n"
        assert (refused.returncode, refused.stderr) == (2, says), words
    recorded.unlink()
    subprocess.run(["gunzip", packed], check=True)
    assert command(*writing["run"]).returncode == 0 and len(read(recorded)) == 4


def test_damaged_rows_are_not_written_where_a_link_leads(tmp_path: Path) -> None:
    """Somebody else may have put it beside results."""
    other = tmp_path / "other.csv"
    other.write_bytes(HEADER + b"1,2\n")
    (folder := tmp_path / "out").mkdir()
    (folder / "runs.csv").symlink_to(other)
    with pytest.raises(RequestError, match="no regular file"):
        set_aside(folder / "runs.csv")
    (folder / "runs.csv").unlink()
    (folder / "runs.csv").write_bytes(HEADER + b"1,2\n")
    (folder / "runs.damaged.csv").symlink_to(other)
    with pytest.raises(RequestError, match="no regular file"):
        set_aside(folder / "runs.csv")
    (folder / "runs.damaged.csv").unlink()
    assert set_aside(folder / "runs.csv") == 1
    assert other.read_bytes() == HEADER + b"1,2\n"
