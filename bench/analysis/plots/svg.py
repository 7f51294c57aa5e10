"""A figure as SVG text: tooltips and data- attributes where artists are tagged, no date, no metadata."""

import io
import json
import re
from xml.etree import ElementTree

from matplotlib.figure import Figure

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
LINK = f"{{{XLINK}}}href"
ElementTree.register_namespace("", SVG)
ElementTree.register_namespace("xlink", XLINK)
FONT = "DejaVu Sans"
FONTS = f"'{FONT}', Verdana, sans-serif"
"""What matplotlib measures text with; where it is missing, Verdana is as wide."""

REFERENCE = re.compile(r"url\(#([^)]*)\)")


def render(figure: Figure, name: str) -> str:
    """The figure as an SVG element, without the XML declaration; the same figure gives the same text.

    What `style.tag` said of an artist becomes a <title>, which browsers show as a tooltip, and data-
    attributes. An id stays only where something refers to it, and begins with `name`, so that many pictures
    can stand in one page.
    """
    name = re.sub(r"[^A-Za-z0-9_-]", "_", name)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None})
    root = ElementTree.fromstring(buffer.getvalue())
    for metadata in root.findall(f"{{{SVG}}}metadata"):
        root.remove(metadata)
    used: set[str] = set()
    for element in root.iter():
        for key, value in element.attrib.items():
            if key == LINK and value.startswith("#"):
                used.add(value[1:])
                element.set(key, f"#{name}-{value[1:]}")
            elif found := REFERENCE.findall(value):
                used.update(found)
                element.set(key, REFERENCE.sub(rf"url(#{name}-\1)", value))
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
    return ElementTree.tostring(root, encoding="unicode").replace(f"'{FONT}'", FONTS)
