"""Two revisions of the project, or of a puzzle from elsewhere, interleaved: base new, new base, base new, ...

Both sides are one campaign, recorded in two folders: the same instances (as they are now), the same harness
(this one, which also checks), one core. Each side has its own workers, drivers and models, and base an
environment of its own where it needs other packages; of a puzzle from elsewhere only the models differ.
"""

import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path

from bench import catalogue
from bench.campaign.execute import execute_run, provenance_of
from bench.campaign.machine_json import Facts, open_campaign
from bench.campaign.plan import plan, with_contents
from bench.campaign.recorder import Recorder, recorder_of
from bench.campaign.results import Key, Row, key, lacks_instructions, measurement
from bench.campaign.runner import Progress
from bench.campaign.selection import Request, backends_of
from bench.catalogue import ROOT, Instance
from bench.catalogue.errors import RequestError, shown, this_command
from bench.catalogue.programs import BACKEND, is_program, programs
from bench.cli.console import console
from bench.cli.progress import show_progress
from bench.contract import Backend, Run
from bench.environment import machine
from bench.environment.files import TemporaryFolder
from bench.environment.machine import Machine
from bench.execution.pool import ServerPool, server_pools
from bench.execution.process import HERE, Checkout

_SIDES = ("base", "new")


@dataclass(frozen=True)
class _Base:
    """The commit of a git repository that is compared with its state now.

    `own` has the folders of puzzles from elsewhere and the files of programs that lie in the repository.
    """

    repository: Path
    commit: str
    own: Sequence[Path]

    @property
    def is_project(self) -> bool:
        """Whether it is this project, whose revisions differ in their drivers and packages as well."""
        return self.repository == ROOT

    @property
    def needs_environment(self) -> bool:
        """Whether it may ask for other packages than this project does now."""
        files = ("pyproject.toml", "constraints.txt")
        return machine.git("diff", "--quiet", self.commit, "--", *files, folder=self.repository) is None

    def now(self, here: Machine) -> Machine:
        """The facts of the machine, with the commit of what is compared."""
        if self.is_project:
            return here
        commit = machine.git("rev-parse", "HEAD", folder=self.repository)
        status = machine.git("status", "--porcelain", "--", *map(str, self.own), folder=self.repository)
        return replace(here, commit=commit, dirty=bool(status))


def find_base(revision: str, request: Request, instances: Sequence[Instance]) -> _Base:
    """Finds the revision of what a request measures, in the one repository that holds all of it.

    Raises RequestError if there is no such repository or revision, or a part of what is measured is not in
    the revision: both sides would read the same files.
    """
    homes = catalogue.elsewhere()
    own: dict[str, list[Path]] = {}
    holders: dict[Path, str] = {}
    for name in dict.fromkeys(instance.puzzle_name for instance in instances):
        top: Path | str | None = ROOT
        if name in homes:
            own[name] = [homes[name]]
            top = machine.git("rev-parse", "--show-toplevel", folder=homes[name])
        if not top:
            mend = "commit it to one, so that there is something to compare with"
            raise RequestError(f"{shown(homes[name])}: this folder is in no git repository; {mend}")
        holders[Path(top)] = name
    if len(holders) > 1:
        where = ", ".join(f"{name} is in {shown(path)}" for path, name in holders.items())
        one = "ab compares one repository with an earlier revision of it"
        raise RequestError(f"{one}, and {where}; choose puzzles of one with --puzzle")
    (repository,) = holders
    commit = machine.git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}", folder=repository)
    if not commit:
        place = "" if repository == ROOT else f" in {shown(repository)}"
        known = machine.git("rev-parse", "HEAD", folder=repository)
        hint = "fetch it first, or see `git log`" if known else "this is no checkout with a commit"
        raise RequestError(f"{revision}: git knows no such revision{place}; {hint}")
    counts = f"{commit}:bench/environment/counting.py"
    if request.instructions and repository == ROOT and machine.git("cat-file", "-e", counts) is None:
        raise RequestError(f"{revision}: this revision counts no instructions; leave --instructions out")
    for name in request.named:
        backend, _, program = name.partition(":")
        if backend == BACKEND and program in programs():
            files = [Path(word) for word in programs()[program] if Path(word).is_absolute()]
            own[name] = [file for file in files if file.resolve().is_relative_to(repository)]
    for name, paths in own.items():
        if not paths:
            same = f"no file of this program is in {shown(repository)}, so it is the same on both sides"
            raise RequestError(f"{name}: {same}; measure two versions in one `run`, with --program twice")
        for path in paths:
            inside = path.resolve().relative_to(repository) / ("puzzle.py" if path.is_dir() else "")
            if machine.git("cat-file", "-e", f"{commit}:{inside.as_posix()}", folder=repository) is None:
                lacks = f"{shown(path)}: it is not in revision {revision} of {shown(repository)}"
                raise RequestError(f"{lacks}; compare with one that has it")
    return _Base(repository, commit, [*chain(*own.values())])


