"""Which runs a request asks for, how often each is repeated, and in which order."""

import difflib
import os
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import count
from pathlib import Path
from typing import Any

from bench import blame, catalogue
from bench.catalogue import Instance, PuzzleError, RequestError
from bench.contract import Task
from bench.invoked import command_line
from bench.record import CONTENTS, MEASUREMENT, contents
from bench.run import Run
from bench.verdict import DONE
from bench.workers import Backend

PRECISION = 0.05
"""Repeats without a number go on until the interval of the median lies within this share of it."""

SMALLEST_SAMPLE = 6
"""With fewer runs there is no interval for the median at 95%."""


@dataclass(frozen=True)
class Repeats:
    """How often each run is repeated: `times` times; if that is None, until its time is known precisely.

    `budget_s` is how many seconds one run and its repeats may then take in all.
    """

    times: int | None = 1
    budget_s: float = 60.0


class Solvers(StrEnum):
    """`core`: the default solvers of the core backends. `all`: every solver that is installed."""

    CORE = "core"
    ALL = "all"


class Redo(StrEnum):
    """Which of the recorded runs are run again when a campaign is resumed.

    STALE: those that depended on another instance, model or solver release, and those that failed.
    KEEP: none. FAILED: those that are stale or not solved, timeouts too. ALL: all.
    """

    STALE = "stale"
    KEEP = "keep"
    FAILED = "failed"
    ALL = "all"


ALL = "all"
"""The formulation that means every one, those too that are neither the default nor a published model."""


@dataclass(frozen=True)
class Request:
    """What to run; an empty filter takes everything that `run --all` would, which is no family.

    Attributes:
        what: puzzles (names or folders) and instances (names or files); everything else filters these.
        threads: how many each run may use; a solver that knows only one is run with one.
    """

    what: Sequence[str] = ()
    puzzles: Sequence[str] = ()
    families: Sequence[str] = ()
    instances: Sequence[str] = ()
    backends: Sequence[str] = ()
    solvers: Solvers = Solvers.CORE
    formulations: Sequence[str] = ()
    tasks: Sequence[Task] = tuple(Task)
    seeds: int = 1
    time_limit_s: float = 60.0
    memory_limit_mb: int = 4096
    threads: int = 1


def find_instances(request: Request) -> list[Instance]:
    """The instances that the filters leave, without those of puzzles that do not load and are not named.

    Raises:
        RequestError: for a name that does not exist, or filters that leave nothing.
        PuzzleError: for a mistake in the files of a puzzle that the request names.
    """
    instances, broken = read_instances(request)
    if not instances:
        raise broken[0] if broken else RequestError(nothing_left(request))
    for name, several in Counter((instance.puzzle_name, instance.name) for instance in instances).items():
        if several > 1:
            raise RequestError(f"{name[1]}: two instances have this name; rename one of the files")
    return instances


def broken_puzzles(request: Request) -> list[PuzzleError]:
    """The mistakes for which puzzles that the request includes without naming them are left out, one each."""
    return list({error.puzzle: error for error in reversed(read_instances(request)[1])}.values())


def read_instances(request: Request) -> tuple[list[Instance], list[PuzzleError]]:
    """The instances that the filters leave, and for what is left out of puzzles that are not named, why."""
    puzzles = [catalogue.find_puzzle(name) for name in request.puzzles]
    found = [find_what(text) for text in request.what]
    whole = [one for one in found if isinstance(one, str)]
    files = [one for one in found if isinstance(one, Path)]
    read = [catalogue.load(path) for path in files]
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
    left = [
        instance
        for instance in {instance.path: instance for instance in read}.values()
        if (not puzzles or instance.puzzle_name in puzzles)
        and (not request.what or instance.puzzle_name in scope)
    ]
    return left, broken


def nothing_left(request: Request) -> str:
    """The line that says why no instance is left."""
    found = [find_what(text) for text in request.what]
    named = list(map(catalogue.find_puzzle, request.puzzles))
    puzzles = [one for one in found if isinstance(one, str)] or named
    empty = [puzzle for puzzle in puzzles if not catalogue.instance_paths(puzzle)]
    if empty and not (request.instances or request.families):
        folder = blame.shown(catalogue.instances_folder(empty[0]))
        return f"{empty[0]} has no instance yet; put a TOML file into {folder}/"
    return "none of these instances belongs to these puzzles; leave one of the filters out"


