"""The commands `list` and `doctor`: what there is, and what makes timings unreliable."""

import importlib
import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from statistics import median_high
from typing import Annotated, Any

from bench import catalogue
from bench.campaign.collections import cache_of, read_collection
from bench.campaign.plan import find_solver
from bench.catalogue import errors
from bench.catalogue.errors import PuzzleError, RequestError
from bench.cli.command import Argument
from bench.cli.console import answers, name_faults
from bench.cli.options import Collections, Json
from bench.contract import Backend
from bench.environment import doctor, machine, processes
from bench.environment.releases import how_to_install, known_fault
from bench.execution.forkserver import describe
from bench.execution.pool import START_S, server_pools
from bench.execution.process import Aside, ProcessEnded
from bench.report.table import Table


def list_(
    puzzle: Annotated[
        str | None, Argument("Only this puzzle: its name, or the path to its folder.", "PUZZLE")
    ] = None,
    collection: Collections = None,
    as_json: Json = False,
) -> None:
    """Show puzzles, instances, solvers and formulations, and how to install what is missing."""
    if collection:
        sys.exit(_list_collections(collection, puzzle and catalogue.find_puzzle(puzzle), as_json))
    names = [catalogue.find_puzzle(puzzle)] if puzzle else catalogue.puzzle_names()
    backends = offered_backends(names)
    puzzles = {name: _describe_puzzle(name, backends) for name in names}
    if as_json:
        described = {name: asdict(backend) for name, backend in backends.items()}
        print(json.dumps({"puzzles": puzzles, "backends": described}, indent=2))
        return
    answers.print(instance_table(puzzles).for_terminal())
    if not puzzle:
        answers.print(solver_table(backends).for_terminal())
    answers.print(_model_table(puzzles, backends).for_terminal())
    for listed in puzzles.values() if puzzle else ():
        answers.out(f"rules and format of instances: {listed['rules']}")
        for source, systems in listed["reported"].items():
            answers.out(f"published by {source}: {', '.join(systems)}")


def _list_collections(names: Sequence[str], puzzle: str | None, as_json: bool) -> bool:
    """Shows how many instances of which sizes collections have; returns whether any is missing."""
    columns = [
        "collection", "puzzle", "license", "redistributable", "instances", "smallest", "median", "largest"
    ]  # fmt: skip
    told: dict[str, dict[str, Any]] = {}
    for name in names:
        found = read_collection(name)
        chosen = [one for one in found.instances if puzzle in (None, one.puzzle_name)]
        sizes: dict[tuple[str, str, bool], list[int]] = defaultdict(list)
        for one in chosen:
            sizes[one.puzzle_name, one.license, one.redistributable].append(one.puzzle.size)
        of_all = ((*key, len(of), min(of), median_high(of), max(of)) for key, of in sizes.items())
        groups = [dict(zip(columns[1:], values, strict=True)) for values in of_all]
        told[name] = {
            "folder": str(cache_of(name)), "groups": groups, "names": sorted(one.name for one in chosen),
            "unknown": found.unknown,
        }  # fmt: skip
    missing = not any(each["groups"] for each in told.values())
    if as_json:
        print(json.dumps(told, indent=2))
        return name_faults(names) or missing
    words = {"": "unknown", "True": "yes", "False": "no"}
    texts = ([name, *map(str, group.values())] for name in told for group in told[name]["groups"])
    rows = [[words.get(text, text) for text in row] for row in texts]
    answers.print(Table("Collections", columns, rows, columns[:4]).for_terminal())
    for name, each in told.items():
        answers.out(f"{name}: instance files are in {each['folder']}/")
        if each["unknown"]:
            kinds = ", ".join(f"{kind} ({number})" for kind, number in sorted(each["unknown"].items()))
            read = ", ".join(sorted(catalogue.adapters()))
            answers.out(f"{name}: kinds that no puzzle here reads: {kinds}; those that are: {read}")
    return name_faults(names) or missing


def doctor_() -> None:
    """Show what makes timings unreliable on this machine, and which solvers are missing."""
    here = machine.describe()
    with server_pools(1) as (pool,):
        stolen_before = processes.stolen_s(pool.cores)
        reference_load_s = [pool.measure_reference_load() for _ in range(doctor.SAMPLES)]
        stolen_s = processes.since(stolen_before, processes.stolen_s(pool.cores)) or 0.0
    backends = offered_backends()
    solvers = doctor.check_solvers(backends.values())
    checks = chain(doctor.check_machine(here, reference_load_s, stolen_s), solvers)
    columns = ["what", "found", "effect on timings"]
    rows = [[what, found, advice or "fine"] for what, found, advice in checks]
    answers.print(Table(machine.cpu(), columns, rows, columns).for_terminal())
    answers.print(solver_table(backends).for_terminal())


