"""Templates of pages: the report's own, and those of instruments, which share its look."""

from pathlib import Path

import jinja2

_REPORT = Path(__file__).parent / "page"


def templates(*folders: Path) -> jinja2.Environment:
    """The templates in these folders and of the report; what is shown in them is escaped."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader([*folders, _REPORT]), undefined=jinja2.StrictUndefined,
        autoescape=True, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