def find_what(text: str) -> str | Path:
    """The name of the puzzle, or the file of the instance, that a word of the command line means.

    Raises:
        RequestError: if there is neither.
    """
    if text in catalogue.puzzle_names():
        return text
    known = catalogue.all_instances()
    names = {key.split("/")[1] for key in known}
    if text.endswith(".toml") or text in known or text in names:
        return catalogue.find_instance(text)
    if Path(text).is_dir():
        return catalogue.find_puzzle(text)
    if text.startswith((".", os.sep)):
        raise RequestError(f"{text}: there is no such folder")
    raise RequestError(catalogue.unknown("puzzle or instance", text, {*catalogue.puzzle_names(), *names}))


def find_one(text: str) -> Path:
    """The file of the one instance that a word means: of a puzzle, its only one.

    Raises:
        RequestError: if there is none, or if it is a puzzle with several.
    """
    if text in {key.split("/")[1] for key in catalogue.all_instances()}:
        return catalogue.find_instance(text)
    found = find_what(text)
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
    if not any(family in having for having in families.values()):
        known = {name for having in families.values() for name in having}
        raise RequestError(
            catalogue.unknown("family", family, known) if known else no_family(puzzles, family)
        )
    return [path for having in families.values() for path in having.get(family, {}).values()]


def no_family(puzzles: Iterable[str], family: str) -> str:
    """The line that says where the instances of a family go."""
    puzzle = next(iter(puzzles))
    folder = blame.shown(catalogue.instances_folder(puzzle) / f"family-{family}")
    some = f"instances of at least {LEAST_SIZES} sizes"
    return f"{puzzle} has no family {family!r}; put {some} into {folder}/*.toml"


def backends_of(request: Request) -> list[str]:
    """The backends that the request names; if it names none, the core ones or all.

    Raises:
        RequestError: for a backend that does not exist.
    """
    known = catalogue.backend_names()
    wanted = list(dict.fromkeys(name.partition(":")[0] for name in request.backends))
    for name in wanted:
        if name not in known:
            raise RequestError(no_backend(name, known))
    return wanted or [name for name in known if request.solvers == Solvers.ALL or catalogue.is_core(name)]


def backends_by_name() -> dict[str, list[str]]:
    """The backends by name, and by the name of each solver the ways to write it, the core backends first."""
    known = catalogue.backend_names()
    by_name = {backend: [backend] for backend in known}
    for backend in sorted(known, key=lambda backend: (not catalogue.is_core(backend), backend)):
        for solver in catalogue.solver_names(backend):
            by_name.setdefault(solver, []).append(f"{backend}:{solver}")
    return by_name


def no_backend(name: str, known: Iterable[str]) -> str:
    """The line that refuses a backend; a solver is written with its backend, as in milp:highs."""
    by_name = backends_by_name()
    close = difflib.get_close_matches(name.lower(), by_name, n=1, cutoff=0.6)
    if close:
        return f"unknown backend {name!r}; did you mean {' or '.join(by_name[close[0]])}?"
    return f"{catalogue.unknown('backend', name, known)} (`{command_line('list')}` shows their solvers)"


def plan(request: Request, instances: Sequence[Instance], backends: Mapping[str, Backend]) -> list[Run]:
    """The runs of a request, each once: its first repeat.

    Raises:
        RequestError: for a name that does not exist, or filters that leave nothing.
    """
    wanted = list(chosen(request, backends))
    check_formulations(request.formulations, instances, wanted, backends)
    rules = {name: catalogue.rules_sha256(name) for name in {instance.puzzle_name for instance in instances}}
    runs = (
        Run(
            puzzle=instance.puzzle_name,
            instance=instance.name,
            path=str(instance.path.resolve()),
            instance_sha256=instance.sha256,
            backend=backend.name,
            solver=solver,
            formulation=formulation,
            task=task,
            seed=seed,
            repeat=1,
            threads=request.threads if backend.several_threads(solver) else 1,
            time_limit_s=request.time_limit_s,
            memory_limit_mb=request.memory_limit_mb,
            rules_sha256=rules[instance.puzzle_name],
        )
        for instance in instances
        for backend, solver in (find_solver(name, backends) for name in wanted)
        for formulation in choose(request.formulations, instance.puzzle_name, backend)
        for seed in range(1, request.seeds + 1)
        for task in request.tasks
    )
    return list(dict.fromkeys(depending(run, backends[run.backend]) for run in runs))


