"""The instructions of commits, from campaigns that counted them: a table and a picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from bench.analysis.measurements import is_conclusive
from bench.analysis.plots.style import MUTED, by_rank, draw_legend, style
from bench.analysis.tables import MEASUREMENT, labels, read_runs
from bench.catalogue.errors import RequestError
from bench.environment.machine import git
from bench.report.table import Table


@dataclass(frozen=True)
class History:
    """The instructions of each puzzle with each backend, by commits, the oldest first.

    Attributes:
        millions: a row for each puzzle and backend, a column for each commit: the sum of its measurements.
        ratios: the same relative to the first commit. From a commit to the next that has a measurement, the
            geometric mean over all that both have: one that is added, or gone, changes nothing.
    """

    millions: pd.DataFrame
    ratios: pd.DataFrame

    def table(self) -> Table:
        """What each puzzle with each backend needs now, and since the commit before and the first."""
        rows = []
        for group, millions, ratios in zip(
            self.ratios.index, self.millions.to_numpy(), self.ratios.to_numpy(), strict=True
        ):
            since = (f"{round(ratio - 1, 4) + 0.0:+.2%}" for ratio in ratios[-1] / ratios[[-2, 0]])
            texts = [" ".join(group), f"{millions[-1]:,.1f}", *since]
            rows.append(["" if "nan" in text else text for text in texts])
        columns = ["puzzle, backend", "millions", "since the commit before", "since the first"]
        return Table(f"Instructions in the last of {len(self.ratios.columns)} commits", columns, rows)

    def draw(self) -> Figure:
        """A panel for each puzzle, with a line for each backend."""
        puzzles = self.ratios.index.unique(level=0)
        figure = Figure(figsize=(9.5, 1.2 + 1.9 * len(puzzles)), layout="constrained")
        panels = figure.subplots(len(puzzles), 1, sharex=True, squeeze=False)[:, 0]
        for axes, puzzle in zip(panels, puzzles, strict=True):
            for label, ratios in self.ratios.loc[puzzle].iterrows():
                looks = style(str(label))
                axes.plot(range(len(ratios)), 100 * (ratios - 1), color=looks.colour, marker=looks.marker)
            axes.axhline(0, color=MUTED, linewidth=1)
            axes.set_ylim(*np.array(axes.get_ylim()).clip([-np.inf, 1], [-1, np.inf]))
            axes.yaxis.set_major_formatter("{x:+g}%")
            axes.set_title(puzzle, loc="left")
        names = [commit[:7] for commit in self.ratios.columns]
        panels[-1].set_xticks(range(len(names)), names, rotation=90 if len(names) > 12 else 0)
        panels[-1].set_xlabel("commits, the oldest first")
        draw_legend(figure, by_rank(self.ratios.index.unique(level=1)), "outside lower center", lines=True)
        figure.suptitle(f"Instructions compared with {names[0]} (up: more)", fontsize=10)
        return figure


def read_history(folders: Sequence[Path]) -> History:
    """The history in campaigns; raises RequestError if it has no two commits."""
    runs = pd.concat([read_runs(folder) for folder in folders])
    runs = runs[is_conclusive(runs) & (runs["commit"] != "")].dropna(subset="instructions")
    # Where git does not know when a commit was made, it is when it was first measured.
    made = runs.groupby("commit")["started_at"].min()
    made = {commit: git("show", "-s", "--format=%cI", commit) or first for commit, first in made.items()}
    commits = sorted(made, key=lambda commit: datetime.fromisoformat(made[commit]))
    if len(commits) < 2:
        mend = "record them with --instructions of `run` or `ab`, or releases with `run --release`"
        raise RequestError(f"{folders[0]}: it has no two commits with instructions; {mend}")
    keys = [*MEASUREMENT, "instance_sha256"]
    least = runs.groupby([*keys, "commit"])["instructions"].min().unstack()[commits].reset_index(keys)
    groups = [least["puzzle"], labels(least).rename("backend")]
    logs = {group: np.log(part[commits]).dropna(axis=1, how="all") for group, part in least.groupby(groups)}
    steps = pd.DataFrame({group: part.diff(axis=1).mean() for group, part in logs.items()}).reindex(commits)
    ratios = np.exp(steps.fillna(0).cumsum()).T
    millions = least[commits].groupby(groups).sum(min_count=1) / 1e6
    return History(millions, ratios.where(millions.ffill(axis=1).notna()))
