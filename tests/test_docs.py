"""The documents name only what exists: links, headings, files; and explain every column and status."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench.campaign.results import COLUMNS
from bench.catalogue import ROOT
from bench.contract import Status

DOCUMENTS = sorted(
    path
    for pattern in ("*.md", "docs/*.md", "results/*.md", "results/*/*.md")
    for path in ROOT.glob(pattern)
    if path.relative_to(ROOT).parts[:2] != ("results", "latest")
)

NAMED = re.compile(r"(?<![\w/.])(?:bench|models|docs|tests|\.ci)(?:/[\w.-]+)+")
"""A path from the project's folder on; ends before placeholders such as <puzzle>."""

PLACEHOLDERS = ("models/towers", "models/NAME", "tests/aa")
"""What the documents name although it need not exist."""


def anchors(document: Path) -> set[str]:
    """The names that GitHub gives to the headings of a document."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_a_document_names_exists(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    missing = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"[a-z]+:", target):
            name, _, anchor = target.partition("#")
            path = (document.parent / name).resolve() if name else document
            if not path.exists() or (anchor and anchor not in anchors(path)):
                missing.append(target)
    named = {path.rstrip(".") for path in NAMED.findall(text)}
    missing += [path for path in named if not path.startswith(PLACEHOLDERS) and not (ROOT / path).exists()]
    assert not missing


def test_documents_that_the_code_names_exist() -> None:
    named = {
        (path.relative_to(ROOT).as_posix(), name)
        for folder in ("bench", "models", "tests", ".ci", ".github")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".html", ".yml", ".js") or path.name == "run"
        for name in re.findall(r"(?:docs|results)/[\w/-]+\.md", path.read_text(encoding="utf-8"))
    }
    assert not sorted(item for item in named if not (ROOT / item[1]).exists())


def test_every_column_is_explained() -> None:
    explained = (ROOT / "docs" / "columns.md").read_text(encoding="utf-8")
    first_cells = re.findall(r"^\| ([a-z][^|]*) \|", explained, re.MULTILINE)
    words = {word for cell in first_cells for word in cell.split(", ")}
    assert not [column for column in COLUMNS if column not in words]


def test_every_status_is_explained() -> None:
    explained = (ROOT / "docs" / "columns.md").read_text(encoding="utf-8")
    section = explained.partition("## Status")[2].partition("\n## ")[0]
    assert not [status for status in Status if f"`{status}`" not in section]


def test_the_example_for_python_is_executed(tmp_path: Path) -> None:
    (code,) = re.findall(
        r"```python\n(.*?)```", (ROOT / "docs/api.md").read_text(encoding="utf-8"), re.DOTALL
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    *measured, mistake = ran.stdout.splitlines()
    assert sum(line.startswith("june_2022 ") and " solved 0.0" in line for line in measured) >= 2
    assert "jun_2022" in mistake and "june_2022" in mistake
    assert (tmp_path / "results" / "mine" / "runs.csv").is_file()


def test_what_is_committed_is_needed() -> None:
    """Campaigns are compressed; pictures are those that a document shows; of pages there is one."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("no checkout of git")
    tracked = [ROOT / name for name in listed.stdout.split("\0")[:-1] if (ROOT / name).exists()]
    targets = [
        (document.parent / target).resolve()
        for document in tracked
        if document.suffix == ".md"
        for target in re.findall(r"\]\(([^)\s#]+)", document.read_text(encoding="utf-8"))
    ]
    pictures = {path for path in tracked if path.suffix in (".png", ".svg", ".gif")}
    assert pictures <= {*targets}
    assert [path.parent.name for path in tracked if path.match("results/*/report.html")] == ["reference"]
    assert not [path for path in tracked if path.name == "runs.csv"], "gzip -9n"
    assert sum(path.stat().st_size for path in tracked) <= 35e6