def measured_by(run: Run) -> tuple[str, ...]:
    """The measurement that a run belongs to."""
    return tuple(getattr(run, column) for column in MEASUREMENT)


def refuse_other_threads(folder: Path, rows: Iterable[Mapping[str, str]], runs: Iterable[Run]) -> None:
    """Keeps runs with different numbers of threads apart, as tables would take them for repeats.

    Args:
        folder: the campaign's.
        rows: all that it records.
        runs: what is asked for now.

    Raises:
        RequestError: if one of these measurements is recorded with another number.
    """
    recorded = {tuple(row[column] for column in MEASUREMENT): row["threads"] for row in rows}
    for run in runs:
        threads = recorded.get(measured_by(run))
        if threads not in (None, str(run.threads)):
            there = f"{run.label} is recorded there with --threads {threads}"
            raise RequestError(f"{folder}: {there}; choose another --out for --threads {run.threads}")


def depending(run: Run, backend: Backend) -> Run:
    """The run with the contents that it depends on, as its backend has them; empty where it does not say."""
    offered = backend.solvers.get(run.solver)
    version = (offered.version if offered else None) or ""
    return replace(run, model_sha256=backend.contents.get(run.puzzle, ""), solver_version=version)


def chosen(request: Request, backends: Mapping[str, Backend]) -> Iterator[str]:
    """The backends that are named, else the core ones or all; for all solvers each with its solver's name."""
    everything = request.solvers == Solvers.ALL
    core = [name for name in backends if catalogue.is_core(name)]
    there = [name for name, b in backends.items() if not b.missing]
    for name in request.backends or dict.fromkeys([*core, *(there if everything else ())]):
        if everything and name in there:
            solvers = backends[name].solvers
            yield from (f"{name}:{solver}" for solver in solvers if not solvers[solver].missing)
        else:
            yield name


def find_solver(name: str, backends: Mapping[str, Backend]) -> tuple[Backend, str]:
    """The backend and the solver that `backend` or `backend:solver` means.

    Raises:
        RequestError: if there is none of that name.
    """
    backend_name, _, solver = name.partition(":")
    if backend_name not in backends:
        raise RequestError(catalogue.unknown("backend", backend_name, backends))
    backend = backends[backend_name]
    if backend.missing and not backend.solvers:
        return backend, solver
    if solver and solver not in backend.solvers:
        raise RequestError(catalogue.unknown(f"solver of {backend_name}", solver, backend.solvers))
    installed = (name for name, offered in backend.solvers.items() if not offered.missing)
    return backend, solver or next(installed, next(iter(backend.solvers)))


def choose(wanted: Sequence[str], puzzle: str, backend: Backend) -> list[str]:
    """The formulations to run: those asked for, or the default and the seed's; `""` if there is none."""
    available = backend.formulations.get(puzzle, [])
    if not available:
        return [""]
    if ALL in wanted:
        return list(available)
    if wanted:
        return [name for name in available if name in wanted]
    seed = {reported.formulation for reported in catalogue.reported(puzzle)}
    return [name for name in available if name == available[0] or name in seed]


def check_formulations(
    wanted: Iterable[str],
    instances: Sequence[Instance],
    names: Iterable[str],
    backends: Mapping[str, Backend],
) -> None:
    """Refuses a formulation that no chosen backend has for any chosen puzzle.

    Raises:
        RequestError: with the names that there are.
    """
    available = {
        formulation
        for name in names
        for instance in instances
        for formulation in find_solver(name, backends)[0].formulations.get(instance.puzzle_name, [])
    }
    for name in wanted:
        if name != ALL and name not in available:
            raise RequestError(catalogue.unknown("formulation", name, available))


