"""The pictures of a campaign, drawn from its runs.csv alone; as SVG and PNG side by side in plots/."""

import io
import json
import signal
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pandas as pd
from matplotlib.figure import Figure

from bench import catalogue
from bench.analysis import old_growth as growth
from bench.analysis import old_scores as scores
from bench.analysis import puzzles
from bench.analysis.old_growth import FAMILY
from bench.analysis.old_tables import compared_instances, compared_task, comparison, reported_figures
from bench.analysis.plots import svg
from bench.analysis.plots.across_puzzles import draw_cactus, draw_overview, draw_profile, draw_ratios
from bench.analysis.plots.families import draw_frontier, draw_givens, draw_growth
from bench.analysis.plots.models import draw_comparison, draw_solution, draw_times
from bench.analysis.plots.style import LOOK
from bench.catalogue import Instance
from bench.catalogue.errors import RequestError
from bench.environment.machine import usable_cores

DOTS_PER_INCH = 110


@dataclass(frozen=True)
class Picture:
    """One picture: what its files are called, and the call that draws it, which another process may make.

    Attributes:
        puzzle: whose own `draw` makes it, and is to blame if that fails; empty for all other pictures.
    """

    name: str
    draw: "partial[Figure]" = field(repr=False)
    puzzle: str = ""

    def figure(self) -> Figure:
        """The picture as a matplotlib figure."""
        with mpl.rc_context(LOOK):
            return self.draw()

    def _repr_png_(self) -> bytes:
        """The picture as a notebook shows it."""
        with mpl.rc_context(LOOK):
            return png_of(self.figure())


@dataclass(frozen=True)
class Drawn:
    """A picture as its files hold it; png is empty if it was not asked for.

    Attributes:
        problem: why there is no picture, with the line of the puzzle's file; empty if there is one.
    """

    name: str
    svg: str
    png: bytes
    problem: str = ""


def pictures(runs: pd.DataFrame, table: pd.DataFrame, files: Sequence[Path] = ()) -> Iterator[Picture]:
    """Every picture: overview, ratios, cactus, profile, times-PUZZLE, comparison- and solution-PUZZLE-NAME.

    Of families, frontier and growth- or givens-PUZZLE-FAMILY-TASK.

    Args:
        runs: of `tables.read_runs`.
        table: of `tables.cells`.
        files: instances that are not among the project's, to be drawn if they were solved.
    """
    led = scores.leading(table)
    shared, _ = scores.shared(led)
    yield Picture("overview", partial(draw_overview, led))
    yield Picture("ratios", partial(draw_ratios, scores.against_fastest(led)))
    if len(shared):
        yield Picture("cactus", partial(draw_cactus, shared))
        yield Picture("profile", partial(draw_profile, shared))
    yield from growth_pictures(runs)
    for puzzle, rows in table.groupby("puzzle", sort=False):
        yield Picture(f"times-{puzzle}", partial(draw_times, rows, reported_figures(puzzle), puzzle))
    for puzzle, instance in compared_instances(table):
        compared, task = comparison(table, puzzle, instance), compared_task(table, puzzle, instance)
        yield Picture(f"comparison-{puzzle}-{instance}", partial(draw_comparison, compared, instance, task))
    for loaded, solution, answer in solutions(runs, files):
        name = f"solution-{loaded.puzzle_name}-{loaded.name}"
        yield Picture(name, partial(draw_solution, loaded.path, solution, answer), loaded.puzzle_name)


def solutions(runs: pd.DataFrame, files: Sequence[Path] = ()) -> Iterator[tuple[Instance, Any, str]]:
    """Each solved instance whose file is at hand unchanged, with its solution and answer."""
    solved = runs[(runs["status"] == "solved") & (runs["solution"] != "")]
    columns = ["puzzle", "instance", "instance_sha256"]
    for row in solved.drop_duplicates(columns).sort_values(columns).to_dict("records"):
        own = [path for path in files if path.stem == row["instance"]]
        for path in [*catalogue.instance_paths(row["puzzle"]).values(), *own]:
            if path.stem == row["instance"] and (loaded := unchanged(path, row)):
                with suppress(ValueError):
                    yield loaded, json.loads(row["solution"]), row["answer"]
                break


def unchanged(path: Path, row: Mapping[str, Any]) -> Instance | None:
    """The instance in a file, if it is the one of the row as it was measured."""
    loaded = puzzles.load(path)
    return loaded if isinstance(loaded, Instance) and loaded.sha256 == row["instance_sha256"] else None


