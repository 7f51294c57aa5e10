"""Knight Moves: the rules.

On a square board a knight starts on a cell, which gets the number 1, and makes T - 1 moves, never to a cell
visited before; the t-th visited cell gets the number t. T lies between two bounds. The path is to be found.
Beside the numbers that are given there may be these clues, in any combination:

- the sum of the numbers in a row or column;
- rotation: the visited cells are still the same after a quarter turn of the board;
- regions, which either all have the same number of visited cells, or all the same sum of numbers, or both;
- every row and every column has the same number of visited cells;
- the number of the first visited cell that is met from an end of a row or column.

## Data
- `size`: the cells on a side of the board.
- `steps`: the least and the greatest T.
- `givens` (optional): a grid of words, with the numbers that are given and `.` in the other cells.
- `row_sums`, `column_sums` (optional): a number for each row or column, `.` where there is none.
- `rotation` (optional): true if that clue holds.
- `regions` (optional): a grid of labels, one a cell; the cells of a label are a region.
- `equal_region_visits`, `equal_region_sums`, `equal_line_visits` (optional): true where that clue holds.
- `first_seen` (optional): the first numbers that are met from the `top`, `bottom` (left to right), `left`,
  `right` (top to bottom), `.` where there is no clue.
- `answer_rule` (optional): `empty_product`, the default, the product of the sizes of the connected groups of
  unvisited cells; `greatest_line_product`, the greatest product of the numbers in a row or column; or
  `sum_of_squares_of_row_maxima`.

A solution is a list of rows of integers, 0 for a cell that is not visited.

## Links
- Jane Street, Knight Moves, March 2016: https://www.janestreet.com/puzzles/knight-moves-index/
- Jane Street, Knight Moves 2, April 2017: https://www.janestreet.com/puzzles/knight-moves-2-index/
- Jane Street, Knight Moves 3, August 2019: https://www.janestreet.com/puzzles/knight-moves-3-index/
- Jane Street, Knight Moves 4, September 2021: https://www.janestreet.com/puzzles/knight-moves-4-index/
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING, Annotated, Any, Literal

from models.shared.document import Document, InstanceError, read_document, within
from models.shared.grid import (
    Cell,
    Grid,
    Labels,
    draw_regions,
    place,
    read_grid,
    read_numbers,
    regions_of,
    word,
    write_in_cell,
)
from models.shared.partly_filled import product_of_empty_groups
from models.shared.puzzle import Ingredient, Reported, Solution, is_grid
from models.shared.sides import (
    SideClues,
    Sides,
    draw_sides,
    line_from,
    read_line,
    read_sides,
    text_with_sides,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INGREDIENTS = (Ingredient.SUMS, Ingredient.PATHS)

MIGUELBPER, GOWEN = "miguelbper, jane-street-puzzles", "gowen100, Jane-Street-Solutions"
REPORTED = tuple(
    Reported(
        instance=instance,
        system=system,
        source=source,
        total_s=seconds,
        note="all 138 solutions" if page == "2019/2019-08-knight-moves-3.py" else "",
        url=f"https://github.com/{source.replace(', ', '/')}/blob/HEAD/{page}",
    )
    for instance, system, source, seconds, page in (
        ("march_2016", "Z3 (miguelbper)", MIGUELBPER, 1.03, "2016/2016-03-knight-moves.py"),
        ("april_2017", "Z3 (miguelbper)", MIGUELBPER, 0.42, "2017/2017-04-knight-moves-2.py"),
        ("august_2019", "Z3 (miguelbper)", MIGUELBPER, 6.5, "2019/2019-08-knight-moves-3.py"),
        ("september_2021", "Z3 (miguelbper)", MIGUELBPER, 1.08, "2021/2021-09-knight-moves-4.py"),
        ("march_2016", "Z3 (gowen100)", GOWEN, 3.7, "2016_03_KnightMoves-Z3.ipynb"),
        ("april_2017", "Z3 (gowen100)", GOWEN, 1.9, "2017_04_KnightMoves2-Z3.ipynb"),
        ("august_2019", "Z3 (gowen100)", GOWEN, 9.4, "2019_08_KnightMoves3-Z3.ipynb"),
        ("september_2021", "Z3 (gowen100)", GOWEN, 8.5, "2021_09_KnightMoves4.ipynb"),
        ("august_2019", "Python search (gowen100)", GOWEN, 0.06, "2019_08_KnightMoves3.ipynb"),
    )
)

AnswerRule = Literal["empty_product", "greatest_line_product", "sum_of_squares_of_row_maxima"]
"""What the setter asks for."""


class KnightMovesDocument(Document):
    """The keys of an instance file."""

    size: Annotated[int, within(1, 1000)]
    steps: list[int]
    givens: str | None = None
    row_sums: str | None = None
    column_sums: str | None = None
    rotation: bool = False
    regions: str | None = None
    equal_region_visits: bool = False
    equal_region_sums: bool = False
    equal_line_visits: bool = False
    first_seen: Sides = Sides()
    answer_rule: AnswerRule = "empty_product"


def parse(table: dict[str, Any]) -> "KnightMoves":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    document = read_document(KnightMovesDocument, table)
    n = document.size
    if len(document.steps) != 2 or not 1 <= document.steps[0] <= document.steps[1] <= n * n:
        raise InstanceError(
            f"steps: write the least and the greatest number of visited cells, within 1..{n * n}"
        )
    least, greatest = document.steps
    cell_of: dict[int, Cell] = {}
    if document.givens is not None:
        words = read_grid("givens", document.givens, (n, n), spaced=True)
        for cell, number in read_numbers("givens", words, range(1, greatest + 1)).items():
            if number in cell_of:
                where, first = place("givens", cell), place("that in", cell_of[number])
                raise InstanceError(f"{where}: a second {number}, after {first}")
            cell_of[number] = cell
    labels: Labels = (("A",) * n,) * n
    regions: tuple[tuple[Cell, ...], ...] = ()
    if document.regions is not None:
        labels = read_grid("regions", document.regions, (n, n))
        regions = tuple(regions_of("regions", labels).values())
    elif document.equal_region_visits or document.equal_region_sums:
        raise InstanceError("regions: this key is missing; equal_region_visits and equal_region_sums need it")
    return KnightMoves(
        n,
        n,
        (least, greatest),
        {cell: number for number, cell in cell_of.items()},
        read_line("row_sums", document.row_sums, n, 0),
        read_line("column_sums", document.column_sums, n, 0),
        document.rotation,
        labels,
        regions,
        document.equal_region_visits,
        document.equal_region_sums,
        document.equal_line_visits,
        read_sides("first_seen", document.first_seen, n, n),
        document.answer_rule,
    )


@dataclass(frozen=True)
class KnightMoves(Grid):
    """One instance, with the clues of its file; a solution has 0 in a cell that is not visited.

    Attributes:
        labels: of the regions; the same everywhere if there are none.
    """

    steps: tuple[int, int]
    givens: Mapping[Cell, int]
    row_sums: Mapping[int, int]
    column_sums: Mapping[int, int]
    rotation: bool
    labels: Labels
    regions: tuple[tuple[Cell, ...], ...]
    equal_region_visits: bool
    equal_region_sums: bool
    equal_line_visits: bool
    first_seen: SideClues
    answer_rule: AnswerRule

    @property
    def side(self) -> int:
        """The cells on a side of the board."""
        return self.height

    def path(self, cells: list[Cell]) -> list[list[int]]:
        """The solution in which these cells are visited in this order."""
        number = {cell: t for t, cell in enumerate(cells, 1)}
        return self.solution(lambda cell: number.get(cell, 0))

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        n = self.side
        if not is_grid(solution, n, n):
            return [f"the solution is not {n} rows of {n} whole numbers each"]
        at = {solution[row][column]: (row, column) for row, column in self.cells if solution[row][column]}
        visited = sum(1 for row in solution for number in row if number)
        if sorted(at) != list(range(1, visited + 1)):
            return [f"the numbers of the {visited} visited cells are not 1 to {visited}, once each"]
        broken = []
        if not self.steps[0] <= visited <= self.steps[1]:
            broken.append(f"{visited} cells are visited, not {self.steps[0]} to {self.steps[1]}")
        for t, ((r, c), (s, d)) in enumerate(pairwise(at[t] for t in range(1, visited + 1)), 1):
            if sorted((abs(r - s), abs(c - d))) != [1, 2]:
                broken.append(f"from {t} to {t + 1} is no knight's move")
        for (row, column), number in self.givens.items():
            if solution[row][column] != number:
                shown = solution[row][column] or "is not visited"
                broken.append(f"row {row + 1}, column {column + 1}: {shown}, but {number} is given")
        columns = [list(column) for column in zip(*solution, strict=True)]
        lines = [("row", solution, self.row_sums), ("column", columns, self.column_sums)]
        for name, values, sums in lines:
            for line, total in sums.items():
                if sum(values[line]) != total:
                    broken.append(f"{name} {line + 1} sums to {sum(values[line])}, not {total}")
        if self.rotation:
            turned = {(column, n - 1 - row) for row, column in at.values()}
            if turned != set(at.values()):
                broken.append("the visited cells are others after a quarter turn of the board")
        regions = [[solution[row][column] for row, column in region] for region in self.regions]
        if self.equal_region_visits and len({sum(map(bool, numbers)) for numbers in regions}) > 1:
            broken.append("the regions have different numbers of visited cells")
        if self.equal_region_sums and len({sum(numbers) for numbers in regions}) > 1:
            broken.append("the regions have different sums")
        if self.equal_line_visits and len({sum(map(bool, line)) for line in [*solution, *columns]}) > 1:
            broken.append("the rows and columns have different numbers of visited cells")
        for (side, line), number in self.first_seen.items():
            seen = (solution[r][c] for r, c in line_from(side, line, n, n))
            first = next(filter(None, seen), "nothing")
            if first != number:
                name = "column" if side.on_columns else "row"
                broken.append(f"{name} {line + 1} shows {first} from the {side}, not {number}")
        return broken

    def answer(self, solution: Solution) -> int:
        """What the answer rule asks for."""
        columns = zip(*solution, strict=True)
        match self.answer_rule:
            case "empty_product":
                return product_of_empty_groups(solution)
            case "greatest_line_product":
                return max(int(prod(filter(None, line))) for line in [*solution, *columns] if any(line))
            case "sum_of_squares_of_row_maxima":
                return sum(max(row) ** 2 for row in solution)

    def text(self, solution: Solution | None) -> str:
        """The board with its regions and the first numbers that are seen; sums and other clues below."""
        words = {cell: word(cell, self.givens, solution) or " " for cell in self.cells}
        return "\n".join([text_with_sides(self.labels, words.__getitem__, self.first_seen), *self._clues()])

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The board with its regions and the path, from a circle; givens in bold, sums behind their lines."""
        n = self.side
        fill = {} if self.regions else dict.fromkeys(self.cells, "#ffffff")
        draw_regions(axes, self.labels, fill, thin_lines=True)
        if solution:
            visited = sorted((solution[row][column], row, column) for row, column in self.cells)
            x, y = ([place[k] + 0.5 for place in visited if place[0]] for k in (2, 1))
            axes.plot(x, y, color="#e0903a", linewidth=0.8, alpha=0.45)
            axes.plot(x[:1], y[:1], "o", markersize=110 / n, color="#e0903a", fillstyle="none")
        size = min(12, 100 / n)
        for cell in self.cells:
            text = word(cell, self.givens, solution).strip(".")
            write_in_cell(axes, cell, text, size, cell in self.givens)
        draw_sides(axes, self.first_seen, n, n, 0.8 * size)
        margin = n + (1.5 if self.first_seen else 0.7)
        for row, total in self.row_sums.items():
            axes.text(margin, row + 0.5, f"={total}", ha="center", va="center", fontsize=0.7 * size)
        for column, total in self.column_sums.items():
            axes.text(column + 0.5, margin, f"={total}", ha="center", va="center", fontsize=0.7 * size)
        if self.row_sums or self.column_sums:
            axes.set(xlim=(axes.get_xlim()[0], margin + 0.6), ylim=(margin + 0.6, axes.get_ylim()[1]))

    def _clues(self) -> list[str]:
        """The clues that do not stand at the board, in words."""
        least, greatest = self.steps
        clues = [
            f"{least} cells are visited" if least == greatest else f"{least} to {greatest} cells are visited"
        ]
        for name, sums in (("rows", self.row_sums), ("columns", self.column_sums)):
            if sums:
                clues.append(f"sums of {name}: {' '.join(str(sums.get(k, '.')) for k in range(self.side))}")
        others = {
            "the visited cells are still the same after a quarter turn": self.rotation,
            "all regions have the same number of visited cells": self.equal_region_visits,
            "all regions have the same sum": self.equal_region_sums,
            "all rows and columns have the same number of visited cells": self.equal_line_visits,
        }
        return clues + [clue for clue, stated in others.items() if stated]