def wants_another(repeats: Repeats, repeat: int, made: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a run is to be made for the `repeat`-th time, its rows so far being `made`.

    A run that fails is not repeated for the sake of precision.
    """
    if repeats.times is not None:
        return repeat <= repeats.times
    if repeat == 1:
        return True
    if any(row["status"] not in DONE for row in made):
        return False
    if sum(float(row["total_s"]) + float(row["overhead_s"]) for row in made) >= repeats.budget_s:
        return False
    # numpy and scipy take a while to import, and only this needs them.
    from bench.reading.intervals import median_interval

    median, low, high = median_interval(float(row["total_s"]) for row in made)
    precise = high <= median * (1 + PRECISION) and low >= median * (1 - PRECISION)
    return len(made) < SMALLEST_SAMPLE or not precise


def has_repeats(run: Run, made: Iterable[Mapping[str, Any]]) -> bool:
    """Whether a run that is made now is a repeat of its rows so far: they depend on the same contents.

    They may not where old rows are kept.
    """
    holds = dict(zip(CONTENTS, contents(run), strict=True))
    return all(row.get(column, holds[column]) == holds[column] for row in made for column in CONTENTS)


Made = Callable[[Run], Mapping[int, Mapping[str, Any]]]
"""Gives the rows that a run has so far, by the number of the repeat."""

Schedule = Callable[[int, Made], Iterator[Run | None]]
"""From a seed the runs to make; None where the next one depends on some that have not ended."""

LEAST_SIZES = 3
"""A family with fewer sizes than this does not show growth."""

FAILURES = 2
"""At so many sizes in a row a model fails before it is given up."""


def climb(runs: Sequence[Run], sizes: Mapping[str, int], order_seed: int, made: Made) -> Iterator[Run | None]:
    """The runs of each model from the smallest size up, one model after the other by turns.

    A model fails at a size if it does not solve most of its instances; it is given up after FAILURES sizes in
    a row. Of a size that can no longer be solved, the other instances are left out.

    Args:
        sizes: of the instances, by sha256.
    """
    ladders: dict[Run, dict[int, list[Run]]] = {}
    for run in sorted(runs, key=lambda run: sizes[run.instance_sha256]):
        model = replace(run, instance="", path="", instance_sha256="")
        ladders.setdefault(model, {}).setdefault(sizes[run.instance_sha256], []).append(run)
    ladders = dict(random.Random(order_seed).sample(list(ladders.items()), len(ladders)))
    asked: set[Run] = set()
    while ladders:
        turn = {model: next_step(ladder.values(), made) for model, ladder in ladders.items()}
        ladders = {model: ladders[model] for model, runs in turn.items() if runs}
        steps = [next((run for run in runs if run not in asked), None) for runs in turn.values() if runs]
        if steps and not any(steps):
            yield None
        for step in filter(None, steps):
            asked.add(step)
            yield step


def next_step(ladder: Iterable[Sequence[Run]], made: Made) -> list[Run]:
    """The runs that a model is to make now, all of one size; none if it has come to its end."""
    failures = 0
    for runs in ladder:
        statuses = [row["status"] for run in runs for row in made(run).values()]
        solved = sum(status in DONE for status in statuses)
        if 2 * (len(statuses) - solved) >= len(runs):
            failures += 1
        elif missing := [run for run in runs if not made(run)]:
            return missing
        else:
            failures = 0
        if failures == FAILURES:
            return []
    return []


def schedule(runs: Sequence[Run], repeats: Repeats, order_seed: int, made: Made) -> Iterator[Run | None]:
    """The runs that are still to be made: the first repeat of all in a random order, then the second, ...

    So drift of the machine hits all backends alike, and a campaign that is cut short has whole repeats.
    Whether there is another repeat is decided when it is its turn.
    """
    for repeat in count(1):
        wanted = [
            run
            for run in runs
            if has_repeats(run, made(run).values())
            and wants_another(repeats, repeat, list(made(run).values()))
        ]
        if not wanted:
            return
        # The seed is a text: its hash does not depend on the process.
        random.Random(f"{order_seed} {repeat}").shuffle(wanted)
        yield from (replace(run, repeat=repeat) for run in wanted if repeat not in made(run))
