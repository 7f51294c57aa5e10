"""Draws pictures, several at a time, as SVG and PNG; writes them to plots/ of a campaign."""

import gc
import json
import re
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from multiprocessing import active_children
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import matplotlib as mpl
from markupsafe import Markup
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from bench import catalogue
from bench.analysis.plots.style import BAD, BAND, FONT, GRID, INK, LOOK, MUTED, PAPER
from bench.catalogue.errors import RequestError, writing
from bench.environment.machine import usable_cores

NOTHING_LOST = "nothing recorded is lost"

_DOTS_PER_INCH = 110

_SVG = "http://www.w3.org/2000/svg"
ElementTree.register_namespace("", _SVG)
ElementTree.register_namespace("xlink", "http://www.w3.org/1999/xlink")

_THEMED = {INK: "ink", PAPER: "paper", GRID: "line", BAND: "band", MUTED: "muted", BAD: "bad"}
"""The colours that follow the reader's light or dark scheme, and their names in report.css."""


@dataclass(frozen=True)
class Picture:
    """What the files of a picture are called, and the call that draws it, which another process may make.

    `puzzle` is to blame if the call fails, as its own `draw` makes the picture; empty for all others.
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
            return png_of(self.draw())


class Drawn(NamedTuple):
    """A picture as its files hold it: `png` is empty unless asked for, `problem` says why there is none."""

    name: str
    svg: str
    png: bytes
    problem: str = ""


def draw(picture: Picture, png: bool) -> Drawn:
    """Draws a picture as SVG, and as PNG if asked; of a puzzle whose `draw` raises, says where."""
    try:
        with mpl.rc_context(LOOK):
            figure = picture.draw()
            text = render(figure, picture.name)
            # The layout of the first is that of the second; finding it takes as long as drawing.
            figure.set_layout_engine(None)
            return Drawn(picture.name, text, png_of(figure) if png else b"")
    except (Exception, SystemExit) as error:
        if not picture.puzzle:
            raise
        blamed = catalogue.blamed(error, picture.puzzle, "puzzle")
        return Drawn(picture.name, "", b"", f"no picture: {blamed}")


def _draw_alone(picture: Picture, png: bool) -> Drawn:
    """Draws a picture in a process that does nothing else, and frees its figure, which is full of cycles."""
    # Garbage is collected between pictures; what is inherited is left alone, as to look at it would copy it.
    gc.disable()
    gc.freeze()
    drawn = draw(picture, png)
    gc.collect()
    return drawn


def draw_all(
    wanted: Sequence[Picture], png: bool, on_picture: Callable[[str, int, int], None] = lambda *_: None
) -> list[Drawn]:
    """Draws pictures, as many at a time as there are cores; calls `on_picture(name, number, total)` for each.

    Raises KeyboardInterrupt at once; what is being drawn is lost.
    """
    others = set(active_children())
    with ProcessPoolExecutor(len(usable_cores())) as pool:
        # Ctrl-C reaches every process of a terminal. Those that are started here inherit that it is blocked.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        drawn = [pool.submit(_draw_alone, picture, png) for picture in wanted]
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


def png_of(figure: Figure, dots_per_inch: float = _DOTS_PER_INCH) -> bytes:
    """The figure as a PNG file."""
    buffer = BytesIO()
    figure.savefig(buffer, format="png", dpi=dots_per_inch)
    return buffer.getvalue()


def render(figure: Figure, name: str) -> str:
    """The figure as an SVG element; the same figure gives the same text.

    The tooltip of an artist (`tag`) becomes a <title>. Ids depend on `name`, as a page holds many pictures.
    """
    buffer = BytesIO()
    metadata = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    with mpl.rc_context({"svg.hashsalt": name}):
        # Figure.savefig would find the layout, and draw, twice.
        FigureCanvasSVG(figure).print_svg(buffer, metadata=metadata)  # type: ignore[no-untyped-call]
    root = ElementTree.fromstring(buffer.getvalue())
    root.set("data-picture", name)
    for group in root.iter(f"{{{_SVG}}}g"):
        tagged = group.attrib.pop("id", "")
        if tagged.startswith("{"):
            data = json.loads(tagged)
            if tooltip := data.pop("title"):
                title = ElementTree.Element(f"{{{_SVG}}}title")
                title.text = tooltip
                group.insert(0, title)
            for attribute, value in data.items():
                group.set(f"data-{attribute}", value)
    # Where the font that matplotlib measures text with is missing, Verdana is as wide.
    text = ElementTree.tostring(root, encoding="unicode")
    return text.replace(f"'{FONT}'", f"'{FONT}', Verdana, sans-serif")


def inline(picture: Drawn) -> Markup:
    """The picture as part of a page, as wide as there is room; but for solutions in the reader's colours."""
    solution = picture.name.startswith("solution-")

    def fluid(found: "re.Match[str]") -> str:
        # A point is 4/3 pixels of a page.
        most = float(found[1]) * 4 / 3
        # On narrower pages a picture scrolls, lest its text be too small.
        least = 0 if solution else 0.72 * most
        return f'style="max-width: {most:.0f}px; min-width: {least:.0f}px"'

    text = re.sub(r'width="([0-9.]+)pt" height="[0-9.]+pt"', fluid, picture.svg, count=1)
    for colour, name in {} if solution else _THEMED.items():
        text = text.replace(f": {colour}", f": var(--{name})")
    # matplotlib has escaped every text.
    return Markup(text)


def save(path: Path, draw_it: "partial[Figure]") -> None:
    """Draws one picture to a file, in the format that its name says.

    Raises RequestError if there is no such format, or the file cannot be written.
    """
    with mpl.rc_context(LOOK), writing(path, "choose another file"):
        try:
            draw_it().savefig(path, dpi=_DOTS_PER_INCH)
        except ValueError as error:
            raise RequestError(f"{path}: {error}") from None


def write(folder: Path, drawn: Sequence[Drawn]) -> list[Path]:
    """Writes pictures to plots/ of a campaign's folder.

    What was not drawn again in this format is removed. Raises RequestError if a file cannot be written.
    """
    plots = folder / "plots"
    with writing(plots, NOTHING_LOST):
        plots.mkdir(exist_ok=True)
    contents = {f"{picture.name}.svg": picture.svg.encode() for picture in drawn}
    contents |= {f"{picture.name}.png": picture.png for picture in drawn}
    written = []
    for name, content in contents.items():
        # Names come from runs.csv, and may not lead to another folder.
        path = plots / re.sub(r"[/\\]", "_", name)
        with writing(path, NOTHING_LOST):
            if content:
                path.write_bytes(content)
                written.append(path)
            else:
                path.unlink(missing_ok=True)
    return written
