"""Another revision of the project, in a folder and an environment of its own."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from bench.catalogue import ROOT
from bench.catalogue.errors import RequestError
from bench.environment import machine
from bench.environment.files import TemporaryFolder
from bench.execution.process import Checkout


@contextmanager
def checked_out(revision: str, python: Path | None) -> Iterator[tuple[Checkout, str]]:
    """Another revision of the project in a folder of its own, which is removed afterwards, and its commit.

    Args:
        revision: anything that git understands.
        python: the Python of an environment that has what the revision needs; without it one is made.

    Raises:
        RequestError: if there is no such revision, or its environment cannot be made.
    """
    commit = machine.git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    if not commit:
        here = machine.git("rev-parse", "HEAD")
        hint = "fetch it first, or see `git log`" if here else "this is no checkout"
        raise RequestError(f"{revision}: git knows no such revision; {hint}")
    with closing(TemporaryFolder()) as folder:
        project = folder.path / "project"
        try:
            run_command("git", "-C", ROOT, "worktree", "add", "--detach", project, commit)
            python = python or make_environment(folder.path / "environment", project)
            yield Checkout(project, str(python.absolute())), commit
        finally:
            shutil.rmtree(project, ignore_errors=True)
            machine.git("worktree", "prune")


def make_environment(folder: Path, project: Path) -> Path:
    """An environment with what a revision of the project asks for; gives its Python."""
    # -P: whatever lies in the folder that this is called from is not imported.
    run_command(sys.executable, "-P", "-m", "venv", folder)
    python = folder / "bin" / "python"
    install = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-e", project)
    pins = project / "constraints.txt"
    run_command(python, "-P", *install, *(("-c", pins) if pins.exists() else ()))
    return python


def run_command(*command: object) -> str:
    """Runs a command and returns what it prints.

    Raises:
        RequestError: if it fails, with the last line that it printed.
    """
    words = [str(word) for word in command]
    result = subprocess.run(words, capture_output=True, text=True)
    if result.returncode:
        said = (result.stderr.strip() or result.stdout.strip() or "no reason given").splitlines()[-1]
        raise RequestError(f"`{' '.join(words[:4])} ...` failed: {said}")
    return result.stdout


LIST_PACKAGES = """
import json
from importlib.metadata import distributions
print(json.dumps({found.metadata["Name"]: found.version for found in distributions()}))
"""


def packages_of(checkout: Checkout) -> dict[str, str]:
    """The packages in the environment of a checkout, and their versions."""
    found: dict[str, str] = json.loads(run_command(checkout.python, "-P", "-c", LIST_PACKAGES))
    return dict(sorted(found.items(), key=lambda package: package[0].lower()))
