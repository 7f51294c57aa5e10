"""The runs of a request, and what it leaves out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bench import catalogue
from bench.campaign.selection import ALL, DEFAULT, Request, Solvers
from bench.catalogue import Instance, errors, programs
from bench.catalogue.errors import RequestError
from bench.contract import Backend, Run
from bench.environment.install import how_to_install


@dataclass(frozen=True)
class Plan:
    """The runs of a campaign, and what they need.

    Attributes:
        runs: the first repeat of each.
        instances: by sha256.
        backends: by name.
        left_out: a line for each puzzle or backend that the request includes and no run covers.
    """

    runs: Sequence[Run]
    instances: Mapping[str, Instance]
    backends: Mapping[str, Backend]
    left_out: Sequence[str]


def plan_campaign(request: Request, instances: Sequence[Instance], backends: Mapping[str, Backend]) -> Plan:
    """The plan of a request.

    Raises:
        RequestError: for a name that does not exist, a solver that is not installed, or a plan without runs.
    """
    refuse_missing(request, backends)
    runs = plan(request, instances, backends)
    lines = left_out(request, instances, backends, runs)
    if not runs:
        raise RequestError("; ".join(lines) or "these filters leave nothing to run; leave one of them out")
    return Plan(runs, {instance.sha256: instance for instance in instances}, backends, lines)


def refuse_missing(request: Request, backends: Mapping[str, Backend]) -> None:
    """Refuses a request that names a backend or a solver that is not installed.

    Raises:
        RequestError: with the command that installs it.
    """
    for name in request.named:
        backend, solver = find_solver(name, backends)
        if missing := backend.lacks(solver):
            raise RequestError(f"{name} is not installed: {how_to_install(missing)}")


def plan(request: Request, instances: Sequence[Instance], backends: Mapping[str, Backend]) -> list[Run]:
    """The first repeat of each run of a request.

    Raises:
        RequestError: for a name that does not exist, or filters that leave nothing.
    """
    wanted = list(_names_of_backends(request, backends))
    _check_formulations(request.formulations, instances, wanted, backends)
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
            threads=threads,
            time_limit_s=request.time_limit_s,
            memory_limit_mb=request.memory_limit_mb,
            rules_sha256=rules[instance.puzzle_name],
        )
        for instance in instances
        for backend, solver in (find_solver(name, backends) for name in wanted)
        for formulation in _formulations_of(request.formulations, instance.puzzle_name, backend, solver)
        if formulation or not _unwritten(request, instance.puzzle_name, backend.name)
        for seed in range(1, request.seeds + 1)
        for task in request.tasks
        for threads in dict.fromkeys(backend.solver(solver).threads(n, task) for n in request.threads)
    )
    return list(dict.fromkeys(with_contents(run, backends[run.backend]) for run in runs))


def _unwritten(request: Request, puzzle: str, backend: str) -> bool:
    """Whether a puzzle has no model file for a backend that the request does not name: no run is planned."""
    named = any(backend == name.partition(":")[0] for name in request.named)
    return not named and not catalogue.source_of(puzzle, backend).exists()


def left_out(
    request: Request, instances: Sequence[Instance], backends: Mapping[str, Backend], runs: Sequence[Run]
) -> list[str]:
    """A line for each puzzle, or its backends, that the request includes and no run covers."""
    lines = []
    planned = {run.puzzle for run in runs}
    names = [name for name in request.formulations if name not in (ALL, DEFAULT)]
    by_name = request.what or request.puzzles or request.instances
    for puzzle in dict.fromkeys(instance.puzzle_name for instance in instances):
        without = [name for name in backends if _unwritten(request, puzzle, name)]
        if len(without) == len(backends):
            file = errors.shown(catalogue.source_of(puzzle, without[0]))
            lines.append(f"{puzzle} has no model yet: left out; write one, such as {file}")
        elif puzzle in planned and without and not names:
            lines.append(f"{puzzle} has no model for {', '.join(without)}: left out")
        elif puzzle not in planned and names and by_name:
            plural = "s" if len(names) > 1 else ""
            lines.append(f"{puzzle} has no formulation{plural} {' or '.join(names)}: left out")
    return lines


def compile_seconds(runs: Iterable[Run], backends: Mapping[str, Backend]) -> dict[str, dict[str, float]]:
    """The seconds that compiling the programs of these runs took, by backend and puzzle."""
    found: dict[str, dict[str, float]] = {}
    for run in runs:
        if seconds := backends[run.backend].compile_s.get(run.puzzle):
            found.setdefault(run.backend, {})[run.puzzle] = seconds
    return found


def with_contents(run: Run, backend: Backend) -> Run:
    """The run with the model and the solver release that its backend has; empty where it does not say."""
    version = backend.solver(run.solver).version or ""
    return replace(run, model_sha256=backend.contents.get(run.puzzle, ""), solver_version=version)


def _names_of_backends(request: Request, backends: Mapping[str, Backend]) -> Iterator[str]:
    """The backends of a request, each with a solver's name (`milp:highs`) if it asks for several."""
    core = [name for name in backends if catalogue.is_core(name)]
    there = [name for name, backend in backends.items() if not backend.missing]
    all_of_them = there if request.solvers == Solvers.ALL else []
    for name in [*(request.backends or dict.fromkeys([*core, *all_of_them])), *request.programs]:
        if request.solvers == Solvers.CORE or name not in there:
            yield name
            continue
        variants = request.solvers == Solvers.VARIANTS
        if variants:
            yield ":".join(filter(None, (name, find_solver(name, backends)[1])))
        yield from (
            f"{name}:{solver}"
            for solver, offered in backends[name].solvers.items()
            if offered.variant == variants and not offered.missing
        )


def find_solver(name: str, backends: Mapping[str, Backend]) -> tuple[Backend, str]:
    """The backend and the name of the solver that `backend` or `backend:solver` means.

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
        hint = f"; --program {solver}=COMMAND makes it one" if backend_name == programs.BACKEND else ""
        raise RequestError(catalogue.unknown(f"solver of {backend_name}", solver, backend.solvers) + hint)
    installed = (name for name, offered in backend.solvers.items() if not offered.missing)
    return backend, solver or next(installed, next(iter(backend.solvers)))


def _formulations_of(wanted: Sequence[str], puzzle: str, backend: Backend, solver: str) -> list[str]:
    """The formulations wanted, else those that a campaign has by default.

    `""` if there is no model; and for a program of a user, whatever is wanted.

    They are the first one and the published models; of searches in C also that of backtrack.py, as the two
    differ by their language alone.
    """
    available = backend.formulations.get(puzzle, [])
    if not available or programs.is_program(backend.name, solver):
        return [""]
    published = (reported.formulation for reported in catalogue.reported(puzzle))
    chosen: set[str | None] = set(wanted) or {available[0], *published}
    if not wanted and (backend.name, solver) == (programs.BACKEND, programs.OURS):
        chosen |= set(catalogue.tables_in(catalogue.source_of(puzzle, "backtrack"), "FORMULATIONS")[:1])
    if DEFAULT in wanted:
        chosen.add(available[0])
    return [name for name in available if ALL in wanted or name in chosen]


def _check_formulations(
    wanted: Iterable[str],
    instances: Sequence[Instance],
    names: Sequence[str],
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
    among = [*{instance.puzzle_name for instance in instances}, *names]
    of = f"{', '.join(among)}: " if len(among) == 2 else ""
    for name in wanted:
        if name not in (ALL, DEFAULT, *available):
            raise RequestError(of + catalogue.unknown("formulation", name, available))
