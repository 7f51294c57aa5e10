"""Collections: what others made is read, checked and measured, and passed on only if it may be."""

import csv
import gzip
import json
import os
import re
import shutil
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from bench import catalogue
from bench.analysis.compare import by_size, merged_by_size
from bench.analysis.measurements import measurements
from bench.campaign.collections import cache_of, read_collection
from bench.campaign.machine_json import Facts, Session
from bench.campaign.selection import DEFAULT, Request, find_instances
from bench.catalogue import RequestError
from bench.catalogue.sources import records_of
from bench.contract import Task
from bench.report import tables
from models.cross_sums import adapter as kakuro
from models.sudoku import adapter as sudoku
from tests import synthetic

SOLUTION = ["1 2 3 4", "3 4 1 2", "2 1 4 3", "4 3 2 1"]
SMALL = {
    "name": "small",
    "box": [2, 2],
    "givens": [". . . .", *SOLUTION[1:]],
    "solution": SOLUTION,
    "unique": True,
}

GIVENS = [
    "5 3 . . 7 . . . .", "6 . . 1 9 5 . . .", ". 9 8 . . . . 6 .", "8 . . . 6 . . . 3", "4 . . 8 . 3 . . 1",
    "7 . . . 2 . . . 6", ". 6 . . . . 2 8 .", ". . . 4 1 9 . . 5", ". . . . 8 . . 7 9",
]  # fmt: skip
SOLVED = [
    "5 3 4 6 7 8 9 1 2", "6 7 2 1 9 5 3 4 8", "1 9 8 3 4 2 5 6 7", "8 5 9 7 6 1 4 2 3", "4 2 6 8 5 3 7 9 1",
    "7 1 3 9 2 4 8 5 6", "9 6 1 5 3 7 2 8 4", "2 8 7 4 1 9 6 3 5", "3 4 5 2 8 6 1 7 9",
]  # fmt: skip
KNOWN = {"name": "known", "box": [3, 3], "givens": GIVENS, "solution": SOLVED}

FREE = {"license": "CC0", "redistributable": True}


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, in which nothing was written."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def collection(folder: Path, *lines: Any, kind: str = "sudoku", **note: Any) -> str:
    """A folder with one file of these lines, and what is noted for all."""
    (folder / kind).mkdir(parents=True, exist_ok=True)
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    (folder / kind / "some.jsonl").write_text("\n".join(texts))
    if note:
        (folder / "collection.json").write_text(json.dumps(note))
    return str(folder)


