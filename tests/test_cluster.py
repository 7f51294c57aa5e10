"""Dask clusters: TLS, which workers are refused, and what is said of mistakes."""

import os
import secrets
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psutil
import pytest

pytest.importorskip("distributed")

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from bench.catalogue import PUZZLES, ROOT
from bench.catalogue.errors import RequestError
from bench.instruments.cluster.scheduler import LOOPBACK, listening
from tests.clusters import PATIENCE_S, TestCluster, dask_cluster, wait_until
from tests.conftest import CORES
from tests.test_campaign import rows_of
from tests.test_catalogue import make
from tests.test_native import NATIVE

pytestmark = pytest.mark.extra

CAMPAIGN = ("run", "june_2022_example", "--backend", "cpsat", "--repeat", "1", "--no-plots")
TLS = "DASK_DISTRIBUTED__COMM__TLS__"


def execute(cluster: TestCluster, *arguments: object, where: object = None) -> tuple[int, list[str]]:
    """Executes a campaign on a cluster; returns its exit code and the lines that it printed."""
    process = cluster.bench(*arguments, "--cluster", where or cluster.file)
    said, _ = process.communicate(timeout=PATIENCE_S)
    return process.returncode, said.splitlines()


def add_worker(cluster: TestCluster, *options: str, **environment: str) -> "subprocess.Popen[str]":
    """Starts a worker with an environment of its own; the cores that others have reserved are free for it."""
    before = cluster.environment
    cluster.environment = {**before, **environment}
    names = f"from bench.environment import cores; cores.NAMES = 'test/{secrets.token_hex(8)}/'"
    worker = cluster.worker("--preload", names, *options)
    cluster.environment = before
    return worker


def wait_for_workers(cluster: TestCluster, number: int) -> None:
    log = cluster.folder / "log"
    wait_until(lambda: log.read_text().count("Registered to:") == number, f"{number} workers")


