"""A puzzle as an answer set program: a file of rules, and the facts of an instance."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

Term = int | str | tuple["Term", ...]
"""An argument of an atom: a number, a constant, which starts with a small letter, or a tuple of terms."""


@dataclass(frozen=True)
class LogicProgram:
    """A program for clingo or clingcon, the `problem` of a Model.

    In `decode(value)`, `value(name)` is the list of the argument tuples of all atoms `name(...)` that the
    program shows and that are true. Solutions are told apart by the shown atoms alone, so an integer variable
    is shown by atoms that say its value: `holds(E,V) :- value(E,V), &sum { label(E) } = V.`

    Attributes:
        rules: the file of the rules, which shows the atoms of a solution (`#show holds/2.`).
        facts: what the rules are applied to, each as `fact` writes it.
        parts: the parts of the file (`#program NAME.`) that count, besides the rules outside of any part.
        theory: whether the rules have integer variables (`&sum`, `&dom`, `&distinct`), as clingcon alone has.
    """

    rules: Path
    facts: Sequence[str]
    parts: Sequence[str] = ()
    theory: bool = False


def fact(name: str, *arguments: Term) -> str:
    """Writes a fact."""
    return f"{name}({','.join(map(str, arguments))})." if arguments else f"{name}."
