"""Chooses the default formulations of each kind of puzzle, and the solver of backends that have several.

`python -m tests.defaults` generates pilot instances with seeds and sizes that are reported nowhere, runs
every formulation on them, records that in results/defaults, and prints the tables.

The rule is in docs/methodology.md: the least penalised mean time (PAR2).
"""

import subprocess
import sys
from collections.abc import Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd

from bench import catalogue
from bench.analysis.tables import BACKENDS, read_runs
from bench.analysis.units import seconds
from bench.campaign.selection import TEXTBOOK
from bench.contract import Status
from bench.instruments.generate.instance_file import Order, Wanted, generate
from bench.report.table import Table

SEEDS = (201, 202, 203)

SIZES = {
    "block_party": (18, 35),
    "bug_byte": (22, 30),
    "choco_banana": (9, 11),
    "cross_sums": (11, 13),
    "die_agony": (40,),
    "hooks": (7, 9),
    "knight_moves": (9, 11),
    "magic_hexagon": (3,),
    "number_cross": (6, 8),
    "sudoku": (24,),
    "twenty_four_seven": (5,),
}
"""Sizes of no family, but for Hooks, Number Cross and the magic hexagon, which have hardly another."""

PLANTED = {"die_agony": 6, "magic_hexagon": 4, "sudoku": 18, "twenty_four_seven": 3}
"""The second size, of instances of which nothing is proved, of puzzles that have another."""

SETTINGS = {
    "cpmpy": ("choco", "minizinc/gecode", "pumpkin"),
    "csp": ("backtracking", "optimized", "recursive"),
}
"""The solvers that may be the default of a backend whose library offers several and prefers none.

CPMpy prefers CP-SAT, which is a backend of its own; the parameters of a solver stay its own.
"""

FOLDER = catalogue.ROOT / "results" / "defaults"


def orders() -> dict[str, Order]:
    """The pilot instances by name, six of each puzzle."""
    made = {}
    for seed in SEEDS:
        for puzzle, sizes in SIZES.items():
            for size in sizes:
                made[f"{puzzle}_pilot_{size}_{seed}"] = Order(puzzle, size, seed, 1.0, Wanted.ONE)
        for puzzle, size in PLANTED.items():
            made[f"{puzzle}_pilot_planted_{size}_{seed}"] = Order(puzzle, size, seed, 0.7, Wanted.ANY)
    return made


def record(arguments: Sequence[str]) -> None:
    """Generates the pilot instances that are missing, and runs what FOLDER has not recorded."""
    instances = catalogue.ROOT / "build" / FOLDER.name
    instances.mkdir(parents=True, exist_ok=True)
    files = {instances / f"{name}.toml": order for name, order in orders().items()}

    def make(file: Path) -> None:
        if not file.exists():
            file.write_text(generate(files[file], time_limit_s=600), encoding="utf-8")

    with ThreadPoolExecutor() as threads:
        list(threads.map(make, files))
    # Relative to the project, so that what is recorded names no path of a machine.
    *inputs, out = (str(path.relative_to(catalogue.ROOT)) for path in (*files, FOLDER))
    options = [*arguments, "--repeat", "1", "--time-limit", "10", "--no-plots", "--no-logs"]
    command = [sys.executable, "-m", "bench", "run", *inputs, *options, "--out", out]
    subprocess.run(command, check=True, cwd=catalogue.ROOT)


def penalised(runs: pd.DataFrame, of: Sequence[str]) -> pd.Series:
    """The mean time in seconds of what `of` names, best first; what is not solved counts twice the limit.

    The mean is arithmetic over the instances of a size, then geometric over sizes, tasks and puzzles.

    Args:
        runs: the columns of `of`, and puzzle, instance, task, status, total_s and time_limit_s of runs.csv.
    """
    time_s = runs["total_s"].where(runs["status"] == Status.SOLVED, 2 * runs["time_limit_s"])
    cells = runs.assign(time_s=time_s, size=runs["instance"].str.rsplit("_", n=1).str[0])
    means = cells.groupby([*dict.fromkeys([*of, "puzzle", "size", "task"])])["time_s"].mean()
    return np.exp(np.log(means).groupby(level=list(of)).mean()).sort_values()


def by_solver(runs: pd.DataFrame) -> dict[str, dict[str, float]]:
    """The penalised means of the solvers of each backend of SETTINGS with textbook models, the best first."""
    models = runs[runs["formulation"] == TEXTBOOK]
    means = penalised(models, ["backend", "solver"])
    return {backend: means[backend].to_dict() for backend in SETTINGS}


def formulations(puzzle: str, backend: str) -> list[str]:
    """The names of the formulations there are, the default first."""
    return catalogue.tables_in(catalogue.source_of(puzzle, backend), "FORMULATIONS")


def by_formulation(runs: pd.DataFrame) -> dict[tuple[str, str], dict[str, float]]:
    """The penalised means of the formulations of each puzzle and backend, the best first, with its solver.

    What was recorded of formulations that are gone does not count.
    """
    others = [solver for means in by_solver(runs).values() for solver in [*means][1:]]
    means = penalised(runs[~runs["solver"].isin(others)], ["puzzle", "backend", "formulation"])
    found: dict[tuple[str, str], dict[str, float]] = {}
    for (puzzle, backend, formulation), time_s in means.items():
        if formulation in formulations(puzzle, backend):
            found.setdefault((puzzle, backend), {})[formulation] = time_s
    return found


def tables(runs: pd.DataFrame) -> tuple[Table, Table]:
    """What results/defaults/README.md shows: formulations, those that reason marked with *, and solvers."""

    def listed(means: Mapping[str, float], marked: Set[str] = frozenset()) -> str:
        return ", ".join(f"{name}{'*' * (name in marked)} {seconds(mean)}" for name, mean in means.items())

    found = by_formulation(runs)
    reasons = runs[runs["reasoning_s"].notna()].groupby(["puzzle", "backend"])["formulation"].agg(set)
    backends = [name for name in BACKENDS if any(backend == name for _, backend in found)]
    cells = {key: listed(means, reasons.get(key, frozenset())) for key, means in found.items()}
    rows = [[puzzle, *(cells.get((puzzle, backend), "") for backend in backends)] for puzzle in SIZES]
    solvers = [[backend, listed(means)] for backend, means in by_solver(runs).items()]
    return Table("", ["puzzle", *backends], rows, backends), Table(
        "", ["backend", "solvers"], solvers, ["solvers"]
    )


def main() -> None:
    """Generates what is missing, measures what is not recorded, prints the tables."""
    solvers = {backend: [backend] for backend in ("cpsat", "milp", "asp", "backtrack", "native")}
    solvers |= {backend: [f"{backend}:{name}" for name in names] for backend, names in SETTINGS.items()}
    named = [argument for names in solvers.values() for name in names for argument in ("--backend", name)]
    record([*named, "--formulation", "all", *sys.argv[1:]])
    print(*(table.markdown() for table in tables(read_runs(FOLDER))), sep="\n")


if __name__ == "__main__":
    main()
