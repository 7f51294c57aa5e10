"""The line of a puzzle that an exception comes from."""

import importlib.util
from pathlib import Path

import pytest

from bench.catalogue import errors

PUZZLE = """\
import json


def draw():
    rows = []
    return rows[3]


def parse():
    return json.loads("{")


def check():
    try:
        draw()
    except IndexError:
        raise ValueError("a row\\n is missing") from None
"""


def caught(folder: Path, call: str, text: str = PUZZLE) -> BaseException:
    """What a function of a puzzle in this folder raises."""
    path = folder / "puzzle.py"
    path.write_text(text)
    specification = importlib.util.spec_from_file_location("puzzle", path)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    try:
        specification.loader.exec_module(module)
        getattr(module, call)()
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("draw", "towers/puzzle.py:6: IndexError: list index out of range"),
        ("parse", "towers/puzzle.py:10: JSONDecodeError: Expecting property name"),
        ("check", "towers/puzzle.py:17: ValueError: a row is missing"),
    ],
)
def test_line_of_the_puzzle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, said: str) -> None:
    """It is the puzzle's own line, also where a library raised, and the message is one line."""
    (folder := tmp_path / "towers").mkdir()
    monkeypatch.chdir(tmp_path)
    assert errors.where(caught(folder, call), folder).startswith(said)
    assert errors.where(caught(folder, call), Path("towers")).startswith(said)


def test_syntax_error(tmp_path: Path) -> None:
    """A file that is not Python has no frame of its own; from elsewhere its whole path is named."""
    error = caught(tmp_path, "draw", "def draw():\n    return (\n")
    assert errors.where(error, tmp_path) == f"{tmp_path / 'puzzle.py'}:2: SyntaxError: '(' was never closed"


def test_wrapped(tmp_path: Path) -> None:
    """An exception that was wrapped outside the puzzle leads back to its line."""
    inner = caught(tmp_path, "draw")
    try:
        raise RuntimeError("no picture") from inner
    except RuntimeError as error:
        assert errors.where(error, tmp_path).endswith("puzzle.py:6: RuntimeError: no picture")


def test_elsewhere(tmp_path: Path) -> None:
    """Where no line is the puzzle's, the exception stands alone."""
    assert errors.where(caught(tmp_path, "draw"), tmp_path / "other") == "IndexError: list index out of range"
    assert errors.where(KeyError(), tmp_path) == "KeyError"
