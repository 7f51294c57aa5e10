"""Star Battle: the rules.

A grid of n rows and n columns is cut into n regions. Some cells hold a star: k in each row, each column and
each region. Stars do not touch, not even diagonally.

## Data
- `stars`: k.
- `regions`: a grid of n rows with n labels each, one label for each region, whose cells are connected. Blanks
  may be left out where every label is one character.

The answer has for each row the column of its first star.

A solution is a list of rows of integers, 1 for a star and 0 for an empty cell.

## Links
- Thomas Snyder, Star Battle Rules and Info: https://www.gmpuzzles.com/blog/star-battle-rules-and-info/
- Peter Norvig, Star Battle Puzzles, 2021, a search in Python:
  https://github.com/norvig/pytudes/blob/main/ipynb/StarBattle.ipynb
- Vamshi Jandhyala, Solving Puzzles through Mathematical Programming, chapter 53, the model `blocks`:
  https://vamshij.com/books/puzzles_mp/read/53
- mrwright, z3-puzzle-solvers, a model for Z3:
  https://github.com/mrwright/z3-puzzle-solvers/blob/master/starbattle.py
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

from models.shared.document import Document, InstanceError, read_document, within
from models.shared.grid import Cell, Grid, Labels, draw_regions, grid_text, in_words, read_grid, regions_of
from models.shared.puzzle import Solution, is_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class StarBattleDocument(Document):
    """The keys of an instance file."""

    stars: Annotated[int, within(1, 100)]
    regions: str


def parse(table: dict[str, Any]) -> "StarBattle":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    document = read_document(StarBattleDocument, table)
    labels = read_grid("regions", document.regions)
    side = len(labels)
    if len(labels[0]) != side:
        raise InstanceError(f"regions: {side} rows of {len(labels[0])} cells; the grid should be a square")
    regions = regions_of("regions", labels)
    if len(regions) != side:
        raise InstanceError(f"regions: {len(regions)} labels; a grid with {side} rows has {side} regions")
    return StarBattle(side, side, document.stars, labels, regions)


@dataclass(frozen=True)
class StarBattle(Grid):
    """One instance; `regions` are the cells of each label."""

    stars: int
    labels: Labels
    regions: Mapping[str, tuple[Cell, ...]]

    @property
    def side(self) -> int:
        """The number of rows, of columns, and of regions."""
        return self.height

    @cached_property
    def units(self) -> list[list[Cell]]:
        """The cells of each row, then of each column, then of each region."""
        return [*self.rows_and_columns, *map(list, self.regions.values())]

    @property
    def touching(self) -> list[tuple[Cell, Cell]]:
        """The pairs of cells that share an edge or a corner, each once."""
        steps = ((0, 1), (1, -1), (1, 0), (1, 1))
        pairs = (((r, c), (r + down, c + right)) for r, c in self.cells for down, right in steps)
        return [(a, b) for a, b in pairs if b[0] < self.side and 0 <= b[1] < self.side]

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        n = self.side
        if not is_grid(solution, n, n):
            return [f"the solution is not {n} rows of {n} whole numbers each"]
        stars = [(r, c) for r in range(n) for c in range(n) if solution[r][c] == 1]
        broken = [
            f"{in_words((r, c))} holds {solution[r][c]}, neither 1 for a star nor 0"
            for r in range(n)
            for c in range(n)
            if solution[r][c] not in (0, 1)
        ]
        in_unit = {f"row {k + 1}": sum(r == k for r, _ in stars) for k in range(n)}
        in_unit |= {f"column {k + 1}": sum(c == k for _, c in stars) for k in range(n)}
        in_unit |= {
            f"region {k}": sum(solution[r][c] == 1 for r, c in cells) for k, cells in self.regions.items()
        }
        broken += [
            f"{unit} has {m} stars, not {self.stars}" for unit, m in in_unit.items() if m != self.stars
        ]
        held = {*stars}
        for r, c in stars:
            for other in held & {(r, c + 1), (r + 1, c - 1), (r + 1, c), (r + 1, c + 1)}:
                broken.append(f"the stars in {in_words((r, c))} and {in_words(other)} touch")
        return broken

    def answer(self, solution: Solution) -> str:
        """The column of the first star in each row, counted from 1."""
        return " ".join(str(row.index(1) + 1) for row in solution)

    def text(self, solution: Solution | None) -> str:
        """The grid with its regions, `*` for a star."""
        grid = grid_text(self.labels, lambda cell: ".*"[solution[cell[0]][cell[1]]] if solution else ".")
        return f"{grid}\n{self._task}"

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The grid with its regions in colours."""
        n = self.side
        draw_regions(axes, self.labels, thin_lines=True)
        for row, column in self.cells:
            if solution and solution[row][column]:
                size = min(18, 150 / n)
                axes.plot(column + 0.5, row + 0.5, marker="*", markersize=size, color="#1f4e9c")
        axes.text(n / 2, n + 0.05 * n, self._task, ha="center", va="center", fontsize=8)
        axes.set_ylim(1.1 * n, -0.05)

    @property
    def _task(self) -> str:
        plural = "s" * (self.stars > 1)
        return f"{self.stars} star{plural} in each row, column and region"
