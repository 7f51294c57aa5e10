"""Quasigroup completion: the rules.

A grid of n rows and n columns, some of whose cells are given, is filled with the numbers 1 to n, each once in
each row and in each column: a Latin square, which is the multiplication table of a quasigroup.

Instances are hardest where about half of random ones have a solution (Gomes and Selman).

## Data
- `givens`: n rows of n words each, the number of a cell or `.`. Blanks may be left out where every word is
  one character.

The answer is the sum of the diagonal from the top left.

A solution is a list of rows of integers.

## Links
- CSPLib, problem 67, Quasigroup Completion: https://www.csplib.org/Problems/prob067/
- Carla Gomes and Bart Selman, Problem structure in the presence of perturbations, AAAI 1997:
  https://docslib.org/doc/2676285/1997-problem-structure-in-the-presence-of-perturbations
- Gecode, Quasigroup completion: https://github.com/Gecode/gecode/blob/HEAD/examples/qcp.cpp
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from models.shared.document import Document, InstanceError, read_document
from models.shared.grid import (
    Cell,
    Grid,
    Labels,
    changed,
    draw_regions,
    grid_text,
    read_grid,
    read_numbers,
    word,
    write_in_cell,
)
from models.shared.puzzle import Ingredient, Solution, is_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INGREDIENTS = (Ingredient.PERMUTATION,)


class QuasigroupCompletionDocument(Document):
    """The keys of an instance file."""

    givens: str


def parse(table: dict[str, Any]) -> "QuasigroupCompletion":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    document = read_document(QuasigroupCompletionDocument, table)
    words = read_grid("givens", document.givens)
    n, width = len(words), len(words[0])
    if n != width:
        raise InstanceError(f"givens: {n} rows of {width} cells; write as many rows as a row has cells")
    return QuasigroupCompletion(n, n, read_numbers("givens", words, range(1, n + 1)))


@dataclass(frozen=True)
class QuasigroupCompletion(Grid):
    """One instance."""

    givens: Mapping[Cell, int]

    @property
    def numbers(self) -> range:
        """What a cell can hold."""
        return range(1, self.height + 1)

    @cached_property
    def domains(self) -> dict[Cell, range]:
        """The numbers that each cell can hold by what is given in it."""
        given = {v: range(v, v + 1) for v in self.numbers}
        return {i: given[self.givens[i]] if i in self.givens else self.numbers for i in self.cells}

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        n = self.height
        if not is_grid(solution, n, n):
            return [f"the solution is not {n} rows of {n} whole numbers each"]
        broken = []
        for name, lines in (("row", solution), ("column", zip(*solution, strict=True))):
            for number, line in enumerate(lines, 1):
                if missing := [v for v in range(1, n + 1) if v not in line]:
                    broken.append(f"{name} {number} has no {missing[0]}")
        return broken + changed(solution, self.givens)

    def answer(self, solution: Solution) -> int:
        """The sum of the diagonal from the top left."""
        return sum(solution[k][k] for k in range(self.height))

    def text(self, solution: Solution | None) -> str:
        """The grid."""
        return grid_text(self._labels, lambda cell: word(cell, self.givens, solution))

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The grid; givens in bold on grey."""
        fill = {cell: "#e4e4e4" if cell in self.givens else "#ffffff" for cell in self.cells}
        draw_regions(axes, self._labels, fill, thin_lines=True)
        for cell in self.cells:
            if solution or cell in self.givens:
                text = word(cell, self.givens, solution)
                write_in_cell(axes, cell, text, min(14, 140 / self.height), cell in self.givens)

    @property
    def _labels(self) -> Labels:
        return (("",) * self.width,) * self.height
