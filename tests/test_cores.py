"""The cores that runs get, and that no two campaigns share."""

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.environment import cores, machine
from tests.conftest import all_cores, with_forked_servers

pytestmark = pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system pins nothing")

HOLD = """
import sys
from bench.environment import cores
cores.NAMES = sys.argv[1]
cores.usable_cores = lambda: [(0,), (1,), (2,), (3,)]
cores.os.sched_setaffinity = lambda pid, numbers: None
with cores.reserved_cores(int(sys.argv[2]), int(sys.argv[3])) as mine:
    print(mine, flush=True)
    sys.stdin.read()
"""
CAMPAIGN = """
import os
os.sched_setaffinity(0, range(os.cpu_count()))
from bench.environment import cores
cores.NAMES = {!r}
"""


@pytest.fixture
def own_names(monkeypatch: pytest.MonkeyPatch) -> str:
    """Names that no campaign outside the test reserves."""
    names = f"test/{secrets.token_hex(8)}/"
    monkeypatch.setattr(cores, "NAMES", names)
    return names


@pytest.fixture
def four_cores(monkeypatch: pytest.MonkeyPatch, own_names: str) -> Iterator[list[set[int]]]:
    """A machine with four cores, and the sets that this process moves to."""
    moves: list[set[int]] = []
    monkeypatch.setattr(cores, "usable_cores", lambda: [(0,), (1,), (2,), (3,)])
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1, 2, 3})
    monkeypatch.setattr(os, "sched_setaffinity", lambda pid, numbers: moves.append(set(numbers)))
    yield moves


def another(names: str, jobs: int, threads: int = 1) -> tuple["subprocess.Popen[str]", str]:
    """Another process that reserves cores, and what it got."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, names, str(jobs), str(threads)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    return process, process.stdout.readline().strip()


def test_the_harness_keeps_off_the_reserved_cores(own_names: str) -> None:
    with all_cores():
        before = os.sched_getaffinity(0)
        usable = machine.usable_cores()
        assert cores.numbers(usable) <= before
        for jobs in range(1, len(usable) + 2):
            with cores.reserved_cores(jobs) as pinned:
                assert len(pinned) == jobs
                if jobs < len(usable):
                    numbers = {number for core in pinned for number in core or ()}
                    assert len(numbers) == jobs
                    assert not os.sched_getaffinity(0) & numbers
                else:
                    assert set(pinned) == {None}
            assert os.sched_getaffinity(0) == before


def test_a_job_gets_a_core_for_each_thread(
    four_cores: list[set[int]], capfd: pytest.CaptureFixture[str]
) -> None:
    with cores.reserved_cores(1, threads=3) as reserved:
        assert reserved == [(1, 2, 3)] and four_cores[-1] == {0}
    with cores.reserved_cores(2, threads=2) as reserved:
        assert reserved == [(0, 1), (2, 3)] and four_cores[-1] == {0, 1, 2, 3}, (
            "a run with one thread must not have two cores, even where none is left for the harness"
        )
    with cores.reserved_cores(1, threads=5) as reserved:
        assert reserved == [None] and not capfd.readouterr().err


def test_two_campaigns_reserve_different_cores(four_cores: list[set[int]], own_names: str) -> None:
    process, taken = another(own_names, jobs=2)
    assert taken == "[(2,), (3,)]"
    with cores.reserved_cores(1) as reserved:
        assert reserved == [(1,)] and four_cores[-1] == {0}, "the harness keeps off the cores of others too"
    process.communicate("")
    with cores.reserved_cores(1) as reserved:
        assert reserved == [(3,)], "what the other campaign had is free again"


def test_a_killed_campaign_frees_its_cores(four_cores: list[set[int]], own_names: str) -> None:
    process, taken = another(own_names, jobs=1, threads=3)
    assert taken == "[(1, 2, 3)]"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    with cores.reserved_cores(1) as reserved:
        assert reserved == [(3,)]


def test_if_no_core_is_left_one_line_says_so(
    four_cores: list[set[int]], own_names: str, capfd: pytest.CaptureFixture[str]
) -> None:
    process, _ = another(own_names, jobs=2)
    with cores.reserved_cores(2) as reserved:
        assert reserved == [None, None] and four_cores[-1] == {0, 1}
        (line,) = capfd.readouterr().err.splitlines()
        assert "have reserved cores 2, 3" in line and "not pinned" in line
        with cores.reserved_cores(1) as reserved:
            assert reserved == [(1,)], "what was not enough is not kept"
        assert not capfd.readouterr().err
    process.communicate("")


def test_without_such_names_cores_are_pinned_all_the_same(
    four_cores: list[set[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cores, "NAMES", "too long for a name of a socket" * 10)
    with cores.reserved_cores(1) as reserved:
        assert reserved == [(3,)]


@pytest.mark.skipif((os.cpu_count() or 1) < 3, reason="two campaigns and a harness need three cores")
def test_campaigns_side_by_side_share_no_core(tmp_path: Path, own_names: str) -> None:
    run = ["run", "--no-plots", "--instance", "june_2022_example", "--backend", "backtrack", "--repeat"]
    folders = [tmp_path / name for name in ("one", "two")]
    campaigns = [
        subprocess.Popen(
            with_forked_servers(*run, "1000", "--out", folder, before=CAMPAIGN.format(own_names)),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for folder in folders
    ]
    try:
        pinned = [pinned_by(folder) for folder in folders]
    finally:
        for campaign in campaigns:
            campaign.send_signal(signal.SIGINT)
        said = [campaign.communicate(timeout=60)[1] for campaign in campaigns]
    assert said == ["", ""]
    assert None not in pinned and len(set(map(tuple, pinned))) == 2


def pinned_by(folder: Path) -> list[int]:
    """The cores of a campaign, as soon as its machine.json says so."""
    until = time.monotonic() + 60
    while not (folder / "machine.json").exists():
        assert time.monotonic() < until
        time.sleep(0.05)
    (cores_,) = json.loads((folder / "machine.json").read_text())["sessions"][0]["request"]["pinned"]
    assert isinstance(cores_, list)
    return cores_