def test_lines_become_instance_files(tmp_path: Path, own_cache: Path) -> None:
    """They are loaded as any other, and written only where they have changed."""
    name = collection(tmp_path / "mine", SMALL, SMALL | {"name": "other", "unique": False}, **FREE)
    collection(tmp_path / "mine", {"name": "a"}, {"name": "b"}, kind="unheard_of")
    found = read_collection(name)
    assert not found.left_out and not found.findings and found.unknown == {"unheard_of": 2}
    for instance in found.instances:
        loaded = catalogue.load(instance.path)
        assert loaded == instance and instance.path.is_relative_to(own_cache)
        assert (loaded.collection, loaded.license, loaded.redistributable) == ("mine", "CC0", True)
    small, other = found.instances
    assert small.expected.solutions == 1 and other.expected.solutions is None
    assert small.puzzle.givens[1, 0] == 3 and small.path == cache_of(name) / "sudoku/small.toml"

    written = [one.path.stat().st_ino for one in found.instances]
    changed = dict(SMALL, name="other", source="elsewhere")
    collection(tmp_path / "mine", SMALL, changed)
    os.utime(tmp_path / "mine/sudoku/some.jsonl", ns=(1, 1))
    again = [one.path.stat().st_ino for one in read_collection(name).instances]
    assert again[0] == written[0] and again[1] != written[1]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "cannot be read: Expecting"),
        ('{"name": "cut off", "box": [2, 2], "giv', "cannot be read: "),
        ("[" * 100_000, "maximum recursion depth"),
        ("[1]", "no JSON object"),
        ('{"box": [2, 2]}', "name and kind should be texts"),
        ('{"name": "x", "kind": 3}', "name and kind should be texts"),
        ({"name": "x", "box": [2, 2]}, "givens: should be a list of texts, not None"),
        (SMALL | {"name": "x", "box": 3}, "box: should be the rows and the columns of a box, not 3"),
        (SMALL | {"name": "x", "box": [True, 4]}, "box: should be"),
        (SMALL | {"name": "x", "box": [10**30, 2]}, "box: should be"),
        (SMALL | {"name": "x", "box": [3, 3]}, "givens, row 1: 4 cells; every row needs 9"),
        (SMALL | {"name": "x", "givens": SOLUTION[:3]}, "givens: 3 rows; the grid has 4"),
        (SMALL | {"name": "x", "givens": ["9" * 5000, *SOLUTION[1:]]}, "givens, row 1: 1 cells"),
        (SMALL | {"name": "x", "givens": ["1 2 3 5", *SOLUTION[1:]]}, "5 is not one of the digits"),
        ('{"name": "x", "box": [' + "9" * 5000 + ", 2]}", "Exceeds the limit"),
        (SMALL | {"name": "small"}, "small is the name of"),
        (SMALL | {"name": "x", "givens": ["1 \ud800", *SOLUTION[1:]]}, "givens: should be a list of texts"),
        (SMALL | {"name": "x", "unique": "yes"}, "unique should be true or false"),
        (SMALL | {"name": "x", "redistributable": 1}, "redistributable should be true or false"),
        (SMALL | {"name": "x", "sgt": 3}, "3 is no plain Sudoku"),
        (SMALL | {"name": "x", "puzzlink": 5}, "should end in WIDTH/HEIGHT/CODE, not 5"),
        (SMALL | {"name": "x", "puzzlink": "8/8/p"}, "has sides of 4, 6, 9, 16 or 25, not 8/8"),
        (SMALL | {"name": "x", "puzzlink": "9/4/p"}, "25, not 9/4"),
        (SMALL | {"name": "x", "puzzlink": "2000/1/zzz"}, "should end in WIDTH/HEIGHT/CODE"),
        ('{"name": "' + "x" * 2_000_000 + '"}', "longer than 2000000 bytes"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(line: Any, why: str, tmp_path: Path) -> None:
    """With its place and the reason, in one short line; the others go on."""
    name = collection(tmp_path / "mine", SMALL, line, SMALL | {"name": "last"})
    found = read_collection(name)
    assert [one.name for one in found.instances] == ["small", "last"]
    (said,) = found.left_out
    assert said.startswith(f"{tmp_path}/mine/sudoku/some.jsonl:2: ") and why in said
    assert "\n" not in said and len(said) <= 300


def test_kakuros(tmp_path: Path) -> None:
    """Entries are numbered; the published solution has `.` for blocked cells."""
    line = {
        "name": "two",
        "cells": ["# . .", "# . ."],
        "across": ["0 1 2 3", "1 1 2 5"],
        "down": ["0 1 2 3", "0 2 2 5"],
    }
    solved = {"solution": [". 1 2", ". 2 3"]}
    name = collection(
        tmp_path / "mine", line | solved, line | {"name": "b", "down": ["0 1 1 3"]}, kind="kakuro"
    )
    found = read_collection(name)
    assert not found.findings and [one.puzzle.size for one in found.instances] == [4]
    assert "some.jsonl:2: down, line 1: a length of 1" in found.left_out[0]


def test_names_are_safe(tmp_path: Path, own_cache: Path) -> None:
    """Whatever the source calls an instance, its file lies in the cache and can be named in a command."""
    names = ["../../up", "/etc/passwd", "-rf", "a\nb\x1b[31m", "..", "x" * 300, "naïve 1", "a\ud800"]
    lines = [SMALL | {"name": name, "title": name, "source": name} for name in names]
    found = read_collection(collection(tmp_path / "mine", *lines))
    assert not found.left_out and len(found.instances) == len(names)
    home = own_cache / "puzzle-bench/collections"
    for one in found.instances:
        assert one.path.parent.parent.parent == home and one.path.is_file() and one.name.isprintable()
        assert re.fullmatch(r"[\w][\w.-]{0,59}", one.name)
        assert catalogue.load(one.path) == one


@pytest.mark.parametrize(
    ("note", "why"),
    [
        ("{", "(Expecting"),
        ('{"licence": "MIT"}', "licence is no key of it: write license and redistributable"),
        ('{"license": "MIT", "redistributable": "yes"}', "redistributable should be true or false"),
    ],
)
def test_files_that_cannot_be_read_are_named(note: str, why: str, tmp_path: Path) -> None:
    """Pipes, links in circles, what is no text; a damaged note on licences counts as none."""
    name = collection(tmp_path / "mine", SMALL)
    folder = tmp_path / "mine" / "sudoku"
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "loop.jsonl").symlink_to("loop.jsonl")
    (folder / "around").symlink_to(tmp_path / "mine")
    (folder / "bytes.jsonl").write_bytes(b"\xff\xfe\n")
    (tmp_path / "mine" / "collection.json").write_text(note)
    found = read_collection(name)
    (one,) = found.instances
    assert one.name == "small" and not one.redistributable and not one.license
    said = " ".join(found.left_out)
    assert said.count("no regular file") == 2 and "bytes.jsonl:1: cannot be read" in said
    assert "as collection.json cannot be read" in said and why in said
    (tmp_path / "empty").mkdir()
    for wrong, why in (("none", "no such collection"), ("empty", "this folder has no file")):
        with pytest.raises(RequestError, match=why):
            read_collection(str(tmp_path / wrong))


