"""Campaigns of several machines become one: nothing is lost, doubled, or mixed with what differs."""

import csv
import json
import os
import shutil
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from itertools import count, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.campaign.check import UNDECIDED, settle, undecided
from bench.campaign.machine_json import more_runs, read_facts
from bench.campaign.merge import OF_REQUEST, added, merge
from bench.campaign.plan import Shard
from bench.campaign.recorder import Recorder, recorder_of
from bench.campaign.results import COLUMNS, Row, current, read
from bench.campaign.schedule import Repeats
from bench.campaign.selection import Request
from bench.catalogue.errors import RequestError
from bench.cli.run import campaigns_of
from bench.contract import Status, Task
from tests.synthetic import ROW
from tests.test_cli import EXAMPLE

REQUEST = {"what": ["p"], "seeds": 1, "time_limit_s": 60.0, "times": 2}


def rows_of(machine: str, instances: str = "ij", repeats: Iterable[int] = (1, 2), **values: Any) -> list[Row]:
    """The rows of a campaign of two models on one machine."""
    return [
        replace(
            ROW, campaign=machine, host=machine, started_at=f"{machine} {instance} {backend} {repeat}",
            instance=instance, instance_sha256=f"of {instance}", backend=backend, repeat=repeat,
            solver_version="1.0", version="0.1.0", commit="c" * 40, rules_sha256="r", model_sha256="m",
        )
        for repeat, instance, backend in product(repeats, instances, "ab")
    ]  # fmt: skip


