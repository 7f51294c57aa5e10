"""Executes notebooks, and writes them without pictures: `python -m tests.notebooks notebooks/*.ipynb`."""

import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient


def read(path: Path) -> Any:
    """The notebook in a file."""
    return nbformat.read(path, as_version=4)


def execute(notebook: Any, folder: Path) -> None:
    """Executes all cells in a folder."""
    NotebookClient(notebook, timeout=1200, resources={"metadata": {"path": str(folder)}}).execute()


def outputs(notebook: Any) -> list[Any]:
    """What the cells show, in order."""
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def pictures(output: Any) -> list[str]:
    """The formats of an output that are, or contain, a picture."""
    return [
        format_
        for format_, content in output.get("data", {}).items()
        if format_.startswith("image/") or "<svg" in str(content) or "data:image/" in str(content)
    ]


def main() -> None:
    """Executes each notebook and writes it again; what stands for a picture is its text."""
    for path in map(Path, sys.argv[1:]):
        notebook = read(path)
        execute(notebook, path.parent)
        for output in outputs(notebook):
            for format_ in pictures(output):
                del output.data[format_]
        nbformat.write(notebook, path)


if __name__ == "__main__":
    main()
