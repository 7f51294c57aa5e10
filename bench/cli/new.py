"""The command `new`: a copy of the template (bench/template/) under another name, which runs as it is."""

import re
from pathlib import Path
from typing import Annotated

import typer

from bench import catalogue
from bench.catalogue import ROOT, errors, puzzles
from bench.catalogue.errors import RequestError
from bench.cli.console import answers, console
from bench.invocation import command_line

TEMPLATE = ROOT / "bench" / "template"
"""A whole puzzle; its name stands in it as in NAMES."""

PAGE = ROOT / "docs" / "adding.md"
"""The contract in words; what pip installs has it too."""

NAMES = ("latin_sums", "LatinSums", "Latin sums")
"""The name of the template in code, of its class, and for people."""


def new(
    name: Annotated[str, typer.Argument(help="The name: lower-case letters, digits and _.")],
    project: Annotated[
        bool,
        typer.Option("--project", help="Into models/ and instances/ of this checkout, not where one stands."),
    ] = False,
) -> None:
    """Make a puzzle of your own: a small one that runs, to be changed step by step."""
    catalogue.check_name(name, "choose another name")
    if project:
        if not (ROOT / "pyproject.toml").is_file():
            raise RequestError("--project needs a checkout of the project; leave it out to get a folder here")
        folder, instances, called = puzzles.MODELS / name, puzzles.INSTANCES / name, name
    else:
        folder = Path(name)
        instances, called = folder / "instances", f"./{name}"
    for path in (folder, instances):
        if path.exists() or path.is_symlink():
            raise RequestError(f"{errors.shown(path)}: it exists already; choose another name, or remove it")
    copy(name, folder, instances)
    shown = errors.shown(instances) if project else f"./{instances}"
    answers.print(f"{errors.shown(folder)}/: rules (puzzle.py), a file a backend, generate.py; {shown}/")
    console.print(
        "It runs as it is, as a small puzzle. Change it step by step, and validate after each step:"
    )
    for command in (("solve", f"{shown}/small.toml"), ("validate", called), ("run", called)):
        console.print(f"  {command_line(*command)}")
    # Not as `shown`: from here, or whole, it can be opened.
    page = PAGE.relative_to(Path.cwd()) if PAGE.is_relative_to(Path.cwd()) else PAGE
    console.print(f"All that a puzzle can have, in words: {page}", soft_wrap=True)


def copy(name: str, folder: Path, instances: Path) -> None:
    """Writes the files of the template under another name."""
    files = [*sorted(TEMPLATE.glob("*.py")), *sorted((TEMPLATE / "instances").glob("*.toml"))]
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    class_name = "".join(word.capitalize() for word in name.split("_"))
    if any(re.search(rf"\b{class_name}\b", text) for text in texts.values()):
        class_name += "Puzzle"  # Document and Model are there already.
    instead = dict(zip(NAMES, (name, class_name, name.replace("_", " ").capitalize()), strict=True))
    for path, text in texts.items():
        for old, new_ in instead.items():
            text = text.replace(old, new_)
        target = (instances if path.suffix == ".toml" else folder) / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