def unreadable(runs: pd.DataFrame) -> list[str]:
    """What keeps solutions from being drawn, a line each: puzzles and instances that are broken by now."""
    found = []
    for puzzle, rows in runs.groupby("puzzle", sort=False):
        if broken := puzzles.problems(str(puzzle)):
            found += broken
            continue
        paths = catalogue.instance_paths(str(puzzle))
        loaded = [puzzles.load(paths[name]) for name in set(rows["instance"]) & set(paths)]
        found += [problem for problem in loaded if isinstance(problem, str)]
    return sorted(found)


def growth_pictures(runs: pd.DataFrame) -> Iterator[Picture]:
    """What the families among the runs show."""
    climbed = growth.steps(runs)
    if len(climbed):
        reached = growth.frontier(climbed)
        yield Picture("frontier", partial(draw_frontier, climbed, reached))
        for keys, sizes in climbed.groupby(FAMILY, sort=False):
            of = reached[(reached[FAMILY] == list(keys)).all(axis="columns")]
            yield Picture(f"growth-{'-'.join(keys)}", partial(draw_growth, sizes, of))
    for keys, rows in growth.givens(runs).groupby(FAMILY, sort=False):
        yield Picture(f"givens-{'-'.join(keys)}", partial(draw_givens, rows))


def draw(picture: Picture, png: bool) -> Drawn:
    """Draws a picture as SVG, and as PNG too if asked; of a puzzle whose `draw` raises, says where."""
    try:
        with mpl.rc_context(LOOK):
            figure = picture.figure()
            text = svg.render(figure, picture.name)
            # The layout of the first is that of the second; finding it takes as long as drawing.
            figure.set_layout_engine("none")
            return Drawn(picture.name, text, png_of(figure) if png else b"")
    except (Exception, SystemExit) as error:
        if not picture.puzzle:
            raise
        blamed = catalogue.blamed(error, picture.puzzle, "puzzle")
        return Drawn(picture.name, "", b"", f"no picture: {blamed}")


def png_of(figure: Figure) -> bytes:
    """The figure as a PNG file."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=DOTS_PER_INCH)
    return buffer.getvalue()


def save(path: Path, draw_it: "partial[Figure]") -> None:
    """Draws one picture to a file, in the format that its name says.

    Raises:
        RequestError: if there is no such format.
    """
    with mpl.rc_context(LOOK):
        try:
            draw_it().savefig(path, dpi=DOTS_PER_INCH)
        except ValueError as error:
            raise RequestError(f"{path}: {error}") from None


def draw_all(wanted: Sequence[Picture], png: bool) -> list[Drawn]:
    """Draws pictures, as many at a time as there are cores.

    Raises:
        KeyboardInterrupt: at once; what is being drawn is lost.
    """
    others = set(active_children())
    with ProcessPoolExecutor(len(usable_cores())) as pool:
        # Ctrl-C reaches every process of a terminal. Those that are started here inherit that it is blocked.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        drawn = [pool.submit(draw, picture, png) for picture in wanted]
        try:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            return [future.result() for future in drawn]
        except BaseException:
            for process in set(active_children()) - others:
                process.kill()
            raise


def file_name(name: str) -> str:
    """The name without what would lead to another folder: runs.csv may come from anywhere."""
    return name.replace("/", "_").replace("\\", "_")


def write(folder: Path, drawn: Sequence[Drawn], table: pd.DataFrame) -> list[Path]:
    """Writes pictures, and each comparison of models as a table, into plots/ of a campaign's folder.

    Where there is no picture, one of an earlier time is removed.

    Returns:
        The files.

    Raises:
        OSError: if the folder cannot be written.
    """
    plots = folder / "plots"
    plots.mkdir(exist_ok=True)
    written = []
    for picture in drawn:
        for ending, content in ((".svg", picture.svg.encode()), (".png", picture.png)):
            path = plots / f"{file_name(picture.name)}{ending}"
            if picture.problem:
                path.unlink(missing_ok=True)
                continue
            path.write_bytes(content)
            written.append(path)
    for puzzle, instance in compared_instances(table):
        path = plots / f"comparison-{file_name(puzzle)}-{file_name(instance)}.csv"
        comparison(table, puzzle, instance).to_csv(path, index=False)
        written.append(path)
    return written
