"""A picture that stands within the page."""

import re

from markupsafe import Markup

from bench.analysis.plots.drawing import Drawn
from bench.analysis.plots.style import BAD, BAND, GRID, INK, MUTED, PAPER

_THEMED = {INK: "ink", PAPER: "paper", GRID: "line", BAND: "band", MUTED: "muted", BAD: "bad"}
"""The colours that follow the reader's light or dark scheme, and their names in report.css."""

SMALLEST = 0.72
"""Narrower pages scroll a picture rather than make it smaller than this; its text would be too small."""

SIZE = re.compile(r'<svg ([^>]*?)width="([0-9.]+)pt" height="[0-9.]+pt"')


def inline(picture: Drawn) -> Markup:
    """The picture as part of a page: as wide as there is room, in the reader's colours.

    Solutions keep their own colours, on white.
    """
    solution = picture.name.startswith("solution-")

    def fluid(found: "re.Match[str]") -> str:
        # A point is 4/3 pixels of a page.
        most = float(found[2]) * 4 / 3
        least = 0 if solution else SMALLEST * most
        return f'<svg {found[1]}style="max-width: {most:.0f}px; min-width: {least:.0f}px"'

    text = SIZE.sub(fluid, picture.svg, count=1)
    if not solution:
        for colour, name in _THEMED.items():
            text = text.replace(f": {colour}", f": var(--{name})")
    # The picture is our own SVG, in which matplotlib has escaped every text.
    return Markup(text)
