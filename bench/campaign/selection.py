"""What a campaign is asked for, and which instances and backends that names."""

import difflib
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from bench import catalogue
from bench.catalogue import Instance, errors
from bench.catalogue.errors import PuzzleError, RequestError, command_line
from bench.contract import MOST_S, Task


class Solvers(StrEnum):
    """`core`: the default solvers of the core backends. `all`: every solver that is installed.

    `variants`: the default solvers of the core backends, each with its variants.
    """

    CORE = "core"
    ALL = "all"
    VARIANTS = "variants"


ALL = "all"
"""The formulation that means every one, those too that are neither the default nor a published model."""

DEFAULT = "default"
"""The formulation that means the first of each backend, and no published model."""

LEAST_SIZES = 3
"""A family with fewer sizes than this does not show growth."""

SAMPLE = "sample"
"""The family that conclusions on a kind of puzzle are drawn from."""


TIME_LIMIT_S = 60.0
"""The time limit of a run that is not told another."""

TIME_LIMIT_OF_ALL_S = 20.0
"""The same in `run --all`, which is to end within 6 minutes."""

MOST = {
    "seed": 2_000_000_000,
    "seeds": 1_000,
    "times": 10_000,
    "time_limit_s": MOST_S,
    "budget_s": MOST_S,
    "memory_limit_mb": 100_000_000,
}
"""The largest value of a seed, and of these attributes of a Request or of Repeats.

Gurobi takes no larger seeds, other solvers none that are much larger; a larger plan would fill the memory.
"""


@dataclass(frozen=True)
class Request:
    """What to run; an empty filter selects all that `run --all` would, which includes no family.

    Attributes:
        what: puzzles (names or folders) and instances (names or files), to which the filters apply.
        programs: solvers beside those of `backends`, or of the core ones: programs of the user.
        seeds: how many; 1, 2, ...
        threads: how many each run may use; of several numbers each is planned. A solver that cannot use
            several runs with one.
    """

    what: Sequence[str] = ()
    puzzles: Sequence[str] = ()
    families: Sequence[str] = ()
    instances: Sequence[str] = ()
    backends: Sequence[str] = ()
    programs: Sequence[str] = ()
    solvers: Solvers = Solvers.CORE
    formulations: Sequence[str] = ()
    tasks: Sequence[Task] = tuple(Task)
    seeds: int = 1
    time_limit_s: float = TIME_LIMIT_S
    memory_limit_mb: int = 4096
    threads: Sequence[int] = (1,)

    @property
    def cores(self) -> int:
        """How many cores a run may need: those of the most threads."""
        return max(self.threads)

    @property
    def named(self) -> Sequence[str]:
        """The backends and solvers that it names."""
        return [*self.backends, *self.programs]


def find_instances(request: Request) -> list[Instance]:
    """The instances of a request, without those of puzzles that cannot be loaded and are not named.

    Raises:
        RequestError: for a name that does not exist, or filters that leave nothing.
        PuzzleError: for a mistake in the files of a puzzle that the request names.
    """
    instances, broken = _read_instances(request)
    if not instances:
        if broken:
            raise broken[0]
        found = [_find_what(text) for text in request.what]
        named = list(map(catalogue.find_puzzle, request.puzzles))
        puzzles = [one for one in found if isinstance(one, str)] or named
        empty = [puzzle for puzzle in puzzles if not catalogue.instance_paths(puzzle)]
        if empty and not (request.instances or request.families):
            folder = errors.shown(catalogue.instances_folder(empty[0]))
            raise RequestError(f"{empty[0]} has no instance yet; put a TOML file into {folder}/")
        raise RequestError("none of these instances belongs to these puzzles; leave one of the filters out")
    names = Counter((instance.puzzle_name, instance.name) for instance in instances)
    for (_, name), several in names.items():
        if several > 1:
            raise RequestError(f"{name}: two instances have this name; rename one of the files")
    return instances


def broken_puzzles(request: Request) -> list[PuzzleError]:
    """The first mistake of each puzzle that is left out because it cannot be loaded and is not named."""
    return list({error.puzzle: error for error in reversed(_read_instances(request)[1])}.values())


