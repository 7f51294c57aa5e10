"""What the tab key offers: names found in folders and files, without importing a solver."""

from collections.abc import Iterable, Iterator

from bench import catalogue


def puzzles(incomplete: str) -> list[str]:
    """The puzzles."""
    return starting(incomplete, catalogue.puzzle_names())


def instances(incomplete: str) -> list[str]:
    """The instances; those of families, which are many, only if no other matches."""
    real = [stem for puzzle in catalogue.puzzle_names() for stem in catalogue.instance_paths(puzzle)]
    generated = (key.split("/")[1] for key in catalogue.all_instances())
    return starting(incomplete, real) or starting(incomplete, generated)


def what(incomplete: str) -> list[str]:
    """The arguments of `run`: puzzles and instances."""
    real = [stem for puzzle in catalogue.puzzle_names() for stem in catalogue.instance_paths(puzzle)]
    return starting(incomplete, {*catalogue.puzzle_names(), *real}) or instances(incomplete)


def families(incomplete: str) -> list[str]:
    """The families of all puzzles."""
    return starting(
        incomplete, {f for puzzle in catalogue.puzzle_names() for f in catalogue.families(puzzle)}
    )


def backends(incomplete: str) -> list[str]:
    """The backends; after a colon their solvers."""
    names = catalogue.backend_names()
    if ":" in incomplete:
        names = [f"{backend}:{solver}" for backend in names for solver in catalogue.solver_names(backend)]
    return starting(incomplete, names)


def formulations(incomplete: str) -> list[str]:
    """The formulations of all puzzles and backends, and `all`."""
    return starting(incomplete, {"all", *written_formulations()})


def written_formulations() -> Iterator[str]:
    """The names in the tables FORMULATIONS, read from the source."""
    for puzzle in catalogue.puzzle_names():
        for backend in catalogue.backend_names():
            path = catalogue.source_of(puzzle, backend)
            if path.is_file():
                yield from catalogue.tables_in(path, "FORMULATIONS")


def starting(incomplete: str, names: Iterable[str]) -> list[str]:
    """The names that begin with what is typed, sorted."""
    return sorted(name for name in names if name.startswith(incomplete))
