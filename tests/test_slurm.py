"""Campaigns on jobs of a real Slurm, which a test starts on this machine (slurm.sh)."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

pytest.importorskip("distributed")

from bench.catalogue import ROOT
from tests.clusters import PATIENCE_S, wait_until
from tests.conftest import all_cores
from tests.test_campaign import rows_of

MISSING = not shutil.which("slurmctld") or not shutil.which("munged") or os.getuid() != 0
pytestmark = [
    pytest.mark.extra,
    pytest.mark.skipif(MISSING, reason="Slurm is not installed, or needs root"),
]

JOBS = """\
jobqueue:
  slurm:
    cores: 1
    memory: 512MB
    walltime: '00:10:00'
    log-directory: {folder}
    worker-extra-args: [--preload, {folder}/names.py]
"""
"""Workers reserve cores under names of their own: campaigns outside the test leave them enough."""


class Slurm:
    """A Slurm whose jobs are workers.

    Attributes:
        environment: of commands that use it; the home folder is that of the test.
    """

    def __init__(self, slurm: Path, folder: Path):
        self.folder, self.home = folder, folder / "home"
        self.home.mkdir()
        (folder / "jobqueue.yaml").write_text(JOBS.format(folder=folder))
        (folder / "names.py").write_text(f"from bench.environment import cores\ncores.NAMES = '{folder}/'\n")
        self.environment = {
            **os.environ, "SLURM_CONF": str(slurm / "slurm.conf"), "DASK_CONFIG": str(folder),
            "HOME": str(self.home), "PYTHONPATH": str(ROOT),
            # A job that ended is replaced after so long.
            "DASK_DISTRIBUTED__DEPLOY__LOST_WORKER_TIMEOUT": "3s",
        }  # fmt: skip

    def jobs(self) -> list[str]:
        """The jobs that wait or run."""
        return self.output("squeue", "--noheader", "--format=%i").split()

    def output(self, *command: str) -> str:
        """What a command prints."""
        return subprocess.check_output(command, text=True, env=self.environment)

    def bench(self, out: str, repeat: int) -> "subprocess.Popen[str]":
        """Starts a campaign on two jobs."""
        campaign = ["run", "june_2022_example", "--backend", "cpsat", "--no-plots", "--repeat", str(repeat)]
        with all_cores():
            return subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "bench",
                    *campaign,
                    "--out",
                    out,
                    "--cluster",
                    "slurm",
                    "--workers",
                    "2",
                ],
                stdout=(self.folder / f"{out}.log").open("w"),
                stderr=subprocess.STDOUT,
                text=True,
                cwd=self.folder,
                env=self.environment,
                start_new_session=True,
            )

    def said(self, out: str) -> str:
        """What a campaign has printed."""
        return (self.folder / f"{out}.log").read_text()

    def listening(self) -> set[str]:
        """The addresses that the harness and its workers listen on."""
        addresses = set()
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                if process.environ().get("DASK_CONFIG") == str(self.folder):
                    sockets = process.net_connections("inet")
                    addresses |= {each.laddr.ip for each in sockets if each.status == psutil.CONN_LISTEN}
        return addresses


@pytest.fixture
def slurm(tmp_path: Path) -> Iterator[Slurm]:
    # munge needs a folder that all may enter.
    folder = Path(tempfile.mkdtemp(prefix="slurm-"))
    script = [str(ROOT / "tests" / "slurm.sh"), str(folder)]
    try:
        with all_cores():
            started = subprocess.run(["bash", *script], capture_output=True, text=True)
        if started.returncode:
            pytest.skip(f"no Slurm can be started on this machine: {started.stderr.strip()[-500:]}")
        yield Slurm(folder, tmp_path)
    finally:
        subprocess.run(["bash", *script, "stop"], check=True)
        shutil.rmtree(folder)


def test_a_campaign_on_jobs_of_slurm(slurm: Slurm) -> None:
    # One test, as one Slurm has to do: it completes, it is interrupted, and it is killed.
    # Another job needs 9 s to join, in which one worker alone may execute 600 runs.
    harness = slurm.bench("whole", repeat=250)
    wait_until(lambda: slurm.said("whole").count(" joined") == 2, "two workers")
    assert slurm.listening() == {"127.0.0.1"}
    certificates = list(slurm.home.iterdir())
    assert len(certificates) == 3 and {path.stat().st_mode & 0o777 for path in certificates} == {0o600}
    first, second = slurm.jobs()
    slurm.output("scancel", first)
    wait_until(lambda: " is lost: " in slurm.said("whole"), "the loss of a worker")
    wait_until(lambda: slurm.said("whole").count(" joined") == 3, "another job for the one that ended")
    assert second in slurm.jobs(), "a busy worker is kept"
    assert harness.wait(4 * PATIENCE_S) == 0, slurm.said("whole")
    rows = rows_of(slurm.folder / "whole")
    assert len(rows) == 1000 and {row["status"] for row in rows} == {"solved"}
    assert not slurm.jobs() and not list(slurm.home.iterdir())

    for how, code in ((signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)):
        harness = slurm.bench(how.name, repeat=1000)
        wait_until(lambda name=how.name: slurm.said(name).count(" joined") == 2, "two workers")  # type: ignore[misc]
        harness.send_signal(how)
        assert harness.wait(PATIENCE_S) == code, slurm.said(how.name)
        wait_until(lambda: not slurm.jobs(), "the end of the jobs")
        assert "Traceback" not in slurm.said(how.name) and "distributed." not in slurm.said(how.name)
        if how == signal.SIGINT:
            assert not list(slurm.home.iterdir())
            assert re.search(r"interrupted; .* recorded\. To resume: ", slurm.said(how.name))
