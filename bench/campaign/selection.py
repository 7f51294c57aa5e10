"""What a campaign is asked for, and which instances and backends that names."""

import difflib
import hashlib
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, zip_longest
from pathlib import Path

from bench import catalogue
from bench.campaign.collections import read_collection
from bench.catalogue import Instance, errors
from bench.catalogue.errors import PuzzleError, RequestError, command_line
from bench.contract import MOST_S, Task


class Solvers(StrEnum):
    """Which solvers of the backends of a request run."""

    CORE = "core"  # The default ones; of the core backends, if none is named.
    ALL = "all"  # All that are installed.
    VARIANTS = "variants"  # The default ones, each with its variants.


ALL = "all"
"""In place of a formulation: every one."""

DEFAULT = "default"
"""In place of a formulation: the first of each backend alone."""

TEXTBOOK = "textbook"
"""The formulation that a modeller writes first, straight from the rules: each puzzle has it, by which integer
and constraint programming are compared."""

LEAST_SIZES = 3
"""A family with fewer sizes does not show growth."""

SAMPLES = {
    "proven": "exactly one, as proved",
    "planted": "one or more",
    "infeasible": "none, as proved",
}
"""The families that conclusions on a kind of puzzle are drawn from, and how many solutions there are."""

TIME_LIMIT_S = 60.0
"""The default time limit of a run."""

TIME_LIMIT_OF_ALL_S = 0.5
"""That in `run --all`, which is to end within minutes."""

TIME_LIMIT_OF_SAMPLE_S = 10.0
"""That in `run --sample`."""

MOST = {
    "seed": 2_000_000_000,  # Of Gurobi; that of other solvers is not much larger.
    "seeds": 1_000,
    "at_most": 1_000_000,
    "times": 10_000,
    "time_limit_s": MOST_S,
    "budget_s": MOST_S,
    "memory_limit_mb": 100_000_000,
}
"""The largest value of a seed, and of these attributes of Request and Repeats: the plan is held in memory."""


@dataclass(frozen=True)
class Request:
    """What to run; an empty filter selects all that `run --all` would, which includes no family.

    Attributes:
        what: puzzles (names or folders) and instances (names or files), to which the filters apply.
        collections: whose instances are meant instead, as docs/collections.md says.
        at_most: how many of these: as many of each puzzle and order of size as there can be; None for all.
        programs: the user's, beside `backends` or the core ones.
        seeds: how many; 1, 2, ...
        threads: how many each run may use; several numbers are compared. Some solvers can use only one.
        releases: of packages, as `ortools==9.12.4544`, each in an environment of its own; several are
            compared. Solvers that need none of these packages run as they are installed.
        instructions: whether they are counted in the first MOST_COUNTED repeats.
    """

    what: Sequence[str] = ()
    puzzles: Sequence[str] = ()
    families: Sequence[str] = ()
    instances: Sequence[str] = ()
    collections: Sequence[str] = ()
    at_most: int | None = None
    backends: Sequence[str] = ()
    programs: Sequence[str] = ()
    solvers: Solvers = Solvers.CORE
    formulations: Sequence[str] = ()
    tasks: Sequence[Task] = tuple(Task)
    seeds: int = 1
    time_limit_s: float = TIME_LIMIT_S
    memory_limit_mb: int = 4096
    threads: Sequence[int] = (1,)
    releases: Sequence[str] = ()
    instructions: bool = False

    @property
    def cores(self) -> int:
        """How many cores a run may need."""
        return max(self.threads)

    @property
    def named(self) -> Sequence[str]:
        """The backends and solvers that it names."""
        return [*self.backends, *self.programs]


def find_instances(request: Request) -> list[Instance]:
    """The instances of a request, without those of puzzles that cannot be loaded and are not named.

    Raises RequestError for a name that does not exist, or filters that leave nothing; PuzzleError for a
    mistake in the files of a puzzle that the request names.
    """
    instances, broken = _read_instances(request)
    if broken and not instances:
        raise broken[0]
    if not instances:
        raise RequestError("none of these instances belongs to these puzzles; leave one of the filters out")
    names = Counter((instance.puzzle_name, instance.name) for instance in instances)
    if several := [name for (_, name), number in names.items() if number > 1]:
        of = [c for c in request.collections if several[0] in {o.name for o in read_collection(c).instances}]
        where = f"it is in {' and in '.join(of)}; run them as two campaigns"
        two = "two instances have this name; rename one of the files"
        raise RequestError(f"{several[0]}: {where if of else two}")
    return instances


def broken_puzzles(request: Request) -> list[PuzzleError]:
    """The first mistake of each puzzle that is left out because it cannot be loaded and is not named."""
    return list({error.puzzle: error for error in reversed(_read_instances(request)[1])}.values())


