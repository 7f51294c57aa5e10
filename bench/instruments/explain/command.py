"""The command `explain`: what each mechanism of a solver contributes, and what the root alone achieves."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Annotated

from bench import catalogue
from bench.analysis.units import listed
from bench.campaign.schedule import Repeats
from bench.campaign.selection import ALL, Solvers, backends_of, find_family
from bench.catalogue.errors import RequestError
from bench.cli import completion
from bench.cli.command import Argument, Option
from bench.cli.console import answers, console, name_broken
from bench.cli.options import Backends, Filters, Formulations, OneTask, Recording, Repetition, RunLimits
from bench.cli.run import complain_of_failures, execute, finish, nothing_measured
from bench.contract import FAULTY, Status, Task

TIME_LIMIT_S = 10.0
SEEDS = 5
"""By default, as what one seed shows may be luck."""

_ROOTS = (
    "cpsat", "cpsat:propagation", "cpsat:probing", "milp", "milp:relaxation", "milp:presolved_relaxation",
    "asp", "asp:propagation", "csp", "backtrack", "backtrack:full",
    "backtrack:shaving",
)  # fmt: skip
"""What is run on a family: the default solvers, and the variants that measure what the root decides."""


def explain(
    what: Annotated[
        list[str],
        Argument(
            metavar="WHAT",
            completed=completion.what,
            help="Instances (a name, or a TOML file), or puzzles; with --family a puzzle.",
        ),
    ],
    *,
    family: Annotated[
        str | None,
        Option(
            metavar="NAME",
            completed=completion.families,
            help="The generated instances of this family: how what the root decides falls with size. They "
            "are run as by `scale`, with the default solvers and the variants that measure the root.",
        ),
    ] = None,
    task: OneTask = Task.FIRST,
    backend: Backends = None,
    formulation: Formulations = None,
    repetition: Repetition,
    limits: RunLimits,
    recording: Recording,
) -> None:
    """Say why an instance is easy or hard: run all formulations with the variants of the default solvers.

    By default all formulations, with five seeds, once each, and a time limit of 10 s, recorded in
    results/explain/: there it is resumed when it is asked again. (What the options below call their default
    is that of other commands.)
    """
    if limits.time_limit is None:
        limits = replace(limits, time_limit=TIME_LIMIT_S)
    if not family and repetition == Repetition():
        repetition = Repetition(repeat="1", seeds=SEEDS)
    filters = Filters(backend=backend, formulation=formulation or [ALL], task=[task])
    request = replace(filters.request(limits), what=what, seeds=repetition.seeds)
    repeats: Repeats | None = repetition.repeats(request.time_limit_s)
    backends_of(request)
    _refuse_without_variants(backend or ())
    if family:
        _refuse_instances(what)
        find_family(family, map(catalogue.find_puzzle, what))
        roots = [
            [root for root in _ROOTS if name in ("", root.partition(":")[0])] or [name]
            for name in backend or [""]
        ]
        # Of each backend that is named those of ROOTS; a solver, or any other backend, is meant itself.
        request = replace(request, families=[family], backends=list(dict.fromkeys(chain(*roots))))
        repeats = repeats if repetition.repeat else None
    else:
        request = replace(request, solvers=Solvers.VARIANTS)
    names = [Path(word).name.removesuffix(".toml") for word in what]
    out = recording.out or Path("results/explain") / "-".join(filter(None, [*names, family]))
    left_out = name_broken(request)
    folder = execute(request, repeats, replace(recording, out=out), left_out)
    finish(folder, recording.plots, _print_explanation, left_out)


def _refuse_without_variants(backends: Sequence[str]) -> None:
    """Refuses backends and solvers of which nothing is explained, since none of them has variants.

    Raises:
        RequestError: if none of those named has a default with variants.
    """
    if not backends:
        return
    # Importing pandas, which the analysis does, takes a second.
    from bench.analysis.variants import DEFAULTS, OTHERS, is_variant

    solvers = [name.partition(":") for name in backends]
    for backend, _, solver in solvers:
        default = f"{backend}:{DEFAULTS.get(backend)}"
        if backend in OTHERS and (not solver or (is_variant(backend, solver) and default in backends)):
            return
    wholes = [backend for backend, _, solver in solvers if solver and backend in OTHERS]
    if wholes:
        raise RequestError(f"{listed(backends)} alone: nothing to compare with; write {listed(wholes)}")
    have = f"{listed(OTHERS)} have"
    raise RequestError(f"{listed(backends)}: no variants of the default solver, which {have}")


def _refuse_instances(names: Sequence[str]) -> None:
    """Refuses instances where a puzzle is meant.

    Raises:
        RequestError: if one of the names is an instance, or a file.
    """
    for name in names:
        puzzles = [puzzle for puzzle in catalogue.puzzle_names() if name in catalogue.instance_paths(puzzle)]
        if Path(name).suffix == ".toml" or (puzzles and name not in catalogue.puzzle_names()):
            example = f", as in `explain {puzzles[0]} --family`" if puzzles else ""
            raise RequestError(f"{name} is an instance, and --family needs a puzzle{example}")


def _print_explanation(folder: Path) -> bool:
    """Prints tables and sentences; returns whether anything failed, or nothing was measured."""
    if console.quiet:
        return complain_of_failures(folder)
    # Importing pandas takes a second: not before there is something to read.
    from bench.analysis import tables
    from bench.analysis.measurements import measurements
    from bench.instruments.explain.terminal import print_why
    from bench.report import terminal

    runs = tables.read_runs(folder)
    measured = measurements(runs)
    for line in terminal.on_errors(each for each in measured if each.status.faulty):
        answers.print(line, soft_wrap=True)
    print_why(answers.rich, runs, measured, tables=True)
    return nothing_measured(map(Status, runs["status"])) or bool(runs["status"].isin(FAULTY).any())
