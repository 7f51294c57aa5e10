"""Who wins on instances of others, and do our samples agree? results/collections is to say.

`python -m tests.others ../shared/corpora` runs what is not recorded of some instances of each kind of the
collection, drawn evenly over orders of size, with the task `first`: one run each of the default
formulations, and of the textbook's for CP-SAT and HiGHS. It draws the picture and prints the table of those
kinds of which there are samples in results/sample, too.
"""

import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from itertools import combinations, product

import pandas as pd
from matplotlib.figure import Figure

from bench.analysis.measurements import measurements
from bench.analysis.plots.drawing import save
from bench.analysis.plots.style import MUTED, by_rank, draw_legend, log_axis, style
from bench.analysis.tables import read_runs
from bench.analysis.units import factor
from bench.catalogue import ROOT
from bench.contract import Task
from bench.instruments.which.samples import of_samples, samples, standings_on
from bench.report.table import Table
from tests.lot import DRAWN
from tests.samples import recipes

RESULTS = ROOT / "results"

TITLES = {"sudoku": "Sudoku", "cross_sums": "Kakuro"}
"""The kinds that are compared with our samples."""

NUMBERS = dict.fromkeys(TITLES, 30) | dict.fromkeys(
    (
        "quasigroup_completion", "star_battle", "nonogram", "shikaku", "market_split",
        "slitherlink", "nurikabe", "perfect_squares", "car_sequencing", *DRAWN,
    ),
    6,
)  # fmt: skip
"""How many instances of each kind are drawn."""

BACKENDS = {
    "default": ("cpsat", "milp", "asp", "csp", "backtrack", "native", "cpmpy:choco"),
    "textbook": ("cpsat", "milp"),
}
"""By formulation."""


def record(collection: str) -> None:
    """Runs what is not recorded; faults of solvers are in the table."""
    options = "--task first --time-limit 10 --repeat 1 --jobs 2 --no-plots --no-logs --keep"
    for (puzzle, number), (formulation, backends) in product(NUMBERS.items(), BACKENDS.items()):
        words = ["--collection", collection, "--puzzle", puzzle, "--at-most", str(number), *options.split()]
        words += ["--formulation", formulation, "--out", "results/collections"]
        words += [word for backend in backends for word in ("--backend", backend)]
        subprocess.run([sys.executable, "-m", "bench", "run", *words], check=False, cwd=ROOT)


def our_samples() -> set[str]:
    """The names of our samples of the two; Kakuro is Cross Sums with the rule `sum`."""
    return {file.stem for file, order in recipes() if order.puzzle in TITLES and order.rule != "signed_sum"}


def standings(runs: pd.DataFrame) -> pd.DataFrame:
    """How many problems of each puzzle each backend solves, and its slowdown (`standings_on`)."""
    found = samples(of_samples(measurements(runs[runs["task"] == Task.FIRST])))
    return pd.concat(map(standings_on, found)).set_index(["puzzle", "label"])


def page_table(sides: Mapping[str, pd.DataFrame]) -> Table:
    """A row for each puzzle and backend, the fastest on instances of others first."""
    joined = sides["ours"].add_suffix("_ours").join(sides["others"].add_suffix("_others")).reset_index()
    rows = []
    for row in joined.sort_values(["puzzle", "slowdown_others"], ascending=[False, True]).itertuples():
        ours = [factor(row.slowdown_ours), f"{row.solved_ours} of {row.problems_ours}"]
        others = [factor(row.slowdown_others), f"{row.solved_others} of {row.problems_others}"]
        rows.append([TITLES[row.puzzle], row.label, *ours, *others])
    columns = ["kind", "backend", "slowdown, ours", "solved", "slowdown, others", "solved"]
    return Table("", columns, rows, columns[:2])


def agreement(sides: Mapping[str, pd.DataFrame], puzzle: str) -> str:
    """On how many pairs of backends the two sides agree which is faster."""
    ours, others = (side["slowdown"][puzzle] for side in sides.values())
    pairs = [*combinations(ours.index, 2)]
    same = sum((ours[one] < ours[two]) == (others[one] < others[two]) for one, two in pairs)
    return f"{TITLES[puzzle]}: the same one is faster in {same} of {len(pairs)} pairs of backends."


def picture(sides: Mapping[str, pd.DataFrame]) -> Figure:
    """The slowdown of each backend on our samples, at the top, and on instances of others."""
    figure = Figure(figsize=(11, 4.2), layout="constrained")
    labels = by_rank(sides["ours"].index.unique("label"))
    for axes, (puzzle, title) in zip(figure.subplots(1, 2), TITLES.items(), strict=True):
        both = [side.loc[puzzle] for side in sides.values()]
        log_axis(axes, 0.8 * min(side["slowdown"].min() for side in both), 40)
        for label in labels:
            look, ends = style(label), [side["slowdown"][label] for side in both]
            axes.plot(ends, [0, 1], color=look.colour, marker=look.marker, markersize=8)
        axes.axvline(1, color=MUTED, linewidth=1)
        numbers = [side["problems"].max() for side in both]
        axes.set_yticks([0, 1], [f"our {numbers[0]}\nsamples", f"{numbers[1]} of\nothers"])
        axes.set_ylim(1.3, -0.3)
        axes.set_title(title, loc="left")
    draw_legend(figure, labels)
    figure.supxlabel("Slowdown relative to the fastest solver of each instance (geometric mean)", fontsize=9)
    return figure


def main() -> None:
    """Records the instances of others, draws the picture, prints the table."""
    record(sys.argv[1])
    ours, others = (read_runs(RESULTS / name) for name in ("sample", "collections"))
    sides = {
        "ours": standings(ours[ours["instance"].isin(our_samples())]),
        "others": standings(others[others["puzzle"].isin(TITLES)]),
    }
    save(RESULTS / "collections" / "agreement.png", partial(picture, sides))
    print(page_table(sides).markdown(), *(agreement(sides, puzzle) for puzzle in TITLES), sep="\n")


if __name__ == "__main__":
    main()
