"""Which runs a request asks for, how often each is repeated, and in which order."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import count
from pathlib import Path
from typing import Any

from bench import catalogue
from bench.catalogue import Instance, RequestError
from bench.contract import Task
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


@dataclass(frozen=True)
class Request:
    """What to run; an empty filter takes everything that `run --all` would, which is no family."""

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


def find_instances(request: Request) -> list[Instance]:
    """The instances that the filters leave.

    Raises:
        RequestError: for a name that does not exist, or filters that leave nothing.
    """
    known = catalogue.puzzle_names()
    for puzzle in request.puzzles:
        if puzzle not in known:
            raise RequestError(catalogue.unknown("puzzle", puzzle, known))
    paths = [catalogue.find_instance(name) for name in request.instances]
    paths += [path for family in request.families for path in find_family(family, request.puzzles or known)]
    if not (request.instances or request.families):
        paths = [path for puzzle in known for path in catalogue.instance_paths(puzzle).values()]
    instances = [catalogue.load(path) for path in dict.fromkeys(paths)]
    if request.puzzles:
        instances = [instance for instance in instances if instance.puzzle_name in request.puzzles]
    for name, several in Counter((instance.puzzle_name, instance.name) for instance in instances).items():
        if several > 1:
            raise RequestError(f"{name[1]}: two instances have this name; rename one of the files")
    if not instances:
        raise RequestError("none of these instances belongs to these puzzles; leave one of the filters out")
    return instances


def find_family(family: str, puzzles: Iterable[str]) -> list[Path]:
    """The instances of a family of these puzzles.

    Raises:
        RequestError: if none of them has a family of that name.
    """
    families = {puzzle: catalogue.families(puzzle) for puzzle in puzzles}
    if not any(family in having for having in families.values()):
        known = {name for having in families.values() for name in having}
        raise RequestError(catalogue.unknown("family", family, known))
    return [path for having in families.values() for path in having.get(family, {}).values()]


def backends_of(request: Request) -> list[str]:
    """The backends that the request names; if it names none, the core ones or all.

    Raises:
        RequestError: for a backend that does not exist.
    """
    known = catalogue.backend_names()
    wanted = list(dict.fromkeys(name.partition(":")[0] for name in request.backends))
    for name in wanted:
        if name not in known:
            raise RequestError(catalogue.unknown("backend", name, known))
    return wanted or [name for name in known if request.solvers == Solvers.ALL or catalogue.is_core(name)]


def plan(request: Request, instances: Sequence[Instance], backends: Mapping[str, Backend]) -> list[Run]:
    """The runs of a request, each once: its first repeat.

    Raises:
        RequestError: for a name that does not exist, or filters that leave nothing.
    """
    wanted = list(chosen(request, backends))
    check_formulations(request.formulations, instances, wanted, backends)
    rules = {name: catalogue.rules_sha256(name) for name in {instance.puzzle_name for instance in instances}}
    runs = [
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
            threads=1,
            time_limit_s=request.time_limit_s,
            memory_limit_mb=request.memory_limit_mb,
            model_sha256=backend.contents.get(instance.puzzle_name, ""),
            rules_sha256=rules[instance.puzzle_name],
            solver_version=release(backend, solver),
        )
        for instance in instances
        for backend, solver in (find_solver(name, backends) for name in wanted)
        for formulation in choose(request.formulations, instance.puzzle_name, backend)
        for seed in range(1, request.seeds + 1)
        for task in request.tasks
    ]
    return list(dict.fromkeys(runs))


def release(backend: Backend, solver: str) -> str:
    """The version of a solver; empty if it is not known."""
    offered = backend.solvers.get(solver)
    return (offered.version if offered else None) or ""


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
        if name not in available:
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


Made = Callable[[Run], Mapping[int, Mapping[str, Any]]]
"""Gives the rows that a run has so far, by the number of the repeat."""

Schedule = Callable[[int, Made], Iterator[Run | None]]
"""From a seed the runs to make; None where the next one depends on some that have not ended."""

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
        wanted = [run for run in runs if wants_another(repeats, repeat, list(made(run).values()))]
        if not wanted:
            return
        # The seed is a text: its hash does not depend on the process.
        random.Random(f"{order_seed} {repeat}").shuffle(wanted)
        yield from (replace(run, repeat=repeat) for run in wanted if repeat not in made(run))