def _read_instances(request: Request) -> tuple[list[Instance], list[PuzzleError]]:
    """The instances of a request, and the mistakes in files of puzzles that it does not name."""
    puzzles = [catalogue.find_puzzle(name) for name in request.puzzles]
    found = [_find_what(text) for text in request.what]
    whole = [one for one in found if isinstance(one, str)]
    read = [catalogue.load(one) for one in found if isinstance(one, Path)]
    scope = [*whole, *(instance.puzzle_name for instance in read)] or puzzles or catalogue.puzzle_names()
    read += [catalogue.load(catalogue.find_instance(name)) for name in request.instances]
    paths = [path for family in request.families for path in find_family(family, dict.fromkeys(scope))]
    if not (request.instances or request.families):
        real = whole if request.what else puzzles or catalogue.puzzle_names()
        paths = [path for puzzle in real for path in catalogue.instance_paths(puzzle).values()]
    broken = []
    for path in paths:
        try:
            read.append(catalogue.load(path))
        except PuzzleError as error:
            if request.what or puzzles:
                raise
            broken.append(error)
    if puzzles:
        read = [instance for instance in read if instance.puzzle_name in puzzles]
    if request.what:
        read = [instance for instance in read if instance.puzzle_name in scope]
    return list({instance.path: instance for instance in read}.values()), broken


def _find_what(text: str) -> str | Path:
    """The name of the puzzle, or the file of the instance, that a word of the command line means.

    Raises:
        RequestError: if there is neither.
    """
    if text in catalogue.puzzle_names():
        return text
    if text.endswith(".toml") or catalogue.instances_called(text):
        return catalogue.find_instance(text)
    if Path(text).is_file():
        raise RequestError(f"{text}: this is no instance: its name does not end in .toml")
    if (text and Path(text).is_dir()) or text.startswith((".", os.sep)):
        return catalogue.find_puzzle(text)
    names = {key.split("/")[1] for key in catalogue.all_instances()}
    raise RequestError(catalogue.unknown("puzzle or instance", text, {*catalogue.puzzle_names(), *names}))


def find_one(text: str) -> Path:
    """The file of the one instance that a word means: of a puzzle, its only one.

    Raises:
        RequestError: if there is none, or if it is a puzzle with several.
    """
    if "/" not in text and catalogue.instances_called(text):
        return catalogue.find_instance(text)
    found = _find_what(text)
    if isinstance(found, Path):
        return found
    paths = list(catalogue.instance_paths(found).values())
    if len(paths) == 1:
        return paths[0]
    names = ", ".join(path.stem for path in paths[: catalogue.MOST_NAMES])
    more = ", ..." if len(paths) > catalogue.MOST_NAMES else ""
    raise RequestError(f"{text} is a puzzle, and one instance is wanted; it has {names or 'none'}{more}")


def find_family(family: str, puzzles: Iterable[str]) -> list[Path]:
    """The instances of a family of these puzzles.

    Raises:
        RequestError: if none of them has a family of that name.
    """
    families = {puzzle: catalogue.families(puzzle) for puzzle in puzzles}
    known = {name for having in families.values() for name in having}
    if known and family not in known:
        raise RequestError(catalogue.unknown("family", family, known))
    if not known:
        puzzle = next(iter(families))
        folder = errors.shown(catalogue.instances_folder(puzzle) / f"family-{family}")
        some = f"instances of at least {LEAST_SIZES} sizes"
        raise RequestError(f"{puzzle} has no family {family!r}; put {some} into {folder}/*.toml")
    return [path for having in families.values() for path in having.get(family, {}).values()]


def backends_of(request: Request) -> list[str]:
    """The backends that the request names; if it names none, the core ones or all.

    Raises:
        RequestError: for a backend that does not exist.
    """
    known = catalogue.backend_names()
    for name in request.backends:
        if name.partition(":")[0] not in known:
            raise RequestError(_no_backend(name.partition(":")[0], known))
    default = [name for name in known if request.solvers == Solvers.ALL or catalogue.is_core(name)]
    wanted = [*(request.backends or default), *request.programs]
    return list(dict.fromkeys(name.partition(":")[0] for name in wanted))


def _solvers_by_name(variants: bool = False) -> dict[str, list[str]]:
    """The ways to write each backend or solver, by its name (`highs`: `milp:highs`); or each variant.

    Core backends come first. A solver that has the name of its backend is written as that (`cpsat`).
    """
    known = catalogue.backend_names()
    by_name = {} if variants else {backend: [backend] for backend in known}
    for backend in sorted(known, key=lambda backend: (not catalogue.is_core(backend), backend)):
        for name in catalogue.solver_names(backend, variants):
            if name != backend:
                by_name.setdefault(name, []).append(f"{backend}:{name}")
    return by_name


def _no_backend(name: str, known: Iterable[str]) -> str:
    """Says in a line that there is no such backend; solvers are written with theirs, as in milp:highs."""
    # There are many variants, one of which resembles most words.
    for variants, likeness in ((False, 0.6), (True, 0.8)):
        by_name = _solvers_by_name(variants)
        if close := difflib.get_close_matches(name.lower(), by_name, n=1, cutoff=likeness):
            return f"unknown backend {name!r}; did you mean {' or '.join(by_name[close[0]])}?"
    return f"{catalogue.unknown('backend', name, known)} (`{command_line('list')}` shows their solvers)"
