"""A figure as SVG text, with tooltips and data- attributes where artists are tagged, without a date."""

import io
import json
import re
from xml.etree import ElementTree

from matplotlib.artist import Artist
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_LINK = f"{{{_XLINK}}}href"
ElementTree.register_namespace("", SVG)
ElementTree.register_namespace("xlink", _XLINK)
FONT = "DejaVu Sans"
_FONTS = f"'{FONT}', Verdana, sans-serif"
"""What matplotlib measures text with; where it is missing, Verdana is as wide."""

_REFERENCE = re.compile(r"url\(#([^)]*)\)")


def tag(artist: Artist, tooltip: str = "", **data: str) -> None:
    """Gives an artist a tooltip, and data- attributes by which the page finds it."""
    artist.set_gid(json.dumps({"title": tooltip, **data}))


def render(figure: Figure, name: str) -> str:
    """The figure as an SVG element, without the XML declaration; the same figure gives the same text.

    The tooltip of an artist (`tag`) becomes a <title>. An id is kept only where something refers to it, and
    begins with `name`, so that one page can hold many pictures.
    """
    name = re.sub(r"[^A-Za-z0-9_-]", "_", name)
    buffer = io.BytesIO()
    # Figure.savefig would find the layout, and draw, twice.
    metadata = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    FigureCanvasSVG(figure).print_svg(buffer, metadata=metadata)  # type: ignore[no-untyped-call]
    root = ElementTree.fromstring(buffer.getvalue())
    used: set[str] = set()
    for element in root.iter():
        for key, value in element.attrib.items():
            if key == _LINK and value.startswith("#"):
                used.add(value[1:])
                element.set(key, f"#{name}-{value[1:]}")
            elif found := _REFERENCE.findall(value):
                used.update(found)
                element.set(key, _REFERENCE.sub(rf"url(#{name}-\1)", value))
    for element in root.iter():
        key = element.attrib.pop("id", "")
        if key in used:
            element.set("id", f"{name}-{key}")
        elif key.startswith("{"):
            data = json.loads(key)
            if tooltip := data.pop("title"):
                title = ElementTree.Element(f"{{{SVG}}}title")
                title.text = tooltip
                element.insert(0, title)
            for attribute, value in data.items():
                element.set(f"data-{attribute}", value)
    return ElementTree.tostring(root, encoding="unicode").replace(f"'{FONT}'", _FONTS)
