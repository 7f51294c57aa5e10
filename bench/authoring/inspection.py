"""What `validate` finds in a puzzle, one line each, with the file and the line where there is one."""

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

from bench import catalogue
from bench.catalogue import errors

P = ParamSpec("P")
T = TypeVar("T")


class Raised(Enum):
    """The type of RAISED, for annotations."""

    RAISED = "raised"


RAISED: Final = Raised.RAISED
"""Stands for the result of a call that raised; None may be a result."""


@dataclass
class Inspection:
    """The findings so far.

    Attributes:
        faults: what is wrong, and how to fix it.
        notes: what could not be checked, and why.
        checked: how many things were checked, by their name in the singular.
        solution_shown: for each solved instance, whether its text differs with and without the solution.
        unfinished: how many runs of each model did not end in time.
        seen: the texts of the faults, or the kinds of which one fault is enough.
    """

    puzzle: str
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    checked: Counter[str] = field(default_factory=Counter)
    solution_shown: list[bool] = field(default_factory=list)
    unfinished: Counter[str] = field(default_factory=Counter)
    seen: set[str] = field(default_factory=set)

    def fault(self, text: str, once: str = "") -> None:
        """Adds a fault that begins with its place, unless there is one of the same kind (`once`) already."""
        if (once or text) not in self.seen:
            self.seen.add(once or text)
            self.faults.append(text)

    def puzzle_fault(self, name: str, text: str, once: str = "") -> None:
        """Adds a fault in what puzzle.py defines by a name."""
        self.fault(f"{self.place('puzzle', name)}: {text}", once)

    def note(self, text: str) -> None:
        """Adds a note, unless it is there already."""
        if text not in self.notes:
            self.notes.append(text)

    def call(self, what: str, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T | Raised:
        """Calls a function of the puzzle; returns RAISED, and adds a fault (`what` raises), if it raises.

        Raises:
            PuzzleError: if it does not return.
        """
        with catalogue.in_time(self.puzzle, what):
            try:
                return function(*arguments, **named)
            except (Exception, SystemExit) as error:
                self.raised(what, error)
                return RAISED

    def each(self, what: str, function: Callable[[], Iterable[T]]) -> Iterator[T]:
        """Yields what a function of the puzzle yields, until it raises, which is a fault."""
        try:
            yield from function()
        except (Exception, SystemExit) as error:
            self.raised(what, error)

    def raised(self, what: str, error: BaseException) -> None:
        """Adds the fault that a call raised."""
        place = errors.place(error, catalogue.folder(self.puzzle)) or self.place("puzzle")
        kind = re.split(r"\W", what)[0]
        self.fault(f"{place}: {what} raises {errors.words(error, place)}", once=f"{kind} raises")
        # A run that fails on the same line adds nothing new.
        self.seen.add(place)

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
