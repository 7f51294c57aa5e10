"""What the tab key offers: names found in folders and files, without importing a solver."""

from collections.abc import Iterable
from itertools import product, starmap
from pathlib import Path

from bench import catalogue
from bench.campaign.selection import ALL, DEFAULT


def what(incomplete: str) -> list[str]:
    """The arguments of `run`: puzzles and instances."""
    names = [*catalogue.puzzle_names(), *_instances_of_puzzles()]
    return starting(incomplete, names) or _instances(incomplete)


def _instances(incomplete: str) -> list[str]:
    """The instances; those of families, which are many, only if no other matches."""
    generated = (key.split("/")[1] for key in catalogue.all_instances())
    return starting(incomplete, _instances_of_puzzles()) or starting(incomplete, generated)


def _instances_of_puzzles() -> list[str]:
    """The instances that belong to no family."""
    return [name for puzzle in catalogue.puzzle_names() for name in catalogue.instance_paths(puzzle)]


def families(incomplete: str) -> list[str]:
    """The families of all puzzles."""
    names = (name for puzzle in catalogue.puzzle_names() for name in catalogue.families(puzzle))
    return starting(incomplete, names)


def backends(incomplete: str) -> list[str]:
    """The backends; after a colon their solvers."""
    names = catalogue.backend_names()
    if ":" in incomplete:
        names = [
            f"{backend}:{solver}"
            for backend in names
            for solver in (*catalogue.solver_names(backend), *catalogue.variant_names(backend))
        ]
    return starting(incomplete, names)


def formulations(incomplete: str) -> list[str]:
    """The formulations of all puzzles and backends, from their tables in the source, `all` and `default`."""
    pairs = product(catalogue.puzzle_names(), catalogue.backend_names())
    files = filter(Path.is_file, starmap(catalogue.source_of, pairs))
    written = (name for file in files for name in catalogue.tables_in(file, "FORMULATIONS"))
    return starting(incomplete, [ALL, DEFAULT, *written])


def starting(incomplete: str, names: Iterable[str]) -> list[str]:
    """The names that begin with what is typed, each once, sorted."""
    return sorted({name for name in names if name.startswith(incomplete)})


OFFERED = {
    "WHAT": what,
    "PUZZLE": lambda incomplete: starting(incomplete, catalogue.puzzle_names()),
    "INSTANCE": _instances,
    "FAMILY": families,
    "BACKEND[:SOLVER]": backends,
    "FORMULATION": formulations,
}
"""What may be completed, by the metavar of a parameter."""
