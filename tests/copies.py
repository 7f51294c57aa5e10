"""Copies of the project for tests that change it."""

import shutil
from collections.abc import Collection
from pathlib import Path

from bench.catalogue import ROOT

FILES = ("pyproject.toml", "constraints.txt", "models/__init__.py")
FOLDERS = ("bench", "models/shared", "models/block_party", "instances/block_party")
"""One puzzle of all, as each server imports the models of all that there are."""


def copy_project(folder: Path, backends: Collection[str] | None = None) -> Path:
    """Copies the project with Block Party as its only puzzle, and with these backends, or all of them."""
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name)
    for name in FILES:
        shutil.copy(ROOT / name, folder / name)
    for driver in (folder / "bench" / "drivers").glob("[a-z]*.py"):
        if backends is not None and driver.stem not in backends:
            driver.unlink()
    return folder
