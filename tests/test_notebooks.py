"""The notebooks run from a clean state, are committed with their output but pictures, and keep promises."""

import json
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from bench.catalogue import ROOT
from tests.notebooks import execute, outputs, pictures, read

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the project, which is what the notebook's kernel and its workers import."""
    copy = tmp_path / "project"
    for name in ("bench", "models", "instances", "results/reference", "notebooks"):
        shutil.copytree(ROOT / name, copy / name)
    monkeypatch.setenv("PYTHONPATH", str(copy))
    return copy


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=[pytest.mark.extra] * (path.stem == "all_puzzles")) for path in NOTEBOOKS],
    ids=lambda path: path.stem,
)
def test_runs_from_a_clean_state(path: Path, project: Path) -> None:
    before = files(project)
    notebook = read(project / "notebooks" / path.name)
    promised = [text for text in map(text_of, outputs(notebook)) if text.startswith("Picture(")]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
            # As it stands but for the number of runs, which nothing here looks at.
            cell.source = cell.source.replace("Repeats(10)", "Repeats(2)")
    execute(notebook, project / "notebooks")
    drawn = [text_of(output) for output in outputs(notebook) if pictures(output)]
    assert drawn == promised and promised
    shown = json.dumps(notebook)
    assert '"stderr"' not in shown, "a warning"
    assert str(project) not in shown, "a path of this machine"
    assert files(project) == before, "leaves nothing behind"


def text_of(output: Any) -> str:
    """What stands for an output where only text is shown."""
    text: str = output.get("text", "") or output.get("data", {}).get("text/plain", "")
    return text


def files(folder: Path) -> set[str]:
    """All files below a folder, but for what Python leaves."""
    return {
        os.path.relpath(path, folder)
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_is_committed_with_its_output_but_pictures(path: Path) -> None:
    notebook = read(path)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1)), "run in order, once"
    shown = outputs(notebook)
    assert not any(map(pictures, shown)), f"python -m tests.notebooks notebooks/{path.name}"
    assert all(output.output_type != "error" and output.get("name") != "stderr" for output in shown)
    text = path.read_text()
    here = (str(ROOT), str(Path.home()), tempfile.gettempdir(), sys.prefix)
    assert not any(place in text for place in here), "a path of this machine"
    assert not any(re.search(r"""(^|[\s"'(=])/\w+/\w""", text_of(each)) for each in shown), "an absolute path"
    assert path.stat().st_size < 1e5


def test_your_own_puzzle_takes_less_than_sixty_lines() -> None:
    notebook = read(ROOT / "notebooks" / "write_your_own.ipynb")
    written = [cell.source for cell in notebook.cells if cell.source.startswith("%%writefile")]
    lines = [line for source in written for line in source.splitlines()[1:] if line.strip()]
    assert len(written) == 4 and len(lines) < 60
