"""The command `explain`: what each mechanism of a solver contributes, and what the root alone achieves."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Annotated

from bench import catalogue
from bench.analysis.units import listed
from bench.campaign.schedule import Repeats
from bench.campaign.selection import ALL, Solvers, backends_of, find_family
from bench.catalogue.errors import RequestError, command_line
from bench.cli import options
from bench.cli.command import Argument, Option
from bench.cli.console import answers, console, existing, name_broken
from bench.cli.progress import show_count
from bench.cli.run import any_failed, execute, finish
from bench.environment.files import refuse_unwritable

_ROOTS = (
    "cpsat", "cpsat:propagation", "cpsat:probing", "milp", "milp:relaxation", "milp:presolved_relaxation",
    "asp", "asp:propagation", "csp", "backtrack", "backtrack:full",
    "backtrack:shaving",
)  # fmt: skip
"""What is run on a family: the default solvers, and the variants that measure what the root decides."""

_CROSSED = ("milp:cpsat", "cpsat:highs")
"""Each library's programs with the solver of the other: model and solver are two factors."""


def explain(
    what: Annotated[
        list[str],
        Argument(
            metavar="WHAT",
            help="Instances (a name, or a TOML file), or puzzles; with --family a puzzle. Or the folder of a "
            "campaign with variants: nothing is run, and the page is written there, or to --out.",
        ),
    ],
    *,
    family: Annotated[
        str | None,
        Option("Instances of this family, run as by `scale`: what the root decides at each size.", "FAMILY"),
    ] = None,
    task: options.OneTask = None,
    backend: options.Backends = None,
    formulation: options.Formulations = None,
    repetition: options.Repetition,
    limits: options.RunLimits,
    recording: options.Recording,
) -> None:
    """Say why an instance is easy or hard: run all formulations with the variants of the default solvers.

    By default all formulations, with five seeds, once each, and a time limit of 10 s, recorded in
    results/explain/: there it is resumed when it is asked again, and why.html is written. (What the options
    below call their default is that of other commands.)
    """
    if folders := [*filter(_is_recorded, map(Path, what))]:
        folder = existing(folders[0])
        used = family, task, backend, formulation, replace(recording, out=None, skip_damaged=False)
        unused = None, None, None, None, options.Recording()
        if len(what) > 1 or (*used, repetition, limits) != (
            *unused,
            options.Repetition(),
            options.RunLimits(),
        ):
            alone = "explain it alone, with no options but --out and --skip-damaged"
            raise RequestError(f"{folder} is recorded: {alone}")
        page_in = recording.out or folder
        refuse_unwritable(page_in, "choose another --out")
        _present(existing(folder, recording.skip_damaged), page_in)
        return
    if limits.time_limit is None:
        limits = replace(limits, time_limit=10.0)
    if not family and repetition == options.Repetition():
        repetition = options.Repetition(repeat="1", seeds=5)  # What one seed shows may be luck.
    filters = options.Filters(backend=backend, formulation=formulation or [ALL], task=options.one_task(task))
    request = replace(filters.request(limits), what=what, seeds=repetition.seeds)
    repeats: Repeats | None = repetition.repeats(request.time_limit_s)
    backends_of(request)
    if backend:
        _refuse_without_variants(backend)
    if family:
        find_family(family, map(catalogue.find_puzzle, what))
        roots = [
            [root for root in _ROOTS if name in ("", root.partition(":")[0])] or [name]
            for name in backend or [""]
        ]
        # Of each backend that is named those of ROOTS; a solver, or any other backend, is meant itself.
        request = replace(request, families=[family], backends=list(dict.fromkeys(chain(*roots))))
        repeats = repeats if repetition.repeat else None
    else:
        crossed = backend or [*backends_of(request), *_CROSSED]
        request = replace(request, solvers=Solvers.VARIANTS, backends=crossed)
    names = [Path(word).name.removesuffix(".toml") for word in what]
    out = recording.out or Path("results/explain") / "-".join(filter(None, [*names, family]))
    left_out = name_broken(request)
    folder = execute(request, repeats, replace(recording, out=out), left_out)
    finish(folder, False, partial(_summarise, plots=recording.plots), left_out)


def _is_recorded(path: Path) -> bool:
    """Whether a folder has a campaign; or campaigns in its folders, where it is no puzzle's."""
    is_puzzle = (path / "puzzle.py").exists() or str(path) in catalogue.puzzle_names()
    folders = [path, *([] if is_puzzle else path.glob("*"))]
    return any((folder / name).exists() for folder in folders for name in ("runs.csv", "runs.csv.gz"))


def _refuse_without_variants(backends: Sequence[str]) -> None:
    """Raises RequestError if none of these backends has a default with variants."""
    # Importing pandas, which the analysis does, takes a second.
    from bench.analysis.tables import DEFAULTS, OTHERS, is_variant

    for name in backends:
        backend, _, solver = name.partition(":")
        if name in OTHERS or (is_variant(backend, solver) and f"{backend}:{DEFAULTS[backend]}" in backends):
            return
    raise RequestError(f"{listed(backends)}: nothing to compare with; write {listed(OTHERS)}")


def _summarise(folder: Path, plots: bool) -> bool:
    """Presents a campaign that was just measured; returns whether anything failed or nothing was tried."""
    failed = any_failed(folder)
    _present(folder, folder, plots, failed)
    return failed


def _present(folder: Path, out: Path, plots: bool = True, failed: bool = False) -> None:
    """Prints what a campaign says, and writes the page; refuses one without variants unless runs failed."""
    # Importing pandas takes a second: not before there is something to read.
    from bench.instruments.explain.page import Why, print_summary, write_page

    shown = Why(folder)
    print_summary(console.rich, shown)
    if not (shown or failed):
        raise RequestError(f"{folder}: no variants of solvers (--solvers variants) were measured there")
    if plots and shown:
        try:
            with show_count(console, "pictures") as on_picture:
                page = write_page(shown, out, on_picture)
        except KeyboardInterrupt:
            answers.out(f"interrupted; all runs are recorded. To explain: {command_line('explain', folder)}")
            sys.exit(130)
        answers.out(f"{page} has the rest, and opens in any browser")