@pytest.mark.parametrize("solution", [SOLUTION[::-1], ["1"], "none", [["1"]], ["x " * 4] * 4, ["9" * 5000]])
def test_a_solution_that_our_checker_refuses_is_a_finding(solution: Any, tmp_path: Path) -> None:
    """It names both; the instance stays."""
    found = read_collection(collection(tmp_path / "mine", SMALL | {"solution": solution}))
    assert len(found.instances) == 1 and not found.left_out
    (finding,) = found.findings
    assert finding.startswith(f"{tmp_path}/mine/sudoku/some.jsonl:1: small: its solution breaks")
    assert "models/sudoku/puzzle.py" in finding and finding.endswith("one of the two is wrong")


@pytest.mark.parametrize(
    ("own", "note", "allowed"),
    [
        ({}, {}, False),
        ({}, FREE, True),
        ({}, {"redistributable": True}, False),
        ({}, {"license": "CC0"}, False),
        (FREE, {}, True),
        ({"license": "mine"}, FREE, False),
        ({"redistributable": False}, FREE, False),
        ({}, {"license": "CC0", "redistributable": "true"}, False),
    ],
)
def test_only_what_says_so_may_be_passed_on(own: Any, note: Any, allowed: bool, tmp_path: Path) -> None:
    """A licence alone is not enough; what a line says goes before what is noted for all."""
    (one,) = read_collection(collection(tmp_path / "mine", SMALL | own, **note)).instances
    assert one.redistributable is allowed


def shown_in(folder: Path) -> str:
    """All that a campaign's folder has, and the texts of its pictures in their order, without blanks."""
    found = []
    for path in folder.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            text = gzip.decompress(content) if path.suffix == ".gz" else content
            found.append(text.decode("utf-8", "replace"))
            found.append("".join(re.findall(r"<text[^>]*>([^<]*)</text>", found[-1])))
            found.append(re.sub(r"<[^>]*>", "", found[-2]))
    return re.sub(r"[\s,\[\]\"']", "", "\n".join(found))


@pytest.mark.parametrize("allowed", [False, True])
def test_a_campaign_passes_on_only_what_it_may(allowed: bool, command: Any, tmp_path: Path) -> None:
    """Otherwise no file of it has a row of the solution or of the givens, nor is a log kept."""
    name = collection(tmp_path / "mine", KNOWN, SMALL, **(FREE if allowed else {"license": "CC BY-NC-SA"}))
    words = ("--formulation", "default", "--repeat", 1, "--time-limit", 20, "--out", tmp_path / "out")
    ran = command("run", "--collection", name, "--backend", "cpsat", "--backend", "backtrack", *words)
    assert ran.returncode == 0, ran.stderr
    rows = list(csv.DictReader((tmp_path / "out/runs.csv").open()))
    assert {row["status"] for row in rows} == {"solved"} and {row["collection"] for row in rows} == {"mine"}
    assert {row["license"] for row in rows} == {"CC0" if allowed else "CC BY-NC-SA"}
    assert {row["solution"].startswith("sha256:") for row in rows} == {not allowed}
    assert all(row["solutions"] == "1" for row in rows)
    assert (tmp_path / "out/logs").exists() is allowed
    page = (tmp_path / "out/report.html").read_text()
    assert f"Instances of mine ({rows[0]['license']})" in page

    text = shown_in(tmp_path / "out")
    hidden = [row.replace(" ", "") for row in [*SOLVED, *GIVENS]]
    seen = [row for row in hidden if row in text or (row.count(".") < 5 and row.replace(".", "") in text)]
    assert {row.replace(" ", "") for row in SOLVED} <= set(seen) if allowed else not seen

    instance = str(read_collection(name).instances[0].path)
    shown = command("solve", instance, "--backend", "backtrack")
    assert shown.returncode == 0 and "534678912" in re.sub("[^0-9]", "", shown.stdout), (
        "to the user it is shown"
    )
    watched = command("watch", instance, "--out", tmp_path / "watched")
    assert (watched.returncode == 0) is allowed and (tmp_path / "watched").exists() is allowed
    assert allowed or "may not be passed on" in watched.stderr


