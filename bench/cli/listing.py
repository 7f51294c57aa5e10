"""The command `list`, and the table of solvers that `doctor` shows too."""

import importlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Thread
from typing import Annotated

from rich.markup import escape
from rich.table import Table

from bench import catalogue
from bench.campaign.plan import find_solver
from bench.catalogue import errors
from bench.catalogue.errors import PuzzleError, RequestError
from bench.cli import completion
from bench.cli.command import Argument
from bench.cli.console import answers
from bench.cli.options import Json
from bench.contract import Backend
from bench.environment.releases import how_to_install, known_fault
from bench.execution.aside import Aside
from bench.execution.forkserver import describe
from bench.execution.pool import START_S
from bench.execution.process import ProcessEnded


def list_(
    puzzle: Annotated[
        str | None,
        Argument(
            metavar="PUZZLE",
            completed=completion.puzzles,
            help="Only this puzzle: its name, or the path to its folder.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show puzzles, instances, solvers and formulations, and how to install what is missing."""
    names = [catalogue.find_puzzle(puzzle)] if puzzle else catalogue.puzzle_names()
    backends = offered_backends(names)
    puzzles = {name: _describe_puzzle(name, backends) for name in names}
    if as_json:
        facts = {
            "puzzles": {name: asdict(listed) for name, listed in puzzles.items()},
            "backends": {name: asdict(backend) for name, backend in backends.items()},
        }
        print(json.dumps(facts, indent=2))
        return
    answers.print(instance_table(puzzles))
    if not puzzle:
        answers.print(solver_table(backends))
    answers.print(_model_table(puzzles, backends))
    for listed in puzzles.values() if puzzle else ():
        answers.out(f"rules and format of instances: {listed.rules}")
        for source, systems in listed.reported.items():
            answers.out(f"reported by {source}: {', '.join(systems)}")


def offered_backends(puzzles: Sequence[str] = ()) -> dict[str, Backend]:
    """All backends, each described by a process that is forked from this one, for its library.

    Args:
        puzzles: those whose models are imported there; none for all.
    """
    # What most of them need is imported once.
    importlib.import_module("numpy")
    for puzzle in puzzles:
        with suppress(PuzzleError):
            catalogue.puzzle_module(puzzle)
    found: dict[str, Backend] = {}

    def ask(name: str, aside: Aside) -> None:
        try:
            found[name] = aside.call(START_S, describe, name, puzzles, False)
        except ProcessEnded as error:
            found[name] = Backend(name, missing=f"it {error}")

    with ExitStack() as stack:
        asides = {name: stack.enter_context(closing(Aside())) for name in catalogue.backend_names()}
        for aside in asides.values():
            aside.start()  # Before there are threads, which may hold locks.
        threads = [Thread(target=ask, args=both) for both in asides.items()]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return {name: found[name] for name in asides}


@dataclass(frozen=True)
class _ListedInstance:
    """An instance file; if it has an error, nothing else is known."""

    name: str
    path: str
    error: str | None = None
    title: str | None = None
    source: str | None = None
    size: int | None = None
    expected: dict[str, object] | None = None


@dataclass(frozen=True)
class ListedPuzzle:
    """What a puzzle consists of.

    Attributes:
        rules: the file that states them, and the format of instances.
        error: why its rules cannot be imported.
        families: the names of generated instances, by family.
        formulations: by backend, the default first.
        reported: the systems that each source published figures for.
    """

    rules: str
    error: str | None
    instances: list[_ListedInstance]
    families: dict[str, list[str]]
    formulations: dict[str, list[str]]
    reported: dict[str, list[str]]


def _describe_puzzle(name: str, backends: Mapping[str, Backend]) -> ListedPuzzle:
    """A puzzle's instances, formulations and sources; what cannot be read has an error."""
    mistake: str | None = None
    reported: dict[str, dict[str, None]] = defaultdict(dict)
    try:
        for figures in catalogue.reported(name):
            reported[figures.source][figures.system] = None
    except catalogue.PuzzleError as error:
        mistake = str(error)
    return ListedPuzzle(
        rules=errors.shown(catalogue.source_of(name)),
        error=mistake,
        instances=[_describe_instance(stem, path) for stem, path in catalogue.instance_paths(name).items()],
        families={family: list(paths) for family, paths in catalogue.families(name).items()},
        formulations={backend.name: backend.formulations.get(name, []) for backend in backends.values()},
        reported={source: list(systems) for source, systems in reported.items()},
    )


def _describe_instance(name: str, path: Path) -> _ListedInstance:
    """The head of an instance file, or what is wrong with it."""
    shown = errors.shown(path)
    try:
        instance = catalogue.load(path)
    except RequestError as error:
        return _ListedInstance(name, shown, error=str(error))
    return _ListedInstance(
        name,
        shown,
        title=instance.title,
        source=instance.source,
        size=instance.puzzle.size,
        expected=asdict(instance.expected),
    )


def instance_table(puzzles: Mapping[str, ListedPuzzle]) -> Table:
    """The instances and families of the puzzles."""
    table = Table("puzzle", "instance", "size", "title", title="Instances", title_justify="left")
    for name, puzzle in puzzles.items():
        if puzzle.error:
            table.add_row(name, "", "", f"[red]{escape(puzzle.error)}[/]")
            continue
        for number, instance in enumerate(puzzle.instances):
            shown = f"[red]{escape(instance.error)}[/]" if instance.error else instance.title
            table.add_row("" if number else name, instance.name, str(instance.size or ""), shown)
        for family, names in puzzle.families.items():
            first = f": {names[0]}, ..." if names else ""
            table.add_row("", f"family {family}", "", f"{len(names)} generated instances{first}")
    return table


def solver_table(backends: Mapping[str, Backend]) -> Table:
    """All backends and solvers, and how to install what is missing."""
    table = Table("backend", "solver", "version", "what it is", title="Backends", title_justify="left")
    # By the step that installs it: one command is there for many solvers.
    missing: dict[str, list[str]] = defaultdict(list)
    for backend in backends.values():
        if backend.missing:
            missing[how_to_install(backend.missing)].append(backend.name)
        chosen = {name: solver for name, solver in backend.solvers.items() if not solver.variant}
        shown = backend.name
        for name, solver in chosen.items():
            # A solver needs the library of its backend too.
            if lacks := solver.missing or backend.missing:
                for step in how_to_install(lacks).split(" and "):
                    missing[step].append(f"{backend.name}:{name}")
                continue
            what = solver.title
            default = len(chosen) > 1 and name == find_solver(backend.name, backends)[1]
            if known_fault(backend.name, name, solver.version):
                what += "[yellow]; this release is known to give wrong answers, see `doctor`[/]"
            table.add_row(shown, name + (" (default)" if default else ""), solver.version, what)
            shown = ""
        if variants := [name for name in backend.solvers if name not in chosen]:
            # Not among the solvers: they would take the room of what the others are.
            what = "the default with a mechanism turned off or on, or stopped early"
            table.add_row(shown, "variants", "", f"{what}: {', '.join(variants)}")
    for step, names in missing.items():
        table.add_row("", "", "", f"[red]missing: {escape(step)}[/] ({', '.join(names)})")
    return table


def versions(backends: Mapping[str, Backend]) -> list[tuple[str, str, str | None]]:
    """Backend, name and version of each solver but variants; None for one that is not installed."""
    return [
        (backend.name, name, None if backend.missing else solver.version)
        for backend in backends.values()
        for name, solver in backend.solvers.items()
        if not solver.variant
    ]


def _model_table(puzzles: Mapping[str, ListedPuzzle], backends: Mapping[str, Backend]) -> Table:
    """The formulations of each puzzle by backend."""
    titles = "puzzle", "backend", "formulations, the default first"
    table = Table(*titles, title="Models", title_justify="left")
    for name, puzzle in puzzles.items():
        for number, (backend_name, names) in enumerate(puzzle.formulations.items()):
            backend = backends[backend_name]
            why = backend.broken.get(name) or "no model"
            if backend.missing:
                # Of all puzzles it would be said for each; the table of solvers says it once.
                why = how_to_install(backend.missing) if len(puzzles) == 1 else "not installed"
            shown = ", ".join(names) or f"[red]none: {escape(why)}[/]"
            table.add_row("" if number else name, backend_name, shown)
    return table
