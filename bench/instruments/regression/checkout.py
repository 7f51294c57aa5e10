"""The base of `ab`: a revision of what is measured, in a folder of its own, and if need be an environment."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from bench import catalogue
from bench.campaign.selection import Request
from bench.catalogue import ROOT, Instance
from bench.catalogue.errors import RequestError, shown
from bench.catalogue.programs import BACKEND, programs
from bench.environment import machine
from bench.environment.files import TemporaryFolder
from bench.environment.machine import Machine
from bench.execution.process import HERE, Checkout


@dataclass(frozen=True)
class Base:
    """What is compared with its state now.

    Attributes:
        repository: the folder of the git repository: this project's, or that of a puzzle from elsewhere.
        commit: of the repository.
        own: the folders of puzzles from elsewhere and the files of programs that lie in it.
    """

    repository: Path
    commit: str
    own: Sequence[Path]

    @property
    def is_project(self) -> bool:
        """Whether it is this project, whose revisions differ in their drivers and packages as well."""
        return self.repository == ROOT

    def now(self, here: Machine) -> Machine:
        """The facts of the machine, with the commit of what is compared."""
        if self.is_project:
            return here
        commit = machine.git("rev-parse", "HEAD", folder=self.repository)
        status = machine.git("status", "--porcelain", "--", *map(str, self.own), folder=self.repository)
        return replace(here, commit=commit, dirty=bool(status))


def find_base(revision: str, request: Request, instances: Sequence[Instance]) -> Base:
    """Finds the revision of what a request measures, in the one repository that holds all of it.

    Raises:
        RequestError: if there is no such repository or revision, or a part of it is not in the revision: both
            sides would read the same files.
    """
    homes = catalogue.elsewhere()
    puzzles = list(dict.fromkeys(instance.puzzle_name for instance in instances))
    holders = {_repository_of(homes[name]) if name in homes else ROOT: name for name in puzzles}
    if len(holders) > 1:
        where = ", ".join(f"{name} is in {shown(path)}" for path, name in holders.items())
        one = "ab compares one repository with an earlier revision of it"
        raise RequestError(f"{one}, and {where}; choose puzzles of one with --puzzle")
    (repository,) = holders
    commit = machine.git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}", folder=repository)
    if not commit:
        place = "" if repository == ROOT else f" in {shown(repository)}"
        known = machine.git("rev-parse", "HEAD", folder=repository)
        none = "this is no checkout" if repository == ROOT else "there is no commit yet"
        hint = "fetch it first, or see `git log`" if known else none
        raise RequestError(f"{revision}: git knows no such revision{place}; {hint}")
    own = [homes[name] for name in puzzles if name in homes]
    own += [file for name in request.named for file in _files_of(name, repository)]
    for path in own:
        inside = path.resolve().relative_to(repository) / ("puzzle.py" if path.is_dir() else "")
        if machine.git("cat-file", "-e", f"{commit}:{inside.as_posix()}", folder=repository) is None:
            lacks = f"{shown(path)}: it is not in revision {revision} of {shown(repository)}"
            raise RequestError(f"{lacks}; compare with one that has it")
    return Base(repository, commit, own)


def _repository_of(folder: Path) -> Path:
    """The git repository that a folder lies in.

    Raises:
        RequestError: if there is none.
    """
    top = machine.git("rev-parse", "--show-toplevel", folder=folder)
    if not top:
        mend = "commit it to one, so that there is something to compare with"
        raise RequestError(f"{shown(folder)}: this folder is in no git repository; {mend}")
    return Path(top)


def _files_of(name: str, repository: Path) -> list[Path]:
    """The files in a repository that the command of a user's program names; none for any other solver.

    Raises:
        RequestError: if a program has none: both sides would execute the same.
    """
    backend, _, solver = name.partition(":")
    words = programs().get(solver) if backend == BACKEND else None
    if words is None:
        return []
    files = [Path(word) for word in words if Path(word).is_absolute()]
    found = [file for file in files if file.resolve().is_relative_to(repository)]
    if not found:
        same = f"no file of this program is in {shown(repository)}, so it is the same on both sides"
        raise RequestError(f"{name}: {same}; measure two versions in one `run`, with --program twice")
    return found


@contextmanager
def checked_out(base: Base, python: Path | None, instances: Sequence[Instance]) -> Iterator[Checkout]:
    """The base in a folder of its own, which is removed afterwards.

    Args:
        python: the Python of an environment that has what a revision of the project needs; without it one is
            made.
        instances: which it reads as they are now, like the other side.

    Raises:
        RequestError: if it cannot be checked out, or its environment cannot be made.
    """
    with closing(TemporaryFolder()) as temporary:
        # A puzzle has the name of its folder, which may be that of the repository.
        tree = temporary.path / "tree" / base.repository.name
        try:
            # Hooks are for the user's own checkouts.
            command = ("git", "-C", base.repository, "-c", "core.hooksPath=/dev/null", "worktree", "add")
            _run_command(*command, "--detach", tree, base.commit)
            checkout = replace(HERE, moved={**copies(instances, temporary.path), **moved(base, tree)})
            if base.is_project:
                python = python or make_environment(temporary.path / "environment", tree)
                checkout = replace(checkout, root=tree, python=str(python.absolute()))
            yield checkout
        finally:
            shutil.rmtree(tree, ignore_errors=True)
            machine.git("worktree", "prune", folder=base.repository)


def copies(instances: Sequence[Instance], folder: Path) -> dict[Path, Path]:
    """Copies the instances that lie with puzzles from elsewhere: where they lie, they would be of those."""
    found: dict[Path, Path] = {}
    for path in (each.path.resolve() for each in instances if catalogue.home_of(each.path)):
        found[path] = folder / "files" / str(len(found)) / path.name
        found[path].parent.mkdir(parents=True)
        shutil.copy(path, found[path])
    return found


def moved(base: Base, tree: Path) -> dict[Path, Path]:
    """Where the worktree has what lies in the repository: all puzzles from elsewhere, and programs."""
    paths = dict.fromkeys([*catalogue.elsewhere().values(), *base.own])
    inside = {path: path.resolve() for path in paths if path.resolve().is_relative_to(base.repository)}
    return {path: tree / real.relative_to(base.repository) for path, real in inside.items()}


def make_environment(folder: Path, project: Path) -> Path:
    """An environment with what a revision of the project asks for; gives its Python."""
    # -P: whatever lies in the folder that this is called from is not imported.
    _run_command(sys.executable, "-P", "-m", "venv", folder)
    python = folder / "bin" / "python"
    install = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-e", project)
    pins = project / "constraints.txt"
    _run_command(python, "-P", *install, *(("-c", pins) if pins.exists() else ()))
    return python


def _run_command(*command: object) -> str:
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


_LIST_PACKAGES = """
import json
from importlib.metadata import distributions
print(json.dumps({found.metadata["Name"]: found.version for found in distributions()}))
"""


def packages_of(checkout: Checkout) -> dict[str, str]:
    """The packages in the environment of a checkout, and their versions."""
    found: dict[str, str] = json.loads(_run_command(checkout.python, "-P", "-c", _LIST_PACKAGES))
    return dict(sorted(found.items(), key=lambda package: package[0].lower()))
