"""Bad backends and bad instances: each ends as the right status, says why, and harms nothing else."""

import csv
import html
import json
import os
import random
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import psutil
import pytest

from bench import catalogue
from bench.catalogue import INSTANCES, ROOT
from bench.catalogue.errors import RequestError
from bench.contract import Run, Task
from bench.execution.pool import ServerPool
from bench.execution.process import Checkout
from tests.conftest import Once, all_cores
from tests.copies import copy_project

FAULTY = Path(__file__).parent / "faulty"
EXAMPLE = "instances/block_party/june_2022_example.toml"
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has what this needs")
TIME_LIMIT_S = 2.0
"""Long enough to take MEMORY_LIMIT_MB on a busy machine, where all cores have other work."""
MEMORY_LIMIT_MB = 300

EXPECTED = {
    "right": ("solved", ""),
    "floods": ("solved", ""),
    "leaves_children": ("solved", ""),
    "sets_the_clock_once": ("solved", ""),
    "sets_the_clock": ("crashed", "set by +1.0 s during the run, in each of 3 tries"),
    "build_raises": ("crashed", "ValueError: no such luck"),
    "build_loops": ("timeout", "killed"),
    "raises": ("crashed", "ValueError: no such luck"),
    "says_where_it_runs": ("crashed", "ValueError: on cores ["),
    "exits": ("crashed", "SystemExit: 3"),
    "ends_at_once": ("crashed", "exit code 7 and without a result: licence server not found"),
    "segfaults": ("crashed", "SIGSEGV"),
    "aborts": ("crashed", "SIGABRT"),
    "loops_in_python": ("timeout", "killed: it did not stop at its time limit"),
    "loops_in_c": ("timeout", "killed: it did not stop at its time limit"),
    "floods_on": ("timeout", "killed: it did not stop at its time limit"),
    "grows": ("memout", "more than 300 MB"),
    "peaks": ("memout", "more than 300 MB"),
    "wants_too_much_at_once": ("memout", "MemoryError"),
    "throws_bad_alloc": ("memout", "bad_alloc"),
    "child_grows": ("memout", "more than 300 MB"),
    "wrong_solution": ("wrong", "solution 1: "),
    "wrong_shape": ("wrong", "solution 1: "),
    "wrong_count": ("wrong", "2 solutions found, 1 expected"),
    "finds_nothing": ("wrong", "0 solutions found, 1 expected"),
    "not_json": ("crashed", "not JSON serializable"),
    "figure_is_no_number": ("crashed", "branches = 'many', not a number"),
    "figure_is_not_finite": ("crashed", "work = nan, not a number"),
    "small_licence": ("unsupported", "the licence allows 1,000 variables"),
    "kills_its_server": ("crashed", "the server of the backend ended"),
    "closes_its_pipes": ("crashed", "without a result"),
}


def rows_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "runs.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def bench(tree: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bench", *map(str, arguments)],
        cwd=tree, capture_output=True, text=True, timeout=300,
        env=os.environ | {"TMPDIR": str(scratch_of(tree))},
    )  # fmt: skip


def scratch_of(tree: Path) -> Path:
    """Where the campaigns of a tree keep temporary files."""
    scratch = tree.with_name("scratch")
    scratch.mkdir(exist_ok=True)
    return scratch


def faulty_project(tree: Path) -> Path:
    """The project with bad backends added as anyone would add a backend: by putting files there."""
    copy_project(tree, backends=["backtrack"])
    shutil.copy(FAULTY / "driver.py", tree / "bench" / "drivers" / "faulty.py")
    shutil.copy(FAULTY / "model.py", tree / "models" / "block_party" / "faulty.py")
    return tree