def _read_instances(request: Request) -> tuple[list[Instance], list[PuzzleError]]:
    """The instances of a request, and the mistakes in files of puzzles that it does not name."""
    puzzles = [catalogue.find_puzzle(name) for name in request.puzzles]
    if request.collections:
        return _of_collections(request, puzzles), []
    found = [_find_what(text) for text in request.what]
    whole = [one for one in found if isinstance(one, str)]
    read = [catalogue.load(one) for one in found if isinstance(one, Path)]
    scope = [*whole, *(instance.puzzle_name for instance in read)] or puzzles or catalogue.puzzle_names()
    read += [catalogue.load(catalogue.find_instance(name)) for name in request.instances]
    paths = [path for family in request.families for path in find_family(family, dict.fromkeys(scope))]
    if not (request.instances or request.families):
        real = whole if request.what else scope
        paths = [path for puzzle in real for path in catalogue.instance_paths(puzzle).values()]
        if not (paths or read):
            folder = errors.shown(catalogue.instances_folder(real[0]))
            raise RequestError(f"{real[0]} has no instance yet; put a TOML file into {folder}/")
    named, broken = request.what or puzzles, []
    for path in paths:
        try:
            read.append(catalogue.load(path))
        except PuzzleError as error:
            if named:
                raise
            broken.append(error)
    wanted = {*scope} & {*(puzzles or scope)}
    kept = {one.path: one for one in read if one.puzzle_name in wanted or not named}
    return [*kept.values()], broken


def _of_collections(request: Request, puzzles: Sequence[str]) -> list[Instance]:
    """The instances of the collections of a request.

    Raises RequestError for a collection without instances, or a name that none of them has.
    """
    found: dict[Path, Instance] = {}
    for name in request.collections:
        each = read_collection(name)
        if not each.instances:
            kinds = ", ".join(sorted(each.unknown))
            why = f"no puzzle here reads {kinds}" if kinds else "it has no instance"
            raise RequestError(each.left_out[0] if each.left_out else f"--collection {name}: {why}")
        found |= {one.path: one for one in each.instances}
    meant = [(one, {one.puzzle_name, one.name, f"{one.puzzle_name}/{one.name}"}) for one in found.values()]
    wanted = {*request.what, *request.instances}
    if unknown := sorted(wanted.difference(*(names for _, names in meant))):
        known = {name for one in found.values() for name in (one.puzzle_name, one.name)}
        raise RequestError(catalogue.unknown("puzzle or instance of the collection", unknown[0], known))
    chosen = [one for one, names in meant if names & wanted or not wanted]
    return _drawn([one for one in chosen if one.puzzle_name in puzzles or not puzzles], request.at_most)


def _drawn(instances: Iterable[Instance], number: int | None) -> list[Instance]:
    """So many of the instances, evenly of each puzzle and order of size; the same ones each time."""
    strata: dict[tuple[str, int], list[Instance]] = defaultdict(list)
    for one in sorted(instances, key=lambda one: hashlib.sha256(one.name.encode()).digest()):
        strata[one.puzzle_name, one.puzzle.size.bit_length()].append(one)
    return [one for one in chain.from_iterable(zip_longest(*strata.values())) if one][:number]


def _find_what(text: str) -> str | Path:
    """The name of the puzzle, or the file of the instance, that a word means; raises RequestError."""
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
    """The file of the instance that a word means, or of a puzzle's only one; raises RequestError."""
    if "/" not in text and catalogue.instances_called(text):
        return catalogue.find_instance(text)
    found = _find_what(text)
    if isinstance(found, Path):
        return found
    paths = list(catalogue.instance_paths(found).values())
    if len(paths) == 1:
        return paths[0]
    there = errors.meant("", [path.stem for path in paths])
    raise RequestError(f"{text} is a puzzle, and one instance is wanted; {there}")


def find_family(family: str, puzzles: Iterable[str]) -> list[Path]:
    """The instances of a family of these puzzles; raises RequestError if none of them has one."""
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
    """The backends of a request, by default the core ones; raises RequestError for unknown ones."""
    known = catalogue.backend_names()
    every = request.solvers == Solvers.ALL or request.releases
    default = [name for name in known if every or catalogue.is_core(name)]
    wanted = [*(request.backends or default), *request.programs]
    names = list(dict.fromkeys(name.partition(":")[0] for name in wanted))
    unknown = next((name for name in names if name not in known), None)
    if unknown is None:
        return names
    # It may be a solver, which is written with its backend. Variants are many: one resembles most words.
    for variants, likeness in ((False, 0.6), (True, 0.8)):
        by_name = {backend: [backend] for backend in known}
        for backend in sorted(known, key=lambda name: not catalogue.is_core(name)):
            for solver in catalogue.solver_names(backend, variants):
                if solver != backend:
                    by_name.setdefault(solver, []).append(f"{backend}:{solver}")
        if close := difflib.get_close_matches(unknown.lower(), by_name, n=1, cutoff=likeness):
            meant = " or ".join(by_name[close[0]])
            raise RequestError(f"unknown backend {unknown!r}; did you mean {meant}?")
    shown = f"`{command_line('list')}` shows their solvers"
    raise RequestError(f"{catalogue.unknown('backend', unknown, known)} ({shown})")
