"""Hidato: the rules.

A rectangular grid of n cells, some of which are given, is filled with the numbers 1 to n, each once. Numbers
that follow each other touch, at least diagonally: from 1 to n leads a path of a king's moves.

## Data
- `givens`: rows of words, the number of a cell or `.`; no number is given twice.

The answer is the numbers of the first row.

A solution is a list of rows of integers.

## Links
- Hidato on Wikipedia: https://en.wikipedia.org/wiki/Hidato
- OR-Tools, the same model for CP-SAT: https://github.com/google/or-tools/blob/stable/examples/python/hidato_sat.py
- Hakan Kjellerstrand, MiniZinc: https://github.com/hakank/hakank/blob/master/minizinc/hidato.mzn
- Solve a Hidato puzzle, searches in many languages: https://rosettacode.org/wiki/Solve_a_Hidato_puzzle
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from models.shared.document import Document, InstanceError, read_document
from models.shared.grid import Cell, Grid, Labels, changed, grid_text, place, read_grid, read_numbers, word
from models.shared.partly_filled import draw_cells
from models.shared.puzzle import Ingredient, Solution, is_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INGREDIENTS = (Ingredient.PERMUTATION, Ingredient.PATHS)


class HidatoDocument(Document):
    """The keys of an instance file."""

    givens: str


def parse(table: dict[str, Any]) -> "Hidato":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    words = read_grid("givens", read_document(HidatoDocument, table).givens, spaced=True)
    height, width = len(words), len(words[0])
    givens = read_numbers("givens", words, range(1, height * width + 1))
    place_of = {number: cell for cell, number in givens.items()}
    for cell, number in givens.items():
        if place_of[number] != cell:
            raise InstanceError(f"{place('givens', cell)}: {number} is given twice; leave out one of them")
    return Hidato(height, width, givens)


@dataclass(frozen=True)
class Hidato(Grid):
    """One instance."""

    givens: Mapping[Cell, int]

    @property
    def numbers(self) -> range:
        """What a cell can hold."""
        return range(1, self.size + 1)

    @cached_property
    def domains(self) -> dict[Cell, range]:
        """The numbers that each cell can hold by what is given in it."""
        given = {i: range(v, v + 1) for i, v in self.givens.items()}
        return {i: given.get(i, self.numbers) for i in self.cells}

    @cached_property
    def places(self) -> dict[int, list[Cell]]:
        """The cells that can hold each number by where it is given."""
        given = {v: [i] for i, v in self.givens.items()}
        return {v: given.get(v, self.cells) for v in self.numbers}

    @cached_property
    def touching(self) -> dict[Cell, list[Cell]]:
        """The cells a king's move away from each cell, row by row."""
        inside, steps = set(self.cells), [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
        return {(r, c): [k for a, b in steps if (k := (r + a, c + b)) in inside] for r, c in self.cells}

    def with_places(self, cell_of: Callable[[int], Cell]) -> Solution:
        """The solution in which number t is in the cell `cell_of(t)`."""
        return self.solution({cell_of(t): t for t in self.numbers}.__getitem__)

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        if not is_grid(solution, self.height, self.width):
            return [f"the solution is not {self.height} rows of {self.width} whole numbers each"]
        broken, cell_of = [], {solution[r][c]: (r, c) for r, c in self.cells}
        for v in range(1, self.size + 1):
            if v not in cell_of:
                broken.append(f"no cell holds {v}")
            elif v + 1 in cell_of and v < self.size:
                (r, c), (row, column) = cell_of[v], cell_of[v + 1]
                if max(abs(r - row), abs(c - column)) > 1:
                    broken.append(f"{v} and {v + 1} do not touch")
        return broken + changed(solution, self.givens)

    def answer(self, solution: Solution) -> str:
        """The numbers of the first row."""
        return " ".join(map(str, solution[0]))

    def text(self, solution: Solution | None) -> str:
        """The grid."""
        return grid_text(self._labels, lambda cell: word(cell, self.givens, solution))

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The grid, with the path; givens in bold on grey."""
        fill = {cell: "#e4e4e4" if cell in self.givens else "#ffffff" for cell in self.cells}
        draw_cells(axes, self._labels, self.givens, solution, fill)
        if solution:
            path = sorted(self.cells, key=lambda cell: solution[cell[0]][cell[1]])
            x, y = [c + 0.5 for _, c in path], [r + 0.5 for r, _ in path]
            axes.plot(x, y, color="#a9c6e8", linewidth=2, zorder=1)

    @property
    def _labels(self) -> Labels:
        return (("",) * self.width,) * self.height
