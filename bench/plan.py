"""Which runs a request asks for, and in which order."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bench import catalogue
from bench.catalogue import Instance, RequestError
from bench.contract import Task
from bench.run import Run
from bench.workers import Backend


@dataclass(frozen=True)
class Request:
    """What to run; an empty filter takes everything that `run --all` would."""

    puzzles: Sequence[str] = ()
    instances: Sequence[str] = ()
    backends: Sequence[str] = ()
    formulations: Sequence[str] = ()
    tasks: Sequence[Task] = tuple(Task)
    repeat: int = 1
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
    if request.instances:
        paths = [catalogue.find_instance(name) for name in request.instances]
    else:
        paths = [path for puzzle in known for path in catalogue.instance_paths(puzzle).values()]
    instances = [catalogue.load(path) for path in paths]
    if request.puzzles:
        instances = [instance for instance in instances if instance.puzzle_name in request.puzzles]
    if not instances:
        raise RequestError("none of these instances belongs to these puzzles; leave one of the filters out")
    return instances


def plan(request: Request, instances: Sequence[Instance], backends: Mapping[str, Backend]) -> list[Run]:
    """The runs of a request, repeat by repeat.

    Raises:
        RequestError: for a name that does not exist, or filters that leave nothing.
    """
    wanted = request.backends or [
        name for name, backend in backends.items() if backend.core or backend.missing
    ]
    check_formulations(request.formulations, instances, wanted, backends)
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
            repeat=repeat,
            threads=1,
            time_limit_s=request.time_limit_s,
            memory_limit_mb=request.memory_limit_mb,
        )
        for repeat in range(1, request.repeat + 1)
        for instance in instances
        for backend, solver in (find_solver(name, backends) for name in wanted)
        for formulation in choose(request.formulations, instance.puzzle_name, backend)
        for seed in (range(1, request.seeds + 1) if backend.seeded else [None])
        for task in request.tasks
    ]
    return list(dict.fromkeys(runs))


def find_solver(name: str, backends: Mapping[str, Backend]) -> tuple[Backend, str]:
    """The backend and the solver that `backend` or `backend:solver` means.

    Raises:
        RequestError: if there is none of that name.
    """
    backend_name, _, solver = name.partition(":")
    if backend_name not in backends:
        raise RequestError(catalogue.unknown("backend", backend_name, backends))
    backend = backends[backend_name]
    if backend.missing:
        return backend, solver
    if solver and solver not in backend.solvers:
        raise RequestError(catalogue.unknown(f"solver of {backend_name}", solver, backend.solvers))
    return backend, solver or next(iter(backend.solvers))


def choose(wanted: Sequence[str], puzzle: str, backend: Backend) -> list[str]:
    """The formulations to run: those asked for, or the default and the seed's; `""` if there is none."""
    available = backend.formulations.get(puzzle, [])
    if not available:
        return [""]
    if wanted:
        return [name for name in available if name in wanted]
    seed = {
        reported.formulation for reported in catalogue.reported(puzzle) if reported.backend == backend.name
    }
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


def shuffle(runs: Iterable[Run], order_seed: int) -> list[Run]:
    """All runs of the first repeat in a random order, then of the second, and so on.

    So drift of the machine hits all backends alike, and a campaign that is cut short has whole repeats.
    """
    generator = random.Random(order_seed)
    keyed = [(run.repeat, generator.random(), run) for run in runs]
    return [run for _, _, run in sorted(keyed, key=lambda item: item[:2])]
