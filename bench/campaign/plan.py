"""The runs of a request, what it leaves out, and the part of them that is a shard, as in `--shard 2/8`."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from bench import catalogue
from bench.campaign.selection import ALL, DEFAULT, TEXTBOOK, Request, Solvers
from bench.catalogue import Instance, errors, programs
from bench.catalogue.errors import RequestError
from bench.contract import Backend, Run, Solver, Task
from bench.environment.index import canonical
from bench.environment.releases import how_to_install


@dataclass(frozen=True)
class Plan:
    """The runs of a campaign (the first repeat of each), their instances by sha256, and backends by name.

    `left_out` has a line for each puzzle or backend that the request includes and no run covers.
    """

    runs: Sequence[Run]
    instances: Mapping[str, Instance]
    backends: Mapping[str, Backend]
    left_out: Sequence[str]


def plan_campaign(request: Request, instances: Sequence[Instance], backends: Mapping[str, Backend]) -> Plan:
    """The plan of a request.

    Raises RequestError for an unknown name, a solver that is not installed, or a plan without runs.
    """
    refuse_missing(request, backends)
    runs = plan(request, instances, backends)
    lines = _left_out(request, instances, backends, runs)
    if not runs:
        raise RequestError("; ".join(lines) or "these filters leave nothing to run; leave one of them out")
    return Plan(runs, {instance.sha256: instance for instance in instances}, backends, lines)


def refuse_missing(request: Request, backends: Mapping[str, Backend]) -> None:
    """Raises RequestError, with what to install, for a backend or solver that is named and not installed."""
    for name in request.named:
        backend, solver = find_solver(name, backends)
        released = releases_of(request, backend.solver(solver))
        if not released and (missing := backend.lacks(solver)):
            raise RequestError(f"{name} is not installed: {how_to_install(missing)}")


def plan(request: Request, instances: Sequence[Instance], backends: Mapping[str, Backend]) -> list[Run]:
    """The first repeat of each run of a request; raises RequestError for a name that does not exist."""
    solvers = list(solvers_of(request, backends))
    rules = {name: catalogue.rules_sha256(name) for name in {instance.puzzle_name for instance in instances}}
    if not any(task in instance.tasks for task in request.tasks for instance in instances):
        name, tasks = instances[0].puzzle_name, " and ".join(instances[0].tasks)
        raise RequestError(
            f"--task {request.tasks[0]}: {name} has {tasks}; leave it out, or write one of these"
        )
    known = {each for backend, _ in solvers for name in rules for each in backend.formulations.get(name, [])}
    if unknown := [name for name in request.formulations if name not in (ALL, DEFAULT, *known)]:
        of = f"{next(iter(rules))}, {solvers[0][0].name}: " if len(rules) == len(solvers) == 1 else ""
        raise RequestError(of + catalogue.unknown("formulation", unknown[0], known))
    runs = (
        Run(
            release=release,
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
            counted=request.instructions,
            memory_limit_mb=request.memory_limit_mb,
            rules_sha256=rules[instance.puzzle_name],
        )
        for instance in instances
        for backend, solver in solvers
        for release in releases_of(request, backend.solver(solver)) or [""]
        for task in request.tasks
        if task in instance.tasks
        for formulation in _formulations_of(request.formulations, instance.puzzle_name, backend, solver, task)
        if formulation or not _unwritten(request, instance.puzzle_name, backend.name)
        for seed in range(1, request.seeds + 1)
        for threads in dict.fromkeys(backend.solver(solver).threads(n, task) for n in request.threads)
    )
    return list(dict.fromkeys(with_contents(run, backends[run.offered]) for run in runs))


def _unwritten(request: Request, puzzle: str, backend: str) -> bool:
    """Whether no run is planned: the puzzle has no file for the backend, and the request does not name it."""
    named = any(backend == name.partition(":")[0] for name in request.named)
    return not named and not catalogue.source_of(puzzle, backend).exists()


def _left_out(
    request: Request, instances: Sequence[Instance], backends: Mapping[str, Backend], runs: Sequence[Run]
) -> list[str]:
    """The lines of `Plan.left_out`."""
    lines = []
    planned = {run.puzzle for run in runs}
    backends = {name: backend for name, backend in backends.items() if name == backend.name}
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
            lines.append(f"{puzzle} has no formulation {' or '.join(names)}: left out")
    return lines


def with_contents(run: Run, backend: Backend) -> Run:
    """The run with the model and the solver release that its backend has; empty where it does not say."""
    version = backend.solver(run.solver).version or ""
    return replace(run, model_sha256=backend.contents.get(run.puzzle, ""), solver_version=version)


def solvers_of(request: Request, backends: Mapping[str, Backend]) -> Iterator[tuple[Backend, str]]:
    """The solvers of a request by name, with their backends."""
    named = {name: backend for name, backend in backends.items() if name == backend.name}
    core = [name for name in named if catalogue.is_core(name)]
    there = [name for name, backend in named.items() if not backend.missing]
    all_of_them = there if request.solvers == Solvers.ALL else []
    for name in [*(request.backends or dict.fromkeys([*core, *all_of_them])), *request.programs]:
        backend, default = find_solver(name, backends)
        several = request.solvers != Solvers.CORE and name in there
        variants = request.solvers == Solvers.VARIANTS
        if variants or not several:
            yield backend, default
        for solver, offered in backend.solvers.items() if several else ():
            if offered.variant == variants and not offered.missing:
                yield backend, solver


def releases_of(request: Request, solver: Solver) -> list[str]:
    """The releases of a request that are of a package of a solver."""
    packages = {canonical(package) for package in solver.packages}
    return [release for release in request.releases if release.partition("==")[0] in packages]


def find_solver(name: str, backends: Mapping[str, Backend]) -> tuple[Backend, str]:
    """The backend and solver that `backend` or `backend:solver` means; raises RequestError if none does."""
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


def _formulations_of(
    wanted: Sequence[str], puzzle: str, backend: Backend, solver: str, task: Task
) -> list[str]:
    """The formulations wanted, by default the first, the published ones, and for one solution the textbook's.

    `""` if there is no model, and for a program of a user.
    """
    available = backend.formulations.get(puzzle, [])
    if not available or programs.is_program(backend.name, solver):
        return [""]
    chosen: set[str | None] = {*wanted}
    if not wanted or DEFAULT in wanted:
        chosen.add(available[0])
    if not wanted:
        chosen |= {reported.formulation for reported in catalogue.reported(puzzle)}
        chosen |= {TEXTBOOK} if task != Task.COUNT else set()
        if (backend.name, solver) == (programs.BACKEND, programs.OURS):
            # The same search in Python and in C: they differ by the language alone.
            chosen |= {*catalogue.tables_in(catalogue.source_of(puzzle, "backtrack"), "FORMULATIONS")[:1]}
    return [name for name in available if ALL in wanted or name in chosen]


SHARDS = "shard-*-of-*"
"""The pattern of the names of shards' folders."""