def test_a_cache_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line says so, with the remedy, instead of one for each instance."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(RequestError, match="set XDG_CACHE_HOME to a folder that can be written"):
        read_collection(collection(tmp_path / "mine", SMALL))


def test_a_note_on_licences_that_changes_is_read_again(tmp_path: Path) -> None:
    name = collection(tmp_path / "mine", SMALL)
    assert not read_collection(name).instances[0].redistributable
    (tmp_path / "mine/collection.json").write_text(json.dumps(FREE))
    assert read_collection(name).instances[0].redistributable


def test_an_address_is_not_recorded(tmp_path: Path) -> None:
    """It is the grid; neither is an end of it part of a name. Names of folders may have points."""
    address = "https://puzz.link/p?sudoku/4/4/g1k23k3g"
    words = ["run", "--collection", address, f"--collection={address}"]
    session = Session.model_validate({"command": words, "request": {"collections": [address, "ppbench"]}})
    assert session.command == ["run", "--collection", "puzz.link", "--collection=puzz.link"]
    assert session.request.collections == ["puzz.link", "ppbench"]
    (one,) = read_collection(address).instances
    assert re.fullmatch("sudoku_[0-9a-f]{8}", one.name) and not session.model_dump_json().count("g1k23k3g")
    assert Facts(sessions=[session]).own_instances == [one.path]
    (named,) = read_collection(collection(tmp_path / "puzzles-v1.2", SMALL)).instances
    assert named.collection == "puzzles-v1.2"


def test_requests_with_collections(tmp_path: Path) -> None:
    """Names select among the instances; a number of them is drawn evenly, and always the same ones."""
    lines = [SMALL | {"name": f"small-{number}"} for number in range(30)]
    name = collection(tmp_path / "mine", *lines, KNOWN)

    def found(**request: Any) -> list[str]:
        return [one.name for one in find_instances(Request(collections=[name], **request))]

    assert len(found()) == 31 and found(what=["known"]) == found(instances=["sudoku/known"]) == ["known"]
    assert len(found(what=["sudoku"])) == len(found(puzzles=["sudoku"])) == 31
    drawn = found(at_most=4)
    assert "known" in drawn and drawn == found(at_most=4) and set(found(at_most=3)) < set(drawn)
    for wrong, why in ((["knwon"], "did you mean known"), (["bug_byte"], "unknown puzzle or instance")):
        with pytest.raises(RequestError, match=why):
            found(what=wrong)
    with pytest.raises(RequestError, match="none of these instances"):
        found(puzzles=["hooks"])
    with pytest.raises(RequestError, match="no puzzle here reads unheard_of"):
        strange = collection(tmp_path / "b", {"name": "a"}, kind="unheard_of")
        find_instances(Request(collections=[name, strange]))
    with pytest.raises(RequestError, match=r"some\.jsonl:1: cannot be read"):
        find_instances(Request(collections=[name, collection(tmp_path / "c", "{")]))
    with pytest.raises(RequestError, match="it has no instance"):
        find_instances(Request(collections=[name, collection(tmp_path / "d")]))
    assert len(find_instances(Request(collections=[name, f"{name}/."]))) == 31, "one collection, named twice"
    other = collection(tmp_path / "other", KNOWN)
    with pytest.raises(RequestError, match=f"known: it is in {name} and in {other}; run them as two"):
        find_instances(Request(collections=[name, other]))