def offered_backends(puzzles: Sequence[str] = ()) -> dict[str, Backend]:
    """All backends, each described by a process that is forked from this one, for its library.

    The models of these puzzles are imported there, or those of all if none is named.
    """
    # What most of them need is imported once.
    importlib.import_module("numpy")
    for puzzle in puzzles:
        with suppress(PuzzleError):
            catalogue.puzzle_module(puzzle)

    def ask(name: str, aside: Aside) -> Backend:
        try:
            return aside.call(START_S, describe, name, puzzles, False)
        except ProcessEnded as error:
            return Backend(name, missing=f"it {error}")

    names = catalogue.backend_names()
    with ExitStack() as stack:
        asides = [stack.enter_context(closing(Aside())) for _ in names]
        for aside in asides:
            aside.start()  # Before there are threads, which may hold locks.
        with ThreadPoolExecutor(len(names)) as threads:
            return dict(zip(names, threads.map(ask, names, asides), strict=True))


def _describe_puzzle(name: str, backends: Mapping[str, Backend]) -> dict[str, Any]:
    """What `list --json` has of a puzzle; what cannot be read has an error.

    `reported` has the systems that each source published figures for.
    """
    mistake: str | None = None
    reported: dict[str, dict[str, None]] = defaultdict(dict)
    try:
        for figures in catalogue.reported(name):
            reported[figures.source][figures.system] = None
    except PuzzleError as error:
        mistake = str(error)
    return {
        "rules": errors.shown(catalogue.source_of(name)),
        "error": mistake,
        "instances": [_describe_instance(*each) for each in catalogue.instance_paths(name).items()],
        "families": {family: list(paths) for family, paths in catalogue.families(name).items()},
        "formulations": {each.name: each.formulations.get(name, []) for each in backends.values()},
        "reported": {source: list(systems) for source, systems in reported.items()},
    }


def _describe_instance(name: str, path: Path) -> dict[str, Any]:
    """The head of an instance file; if it has an error, nothing else is known."""
    known: dict[str, Any] = {"name": name, "path": errors.shown(path)}
    known |= dict.fromkeys(("error", "title", "source", "size", "expected"))
    try:
        instance = catalogue.load(path)
    except RequestError as error:
        return known | {"error": str(error)}
    head = {"title": instance.title, "source": instance.source, "size": instance.puzzle.size}
    return known | head | {"expected": asdict(instance.expected)}


def instance_table(puzzles: Mapping[str, Mapping[str, Any]]) -> Table:
    """The instances and families of the puzzles."""
    rows = []
    for name, puzzle in puzzles.items():
        if puzzle["error"]:
            rows.append([name, "", "", puzzle["error"]])
            continue
        for number, instance in enumerate(puzzle["instances"]):
            shown = instance["error"] or instance["title"]
            rows.append(["" if number else name, instance["name"], str(instance["size"] or ""), shown])
        for family, names in puzzle["families"].items():
            first = f": {names[0]}, ..." if names else ""
            rows.append(["", f"family {family}", "", f"{len(names)} generated instances{first}"])
    return Table("Instances", ["puzzle", "instance", "size", "title"], rows, ["instance", "title"])


def solver_table(backends: Mapping[str, Backend]) -> Table:
    """All backends and solvers, and how to install what is missing."""
    rows = []
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
                what += "; this release is known to give wrong answers, see `doctor`"
            rows.append([shown, name + (" (default)" if default else ""), solver.version or "", what])
            shown = ""
        if variants := [name for name in backend.solvers if name not in chosen]:
            # Not among the solvers: they would take the room of what the others are.
            what = "the default with a mechanism turned off or on, or stopped early"
            rows.append([shown, "variants", "", f"{what}: {', '.join(variants)}"])
    for step, names in missing.items():
        rows.append(["", "", "", f"missing: {step} ({', '.join(names)})"])
    columns = ["backend", "solver", "version", "what it is"]
    return Table("Backends", columns, rows, columns)


def _model_table(puzzles: Mapping[str, Mapping[str, Any]], backends: Mapping[str, Backend]) -> Table:
    """The formulations of each puzzle by backend."""
    rows = []
    for name, puzzle in puzzles.items():
        for number, (backend_name, names) in enumerate(puzzle["formulations"].items()):
            backend = backends[backend_name]
            why = backend.broken.get(name) or "no model"
            if backend.missing:
                # Of all puzzles it would be said for each; the table of solvers says it once.
                why = how_to_install(backend.missing) if len(puzzles) == 1 else "not installed"
            rows.append(["" if number else name, backend_name, ", ".join(names) or f"none: {why}"])
    columns = ["puzzle", "backend", "formulations, the default first"]
    return Table("Models", columns, rows, columns)
