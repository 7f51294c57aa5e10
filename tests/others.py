"""Do our samples order the backends as instances of others do? results/collections is to say.

`python -m tests.others ../shared/corpora` runs what is not recorded, draws the picture and prints the table.
Of the collection 30 Sudokus and 30 Kakuros are drawn, evenly over orders of size; beside them are all of our
samples of these two, one run each of the default formulations, with the task `first`.
"""

import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from bench import catalogue
from bench.analysis.plots.drawing import save
from bench.analysis.plots.style import by_rank, style
from bench.analysis.tables import read_runs
from bench.analysis.units import factor
from bench.contract import Status
from bench.report.table import Table
from models.cross_sums.puzzle import CrossSums, Rule
from tests.samples import recipes

FOLDER = catalogue.ROOT / "results" / "collections"

TITLES = {"sudoku": "Sudoku", "cross_sums": "Kakuro"}

BACKENDS = ("cpsat", "milp", "asp", "csp", "backtrack", "native", "cpmpy:choco")

OURS, OTHERS = "ours", "others"


def record(side: str, what: list[str]) -> None:
    """Runs what is not recorded of one side."""
    named = [word for backend in BACKENDS for word in ("--backend", backend)]
    options = [
        "--formulation",
        "default",
        "--task",
        "first",
        "--time-limit",
        "10",
        "--repeat",
        "1",
        "--no-plots",
    ]
    out = str((FOLDER / side).relative_to(catalogue.ROOT))
    command = [
        sys.executable,
        "-m",
        "bench",
        "run",
        *what,
        *named,
        *options,
        "--no-plots",
        "--no-logs",
        "--out",
        out,
    ]
    subprocess.run(command, check=False, cwd=catalogue.ROOT)  # Faults of solvers are in the table.


def our_samples() -> list[str]:
    """The files of our samples of the two, relative to the project."""
    files = [file for file, order in recipes() if order.puzzle in TITLES and file.exists()]
    kakuros = [file for file in files if rule_of(file) in (None, Rule.SUM)]
    return [str(file.relative_to(catalogue.ROOT)) for file in kakuros]


def rule_of(file: Path) -> Rule | None:
    """The rule of a Cross Sums."""
    puzzle = catalogue.load(file).puzzle
    return puzzle.rule if isinstance(puzzle, CrossSums) else None


def standings(runs: pd.DataFrame) -> pd.DataFrame:
    """Of each puzzle and backend: instances, how many are solved, and the slowdown.

    That is the geometric mean of its time relative to the least of a backend, over the instances that any
    solves; what is not solved counts as the limit.
    """
    solved = runs["status"].isin([Status.SOLVED, Status.INFEASIBLE])
    time_s = runs["total_s"].where(solved, runs["time_limit_s"]).clip(upper=runs["time_limit_s"])
    label = runs["backend"] + np.where(runs["backend"] == "cpmpy", ":" + runs["solver"], "")
    table = runs.assign(label=label, solved=solved, log=np.log(time_s))
    least = table[solved].groupby(["puzzle", "instance"])["log"].min().rename("least")
    table = table.join(least, on=["puzzle", "instance"])
    table["slower"] = table["log"] - table["least"]
    groups = table.groupby(["puzzle", "label"])
    found = groups.agg(instances=("solved", "size"), solved=("solved", "sum"), slowdown=("slower", "mean"))
    return found.assign(slowdown=np.exp(found["slowdown"]))


def page_table(sides: Mapping[str, pd.DataFrame]) -> Table:
    """A row for each puzzle and backend, the fastest on instances of others first."""
    joined = sides[OURS].join(sides[OTHERS], lsuffix="_ours", rsuffix="_others").reset_index()
    rows = []
    for row in joined.sort_values(["puzzle", "slowdown_others"], ascending=[False, True]).itertuples():
        ours = [factor(row.slowdown_ours), f"{row.solved_ours} of {row.instances_ours}"]
        others = [factor(row.slowdown_others), f"{row.solved_others} of {row.instances_others}"]
        rows.append([TITLES[row.puzzle], row.label, *ours, *others])
    columns = ["kind", "backend", "slowdown, ours", "solved", "slowdown, others", "solved"]
    return Table("", columns, rows, columns[:2])


def picture(sides: Mapping[str, pd.DataFrame]) -> Figure:
    """The slowdown of each backend on our samples, at the left, and on instances of others, at the right."""
    figure = Figure(figsize=(9, 4.5), layout="constrained")
    for axes, (puzzle, title) in zip(figure.subplots(1, 2), TITLES.items(), strict=True):
        ours, others = (sides[side].loc[puzzle]["slowdown"] for side in (OURS, OTHERS))
        for label in by_rank(ours.index):
            look = style(label)
            axes.plot(
                [0, 1], [ours[label], others[label]], color=look.colour, marker=look.marker, label=label
            )
            axes.annotate(label, (1, others[label]), (6, 0), textcoords="offset points", va="center")
        numbers = [int(sides[side].loc[puzzle]["instances"].max()) for side in (OURS, OTHERS)]
        axes.set(
            title=title, yscale="log", xlim=(-0.2, 1.6), xticks=[0, 1],
            xticklabels=[f"our {numbers[0]} samples", f"{numbers[1]} of others"],
        )  # fmt: skip
    figure.axes[0].set_ylabel("slowdown relative to the fastest of each instance")
    return figure


def main() -> None:
    """Records both sides, draws the picture, prints the table."""
    puzzles = [word for puzzle in TITLES for word in ("--puzzle", puzzle)]
    record(OTHERS, ["--collection", sys.argv[1], *puzzles, "--at-most", "60"])
    record(OURS, our_samples())
    sides = {side: standings(read_runs(FOLDER / side)) for side in (OURS, OTHERS)}
    save(FOLDER / "agreement.png", partial(picture, sides))
    print(page_table(sides).markdown())


if __name__ == "__main__":
    main()