def test_commands_with_collections(command: Any, tmp_path: Path) -> None:
    """What is refused, what is listed, what a dry run shows."""
    name = collection(tmp_path / "mine", SMALL, "{", KNOWN, **FREE)
    for words, why in (
        (("--all", "--collection", name), "say how many instances, as in --at-most 100"),
        (("--at-most", 3, "sudoku"), "--at-most 3: only with --collection; leave it out"),
        (("--collection", name, "--sample"), "--collection and --sample: each has its own instances"),
        (("--collection", "nowhere"), "there is no such collection"),
    ):
        refused = command("run", *words)
        assert refused.returncode == 2 and why in refused.stderr and refused.stderr.count("\n") == 1
    listed = command("list", "--collection", name)
    assert listed.returncode == 1 and "some.jsonl:2: cannot be read" in listed.stderr
    assert (
        re.search(r"sudoku +CC0 +yes +2 +16 +81 +81", listed.stdout)
        and "instance files are in" in listed.stdout
    )
    strange = command("list", "--collection", collection(tmp_path / "strange", {"name": "a"}, kind="sudokus"))
    assert (
        strange.returncode == 1
        and "sudokus (1); those that are: " in strange.stdout
        and ", kakuro, " in strange.stdout
    )
    told = json.loads(command("list", "--collection", name, "--json").stdout)
    (group,) = told[name]["groups"]
    assert group == {
        "puzzle": "sudoku", "license": "CC0", "redistributable": True, "instances": 2, "smallest": 16,
        "median": 81, "largest": 81,
    }  # fmt: skip
    assert told[name]["folder"] == str(cache_of(name)) and told[name]["unknown"] == {}
    assert told[name]["names"] == ["known", "small"]
    dry = command(
        "run", "--collection", name, "--at-most", 1, "--backend", "cpsat", "--task", "first", "--dry-run"
    )
    assert "sudoku" in dry.stdout and "5 to run" in dry.stdout and not (tmp_path / "results").exists()


def test_many_instances_are_shown_by_size() -> None:
    """In the tables of the page, an instance as a run; of few instances each has its row."""
    many = measurements(synthetic.campaign(instances=60, repeats=1))
    orders, merged = by_size(many), merged_by_size(many)
    assert 0 < len({*orders.values()}) < 20 and {each.instance for each in merged} == {*orders.values()}
    assert sum(each.runs for each in merged) == len(many)
    assert not any(each.unbuilt or each.branches_range for each in merged), "they are of single instances"
    assert sum(each.conclusive for each in merged) == sum(each.solved for each in many)
    assert len(tables.overview(merged).rows) < 60
    few = measurements(synthetic.campaign(instances=3, repeats=1))
    assert not by_size(few) and merged_by_size(few) == few


KAKURO = "5/5/48la0.na0lh3l0Bn.0cl.c4a3"
"""The example of pzpr.js, whose sums are 12 and 4 above the first columns."""


def test_addresses_of_puzz_link(tmp_path: Path) -> None:
    """Sudokus and Kakuros are decoded; what is cut off or of another kind is refused in a line."""
    (one,) = read_collection("https://puzz.link/p?sudoku/4/4/g1k23k3g").instances
    assert (one.collection, one.redistributable) == ("puzz.link", False)
    assert one.puzzle.givens == {(0, 1): 1, (1, 3): 2, (2, 0): 3, (3, 2): 3}
    table, solution = kakuro.adapt({"puzzlink": KAKURO})
    assert solution is None and table["cells"].split("\n")[2:4] == [". . # . .", "# . . . ."]
    assert table["across"].split("\n")[0] == "1 0 1 2 8" and "5 2 4 2 10" in table["down"]
    (one,) = read_collection(f"https://puzz.link/p?kakuro/{KAKURO}").instances
    solved = ["0 5 3 0 0", "3 4 1 2 0", "1 2 0 1 2", "0 1 9 3 8", "0 0 8 4 0"]
    assert (
        one.puzzle_name == "cross_sums"
        and one.puzzle.check([[*map(int, row.split())] for row in solved]) == []
    )
    six, _ = sudoku.adapt({"puzzlink": "6/6/-10gzn1k"})
    assert six["box"] == [2, 3] and six["givens"].startswith("16 .")
    for wrong in ("sudoku/4/4/g1k23", "sudoku/5/5/p", "sudoku/9", "hitori/4/4/zz"):
        with pytest.raises(RequestError, match=r"puzz\.link") as refused:
            find_instances(Request(collections=[f"https://puzz.link/p?{wrong}"]))
        assert "\n" not in str(refused.value)
    # An address may be longer than the name of a file.
    (one,) = read_collection(f"https://puzz.link/p?kakuro/20/20/{'.' * 398}3-k").instances
    assert one.puzzle.size == 1
    for cut in range(len(KAKURO) - 1):
        with pytest.raises(ValueError):
            kakuro.adapt({"puzzlink": KAKURO[:cut]})


