"""The notebooks run from a clean state, are committed with what they show, and are what they promise."""

import json
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from bench.catalogue import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the project, which is what the notebook's kernel and its workers import."""
    copy = tmp_path / "project"
    for name in ("bench", "models", "instances", "results/reference", "notebooks"):
        shutil.copytree(ROOT / name, copy / name)
    monkeypatch.setenv("PYTHONPATH", str(copy))
    return copy


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs_from_a_clean_state(path: Path, project: Path) -> None:
    before = files(project)
    notebook = nbformat.read(project / "notebooks" / path.name, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
            # As it stands but for the number of runs, which nothing here looks at.
            cell.source = cell.source.replace("Repeats(10)", "Repeats(2)")
    client = NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": str(project / "notebooks")}}
    )
    client.execute()
    shown = json.dumps(notebook)
    assert "image/png" in shown
    assert '"stderr"' not in shown, "a warning"
    assert str(project) not in shown, "a path of this machine"
    assert files(project) == before, "leaves nothing behind"


def files(folder: Path) -> set[str]:
    """All files below a folder, but for what Python leaves."""
    return {
        os.path.relpath(path, folder)
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_is_committed_with_its_output(path: Path) -> None:
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1)), "run in order, once"
    outputs = [output for cell in cells for output in cell.outputs]
    assert any("image/png" in output.get("data", {}) for output in outputs)
    assert all(output.output_type != "error" and output.get("name") != "stderr" for output in outputs)
    text = path.read_text()
    here = (str(ROOT), str(Path.home()), tempfile.gettempdir(), sys.prefix)
    assert not any(place in text for place in here), "a path of this machine"
    # An image's base64 has slashes too; a path begins a word.
    shown = [output.get("text", "") + output.get("data", {}).get("text/plain", "") for output in outputs]
    assert not any(re.search(r"""(^|[\s"'(=])/\w+/\w""", text) for text in shown), "an absolute path"
    assert path.stat().st_size < 2.5e6


def test_your_own_puzzle_takes_less_than_sixty_lines() -> None:
    notebook: Any = nbformat.read(ROOT / "notebooks" / "write_your_own.ipynb", as_version=4)
    written = [cell.source for cell in notebook.cells if cell.source.startswith("%%writefile")]
    lines = [line for source in written for line in source.splitlines()[1:] if line.strip()]
    assert len(written) == 4 and len(lines) < 60
