"""Draws pictures, several at a time, as SVG and PNG; writes them to plots/ of a campaign."""

import csv
import gc
import io
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import active_children
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from bench import catalogue
from bench.analysis.comparison import ComparedModel, compared_instances, compared_models
from bench.analysis.measurements import Measurement
from bench.analysis.plots import svg
from bench.analysis.plots.style import LOOK
from bench.analysis.tables import PHASES
from bench.catalogue.errors import RequestError, writing
from bench.environment.machine import usable_cores

_DOTS_PER_INCH = 110

NOTHING_LOST = "nothing recorded is lost"


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


def draw(picture: Picture, png: bool) -> Drawn:
    """Draws a picture as SVG, and as PNG too if asked; of a puzzle whose `draw` raises, says where."""
    try:
        with mpl.rc_context(LOOK):
            figure = picture.figure()
            text = svg.render(figure, picture.name)
            # The layout of the first is that of the second; finding it takes as long as drawing.
            figure.set_layout_engine(None)
            return Drawn(picture.name, text, png_of(figure) if png else b"")
    except (Exception, SystemExit) as error:
        if not picture.puzzle:
            raise
        blamed = catalogue.blamed(error, picture.puzzle, "puzzle")
        return Drawn(picture.name, "", b"", f"no picture: {blamed}")


def _postpone_collections() -> None:
    """Has this process, which only draws, collect garbage between pictures and not while it draws one.

    What it inherits is left alone: to look at it would copy it.
    """
    gc.freeze()
    gc.disable()


def _draw_and_collect(picture: Picture, png: bool) -> Drawn:
    """Draws a picture as `draw` does, then frees its figure, which is full of cycles."""
    drawn = draw(picture, png)
    gc.collect()
    return drawn


def png_of(figure: Figure) -> bytes:
    """The figure as a PNG file."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=_DOTS_PER_INCH)
    return buffer.getvalue()


def save(path: Path, draw_it: "partial[Figure]") -> None:
    """Draws one picture to a file, in the format that its name says.

    Raises:
        RequestError: if there is no such format, or the file cannot be written.
    """
    with mpl.rc_context(LOOK), writing(path, "choose another file"):
        try:
            draw_it().savefig(path, dpi=_DOTS_PER_INCH)
        except ValueError as error:
            raise RequestError(f"{path}: {error}") from None


def draw_all(
    wanted: Sequence[Picture], png: bool, on_picture: Callable[[str, int, int], None] = lambda *_: None
) -> list[Drawn]:
    """Draws pictures, as many at a time as there are cores.

    Args:
        on_picture: called while each is drawn, with its name, its number, and how many there are.

    Raises:
        KeyboardInterrupt: at once; what is being drawn is lost.
    """
    others = set(active_children())
    with ProcessPoolExecutor(len(usable_cores()), initializer=_postpone_collections) as pool:
        # Ctrl-C reaches every process of a terminal. Those that are started here inherit that it is blocked.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        drawn = [pool.submit(_draw_and_collect, picture, png) for picture in wanted]
        try:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            found = []
            for number, (picture, future) in enumerate(zip(wanted, drawn, strict=True), 1):
                on_picture(picture.name, number, len(wanted))
                found.append(future.result())
            return found
        except BaseException:
            for process in set(active_children()) - others:
                process.kill()
            raise


def _file_name(name: str) -> str:
    """The name without what would lead to another folder: runs.csv may come from anywhere."""
    return name.replace("/", "_").replace("\\", "_")


def write(folder: Path, drawn: Sequence[Drawn], measured: Sequence[Measurement]) -> list[Path]:
    """Writes pictures, and each comparison of models as a table, to plots/ of a campaign's folder.

    One that was not drawn again, or not in this format, is removed.

    Raises:
        RequestError: if a file cannot be written.
    """
    plots = folder / "plots"
    with writing(plots, NOTHING_LOST):
        plots.mkdir(exist_ok=True)
    written = []
    for picture in drawn:
        for ending, content in ((".svg", picture.svg.encode()), (".png", picture.png)):
            path = plots / f"{_file_name(picture.name)}{ending}"
            if picture.problem or not content:
                path.unlink(missing_ok=True)
                continue
            with writing(path, NOTHING_LOST):
                path.write_bytes(content)
            written.append(path)
    for puzzle, instance in compared_instances(measured):
        path = plots / f"comparison-{_file_name(puzzle)}-{_file_name(instance)}.csv"
        with writing(path, NOTHING_LOST):
            _write_comparison(path, compared_models(measured, puzzle, instance))
        written.append(path)
    return written


_COMPARED = [
    "variables", "constraints", "presolved_variables", "presolved_constraints", "branches", "failures",
    "rounds", *PHASES,
]  # fmt: skip
"""The figures in a table of compared models."""


def _write_comparison(path: Path, compared: Sequence[ComparedModel]) -> None:
    """Writes compared models as CSV; an empty field where there is no figure."""
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["system", "formulation", *_COMPARED, "total_s", "reported", "note"])
        for each in compared:
            figures = [getattr(each.figures, name) for name in _COMPARED]
            rows.writerow([each.system, each.formulation, *figures, each.total_s, each.published, each.note])