needs_sgt = pytest.mark.skipif(
    not shutil.which("sgt-solo", path=f"{os.environ['PATH']}:/usr/games"),
    reason="sgt-puzzles is not installed",
)


@pytest.mark.extra
@needs_sgt
def test_what_sgt_puzzles_generates(lab: Any) -> None:
    """Boxes lie as in the generator: each has one solution. Other kinds than plain ones are refused."""
    for params, box in (("2x3", (2, 3)), ("3x3dt", (3, 3)), ("4x3", (4, 3))):
        found = read_collection(f"sgt:{params}#1-3").instances
        assert [one.name for one in found] == [f"{params}-{seed}" for seed in (1, 2, 3)]
        assert {one.puzzle.box for one in found} == {box} and found[0].license == "MIT"
        row = lab.measure(found[0].path, "cpsat", DEFAULT, Task.COUNT)
        assert (row.status, row.solutions, row.collection) == ("solved", 1, "sgt-solo")
    for game, params in (("pattern", "8x6"), ("rect", "7x5")):
        for one in read_collection(f"sgt:{game}:{params}#1-2").instances:
            row = lab.measure(one.path, "cpsat", DEFAULT, Task.COUNT)
            assert (row.size, row.status, row.solutions, row.collection) == (
                *(one.puzzle.size, "solved", 1, f"sgt-{game}"),
            )
    for wrong, why in (("3x3x#1", "no plain Sudoku"), ("9j#1-9", "no plain Sudoku"), ("1x1#1", "at least 2")):
        with pytest.raises(RequestError, match=why):
            read_collection(f"sgt:{wrong}")
    for wrong, why in (("3x3#2-1", "the least first"), ("3x3#1-99999", "at most 10000")):
        with pytest.raises(RequestError, match=why):
            read_collection(f"sgt:{wrong}")


@pytest.mark.extra
def test_ppbench() -> None:
    """What we read is solved by its moves by our rules; the examples of pzpr.js are decoded, too."""
    try:
        home = Path(str(metadata.distribution("ppbench").locate_file("ppbench")))
    except metadata.PackageNotFoundError:
        pytest.skip("ppbench is not installed")
    found = read_collection("ppbench")
    assert not found.left_out and not found.findings and len(found.instances) == 75
    assert found.unknown.total() == 225 and {one.license for one in found.instances} == {"MIT"}
    solved = [
        record for record in records_of("ppbench") if not isinstance(record, str) and record.kind == "sudoku"
    ]
    assert all(sudoku.adapt(record.fields)[1] for record in solved) and len(solved) == 15
    for kind, adapter in (("sudoku", sudoku), ("kakuro", kakuro)):
        text = (home / f"vendor/pzprjs/dist/js/pzpr-samples/{kind}.js").read_text()
        address = re.search(r'url:"([^"]+)"', text)
        shown = re.search(rf'\[null,"pzprv3/{kind}/([^"]+)"', text)
        assert address and shown
        table, _ = adapter.adapt({"puzzlink": address[1]})
        rows = [row.split() for row in shown[1].split("/")]
        if kind == "sudoku":
            assert [row.split() for row in table["givens"].split("\n")] == rows[1:5]
        else:
            # With a row and a column for the margin; sums are across, down.
            cells = [["." if word == "." else "#" for word in row[1:]] for row in rows[3:8]]
            assert [row.split() for row in table["cells"].split("\n")] == cells


@pytest.mark.extra
def test_a_worker_without_the_file_says_so(tmp_path: Path) -> None:
    """On a cluster an instance must be in the cache of each worker."""
    pytest.importorskip("distributed")
    from bench.campaign.plan import plan
    from bench.instruments.cluster.remote import Unfit, portable, read
    from tests.conftest import LAB

    name = collection(tmp_path / "mine", SMALL)
    request = Request(collections=[name], backends=["backtrack"])
    run = portable(plan(request, find_instances(request), LAB.backends)[0])
    assert read(run).name == "small"
    Path(run.path).unlink()
    with pytest.raises(Unfit, match="must be at the same place there"):
        read(run)
