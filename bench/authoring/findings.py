"""What is wrong with a puzzle, one line each, with the file and the line where there is one."""

import ast
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from bench import catalogue
from bench.catalogue import errors

RAISED: Final = object()
"""What stands for the result of a call that raised."""


@dataclass
class Findings:
    """What was found of a puzzle so far.

    Attributes:
        faults: what is wrong, and what to do about it.
        notes: what could not be checked, and why.
        checked: how many of what were checked, by their name in the singular.
        told: of each instance that was solved, whether its text tells the solution.
    """

    puzzle: str
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    checked: Counter[str] = field(default_factory=Counter)
    told: list[bool] = field(default_factory=list)
    said: set[str] = field(default_factory=set)

    def fault(self, place: str, text: str, once: str = "") -> None:
        """Adds a fault, but none of a kind (`once`) that there is already."""
        self.say(f"{place}: {text}", once)

    def say(self, text: str, once: str = "") -> None:
        """Adds a fault whose text begins with its place."""
        if (once or text) not in self.said:
            self.said.add(once or text)
            self.faults.append(text)

    def note(self, text: str) -> None:
        """Adds a note, once."""
        if text not in self.notes:
            self.notes.append(text)

    def call(self, what: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """The result of a function of the puzzle; RAISED, and a fault, if it raises.

        Args:
            what: the call in words.
        """
        try:
            return function(*arguments)
        except (Exception, SystemExit) as error:
            place = errors.place(error, catalogue.folder(self.puzzle)) or self.place("puzzle")
            kind = re.split(r"\W", what)[0]
            self.fault(place, f"{what} raises {errors.words(error)}", once=f"{kind} raises")
            # A run that fails by the same line says nothing new.
            self.said.add(place)
            return RAISED

    def place(self, module: str, *names: str) -> str:
        """A file of the puzzle, with the line of the first of the names that it defines."""
        file = catalogue.source_of(self.puzzle, module)
        line = next(filter(None, (line_of(file, name) for name in names)), None)
        return f"{errors.shown(file)}:{line}" if line else errors.shown(file)


def line_of(file: Path, name: str) -> int | None:
    """The line on which a file defines a function, a class or a variable; None if it does not."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return None
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=found) | ast.ClassDef(name=found) if found == name:
                return node.lineno
            case ast.Assign(targets=[ast.Name(id=found)]) | ast.AnnAssign(target=ast.Name(id=found)):
                if found == name:
                    return node.lineno
    return None
