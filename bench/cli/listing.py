"""What there is: `python -m bench list`."""

import json
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from bench import catalogue
from bench.campaign.plan import find_solver
from bench.catalogue import errors
from bench.catalogue.errors import RequestError
from bench.cli import completion
from bench.cli.console import answers
from bench.cli.options import Json
from bench.contract import Backend
from bench.environment.install import how_to_install
from bench.environment.known_faults import known_fault
from bench.execution.pool import Servers


def list_(
    puzzle: Annotated[
        str | None,
        typer.Argument(
            metavar="PUZZLE",
            autocompletion=completion.puzzles,
            help="Only this puzzle: its name, or the path to its folder.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show puzzles, instances, solvers and formulations; for what is missing, what would bring it."""
    names = [catalogue.find_puzzle(puzzle)] if puzzle else catalogue.puzzle_names()
    backends = described()
    puzzles = {name: describe_puzzle(name, backends) for name in names}
    if as_json:
        facts = {"puzzles": puzzles, "backends": {name: asdict(known) for name, known in backends.items()}}
        print(json.dumps(facts, indent=2))
        return
    answers.print(instance_table(puzzles))
    if not puzzle:
        answers.print(solver_table(backends))
    answers.print(model_table(puzzles, backends))
    for facts in puzzles.values() if puzzle else ():
        for source, systems in facts["reported"].items():
            answers.print(f"reported by {escape(source)}: {escape(', '.join(systems))}", soft_wrap=True)


def described() -> dict[str, Backend]:
    """What every backend offers."""
    servers = Servers()
    try:
        return servers.describe(catalogue.backend_names())
    finally:
        servers.close()


def describe_puzzle(name: str, backends: dict[str, Backend]) -> dict[str, Any]:
    """A puzzle's instances, formulations and sources; what cannot be read of them has an error."""
    mistake: str | None = None
    try:
        catalogue.puzzle_module(name)
    except catalogue.PuzzleError as error:
        mistake = str(error)
    instances = []
    for stem, path in catalogue.instance_paths(name).items():
        facts: dict[str, Any] = {"name": stem, "path": errors.shown(path), "error": None}
        try:
            instance = catalogue.load(path)
            facts |= {"title": instance.title, "source": instance.source, "size": instance.puzzle.size}
            facts |= {"expected": instance.expected.model_dump()}
        except RequestError as error:
            facts |= {"title": None, "source": None, "size": None, "expected": None, "error": str(error)}
        instances.append(facts)
    return {
        "error": mistake,
        "instances": instances,
        "families": {family: list(paths) for family, paths in catalogue.families(name).items()},
        "formulations": {backend.name: backend.formulations.get(name, []) for backend in backends.values()},
        "reported": reported_by(name),
    }


def reported_by(puzzle: str) -> dict[str, list[str]]:
    """The sources that published figures about a puzzle, each with the systems that it measured."""
    sources: dict[str, list[str]] = {}
    try:
        reported = catalogue.reported(puzzle)
    except RequestError:  # A mistake in its files; the table of models says which.
        return sources
    for figures in reported:
        systems = sources.setdefault(figures.source, [])
        if figures.system not in systems:
            systems.append(figures.system)
    return sources


def instance_table(puzzles: dict[str, dict[str, Any]]) -> Table:
    """The instances and families of the puzzles."""
    table = Table("puzzle", "instance", "size", "title", title="Instances", title_justify="left")
    for name, puzzle in puzzles.items():
        if puzzle["error"]:
            table.add_row(name, "", "", f"[red]{escape(puzzle['error'])}[/]")
            continue
        for number, instance in enumerate(puzzle["instances"]):
            shown = instance["title"] if instance["error"] is None else f"[red]{escape(instance['error'])}[/]"
            size = str(instance["size"] or "")
            table.add_row(name if number == 0 else "", instance["name"], size, shown)
        for family, names in puzzle["families"].items():
            first = f": {names[0]}, ..." if names else ""
            table.add_row("", f"family {family}", "", f"{len(names)} generated instances{first}")
    return table


def solver_table(backends: dict[str, Backend]) -> Table:
    """All backends and solvers; for what is missing, what would bring it."""
    table = Table("backend", "solver", "version", "what it is", title="Backends", title_justify="left")
    for backend in backends.values():
        if backend.missing:
            missing = escape(how_to_install(backend.missing))
            table.add_row(backend.name, "", "", f"[red]missing: {missing}[/]")
        for number, (name, solver) in enumerate(backend.solvers.items()):
            # What drives a solver is needed as well.
            missing = escape(how_to_install(solver.missing or backend.missing or ""))
            what = f"[red]missing: {missing}[/]" if missing else solver.title
            is_default = (
                len(backend.solvers) > 1 and not missing and name == find_solver(backend.name, backends)[1]
            )
            default = " (default)" if is_default else ""
            if known_fault(backend.name, name, solver.version):
                what += "[yellow]; this release is known to give wrong answers, see `doctor`[/]"
            table.add_row(
                backend.name if number == 0 else "", name + default, None if missing else solver.version, what
            )
    return table


def versions(backends: dict[str, Backend]) -> list[tuple[str, str, str | None]]:
    """Backend, solver and version of each solver; no version where it is not installed."""
    return [
        (backend.name, name, None if backend.missing else solver.version)
        for backend in backends.values()
        for name, solver in backend.solvers.items()
    ]


def model_table(puzzles: dict[str, dict[str, Any]], backends: dict[str, Backend]) -> Table:
    """The formulations of each puzzle by backend."""
    table = Table(
        "puzzle", "backend", "formulations, the default first", title="Models", title_justify="left"
    )
    for name, puzzle in puzzles.items():
        for number, (backend_name, names) in enumerate(puzzle["formulations"].items()):
            backend = backends[backend_name]
            missing = how_to_install(backend.missing) if backend.missing else None
            why = missing or backend.broken.get(name) or "no model"
            shown = ", ".join(names) or f"[red]none: {escape(why)}[/]"
            table.add_row(name if number == 0 else "", backend_name, shown)
    return table
