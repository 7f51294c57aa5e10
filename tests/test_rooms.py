"""The rooms of bench/: imports run downwards, between folders and within them."""

import ast
import re
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from bench.catalogue import ROOT

FLOORS = (
    "instruments",
    "cli",
    "report",
    "analysis",
    "campaign",
    "execution",
    "drivers",
    "environment",
    "stats",
    "catalogue",
    "trace",
    "alarm",
    "contract",
)
"""The rooms of bench/, and the modules on the ground, from the top down."""

SOLVER_LIBRARIES = {"clingo", "ortools", "highspy", "pulp", "constraint", "cpmpy", "minizinc", "pychoco"}


def modules(folder: str) -> dict[str, Path]:
    """The modules below a folder of the project, by their full names; a package is its `__init__`."""
    found = {}
    for path in (ROOT / folder).rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = {name: path for name, path in modules("bench").items() if "template" not in path.parts}


def imported(path: Path) -> set[str]:
    """The full names of all modules that a file imports, within functions too."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                names.add(whole if whole in MODULES else node.module)
    return names


def room(module: str) -> str:
    """The room that a module of bench/ lies in; of a module on the ground its own name."""
    return module.split(".")[1]


@pytest.mark.parametrize(
    "module", sorted(name for name in MODULES if name not in ("bench", "bench.__main__"))
)
def test_imports_run_downwards_between_rooms(module: str) -> None:
    """A room imports itself and the floors below it; drivers are imported by their names alone."""
    for name in imported(MODULES[module]):
        if name.startswith("bench.") and room(name) != room(module):
            assert FLOORS.index(room(name)) > FLOORS.index(room(module)), f"{module} imports {name}"
            assert room(name) != "drivers", f"{module} imports {name}: only a worker does, by its name"


def test_instruments_do_not_import_each_other() -> None:
    """But for what generates and exports, which `fuzz` and `validate` use."""
    for module, path in MODULES.items():
        _, top, *names = [*module.split("."), "", ""]
        if top == "instruments" and names[0]:
            others = {tuple(name.split(".")[1:3]) for name in imported(path)}
            others = {name[1] for name in others if name[:1] == ("instruments",)} - {names[0], "generate"}
            assert not others, f"{module} imports {others}"


def test_no_circle_within_a_room() -> None:
    """The modules of bench/ can be put in an order in which each imports earlier ones only."""
    graph = {
        module: {name for name in imported(path) if name in MODULES and name != module}
        for module, path in MODULES.items()
        if path.name != "__init__.py"
    }
    assert len(list(TopologicalSorter(graph).static_order())) >= len(graph)


def test_models_know_nothing_of_measuring() -> None:
    """models/ imports bench/ nowhere, and puzzle.py no solver library."""
    for module, path in modules("models").items():
        found = imported(path)
        assert not any(name.split(".")[0] == "bench" for name in found), module
        if path.name in ("puzzle.py", "backtrack.py"):
            assert not {name.split(".")[0] for name in found} & SOLVER_LIBRARIES, module


def test_only_drivers_import_solver_libraries() -> None:
    """The harness imports none; what shows a fault of a solver alone is no part of it."""
    for module, path in MODULES.items():
        if room(f"{module}.") != "drivers" and not module.startswith("bench.instruments.fuzz.show_"):
            assert not {name.split(".")[0] for name in imported(path)} & SOLVER_LIBRARIES, module


def top_level_names(path: Path) -> set[str]:
    """The functions, classes and constants of a module."""
    names: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return names


def test_a_name_that_one_module_uses_has_an_underscore() -> None:
    """But for those of contracts: what drivers have, and the types that all share."""
    texts = [
        path for folder in ("bench", "models", "tests", "notebooks") for path in (ROOT / folder).rglob("*.*")
    ]
    words = Counter(
        word
        for path in texts
        if path.suffix in (".py", ".html", ".md", ".jinja", ".ipynb")
        for word in set(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    )
    alone = [
        f"{module}.{name}"
        for module, path in MODULES.items()
        if room(f"{module}.") not in ("drivers", "contract") and path.stem not in ("__init__", "__main__")
        for name in sorted(top_level_names(path))
        if words[name] == 1 and not name.startswith("_")
    ]
    assert not alone


def test_every_room_is_named() -> None:
    """FLOORS names what is there."""
    assert {room(name) for name in MODULES if name not in ("bench", "bench.__main__")} == set(FLOORS)