def certificates(folder: Path) -> dict[str, str]:
    """A new CA, and certificates of it for all roles; returns the environment that names them."""
    folder.mkdir()
    ca = ec.generate_private_key(ec.SECP256R1())
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"CA of {folder.name}")])
    environment = {TLS + "CA_FILE": str(folder / "ca.pem")}
    for role in ("ca", "scheduler", "worker", "client"):
        key = ca if role == "ca" else ec.generate_private_key(ec.SECP256R1())
        usage = dict.fromkeys(
            ("content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "crl_sign",
             "encipher_only", "decipher_only"), False,
        )  # fmt: skip
        signs = x509.KeyUsage(digital_signature=role != "ca", key_cert_sign=role == "ca", **usage)
        certificate = (
            x509.CertificateBuilder()
            .subject_name(issuer if role == "ca" else x509.Name([]))
            .issuer_name(issuer)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(datetime.now(UTC) - timedelta(hours=1))
            .not_valid_after(datetime.now(UTC) + timedelta(hours=1))
            .add_extension(x509.BasicConstraints(ca=role == "ca", path_length=None), critical=True)
            .add_extension(signs, critical=True)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName("dask")]), critical=role != "ca")
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(ca.public_key()), critical=False
            )
            .sign(ca, hashes.SHA256())
        )
        (folder / f"{role}.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        (folder / f"{role}-key.pem").write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        if role != "ca":
            environment[f"{TLS}{role.upper()}__CERT"] = str(folder / f"{role}.pem")
            environment[f"{TLS}{role.upper()}__KEY"] = str(folder / f"{role}-key.pem")
    return environment


def test_tls_with_the_certificates_of_the_user(tmp_path: Path) -> None:
    ours, theirs = certificates(tmp_path / "ours"), certificates(tmp_path / "theirs")
    with dask_cluster(tmp_path, 1, ["--protocol", "tls"], **ours) as cluster:
        assert cluster.address.startswith("tls://")
        code, said = execute(cluster, *CAMPAIGN, "--out", "out")
        assert code == 0, said
        assert {row["status"] for row in rows_of(tmp_path / "out")} == {"solved"}

        tcp = cluster.address.replace("tls", "tcp")
        gone = str(tmp_path / "gone.pem")
        their_client = theirs | {TLS + "CA_FILE": ours[TLS + "CA_FILE"]}
        clients: list[tuple[Mapping[str, str], str, str]] = [
            (dict.fromkeys(ours, ""), cluster.address, "TLS needs certificates: name them in"),
            (theirs, cluster.address, "a certificate that is not of the CA in distributed.comm.tls.ca-file"),
            (their_client, cluster.address, "does not accept the certificate"),
            ({TLS + "CLIENT__CERT": gone}, cluster.address, f"there is no {gone}"),
            ({}, tcp, "does not answer as a scheduler does"),
        ]
        for changed, where, expected in clients:
            cluster.environment = {**cluster.environment, **ours, **changed}
            code, said = execute(cluster, *CAMPAIGN, "--out", "other", where=where)
            assert code == 2 and len(said) == 1, said
            assert said[0].startswith(f"error: --cluster {where}: ") and expected in said[0]
        assert not (tmp_path / "other").exists()


@pytest.fixture
def other_commit(tmp_path: Path) -> str:
    """A clone of the project with another commit."""
    git = ["git", "-c", f"safe.directory={ROOT}", "-c", "user.name=test", "-c", "user.email=test@localhost"]
    clone = tmp_path / "clone"
    subprocess.run([*git, "clone", "-q", ROOT, clone], check=True)
    subprocess.run([*git, "-C", clone, "commit", "-q", "--allow-empty", "-m", "another"], check=True)
    return str(clone)


def test_workers_that_differ_are_refused_and_the_others_complete_the_campaign(
    tmp_path: Path, other_commit: str
) -> None:
    release = tmp_path / "release" / "ortools-1.2.3.dist-info" / "METADATA"
    release.parent.mkdir(parents=True)
    release.write_text("Metadata-Version: 2.1\nName: ortools\nVersion: 1.2.3\n")
    with dask_cluster(tmp_path, 1) as cluster:
        add_worker(cluster, PYTHONPATH=other_commit)
        # There is no other Python here: this one says that it is.
        add_worker(cluster, "--preload", "import platform; platform.python_version = lambda: '3.99.0'")
        add_worker(cluster, "--preload", "import sys; sys.modules['bench'] = None")
        add_worker(cluster, PYTHONPATH=f"{release.parents[1]}{os.pathsep}{ROOT}")
        wait_for_workers(cluster, 5)
        code, said = execute(cluster, *CAMPAIGN, "--repeat", 20, "--out", "out")
    assert code == 0, said
    rows = rows_of(tmp_path / "out")
    assert len(rows) == 80 and {row["status"] for row in rows} == {"solved"}
    refused = sorted(line.partition(" is refused: ")[2] for line in said if " is refused: " in line)
    begins = (
        "ModuleNotFoundError: ",
        "its Python is 3.99.0, here ",
        "its commit is ",
        "its cpsat:cpsat is 1.2.3, ",
    )
    assert len(refused) == 4 and all(map(str.startswith, refused, begins)), said
    assert refused[0].endswith("; install this project there")
    assert not any("Traceback" in line or "distributed." in line for line in said)


@pytest.fixture(scope="module")
def one_core(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestCluster]:
    """A cluster with two workers on the same core."""
    with dask_cluster(tmp_path_factory.mktemp("one_core")) as cluster:
        for number in (1, 2):
            psutil.Process(cluster.worker().pid).cpu_affinity(CORES[:1])
            wait_for_workers(cluster, number)
        yield cluster


def test_of_two_workers_on_one_core_one_is_refused(one_core: TestCluster) -> None:
    code, said = execute(one_core, *CAMPAIGN, "--repeat", 10, "--out", "two")
    assert code == 0, said
    (line,) = (line for line in said if "refused" in line)
    needs = "it needs 1 for --jobs 1 and --threads 1, and may use 1"
    assert line.endswith(f"is refused: too few free cores on {socket.gethostname()}: {needs}")


def test_a_worker_needs_a_thread_of_dask_for_each_job(one_core: TestCluster) -> None:
    code, said = execute(one_core, *CAMPAIGN, "--jobs", 2, "--out", "jobs")
    assert code == 2
    assert [("is refused" in line, "--jobs 2 needs `dask worker --nthreads 2`; it has 1" in line)
            for line in said[:2]] == [(True, True)] * 2  # fmt: skip
    assert said[2].startswith(f"error: --cluster {one_core.file}: all 2 workers are refused; tcp://")
    assert len(said) == 3


def test_a_puzzle_from_elsewhere_is_read_where_the_workers_are(one_core: TestCluster, tmp_path: Path) -> None:
    """And so is the program of a user."""
    towers = make(tmp_path / "towers", native=NATIVE)
    (tmp_path / "mine.py").write_text("print('solution 0 1 2')")
    one_core.environment = {**one_core.environment, PUZZLES: str(towers)}
    program = ("--program", f"mine={sys.executable} {tmp_path / 'mine.py'}")
    code, said = execute(one_core, "run", "towers", *program, "--no-plots", "--out", tmp_path / "out")
    assert code == 0, said
    rows = rows_of(tmp_path / "out")
    assert {row["status"] for row in rows} == {"solved"}
    assert {row["solver"] for row in rows if row["backend"] == "native"} == {"mine"}


def test_a_worker_that_everybody_reaches_is_named(tmp_path: Path) -> None:
    """Once for each host; with TLS only its web server is."""
    everywhere = ("--host", "0.0.0.0", "--dashboard-address", ":0")
    mend = "; start it with --host ADDRESS --dashboard-address 127.0.0.1:0 (docs/clusters.md)"
    whoever = "listens on all networks without TLS: whoever reaches it can run any program as you"
    web = "has a web server that listens on all networks, without a login"
    for name, secure, says in (("tcp", {}, whoever), ("tls", certificates(tmp_path / "ours"), web)):
        (tmp_path / name).mkdir()
        with dask_cluster(tmp_path / name, 0, ["--protocol", name], **secure) as cluster:
            for number in (1, 2):
                add_worker(cluster, *everywhere)
                wait_for_workers(cluster, number)
            code, said = execute(cluster, *CAMPAIGN, "--repeat", 5, "--out", "out")
        assert code == 0, said
        (line,) = (line for line in said if line.startswith("warning: worker "))
        assert line.split(" ", 3)[3] == says + mend
    with dask_cluster(tmp_path, 1) as cluster:
        code, said = execute(cluster, *CAMPAIGN, "--out", "out")
    assert code == 0 and not any("warning" in line for line in said)


def test_a_scheduler_without_tls_is_named(one_core: TestCluster, tmp_path: Path) -> None:
    before = one_core.environment
    one_core.environment = {**before, **certificates(tmp_path / "ours")}
    code, said = execute(one_core, *CAMPAIGN, where=one_core.address.replace("tcp", "tls"))
    one_core.environment = before
    assert (
        code == 2
        and len(said) == 1
        and said[0].endswith("or has no TLS: then its address begins with tcp://")
    )


@pytest.mark.parametrize("missing", [True, False])
def test_an_instance_that_is_another_one_there(tmp_path: Path, missing: bool) -> None:
    mine = tmp_path / "mine.toml"
    shutil.copy(ROOT / "instances" / "block_party" / "june_2022_example.toml", mine)
    with dask_cluster(tmp_path) as cluster:
        process = cluster.bench("run", mine, "--backend", "cpsat", "--no-plots", "--cluster", cluster.file)
        wait_until(lambda: "Receive client" in (tmp_path / "log").read_text(), "the harness")
        if missing:
            mine.unlink()
        else:
            mine.write_text(mine.read_text() + "# changed\n")
        cluster.worker()
        said = process.communicate(timeout=PATIENCE_S)[0].splitlines()
        assert process.returncode == 2
    reason = "its instance file cannot be read (" if missing else f"its file {mine} and the one here differ"
    assert said[-1].startswith(f"error: --cluster {cluster.file}: the only worker is refused; tcp://")
    assert f": {reason}" in said[-1]


MISTAKES: Mapping[str, tuple[str, str]] = {
    "--cluster nonsense": ("", "no file and no batch system; known are htcondor, lsf, oar,"),
    "--cluster gone.json": ("", "no file and no batch system; known are htcondor, lsf, oar,"),
    "--cluster 127.0.0.1": ("", "this is no address (as in tcp://HOST:8786), no file"),
    "--cluster ''": ("", "no file and no batch system; known are htcondor, lsf, oar,"),
    "--cluster '' --workers 2": ("", "no file and no batch system; known are htcondor, lsf, oar,"),
    "--cluster slrum --workers 2": ("", "no file and no batch system; did you mean slurm?"),
    "--cluster SLURM": ("", "no file and no batch system; did you mean slurm?"),
    "--cluster http://127.0.0.1:1": ("", "name the address of a scheduler (tcp://HOST:8786), its file, or"),
    "--cluster tcp://127.0.0.1": ("", "the port is missing, as in tcp://127.0.0.1:8786"),
    "--cluster tls://[::1]": ("", "the port is missing, as in tls://[::1]:8786"),
    "--cluster tcp://127.0.0.1:1": (
        "",
        "no scheduler answers at tcp://127.0.0.1:1 ([Errno 111] Connection refused)",
    ),
    "--cluster file.json": ("", "this is not the file of a scheduler"),
    "--cluster slurm": ("", "say how many workers it starts, as in --workers 4"),
    "--workers 2": ("", "only with --cluster and a batch system"),
    "--cluster pbs --workers 2": ("{pbs: {cores: 1, memory: 1GB}}", "the command qsub is not there"),
    "--cluster slurm --workers 1": (
        "{slurm: {memory: 1GB}}",
        "as in jobqueue: {slurm: {cores: 1, memory: 6GB}}",
    ),
    "--cluster slurm --workers 2": ("{slurm: [}", "jobqueue.yaml' is malformed"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_in_one_line(command: Any, tmp_path: Path, mistake: str) -> None:
    section, expected = MISTAKES[mistake]
    (tmp_path / "file.json").write_text("{}")
    if section:
        (tmp_path / "jobqueue.yaml").write_text(f"jobqueue: {section}\n")
    environment = {**os.environ, "DASK_CONFIG": str(tmp_path), "HOME": str(tmp_path)}
    result = command(*CAMPAIGN, *shlex.split(mistake), env=environment)
    assert (result.returncode, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"error: {' '.join(mistake.split()[:2])}: ") and expected in line
    assert not (tmp_path / "results").exists()


def test_what_listens_and_is_no_scheduler(command: Any) -> None:
    with socket.create_server((LOOPBACK, 0)) as listener:
        result = command(*CAMPAIGN, "--cluster", f"{LOOPBACK}:{listener.getsockname()[1]}")
    (line,) = result.stderr.splitlines()
    assert (
        result.returncode == 2 and "does not answer as a scheduler does; its port is 8786 by default" in line
    )


def test_without_dask_the_command_that_installs_it_is_shown(command: Any, tmp_path: Path) -> None:
    (tmp_path / "distributed.py").write_text("raise ModuleNotFoundError(\"No module named 'distributed'\")")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    result = command(*CAMPAIGN, "--cluster", "tcp://127.0.0.1:1", env=environment)
    (line,) = result.stderr.splitlines()
    assert result.returncode == 2 and line.startswith(
        "error: --cluster needs Dask (No module named 'distributed')"
    )
    assert line.endswith(f"-e '{ROOT}[cluster]'")


def test_a_dry_run_connects_to_nothing(command: Any) -> None:
    result = command(*CAMPAIGN, "--cluster", "tcp://127.0.0.1:1", "--dry-run")
    assert result.returncode == 0 and "4 runs, 0 of them" in result.stdout
    assert "those of one worker: divide them by the number of workers" in result.stdout
    for several in (["--cluster", "slurm", "--workers", "2"], []):
        assert "one worker" not in command(*CAMPAIGN, *several, "--dry-run").stdout


def test_a_batch_system_listens_where_its_section_says_and_never_everywhere() -> None:
    options, arguments = listening("slurm", {})
    assert options["host"] == LOOPBACK and arguments[-2:] == ["--host", LOOPBACK]
    options, arguments = listening("slurm", {"interface": "ib0"})
    assert "host" not in options and "--host" not in arguments, "dask_jobqueue passes the interface on"
    options, arguments = listening("slurm", {"scheduler-options": {"interface": "ib0"}})
    assert "host" not in options and arguments[-2:] == ["--interface", "ib0"]
    _, arguments = listening("slurm", {"scheduler-options": {"host": LOOPBACK}})
    assert arguments[-2:] == ["--host", LOOPBACK]
    for section in (
        {"scheduler-options": {"host": "10.0.0.1"}},
        {"scheduler-options": {"host": "0.0.0.0"}, "interface": "ib0"},
        {"worker-extra-args": ["--host", "0.0.0.0"]},
        {"worker-extra-args": ["--host=0.0.0.0"]},
    ):
        with pytest.raises(RequestError, match="would listen on all networks"):
            listening("slurm", section)
