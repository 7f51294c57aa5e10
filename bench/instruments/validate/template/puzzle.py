"""Latin sums: the rules.

Each row and each column of an n x n grid holds each of 1..n once. The grid is cut into cages; the cells of a
cage add up to its sum.

## Data
    cages     a row of words a line; cells with the same word are a cage
    sums      the sums of some cages or of all
    givens    the numbers of a row a line, `.` for a cell that is not given (optional)
A solution is a list of rows of whole numbers.

## Links
Addresses, one a line: where it was published, its page in CSPLib, models by others.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from models.shared import grid
from models.shared.document import Document, InstanceError, read_document
from models.shared.puzzle import Ingredient, Reported, Solution, is_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# What it is made of: the report groups puzzles by it.
INGREDIENTS = (Ingredient.PERMUTATION, Ingredient.SUMS)

# Figures that a source published about one of the instances, to be compared with ours.
REPORTED: tuple[Reported, ...] = ()


class LatinSumsDocument(Document):
    """The keys of an instance file; those that every puzzle has are in Document."""

    cages: str
    sums: dict[str, int]
    givens: str | None = None


def parse(table: dict[str, Any]) -> "LatinSums":
    """The puzzle that the table of a TOML file states.

    Raises:
        InstanceError: where the table breaks the format.
    """
    document = read_document(LatinSumsDocument, table)
    labels = grid.read_grid("cages", document.cages)
    n = len(labels)
    if n > 9 or len(labels[0]) != n:
        raise InstanceError(f"cages: {n} rows of {len(labels[0])} cells; write a square of at most 9 x 9")
    cages = grid.regions_of("cages", labels)
    for label in document.sums:
        if label not in cages:
            raise InstanceError(f"sums.{label}: there is no such cage; known are {', '.join(cages)}")
    words = () if document.givens is None else grid.read_grid("givens", document.givens, (n, n), spaced=True)
    return LatinSums(n, n, labels, document.sums, grid.read_numbers("givens", words, range(1, n + 1)))


@dataclass(frozen=True)
class LatinSums(grid.Grid):
    """One instance; a Grid has `size`, how many unknowns there are, `cells` and `solution`."""

    labels: grid.Labels
    sums: Mapping[str, int]
    givens: Mapping[grid.Cell, int]

    @property
    def n(self) -> int:
        """The number of rows, of columns, and of values."""
        return self.height

    @cached_property
    def cages(self) -> list[tuple[tuple[grid.Cell, ...], int]]:
        """The cells and the sum of each cage that has one."""
        cells = grid.regions_of("cages", self.labels)
        return [(cells[label], total) for label, total in self.sums.items()]

    def domain(self, cell: grid.Cell) -> list[int]:
        """The values that a cell can hold: what is given, or any of 1..n."""
        return [self.givens[cell]] if cell in self.givens else list(range(1, self.n + 1))

    # The checker is written from the rules alone and shares nothing with the models: it finds their mistakes.
    # A solution comes from a solver, so anything may be in it: first its form, then the rules.
    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        if not is_grid(solution, self.n, self.n):
            return [f"the solution is not {self.n} rows of {self.n} whole numbers"]
        broken = grid.changed(solution, self.givens)
        for kind, lines in (("row", solution), ("column", zip(*solution, strict=True))):
            for number, line in enumerate(lines, 1):
                if sorted(line) != list(range(1, self.n + 1)):
                    broken.append(f"{kind} {number} does not hold each of 1..{self.n} once")
        for label, total in self.sums.items():
            values = [solution[r][c] for r, c in self.cells if self.labels[r][c] == label]
            if sum(values) != total:
                broken.append(f"cage {label} adds up to {sum(values)}, not to {total}")
        return broken

    # What the setter asks for. It shows at a glance whether two solvers found the same.
    def answer(self, solution: Solution) -> int:
        """The diagonal from the top left, read as a number."""
        return int("".join(str(solution[k][k]) for k in range(self.n)))

    def text(self, solution: Solution | None) -> str:
        """The grid with lines around cages, and their sums."""
        sums = ", ".join(f"{label} = {total}" for label, total in self.sums.items())
        return f"{grid.grid_text(self.labels, lambda cell: grid.word(cell, self.givens, solution))}\n{sums}"

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The grid with coloured cages, and the sum of each in its first cell."""
        grid.draw_regions(axes, self.labels)
        for cell in self.cells:
            word = grid.word(cell, self.givens, solution)
            grid.write_in_cell(axes, cell, word, 14, given=cell in self.givens)
        for cells, total in self.cages:
            row, column = cells[0]
            axes.text(column + 0.08, row + 0.08, str(total), ha="left", va="top", fontsize=7)