@contextmanager
def checked_out(base: _Base, python: Path | None, instances: Sequence[Instance]) -> Iterator[Checkout]:
    """The base in a folder of its own, which is removed afterwards.

    Args:
        python: of an environment for a revision of the project; without it one is made where packages differ.
        instances: which both sides read as they are now.

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
            # The worktree has what lies in the repository: all puzzles from elsewhere, and programs.
            paths = dict.fromkeys([*catalogue.elsewhere().values(), *base.own])
            inside = [path for path in paths if path.resolve().is_relative_to(base.repository)]
            moved = {path: tree / path.resolve().relative_to(base.repository) for path in inside}
            checkout = replace(HERE, moved=_copies(instances, temporary.path) | moved)
            if base.is_project:
                if not python and base.needs_environment:
                    python = make_environment(temporary.path / "environment", tree)
                chosen = python.absolute() if python else checkout.python
                checkout = replace(checkout, root=tree, python=str(chosen))
            yield checkout
        finally:
            shutil.rmtree(tree, ignore_errors=True)
            machine.git("worktree", "prune", folder=base.repository)


def _copies(instances: Sequence[Instance], folder: Path) -> dict[Path, Path]:
    """Copies the instances that lie with puzzles from elsewhere: where they lie, they would be of those."""
    found: dict[Path, Path] = {}
    for path in (each.path.resolve() for each in instances if catalogue.home_of(each.path)):
        found[path] = folder / "files" / str(len(found)) / path.name
        found[path].parent.mkdir(parents=True)
        shutil.copy(path, found[path])
    return found


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
    """Returns what a command prints; raises RequestError with its last line if it fails."""
    words = [str(word) for word in command]
    result = subprocess.run(words, capture_output=True, text=True)
    if result.returncode:
        said = (result.stderr.strip() or result.stdout.strip() or "no reason given").splitlines()[-1]
        raise RequestError(f"`{' '.join(words[:4])} ...` failed: {said}")
    return result.stdout


@dataclass(frozen=True)
class _MeasuredRevision:
    """One of the two sides: what executes its runs, and where they are recorded."""

    servers: ServerPool
    backends: Mapping[str, Backend]
    facts: Facts
    provenance: Mapping[str, str]
    recorder: Recorder
    completed: set[tuple[Key, int]]


def run_interleaved(
    request: Request,
    found: Sequence[Instance],
    base: _Base,
    checkout: Checkout,
    folder: Path,
    pairs: int,
    confirm: int,
) -> list[str]:
    """Executes the pairs of runs that `folder` does not record yet, of the models that both sides have.

    They are recorded in folder/base and folder/new. Each run that looks slower after its `pairs` gets
    `confirm` more. Returns lines: what so few pairs cannot find, and which models only one side has. Raises
    RequestError if the request cannot be carried out, KeyboardInterrupt after all workers are ended; what was
    recorded stays.
    """
    instances = {instance.sha256: instance for instance in found}
    here = base.now(machine.describe())
    with ExitStack() as stack:
        (servers,) = stack.enter_context(server_pools(1))
        others = ServerPool(servers.cores, checkout)
        stack.callback(others.close)
        offers = [pool.offers(backends_of(request)) for pool in (others, servers)]
        for name, backend in offers[0].items():
            # A revision may lack a backend; one that it has must start.
            has = (checkout.root / "bench" / "drivers" / f"{name}.py").is_file()
            if has and backend.missing and not offers[1][name].missing:
                failed = f"its backend {name} does not start: {backend.missing}"
                raise RequestError(f"{base.commit[:12]}: {failed}")
        planned = [plan(request, list(instances.values()), offer) for offer in offers]
        runs, lines = _in_common(planned, offers)
        if not runs:
            raise RequestError("these filters leave nothing that both sides can run; leave one of them out")
        # pandas takes a second to import: not before there is something to run.
        from bench.instruments.regression.significance import too_few

        groups = Counter((run.puzzle, run.backend, run.solver, run.threads) for run in runs)
        if not request.instructions and (line := too_few([*groups.values()], pairs, confirm)):
            print(line, file=sys.stderr)
            lines.insert(0, line)
        asked = {
            **asdict(request), "times": pairs, "confirm": confirm, "pinned": [servers.cores],
            "in_turns_with": base.commit,
        }  # fmt: skip
        code = (
            "from importlib.metadata import *; [print(each.name, each.version) for each in distributions()]"
        )
        listed = sorted(_run_command(checkout.python, "-P", "-c", code).splitlines(), key=str.lower)
        packages = dict(line.split() for line in listed)
        there = replace(here, commit=base.commit, dirty=False, packages=packages)
        # Both are opened, and refused if they are damaged, before a session is recorded in one.
        recorders = [stack.enter_context(recorder_of(folder / name)) for name in _SIDES]
        sides: list[_MeasuredRevision] = []
        for name, pool, offer, where, recorder in zip(
            _SIDES, (others, servers), offers, (there, here), recorders, strict=True
        ):
            like = sides[0].facts if sides else None
            facts = open_campaign(folder / name, where, this_command(), asked, runs, offer, like)
            provenance = provenance_of(where, facts.campaign)
            if not all(_is_of(row, provenance["commit"], offer) for row in recorder.rows):
                message = "it has runs of another commit, or of a model that has changed"
                raise RequestError(f"{folder / name}: {message}; choose another --out")
            done = [row for row in recorder.rows if not (request.instructions and lacks_instructions(row))]
            completed = {(key(row), row.repeat) for row in done}
            sides.append(_MeasuredRevision(pool, offer, facts, provenance, recorder, completed))
        on_progress = stack.enter_context(show_progress(console))
        number, total = 0, 2 * pairs * len(runs)

        def execute(wanted: Sequence[Run], repeats: range) -> None:
            nonlocal number
            for side, run in _interleave(wanted, repeats, sides):
                number += 1
                if (key(run), run.repeat) in side.completed:
                    continue
                side.servers.warm_up(run)
                instance, backend = instances[run.instance_sha256], side.backends[run.backend]
                load_s = servers.reference_load_s()
                executed = execute_run(side.servers, instance, run, side.provenance, backend, load_s)
                side.recorder.append(executed.row)
                if executed.note and executed.note not in lines:
                    lines.append(executed.note)
                on_progress(Progress(executed, number, total))

        execute(runs, range(1, pairs + 1))
        again = _suspected(folder, runs, pairs) if confirm else []
        total += 2 * confirm * len(again)
        execute(again, range(pairs + 1, pairs + confirm + 1))
    return lines


def _is_of(row: Row, commit: str, offer: Mapping[str, Backend]) -> bool:
    """Whether a row was recorded at this commit, with the model as it is now."""
    contents = offer[row.backend].contents if row.backend in offer else {}
    return row.commit == commit and row.model_sha256 == contents.get(row.puzzle, row.model_sha256)


def _interleave(
    runs: Sequence[Run], repeats: range, sides: Sequence[_MeasuredRevision]
) -> Iterator[tuple[_MeasuredRevision, Run]]:
    """Every run, pair by pair, shuffled for each repeat; every other pair begins with new."""
    base, new = sides
    for repeat in repeats:
        order = list(enumerate(runs))
        random.Random(f"{base.facts.order_seed} {repeat}").shuffle(order)
        for number, run in order:
            for side in (base, new) if (number + repeat) % 2 else (new, base):
                yield side, replace(with_contents(run, side.backends[run.backend]), repeat=repeat)


def _suspected(folder: Path, runs: Sequence[Run], pairs: int) -> list[Run]:
    """The runs that by their first pairs look slower in new, or seem to need more instructions."""
    from bench.analysis.tables import MEASUREMENT, read_runs
    from bench.instruments.regression.compare import compare
    from bench.instruments.regression.significance import needing_more, suspects

    base, new = (side[side["repeat"] <= pairs] for side in (read_runs(folder / name) for name in _SIDES))
    compared = compare(base, new, pairs)
    counted, timed = compared.counted, compared.timed
    found = needing_more(counted) if len(counted) else timed.iloc[suspects(timed)]
    chosen = set(found[MEASUREMENT].itertuples(index=False, name=None))
    return [run for run in runs if measurement(run) in chosen]


def _in_common(
    planned: Sequence[Sequence[Run]], offers: Sequence[Mapping[str, Backend]]
) -> tuple[list[Run], list[str]]:
    """The runs that both sides have a model for, and a line for each model that only one side has.

    A model that base has and that does not load in new is run all the same, to be recorded as what it is.
    """
    runs, lines = [], []
    for run in {key(run): run for run in chain(*planned)}.values():
        models = [offer[run.backend].formulations.get(run.puzzle, ()) for offer in offers]
        # A program of a user has no formulation, and neither has a run of a model that does not load.
        program = is_program(run.backend, run.solver)
        has = [bool(names) if program else run.formulation in names for names in models]
        here = offers[1][run.backend]
        if has[0] and (has[1] or here.missing or run.puzzle in here.broken):
            runs.append(run)
        elif any(has):
            side = _SIDES[has.index(True)]
            lines.append(f"{run.puzzle} {run.backend} {run.formulation}: only {side} has this model")
    return runs, list(dict.fromkeys(lines))