def record(folder: Path, rows: Sequence[Row], **request: Any) -> Path:
    """Writes a campaign as `run` does, with one session for this request."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "runs.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *(row.to_csv() for row in rows)])
    session = {"started_at": "2026-01-01T00:00:00+00:00", "request": REQUEST | request, "host": folder.name}
    command = ["python", "-m", "bench", "run", "p", "--out", str(folder)]
    if shard := request.get("shard"):
        command += ["--shard", shard]
    facts = {"campaign": folder.name, "order_seed": 1, "sessions": [session | {"command": command}]}
    (folder / "machine.json").write_text(json.dumps(facts))
    return folder


def contents(folder: Path) -> tuple[bytes, bytes]:
    return (folder / "runs.csv").read_bytes(), (folder / "machine.json").read_bytes()


def test_shards_become_the_whole_campaign(tmp_path: Path) -> None:
    """Their runs keep their repeats, and can be resumed without the option."""
    one = record(tmp_path / "one", rows_of("x", "i"), shard="1/2")
    two = record(tmp_path / "two", rows_of("y", "j"), shard="2/2")
    merged = merge([one, two], tmp_path / "all")
    assert (merged.runs, merged.new, merged.missing) == (8, 8, [])
    assert read(tmp_path / "all" / "runs.csv") == [*rows_of("x", "i"), *rows_of("y", "j")]
    facts = read_facts(tmp_path / "all")
    assert facts.merged == ["one", "two"] and len(facts.sessions) == 2
    assert facts.campaign not in ("", "one", "two") and facts.order_seed
    resumed = more_runs(facts, tmp_path / "all", "--repeat 6")
    assert resumed == f"python -m bench run p --repeat 6 --out {tmp_path / 'all'}"
    assert "--shard 1/2" in more_runs(read_facts(one), one, "--repeat 6"), "a shard goes on as a shard"


def test_more_is_added_to_a_merged_campaign(tmp_path: Path) -> None:
    """The same folders, copies of them, what they have more by now, and a merged campaign among them."""
    one, two = record(tmp_path / "x", rows_of("x")), record(tmp_path / "y", rows_of("y"))
    out = tmp_path / "all"
    assert merge([one, one], out).new == 8
    before = contents(out)
    assert merge([one], out).new == 0
    assert merge([out, one, shutil.copytree(one, tmp_path / "copy")], out).new == 0
    assert contents(out) == before
    assert merge([one, two], out).new == 8
    record(tmp_path / "x", rows_of("x", repeats=(1, 2, 3)))
    assert merge([one, two], out).new == 4
    rows = read(out / "runs.csv")
    assert Counter((row.host, row.repeat) for row in rows) == dict.fromkeys(
        [("x", 1), ("x", 2), ("y", 3), ("y", 4), ("x", 5)], 4
    )
    assert merge([one, out], tmp_path / "again").new == 20
    facts = json.loads((two / "machine.json").read_text())
    facts["sessions"][0]["hosts"] = {"node": {"cpu": "a processor"}}
    (two / "machine.json").write_text(json.dumps(facts))
    merge([two], out)
    assert [list(session.hosts) for session in read_facts(out).sessions] == [[], ["node"]]


def test_a_row_of_a_campaign_resumed_after_the_merge_is_not_superseded(tmp_path: Path) -> None:
    """The missing run of a block was executed on another machine, and later on its own too."""
    *early, last = rows_of("x")
    one, out = record(tmp_path / "x", early), tmp_path / "all"
    merge([one], out)
    elsewhere = replace(last, campaign="all", host="y", started_at="later")
    with recorder_of(out) as recorder:
        recorder.append(elsewhere)
    record(tmp_path / "x", [*early, last])
    assert merge([one], out).new == 1
    rows = read(out / "runs.csv")
    assert rows == [*early, elsewhere, replace(last, repeat=3)]
    assert len(current(rows)) == len(rows)


@st.composite
def campaigns(draw: st.DrawFn) -> list[list[Row]]:
    """Campaigns in which some runs are missing, and some were executed again or took no time at all."""
    made = []
    for name in "xyz"[: draw(st.integers(1, 3))]:
        rows = rows_of(name, repeats=range(1, draw(st.integers(1, 3)) + 1))
        chosen = draw(st.lists(st.sampled_from(rows), max_size=12))
        instant = draw(st.booleans())
        made.append(
            [
                replace(row, started_at="at once" if instant and row.backend == "a" else f"{number}")
                for number, row in enumerate(chosen)
            ]
        )
    return made


@given(campaigns(), st.data())
def test_no_row_is_lost_doubled_or_mixed_up(made: list[list[Row]], data: st.DataObject) -> None:
    """However often campaigns are merged while they go on, and in whichever order."""
    there = list[Row]()
    steps = [rows[: data.draw(st.integers(0, len(rows)))] for rows in made for _ in range(2)]
    for rows in [*data.draw(st.permutations(steps)), *made]:
        there += added(there, rows)
    assert not any(added(there, rows) for rows in made)
    repeats = defaultdict(set)
    owners = defaultdict(set)
    for rows in made:
        mine = [row for row in there if row.campaign == rows[0].campaign] if rows else []
        assert [replace(row, repeat=0) for row in mine] == [replace(row, repeat=0) for row in rows]
        for row, merged in zip(rows, mine, strict=True):
            repeats[row.campaign, row.instance, row.repeat].add(merged.repeat)
            owners[row.instance, merged.repeat].add((row.campaign, row.repeat))
    assert all(len(each) == 1 for each in repeats.values()), "blocks stay together"
    assert all(len(each) == 1 for each in owners.values()), "and apart from each other"
    assert len(current(there)) == sum(len(current(rows)) for rows in made)


OTHERS: list[tuple[dict[str, Any], dict[str, Any], str, str, str]] = [
    ({"times": 3}, {}, "--repeat", "2", "3"),
    ({"times": None}, {}, "--repeat", "2", "auto"),
    ({"what": ["p", "q"]}, {}, "WHAT", "p", '"p q"'),
    ({"what": []}, {}, "WHAT", "p", "none"),
    ({"backends": ["milp:highs", "cpsat"]}, {}, "--backend", "none", '"milp:highs cpsat"'),
    ({"time_limit_s": 10.5}, {}, "--time-limit", "60", "10.5"),
    ({"climb": True}, {}, "the command", "run", "scale"),
    ({"shard": "1/4", "times": 3}, {}, "the number of shards", "2", "4"),
    ({}, {"instance_sha256": "a" * 64}, "the instance file of p i", "of i", "a" * 12),
    ({}, {"rules_sha256": "s"}, "the rules file of p", "r", "s"),
    ({}, {"model_sha256": ""}, "the model file of p a", "m", "none"),
    ({}, {"solver_version": "1.1"}, "the solver release of a s", "1.0", "1.1"),
    ({}, {"version": "0.2.0"}, "the version of the project", "0.1.0", "0.2.0"),
    ({}, {"commit": "d" * 40}, "the commit of the project", "c" * 12, "d" * 12),
]  # fmt: skip


@pytest.mark.parametrize(("request_", "columns", "what", "here", "there"), OTHERS)
def test_what_does_not_belong_together_is_refused(
    tmp_path: Path, request_: dict[str, Any], columns: dict[str, Any], what: str, here: str, there: str
) -> None:
    """In a line that says what each folder has, and how to compare them; nothing is written."""
    one = record(tmp_path / "x", rows_of("x"), shard="1/2", backends=[])
    rows = [replace(row, **columns) for row in rows_of("y")]
    two = record(tmp_path / "y", rows, **{"shard": "2/2", "backends": []} | request_)
    out = tmp_path / "all"
    with pytest.raises(RequestError) as refused:
        merge([one, two], out)
    message = str(refused.value)
    assert message.startswith(f"cannot merge: {what} differs, {here} in {one}, {there} in {two}; ")
    assert message.endswith(f"compare {one} {two}` compares them instead") and "\n" not in message
    assert not out.exists()
    merge([one], out)
    before = contents(out)
    with pytest.raises(RequestError, match=f"cannot merge: {what} differs, .* in {out}, .* in {two}; "):
        merge([two], out)
    assert contents(out) == before


def test_each_field_of_a_request_is_compared() -> None:
    names = {field.name for kind in (Request, Repeats) for field in fields(kind)}
    assert set(OF_REQUEST) == names


def test_what_does_not_change_the_runs_may_differ(tmp_path: Path) -> None:
    """How they are executed, where files lie, superseded rows, and solvers that one machine lacks."""
    how = {
        "jobs": 2,
        "pinned": [[1]],
        "cgroup": "x",
        "cluster": "slurm",
        "workers": 4,
        "what": ["/here/i.toml"],
    }
    one = record(tmp_path / "x", rows_of("x"), what=["there/i.toml"], jobs=1, pinned=[None], cgroup=None)
    stale = [replace(row, solver_version="0.9", model_sha256="old", commit="old") for row in rows_of("y")]
    lacking = [
        replace(row, status=Status.UNAVAILABLE, solver_version="", model_sha256="", formulation="")
        for row in rows_of("y")
        if row.backend == "b"
    ]
    fresh = [replace(row, started_at="later") for row in rows_of("y") if row.backend == "a"]
    two = record(tmp_path / "y", [*stale[::2], *lacking, *fresh], **how)
    merge([one, two], tmp_path / "all")
    rows = read(tmp_path / "all" / "runs.csv")
    assert len(rows) == 20
    counted = [(rows[number].host, rows[number].backend) for number in current(rows)]
    assert Counter(counted) == {("x", "a"): 4, ("x", "b"): 4, ("y", "a"): 4}


def test_the_latest_request_of_a_campaign_counts(tmp_path: Path) -> None:
    one, two = record(tmp_path / "x", rows_of("x")), record(tmp_path / "y", rows_of("y"), times=1)
    facts = json.loads((two / "machine.json").read_text())
    facts["sessions"].append(facts["sessions"][0] | {"request": REQUEST})
    (two / "machine.json").write_text(json.dumps(facts))
    assert merge([one, two], tmp_path / "all").runs == 16


def test_folders_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    good = record(tmp_path / "x", rows_of("x"))
    bad = record(tmp_path / "y", rows_of("y"))
    text = (bad / "runs.csv").read_text()
    damaged = text.splitlines(keepends=True)
    damaged[3] = damaged[3].replace("solved", "so")
    cases = {
        "runs.csv: row 3 is damaged: status is 'so'; mend it": ("runs.csv", "".join(damaged)),
        "runs.csv: the column repeat is missing": ("runs.csv", text.replace(",repeat,", ",repeats,", 1)),
        "runs.csv: there is no such file": ("runs.csv", None),
        "machine.json: it is missing or damaged": ("machine.json", "{"),
        "machine.json: it is missing": ("machine.json", None),
    }
    for says, (name, content) in cases.items():
        record(bad, rows_of("y"))
        if content is None:
            (bad / name).unlink()
        else:
            (bad / name).write_text(content)
        with pytest.raises(RequestError, match=f"{bad}/{says}"):
            merge([good, bad], tmp_path / "all")
        assert not (tmp_path / "all").exists()
    record(bad, rows_of("y"))
    with (bad / "runs.csv").open("a") as file:
        file.write("a row that a kill cut")
    assert merge([good, bad], tmp_path / "all").runs == 16


def test_links_are_not_followed(tmp_path: Path) -> None:
    """They may lead to what nobody wants to pass on; only the folder that was named may be one."""
    (secret := tmp_path / "secret").write_text("of the user")
    good = record(tmp_path / "x", rows_of("x"))
    (good / "logs" / "p").mkdir(parents=True)
    (good / "logs" / "p" / "i.log.gz").write_bytes(b"a log")
    for place in (
        "runs.csv",
        "runs.csv.gz",
        "machine.json",
        "logs",
        "logs/p",
        "logs/p/i.log.gz",
        "logs/another",
    ):
        bad = shutil.copytree(good, tmp_path / "y")
        path = bad / place
        if path.is_dir():
            shutil.rmtree(path)
            path.symlink_to(good / place)
        elif path.exists():
            path.unlink()
            path.symlink_to(good / place)
        else:
            path.symlink_to(secret)
        with pytest.raises(RequestError, match=f"^{path}: this is a link") as refused:
            merge([good, bad], tmp_path / "all")
        assert "\n" not in str(refused.value) and not (tmp_path / "all").exists()
        shutil.rmtree(bad)
    os.mkfifo(good / "logs" / "p" / "pipe")
    with pytest.raises(RequestError, match="pipe: this is a link, or no regular file"):
        merge([good], tmp_path / "all")
    (good / "logs" / "p" / "pipe").unlink()
    (named := tmp_path / "named").symlink_to(good)
    assert merge([named], tmp_path / "all").runs == 8
    assert (tmp_path / "all" / "logs" / "p" / "i.log.gz").read_bytes() == b"a log"
    record(secret.with_name("elsewhere"), rows_of("z"), shard="1/2")
    (tmp_path / "shards").mkdir()
    (tmp_path / "shards" / "shard-1-of-2").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(RequestError, match="shard-1-of-2: this is a link"):
        campaigns_of(tmp_path / "shards")


def test_another_campaign_is_not_added_to(tmp_path: Path) -> None:
    """Neither one that was executed there, nor one of which nothing but the rows is left."""
    one, two = record(tmp_path / "x", rows_of("x")), record(tmp_path / "y", rows_of("y"))
    before = contents(two)
    with pytest.raises(RequestError, match=f"{two}: the campaign there was not merged; choose a new folder"):
        merge([one, two], two)
    assert contents(two) == before
    (two / "machine.json").unlink()
    with pytest.raises(RequestError, match=f"{two}: the campaign there was not merged"):
        merge([one], two)
    (tmp_path / "file").write_text("")
    with pytest.raises(RequestError, match="choose another folder with --out"):
        merge([one], tmp_path / "file")


def test_missing_shards_are_named(tmp_path: Path) -> None:
    """Not those that have no run, nor any if a whole campaign is among them."""
    out = tmp_path / "all"
    for number in (1, 2, 4, 6, 7, 8):
        rows = rows_of(f"m{number}", "ijklmnop"[number - 1]) if number < 8 else []
        record(tmp_path / f"shard-{number}-of-8", rows, shard=f"{number}/8")
    assert campaigns_of(tmp_path) == [tmp_path / f"shard-{number}-of-8" for number in (1, 2, 4, 6, 7, 8)]
    missing = merge(campaigns_of(tmp_path), out).missing
    assert missing == [Shard(3, 8), Shard(5, 8)]
    five = record(tmp_path / "five", rows_of("m5", "m"), shard="5/8")
    assert merge([five], out).missing == [Shard(3, 8)]
    assert not merge([five, record(tmp_path / "whole", rows_of("y"))], tmp_path / "with whole").missing
    facts = json.loads((out / "machine.json").read_text())
    facts["sessions"].append(facts["sessions"][0] | {"request": REQUEST})
    (out / "machine.json").write_text(json.dumps(facts))
    assert not merge([five], out).missing, "it was resumed as a whole"


def test_claims_are_compared_across_campaigns(tmp_path: Path) -> None:
    """A machine's wrong count is refuted by another's solutions; a contradiction may end or begin."""
    low = [replace(row, solutions=4, witnesses=0) for row in rows_of("x", "i")]
    high = [replace(row, solutions=5, witnesses=0) for row in rows_of("y", "i")]
    witness = [replace(row, solutions=5, witnesses=5) for row in rows_of("z", "i")]
    one, two, three = (
        record(tmp_path / name, rows) for name, rows in zip("xyz", (low, high, witness), strict=True)
    )
    merge([one, two], tmp_path / "all")
    assert {row.status for row in read(tmp_path / "all" / "runs.csv")} == {Status.WRONG}
    merge([three], tmp_path / "all")
    rows = read(tmp_path / "all" / "runs.csv")
    assert {(row.host, row.status) for row in rows} == {
        ("x", Status.WRONG), ("y", Status.SOLVED), ("z", Status.SOLVED)
    }  # fmt: skip
    assert merge([one, two, three], tmp_path / "all").new == 0, (
        "a status that was settled tells no runs apart"
    )


claims = st.tuples(st.integers(1, 3), st.integers(0, 3), st.sampled_from("ij"), st.sampled_from("ab"))


@settings(max_examples=40)
@given(st.lists(claims, max_size=8), st.lists(claims, max_size=8))
def test_many_rows_are_settled_as_one_by_one(
    tmp_path_factory: pytest.TempPathFactory, before: list[Any], after: list[Any]
) -> None:
    folder = tmp_path_factory.mktemp("settled")
    rows = [
        replace(
            ROW, solutions=claim, witnesses=min(found, claim), instance_sha256=i, backend=b, repeat=number
        )
        for number, (claim, found, i, b) in enumerate([*before, *after])
    ]
    with recorder_of(folder / "one") as one, recorder_of(folder / "all") as many:
        for row in rows:
            one.append(row)
        many.extend(rows[: len(before)])
        many.extend(rows[len(before) :])
        assert [row.status for row in one.rows] == [row.status for row in many.rows]
    assert [row.status for row in read(folder / "all" / "runs.csv")] == [row.status for row in one.rows]
    Recorder(folder / "all" / "runs.csv").close()


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.sampled_from([*Task]), st.integers(0, 3), st.integers(1, 3), st.sampled_from("78")),
        min_size=1,
        max_size=5,
    ).flatmap(lambda said: st.tuples(st.just(said), st.permutations(range(len(said)))))
)
def test_the_order_in_which_rows_are_recorded_does_not_matter(
    tmp_path_factory: pytest.TempPathFactory, drawn: tuple[list[tuple[Task, int, int, str]], list[int]]
) -> None:
    """Nor whether they are read from the file again in between: nothing but the claims is remembered."""
    said, order = drawn
    rows = [
        replace(ROW, task=task, solutions=claim, witnesses=min(found, claim), backend=str(number))
        for number, (task, claim, found, _) in enumerate(said)
    ]
    rows = [
        replace(row, answer=answer) if row.solutions
        else replace(row, status=Status.INFEASIBLE, answer="", solution="")
        for row, (*_, answer) in zip(rows, said, strict=True)
    ]  # fmt: skip
    at_once = {
        row.backend: (status, error.endswith(UNDECIDED))
        for row, (status, error) in zip(rows, settle(rows), strict=True)
    }
    folder = tmp_path_factory.mktemp("ordered")
    for number in order:
        with recorder_of(folder) as recorder:
            recorder.append(rows[number])
    recorded = read(folder / "runs.csv")
    assert {row.backend: (row.status, undecided(row)) for row in recorded} == at_once


ACCESSES = ("open", "os.mkdir", "os.remove", "os.rename", "os.truncate", "fcntl.flock")
"""The events of the interpreter between which a merge is killed."""


def merge_and_die(folders: list[Path], out: Path, moment: int) -> bool:
    """Merges in a process that ends at this of its accesses to files; returns whether it got that far."""
    if not (child := os.fork()):
        events = count()
        sys.addaudithook(
            lambda event, _: os._exit(9) if event in ACCESSES and next(events) == moment else None
        )
        merge(folders, out)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, 9)
    return code == 9


def test_a_merge_that_is_killed_can_be_repeated(tmp_path: Path) -> None:
    """At each access to a file; what was merged before stays whole."""
    one, two = (record(tmp_path / name, rows_of(name)) for name in "xy")
    for moment in count():
        out = tmp_path / f"killed-{moment}"
        if moment % 2:
            merge([one], out)
        died = merge_and_die([one, two], out, moment)
        assert len(read(out / "runs.csv", resume=True)) in (8 * (moment % 2), 16)
        assert merge([one, two], out).runs == 16
        assert read(out / "runs.csv") == [
            *rows_of("x"), *(replace(row, repeat=row.repeat + 2) for row in rows_of("y"))
        ]  # fmt: skip
        assert len(read_facts(out).sessions) == 2
        if not died:
            break
    assert moment > 10


def test_shards_are_executed_and_merged(command: Any, tmp_path: Path) -> None:
    """Three processes, of which one has nothing to do; then the campaign is whole, and can be resumed."""
    ask = ("run", EXAMPLE, "--backend", "backtrack", "--repeat", 2, "--no-plots", "--out", "parts")
    whole = command(*ask, "--dry-run").stdout
    for number in (1, 2, 3):
        done = command(*ask, "--shard", f"{number}/3")
        assert done.returncode == 0, done.stderr
        assert ("shard 3/3 is empty" in done.stdout) == (number == 3)
    rows = [row for number in (1, 2) for row in read(tmp_path / f"parts/shard-{number}-of-3/runs.csv")]
    assert len({row.campaign for row in rows}) == 2 and "4 runs" in whole
    for number in (1, 2):
        (session,) = read_facts(tmp_path / f"parts/shard-{number}-of-3").sessions
        assert session.request.shard == f"{number}/3"
    shown = command(*ask, "--dry-run", "--shard", "2/3").stdout
    assert "2 runs, 2 of them recorded already, 0 to run" in shown
    again = command(*ask, "--shard", "2/3")
    assert "All runs asked for are among the 2 recorded already" in again.stdout
    merged = command("merge", "parts", "--out", "all", "--no-plots")
    assert merged.returncode == 0 and "4 runs, 4 of them new" in merged.stdout, merged.stderr
    mixed = (
        command("merge", "parts", "--out", "parts"),
        command(*ask),
        command(*ask[:-1], "all", "--shard", "1/3"),
    )
    lines = "parts: it has shards", "parts: it has shards", "all: it has a whole campaign"
    for refused, says in zip(mixed, lines, strict=True):
        assert refused.returncode == 2 and refused.stdout == ""
        assert refused.stderr.startswith(f"error: {says}; choose a") and refused.stderr.count("\n") == 1
    assert not (tmp_path / "parts" / "runs.csv").exists()
    assert "not among them" not in merged.stdout
    assert read(tmp_path / "all" / "runs.csv") == rows
    resumed = command(*ask[:-1], "all")
    assert "All runs asked for are among the 4 recorded already" in resumed.stdout, resumed.stderr


def test_a_merge_without_all_shards_fails_and_writes_what_there_is(command: Any, tmp_path: Path) -> None:
    """So that a job does not pass with a part of the results; with the rest it does."""
    record(tmp_path / "parts" / "shard-1-of-2", rows_of("x", "i"), shard="1/2")
    merged = command("merge", "parts", "--out", "all")
    assert merged.returncode == 1 and "shard 2 of 2 is not among them" in merged.stdout
    assert len(read(tmp_path / "all" / "runs.csv")) == 4 and (tmp_path / "all" / "report.html").exists()
    record(tmp_path / "parts" / "shard-2-of-2", rows_of("y", "j"), shard="2/2")
    assert command("merge", "parts", "--out", "all", "--no-plots").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["merge"], "missing argument 'FOLDER...'"),
        (["merge", "here"], "missing option '--out'"),
        (["merge", "hree", "--out", "all"], "hree: there is no such folder"),
        (["merge", ".", "--out", "all"], ".: this folder has no runs.csv"),
        (["run", "bug_byte", "--shard", "9/8"], "--shard 9/8: write K/N with K from 1 to N, as in 2/8"),
        (["scale", "bug_byte", "--shard", "2-8"], "--shard 2-8: write K/N with K from 1 to N, as in 2/8"),
    ],
)
def test_typing_mistakes_get_one_line(command: Any, tmp_path: Path, arguments: list[str], says: str) -> None:
    record(tmp_path / "here", rows_of("x"))
    result = command(*arguments)
    assert result.returncode == 2 and result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"error: {says}")
    assert not (tmp_path / "all").exists()


def test_a_merge_ends_as_the_campaign_would(command: Any, tmp_path: Path) -> None:
    """With 1 if a result was wrong; named even with -q."""
    rows = rows_of("x")
    rows[0] = replace(rows[0], status=Status.CRASHED, error="signal 11")
    record(tmp_path / "here", rows, shard="1/2")
    result = command("merge", "-q", "here/runs.csv", "--out", "all", "--no-plots")
    assert result.returncode == 1 and result.stderr.splitlines() == ["i a:s f count: crashed: signal 11"]
    assert result.stdout.splitlines() == [
        "shard 2 of 2 is not among them; when they are complete, merge again with the same --out",
        "all: runs.csv, machine.json",
    ]
