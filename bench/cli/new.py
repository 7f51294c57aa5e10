"""The command `new`: copies the template of a puzzle under another name."""

import re
from pathlib import Path
from typing import Annotated

from bench import catalogue
from bench.catalogue import ROOT, errors, puzzles
from bench.catalogue.errors import RequestError
from bench.cli.command import Argument, Option
from bench.cli.console import answers, console
from bench.invocation import command_line

TEMPLATE = ROOT / "bench" / "authoring" / "template"
"""A complete puzzle, which runs as it is."""

PAGE = ROOT / "docs" / "adding.md"
"""Describes all files of a puzzle; what pip installs has it too."""

NAMES = ("latin_sums", "LatinSums", "Latin sums")
"""The name of the template: in code, of its class, in titles."""


def new(
    name: Annotated[
        str, Argument(metavar="NAME", help="The name of the puzzle: lower-case letters, digits and _.")
    ],
    project: Annotated[
        bool,
        Option(
            names=("--project",),
            help="Create it in models/ and instances/ of this checkout, not in the current folder.",
        ),
    ] = False,
) -> None:
    """Create a puzzle of your own: a small one that runs, to be changed step by step."""
    catalogue.check_name(name, "choose another name")
    if project:
        if not (ROOT / "pyproject.toml").is_file():
            needs = "--project needs a checkout of the project"
            raise RequestError(f"{needs}; without it a folder is created here")
        folder, instances, called = puzzles.MODELS / name, puzzles.INSTANCES / name, name
    else:
        folder = Path(name)
        instances, called = folder / "instances", f"./{name}"
    for path in (folder, instances):
        if path.exists() or path.is_symlink():
            raise RequestError(f"{errors.shown(path)}: it exists already; choose another name, or remove it")
    with errors.writing(folder, "call it from a folder that can be written"):
        copy_template(name, folder, instances)
    shown = errors.shown(instances) if project else f"./{instances}"
    files = "puzzle.py, a file for each core backend, generate.py, random_instances.py"
    answers.print(f"{errors.shown(folder)}/: {files}; {shown}/")
    console.print("It holds a sample puzzle, a Latin square with cage sums, which runs as it is.")
    console.print("Replace that step by step, and validate it after each step:")
    for command in (
        ("solve", f"{shown}/small.toml"),
        ("validate", called),
        ("run", called),
        ("fuzz", "--puzzle", called),
    ):
        console.print(f"  {command_line(*command)}")
    # A path that can be opened from here.
    page = PAGE.relative_to(Path.cwd()) if PAGE.is_relative_to(Path.cwd()) else PAGE
    console.out(f"Everything that a puzzle can have: {page}")


def copy_template(name: str, folder: Path, instances: Path) -> None:
    """Copies the files of the template, with the puzzle's name in place of its own."""
    files = [path for suffix in ("*.py", "*.lp", "*.toml") for path in sorted(TEMPLATE.rglob(suffix))]
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    class_name = "".join(word.capitalize() for word in name.split("_"))
    if any(re.search(rf"\b{class_name}\b", text) for text in texts.values()):
        class_name += "Puzzle"  # The template uses Document, Model and others.
    names = (name, class_name, name.replace("_", " ").capitalize())
    for path, text in texts.items():
        for old, own in zip(NAMES, names, strict=True):
            text = text.replace(old, own)
        target = (instances if path.suffix == ".toml" else folder) / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