@pytest.fixture(scope="session")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with bad backends, to which tests add more."""
    return faulty_project(tmp_path_factory.mktemp("faulty") / "tree")


class Campaign:
    """All faults, and a good backend between them, executed in the project of a folder."""

    def __init__(self, folder: Path):
        self.tree = folder / "tree"
        self.code, self.stdout, self.stderr = json.loads((folder / "result.json").read_text())
        rows = rows_of(self.tree / "out")
        assert len(rows) == len(EXPECTED) + 2
        self.rows = {row["formulation"] or row["backend"]: row for row in rows}


@pytest.fixture(scope="session")
def campaign(once: Once) -> Campaign:
    return Campaign(once("faults", execute_faults))


def execute_faults(folder: Path) -> None:
    """Executes the runs of Campaign."""
    tree = faulty_project(folder / "tree")
    with all_cores():
        result = bench(
            tree, "run", "--no-plots", "--instance", "june_2022_example", "--task", "count", "--repeat", 1,
            "--backend", "faulty", "--backend", "backtrack",
            *(word for name in ["shaving", "propagation", *EXPECTED] for word in ("--formulation", name)),
            "--time-limit", TIME_LIMIT_S, "--memory-limit", MEMORY_LIMIT_MB, "--out", "out",
        )  # fmt: skip
    said = [result.returncode, result.stdout, result.stderr]
    (folder / "result.json").write_text(json.dumps(said))


@pytest.mark.parametrize(
    "fault",
    # Elsewhere memory that is asked for and not used is not limited.
    [pytest.param(name, marks=LINUX) if name == "wants_too_much_at_once" else name for name in EXPECTED],
)
def test_a_fault_has_its_status_and_says_why(campaign: Campaign, fault: str) -> None:
    row = campaign.rows[fault]
    status, says = EXPECTED[fault]
    assert row["status"] == status, row
    assert says in row["error"] if says else not row["error"]
    assert "\n" not in row["error"]


def test_a_fault_harms_no_other_run(campaign: Campaign) -> None:
    assert campaign.rows["shaving"]["status"] == campaign.rows["propagation"]["status"] == "solved"
    assert campaign.code == 1, "there are wrong results and crashes"
    assert "Traceback" not in campaign.stdout + campaign.stderr


def test_a_worker_is_pinned_to_its_core(campaign: Campaign) -> None:
    (session,) = json.loads((campaign.tree / "out" / "machine.json").read_text())["sessions"]
    (cores,) = session["request"]["pinned"]
    if cores is None:
        spare = len(session["usable_cores"]) > 1
        assert ("other campaigns have reserved" in campaign.stderr) == spare
    else:
        assert campaign.rows["says_where_it_runs"]["error"].endswith(f"ValueError: on cores {cores}")


@LINUX
@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="pins to two cores")
@pytest.mark.parametrize(("threads", "cores"), [(1, [0]), (2, [0, 1])])
def test_a_run_is_pinned_to_as_many_cores_as_it_has_threads(
    tree: Path, threads: int, cores: list[int]
) -> None:
    instance = catalogue.load(ROOT / EXAMPLE)
    run = Run(
        instance.puzzle_name, instance.name, str(instance.path), instance.sha256, "faulty", "faulty",
        "says_where_it_runs", Task.FIRST, seed=1, repeat=1, threads=threads, time_limit_s=TIME_LIMIT_S,
        memory_limit_mb=MEMORY_LIMIT_MB,
    )  # fmt: skip
    servers = ServerPool((0, 1), Checkout(tree))
    try:
        assert servers.run(run).error.endswith(f"ValueError: on cores {cores}")
    finally:
        servers.close()


def test_a_library_that_is_missing_or_dies_is_unavailable(tree: Path) -> None:
    """It is recorded as that, unless somebody has named it: then nothing is run."""
    drivers = {"missing": "import a_library_that_nobody_has", "dying": "import os; os.abort()"}
    paths = {name: tree / "bench" / "drivers" / f"{name}.py" for name in drivers}
    models = [tree / "models" / "block_party" / f"{name}.py" for name in drivers]
    ask = ("run", "--no-plots", "june_2022_example", "--formulation", "shaving", "--task", "first")
    ask = (*ask, "--repeat", 1, "--out", "missing")
    try:
        for model in models:
            model.write_text("FORMULATIONS = {'shaving': print}\n")
        for name, code in drivers.items():
            paths[name].write_text(f"{code}\nCORE = True\n")
            named = bench(tree, *ask, "--backend", "backtrack", "--backend", name)
            assert named.returncode == 2 and f"error: {name} is not installed: " in named.stderr
            assert not (tree / "missing").exists()
        assert bench(tree, *ask).returncode == 0
    finally:
        for path in (*paths.values(), *models):
            path.unlink()
    rows = {row["backend"]: row for row in rows_of(tree / "missing")}
    assert rows["backtrack"]["status"] == "solved"
    assert rows["missing"]["status"] == rows["dying"]["status"] == "unavailable"
    assert "a_library_that_nobody_has" in rows["missing"]["error"]
    assert "does not start" in rows["dying"]["error"]


def test_a_run_that_ignores_its_limit_ends_soon_after_it(campaign: Campaign) -> None:
    rows = list(campaign.rows.values())
    starts = [datetime.fromisoformat(row["started_at"]) for row in rows]
    seconds = [(after - before).total_seconds() for before, after in pairwise(starts)]
    ignores = ["did not stop at its time limit" in row["error"] for row in rows]
    took = {row["formulation"]: s for row, s, late in zip(rows, seconds, ignores, strict=False) if late}
    assert len(took) >= 3, "one may be the last row"
    # A run that nothing ends would go on; a busy machine may need a second longer to end one that floods.
    assert all(TIME_LIMIT_S < s < 3 * TIME_LIMIT_S for s in took.values()), took


def test_a_killed_run_keeps_what_was_known(campaign: Campaign) -> None:
    for name in ("loops_in_c", "segfaults", "grows"):
        row = campaign.rows[name]
        assert float(row["build_s"]) > 0
        assert float(row["base_mb"]) > 1
        assert float(row["peak_mb"]) >= float(row["base_mb"])
        assert not row["total_s"] and not row["solution"]


def test_no_temporary_file_is_left(campaign: Campaign) -> None:
    """Not even those of a run that was killed."""
    assert campaign.rows["loops_in_c"]["status"] == "timeout"
    assert not list(scratch_of(campaign.tree).iterdir())


@LINUX
def test_no_process_is_left(campaign: Campaign) -> None:
    words = {"600.25", "a child that never stops to talk"}
    assert not [p for p in psutil.process_iter(["cmdline"]) if words & set(p.info["cmdline"] or ())]


def test_backends_that_disagree_are_named(tree: Path) -> None:
    """Nothing is expected of this instance; a model the solution of which is refused claims nothing."""
    text = (tree / EXAMPLE).read_text()
    path = tree / "open.toml"
    path.write_text(text[: text.index("[expected]")])
    names = ("wrong_count", "right", "finds_nothing", "wrong_solution", "shaving")
    result = bench(
        tree, "run", "--no-plots", "--instance", path, "--task", "count", "--repeat", 2, "--out", "disagree",
        "--backend", "faulty", "--backend", "backtrack",
        *(word for name in names for word in ("--formulation", name)),
    )  # fmt: skip
    assert result.returncode == 1
    for said in (
        r"faulty finds_nothing count: wrong: no solutions, but .* found a solution that passed the checker",
        r"open faulty wrong_count count: wrong: 2 solutions, but .* counts 1; no checked solutions decide",
        r"wrong: 1 solution, but faulty:faulty wrong_count \(seed 1\) counts 2; no checked solutions decide",
    ):
        assert re.search(said, result.stdout)
    assert bench(tree, "run", "--no-plots", "--instance", path, "--backend", "backtrack").returncode == 0


@pytest.mark.parametrize("path", sorted(INSTANCES.glob("*/*.toml")), ids=lambda path: path.stem)
def test_an_instance_cut_short_or_spoilt_is_read_or_refused(path: Path, tmp_path: Path) -> None:
    """Whatever stands in the file: an instance, or one line that names the file."""
    content = path.read_bytes()
    generator = random.Random(path.stem)
    spoilt = tmp_path / "spoilt.toml"
    for _ in range(150):
        cut = generator.randrange(len(content))
        junk = generator.choice([b"", b"\x00", b"\xff\xfe", b"]", b'"', b"9" * 5000, generator.randbytes(9)])
        rest = generator.choice([b"", content[cut:], content[cut + 1 :], content])
        spoilt.write_bytes(content[:cut] + junk + rest)
        try:
            catalogue.load(spoilt)
        except RequestError as error:
            assert str(error).startswith(f"{spoilt}: ") and "\n" not in str(error)


HOSTILE = '<script>alert(1)</script> ]]> & \\"q\\" $\\\\frac{$ {x} [red]%s'


def test_hostile_text_stays_text(tree: Path) -> None:
    """Titles, names and paths end up on terminals, in SVG and in HTML."""
    name = "<i> [bold] $_{^ &amp;"
    text = (tree / EXAMPLE).read_text().replace("Block Party 4, worked example", HOSTILE)
    (tree / "instances" / "block_party" / f"{name}.toml").write_text(text)
    out = "out <b> [red] $x$ & 'q'"
    result = bench(tree, "run", "--instance", name, "--backend", "backtrack", "--repeat", 1, "--out", out)
    assert result.returncode == 0, result.stderr
    assert name in result.stdout and out in result.stdout
    title = HOSTILE.replace("\\\\", "\\").replace('\\"', '"')
    assert bench(tree, "plot", out).returncode == 0
    plots = tree / out / "plots"
    for stem, shown in (
        (f"solution-block_party-{name}", title),
        ("times-block_party", name),
        (f"comparison-block_party-{name}", name),
    ):
        elements = list(ElementTree.parse(plots / f"{stem}.svg").iter())
        assert not {element.tag.rpartition("}")[2] for element in elements} & {"script", "i", "b"}
        assert any(shown in (element.text or "") for element in elements)
    page = (tree / out / "report.html").read_text()
    assert html.escape(name) in page and name not in page and "<b> [red]" not in page


@pytest.mark.parametrize("mark", ["\\u0000", "\\u001b[31m", "\\n", "\\u202e"])
def test_a_title_that_cannot_be_shown_is_refused(tmp_path: Path, mark: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text((ROOT / EXAMPLE).read_text().replace('title = "', f'title = "{mark}'))
    with pytest.raises(RequestError, match="title: "):
        catalogue.load(path)


def test_a_name_that_cannot_be_shown_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a\nb.toml"
    path.write_text((ROOT / EXAMPLE).read_text())
    with pytest.raises(RequestError, match="rename"):
        catalogue.load(path)
