"""The commands `validate`: is a puzzle as docs/adding.md says? and `new`: the template by another name."""

import os
import re
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

from bench import catalogue
from bench.analysis.units import plural
from bench.catalogue import ROOT, errors, puzzles
from bench.catalogue.errors import RequestError
from bench.cli.command import Argument, Option
from bench.cli.console import answers, console
from bench.cli.options import PuzzleArgument
from bench.execution.pool import ServerPool
from bench.instruments.validate.checks import Effort, inspect_puzzle
from bench.invocation import command_line

_TEMPLATE = Path(__file__).parent / "template"
# The name of the template: in code, of its class, in titles.
_NAMES = ("latin_sums", "LatinSums", "Latin sums")


def validate(
    puzzle: PuzzleArgument,
    time_limit: Annotated[float, Option("Of a run; a run that exceeds it proves nothing.", min=0.1)] = 20.0,
) -> None:
    """Check a puzzle of your own: rules, models, generator. Each line says what is wrong or missing.

    Exit codes: 0 if nothing is wrong, else 1.
    """
    name = catalogue.find_puzzle(puzzle)
    # No cores are reserved, as times do not matter here.
    with (
        TemporaryDirectory() as scratch,
        closing(ServerPool()) as servers,
        console.rich.status(name) as status,
    ):
        # Hypothesis writes even without a database, by default to the current folder.
        os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", scratch)
        found = inspect_puzzle(name, servers, Effort(time_limit), status.update)
    for fault in found.faults:
        answers.out(fault)
    for note in found.notes:
        console.out(f"note: {note}")
    verdict = f"{plural(len(found.faults), 'thing')} to fix" if found.faults else "valid"
    checked = ", ".join(plural(number, what) for what, number in found.checked.items())
    answers.out(f"{name}: {verdict} ({checked or 'nothing could be checked'})")
    sys.exit(1 if found.faults else 0)


def new(
    name: Annotated[str, Argument("The name of the puzzle: lower-case letters, digits and _.", "NAME")],
    project: Annotated[
        bool, Option("Create it in models/ and instances/ of this checkout.", names=("--project",))
    ] = False,
) -> None:
    """Create a puzzle of your own: a small one that runs, to be changed step by step."""
    catalogue.check_name(name, "choose another name")
    folder, instances, called = Path(name), Path(name, "instances"), f"./{name}"
    if project:
        if not (ROOT / "pyproject.toml").is_file():
            raise RequestError("--project needs a checkout; without it a folder is created here")
        folder, instances, called = puzzles.MODELS / name, puzzles.INSTANCES / name, name
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
    fuzz = ("fuzz", "--puzzle", called)
    for words in (("solve", f"{shown}/small.toml"), ("validate", called), ("run", called), fuzz):
        console.print(f"  {command_line(*words)}")
    # What pip installs has this page too; a path that can be opened from here.
    page = ROOT / "docs" / "adding.md"
    page = page.relative_to(Path.cwd()) if page.is_relative_to(Path.cwd()) else page
    console.out(f"Everything that a puzzle can have: {page}")


def copy_template(name: str, folder: Path, instances: Path) -> None:
    """Copies the files of the template, with the puzzle's name in place of its own."""
    files = [path for suffix in ("*.py", "*.lp", "*.toml") for path in sorted(_TEMPLATE.rglob(suffix))]
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    class_name = "".join(word.capitalize() for word in name.split("_"))
    if any(re.search(rf"\b{class_name}\b", text) for text in texts.values()):
        class_name += "Puzzle"  # The template uses Document, Model and others.
    names = (name, class_name, name.replace("_", " ").capitalize())
    for path, text in texts.items():
        for old, own in zip(_NAMES, names, strict=True):
            text = text.replace(old, own)
        target = (instances if path.suffix == ".toml" else folder) / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