_ADVICE = "choose another folder with --out"


@dataclass(frozen=True)
class Shard:
    """One of the parts that a campaign is divided into, counted from 1."""

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """The shard that a text such as 2/8 means; raises RequestError if there is no such shard."""
        found = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
        if not found or not 1 <= int(found[1]) <= int(found[2]):
            raise RequestError(f"--shard {text}: write K/N with K from 1 to N, as in 2/8")
        return cls(int(found[1]), int(found[2]))

    def __str__(self) -> str:
        """The text that `parse` reads."""
        return f"{self.number}/{self.of}"

    def part(self, plan: Plan, tasks: Sequence[Task], climbing: bool) -> Plan:
        """The plan with the runs of this shard alone: all runs of every N-th problem.

        It depends on the request and the instance files alone, not on what is installed on a machine. All
        problems of one task are counted before those of the next, so that every shard has some of each.
        """
        # What depends on each other stays together: runs on an instance, in a climb those of a puzzle.
        of = {sha256: each.puzzle_name if climbing else sha256 for sha256, each in plan.instances.items()}
        problems = dict.fromkeys((together, task) for task in tasks for together in of.values())
        mine = {*[*problems][self.number - 1 :: self.of]}
        return replace(plan, runs=[run for run in plan.runs if (of[run.instance_sha256], run.task) in mine])


def refuse_other(out: Path, marks: Sequence[str] = ("runs.csv*", "machine.json", SHARDS)) -> None:
    """Raises RequestError for a file, or a folder with more than notes, logs and a campaign (`marks`)."""
    if out.exists() and not out.is_dir():
        raise RequestError(f"{out}: this is a file; {_ADVICE}")
    notes = ("logs", ".md", ".txt", ".log", ".out", ".err")
    others = [path for path in out.glob("[!.]*") if not path.name.endswith(notes)]
    if others and not any(any(out.glob(mark)) for mark in marks):
        raise RequestError(f"{out}: it has other things ({others[0].name}), and no campaign; {_ADVICE}")


def folder_of(out: Path, shard: Shard | None) -> Path:
    """The folder to record in if --out names `out`; that of a shard lies within, unless it is `out` itself.

    Raises RequestError if `out` would have both, or has other things.
    """
    refuse_other(out)
    if shard is None:
        if any(out.glob(SHARDS)):
            raise RequestError(f"{out}: it has shards; {_ADVICE}, or add --shard")
        return out
    name = f"shard-{shard.number}-of-{shard.of}"
    if out.name == name:
        return out
    if (out / "runs.csv").exists():
        raise RequestError(f"{out}: it has a whole campaign; {_ADVICE} for shards")
    return out / name
