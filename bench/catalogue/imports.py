"""What a source file imports, and what that imports, found by reading: nothing is imported here."""

import ast
import os
import re
import warnings
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import suppress
from functools import cache
from importlib.util import resolve_name
from itertools import accumulate
from pathlib import Path

from bench.catalogue.errors import ROOT

SHARED = ROOT / "models" / "shared"
"""Where compilers look for files that programs of all puzzles include."""


def sources(module: str, locate: Callable[[str], Path | None]) -> dict[Path, bytes]:
    """The files that a module consists of and imports, directly or not, and their contents.

    Imports within functions and for types count; what is imported by a computed name is not seen.

    Args:
        module: its full name.
        locate: gives the file of a module by its full name, None for those that do not count.
    """
    found: dict[Path, bytes] = {}
    # Most names are imported by several files, and to locate one asks the file system.
    located, no_packages = set[str](), set[str]()
    wanted = [*with_parents(module)]
    while wanted:
        name = wanted.pop()
        parent = name.rpartition(".")[0]
        if name in located or parent in no_packages:
            continue
        located.add(name)
        path = locate(name)
        if path is None or path in found:
            continue
        found[path] = path.read_bytes()
        package = name if path.name == "__init__.py" else parent
        if package != name:
            no_packages.add(name)
        for imported in imported_by(found[path], package):
            wanted += with_parents(imported)
    return found


@cache
def with_parents(module: str) -> Sequence[str]:
    """A module and the packages that it is in, which are imported before it: a.b.c, a.b, a."""
    return [*accumulate(module.split("."), "{}.{}".format)][::-1]


@cache
def imported_by(source: bytes, package: str) -> Sequence[str]:
    """The full names of what a source file imports; a name in a module is given as if it were one.

    Args:
        source: the text; nothing is found in one that is not Python.
        package: the package that relative imports start from.
    """
    with warnings.catch_warnings():
        # Python says it to the author when the file is imported.
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError):
            return ()
    found: list[str] = []
    for node in statements(tree):
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # A relative import may climb beyond the top.
            with suppress(ImportError):
                start = resolve_name("." * node.level + (node.module or ""), package)
                found += [f"{start}.{alias.name}" for alias in node.names]
    return found


def statements(within: ast.AST) -> Iterator[ast.AST]:
    """All statements within a node; expressions are most of a source file, and have none."""
    for part in ("body", "handlers", "cases", "orelse", "finalbody"):
        for statement in getattr(within, part, ()):
            yield statement
            yield from statements(statement)


def named_in(source: Path) -> list[Path]:
    """The files that are no Python, lie beside a Python file, and are named by a text in it."""
    content = source.read_bytes()
    beside = (path for path in sorted(source.parent.iterdir()) if path.suffix != ".py")
    # Most model files name none, and need not be parsed.
    perhaps = [path for path in beside if path.name.encode() in content and path.is_file()]
    return [path for path in perhaps if path.name in texts_in(content)]


@cache
def texts_in(source: bytes) -> Set[str]:
    """The texts that a source file has as values; none if it is not Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return frozenset()
    constants = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return {value for value in constants if isinstance(value, str)}


def with_included(source: Path) -> dict[Path, bytes]:
    """A file of C or of an answer set program and those that it includes; their contents.

    What is not where a file says is looked for from SHARED, as a puzzle from elsewhere has its own folder.
    """
    found: dict[Path, bytes] = {}
    wanted = [source]
    while wanted:
        path = wanted.pop()
        found[path] = path.read_bytes()
        for name in re.findall(rb'^\s*#include\s+"([^"]+)"', found[path], re.MULTILINE):
            places = [Path(os.path.normpath(folder / os.fsdecode(name))) for folder in (path.parent, SHARED)]
            wanted += [place for place in places if place.is_file() and place not in found][:1]
    return found
