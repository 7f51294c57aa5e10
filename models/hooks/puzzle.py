"""Hooks: the rules.

A grid of n x n cells is cut into n hooks. The hook of size n is an outer row and an outer column of the grid
together, 2n-1 cells; what remains is a square of n-1 rows and columns, which is cut again, down to one cell.

Each hook gets one of the numbers 1..n, and each number one hook; the number v is written in exactly v cells
of its hook, and the other cells stay empty. The hooks may be printed or are to be found. The hook of size v
may have to hold the number v, or the numbers are to be found too.

## Data
- `size`: n.
- `layout`: `fixed` or `free`. If it is fixed, `hooks` has the size of the hook of each cell.
- `numbering`: `by_size` if the hook of size v holds the number v; else `free`.
- `connected` (optional): true if all filled cells are connected along edges.
- `no_full_2x2` (optional): true if no 2x2 block is completely filled.
- `givens` (optional): a grid of words, with the numbers that are given and `.` in the other cells.
- `row_sums`, `column_sums` (optional): the sum of a row or column, `.` where there is none.
- `first_two_product` (optional): the product of the first two filled cells that are met from the `top`,
  `bottom` (left to right), `left`, `right` (top to bottom), `.` where there is no clue. A line with such a
  clue has two filled cells or more.
- `first_block_sum` (optional): in the same way, the sum of the first unbroken run of filled cells.
- `regions` (optional): a grid of labels, one a cell; the numbers in every region have the same sum.
- `neighbour_sums` (optional): a grid of words; a cell with a number stays empty, and the cells that share an
  edge with it sum to the number; `.` in the other cells.
- `answer_rule` (optional): `empty_product`, the default, the product of the sizes of the connected groups of
  empty cells; or `checkerboard_sum`, the sum of the cells whose row and column, from 0, are both even or odd.

A solution is a list of rows of integers, 0 for an empty cell. The hooks are not part of it: it is one
solution if several ways of cutting and numbering fit it.

## Links
- Jane Street, Hooks, February 2014: https://www.janestreet.com/puzzles/hooks-index/
- Jane Street, Hooks #3, February 2018: https://www.janestreet.com/puzzles/hooks-3-index/
- Jane Street, Hooks #5, June 2019: https://www.janestreet.com/puzzles/hooks-5-index/
- Jane Street, Hooks 8, January 2022: https://www.janestreet.com/puzzles/hooks-8-index/
- Jane Street, Hooks 10, March 2024: https://www.janestreet.com/puzzles/hooks-10-index/
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any, Literal

from models.shared.document import Document, InstanceError, read_document, within
from models.shared.grid import (
    PALETTE,
    Cell,
    Grid,
    Labels,
    cells_of,
    changed,
    in_words,
    neighbours,
    place,
    read_grid,
    read_numbers,
    word,
)
from models.shared.partly_filled import (
    EMPTY,
    draw_cells,
    font_size,
    full_blocks,
    out_of_range,
    product_of_empty_groups,
    separate_groups,
)
from models.shared.puzzle import Ingredient, Reported, Solution, is_grid
from models.shared.sides import Side, SideClues, Sides, line_from, read_line, read_sides, text_with_sides

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MIGUELBPER = "Z3 (miguelbper)", "miguelbper, jane-street-puzzles"
MIGUELBPER_URL = "https://github.com/miguelbper/jane-street-puzzles/blob/HEAD/"
GOWEN = "Z3 (gowen100)", "gowen100, Jane-Street-Solutions"
GOWEN_URL = "https://github.com/gowen100/Jane-Street-Solutions"
INNERMOST = "the numbers 1 and 2 put in by hand"
INGREDIENTS = (Ingredient.SUMS, Ingredient.CONNECTIVITY)

REPORTED = (
    *(
        Reported(instance, *MIGUELBPER, total_s=total_s, note=note, url=MIGUELBPER_URL + page)
        for instance, total_s, note, page in (
            ("february_2018", 1.22, "", "2018/2018-02-hooks-3.py"),
            ("june_2019", 1.13, "", "2019/2019-06-hooks-5.py"),
            ("january_2022", 2.30, INNERMOST, "2022/2022-01-hooks-8.py"),
            ("march_2024", 2.52, INNERMOST, "2024/2024-03-hooks-10.py"),
        )
    ),
    *(
        Reported(instance, *GOWEN, total_s=total_s, url=GOWEN_URL)
        for instance, total_s in (
            ("february_2014", 0.13),
            ("february_2018", 36),
            ("january_2022", 9.7),
            ("march_2024", 27.1),
            ("march_2024_example", 0.9),
        )
    ),
)

AnswerRule = Literal["empty_product", "checkerboard_sum"]
"""What the setter asks for."""


class HooksDocument(Document):
    """The keys of an instance file."""

    size: Annotated[int, within(1, 100)]
    layout: Literal["fixed", "free"]
    numbering: Literal["by_size", "free"]
    hooks: str | None = None
    connected: bool = False
    no_full_2x2: bool = False
    givens: str | None = None
    row_sums: str | None = None
    column_sums: str | None = None
    first_two_product: Sides = Sides()
    first_block_sum: Sides = Sides()
    regions: str | None = None
    neighbour_sums: str | None = None
    answer_rule: AnswerRule = "empty_product"


def parse(table: dict[str, Any]) -> "Hooks":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    document = read_document(HooksDocument, table)
    n = document.size
    if document.layout == "fixed" and document.hooks is None:
        raise InstanceError("hooks: this key is missing; a fixed layout needs it")
    if document.layout == "free" and document.hooks is not None:
        raise InstanceError('hooks: they are to be found; remove this key, or write layout = "fixed"')

    def numbers(field: str, least: int, most: int) -> dict[Cell, int]:
        text = getattr(document, field)
        if text is None:
            return {}
        return read_numbers(field, read_grid(field, text, (n, n), spaced=True), range(least, most + 1))

    hooks = numbers("hooks", 1, n)
    if document.layout == "fixed":
        check_hooks(n, hooks)
    regions: dict[str, tuple[Cell, ...]] = defaultdict(tuple)
    if document.regions is not None:
        labels = read_grid("regions", document.regions, (n, n), spaced=n == 1)
        for row, column in cells_of(labels):
            regions[labels[row][column]] += ((row, column),)
    row_sums = read_line("row_sums", document.row_sums, n, 0)
    column_sums = read_line("column_sums", document.column_sums, n, 0)
    products = read_sides("first_two_product", document.first_two_product, n, n)
    runs = read_sides("first_block_sum", document.first_block_sum, n, n)
    clues = [("row_sums", line, number) for line, number in row_sums.items()]
    clues += [("column_sums", line, number) for line, number in column_sums.items()]
    clues += [(f"first_two_product.{side}", line, number) for (side, line), number in products.items()]
    clues += [(f"first_block_sum.{side}", line, number) for (side, line), number in runs.items()]
    for field, line, number in clues:
        if number > n * n:
            raise InstanceError(f"{field}, entry {line + 1}: {number} is more than {n} x {n}; make it less")
    return Hooks(
        n,
        n,
        givens=numbers("givens", 1, n),
        hooks=hooks or None,
        by_size=document.numbering == "by_size",
        connected=document.connected,
        no_full_2x2=document.no_full_2x2,
        row_sums=row_sums,
        column_sums=column_sums,
        first_two_product=products,
        first_block_sum=runs,
        regions=tuple(regions.values()),
        neighbour_sums=numbers("neighbour_sums", 0, 4 * n),
        answer_rule=document.answer_rule,
    )


def check_hooks(n: int, hooks: Mapping[Cell, int]) -> None:
    """Raises InstanceError if a size is not an outer row and column of what larger hooks leave."""
    for cell in ((row, column) for row in range(n) for column in range(n)):
        if cell not in hooks:
            raise InstanceError(f"{place('hooks', cell)}: there is no size; every cell lies in a hook")
    left = (0, 0)
    for size in range(n, 0, -1):
        cells = {cell for cell, number in hooks.items() if number == size}
        inner = [corner for corner, hook in peels(*left, size) if set(hook) == cells]
        if not inner:
            raise InstanceError(
                f"hooks: the cells with {size} are not an outer row and an outer column of the square of "
                f"{size}x{size} cells that the larger hooks leave, from {in_words(left)}; write {size} there"
            )
        left = inner[0]


def peels(top: int, left: int, size: int) -> Iterator[tuple[Cell, list[Cell]]]:
    """The ways to cut a hook off a square: the top left corner of what remains, and the cells of the hook."""
    rows, columns = range(top, top + size), range(left, left + size)
    for row in dict.fromkeys((rows[0], rows[-1])):
        for column in dict.fromkeys((columns[0], columns[-1])):
            cells = [(row, c) for c in columns] + [(r, column) for r in rows if r != row]
            yield (top + (row == top), left + (column == left)), cells


@dataclass(frozen=True)
class Hooks(Grid):
    """One instance; a solution is a list of rows of integers, 0 for an empty cell.

    Attributes:
        hooks: the size of the hook of each cell; None if the hooks are to be found.
        by_size: whether the hook of size v holds the number v.
        row_sums, column_sums: by row or column, from 0; some may lack.
        regions: empty if there are none; else they cover the grid.
        neighbour_sums: by the cell, which stays empty.
    """

    givens: Mapping[Cell, int]
    hooks: Mapping[Cell, int] | None
    by_size: bool
    connected: bool
    no_full_2x2: bool
    row_sums: Mapping[int, int]
    column_sums: Mapping[int, int]
    first_two_product: SideClues
    first_block_sum: SideClues
    regions: tuple[tuple[Cell, ...], ...]
    neighbour_sums: Mapping[Cell, int]
    answer_rule: AnswerRule

    @property
    def n(self) -> int:
        """The rows, columns, hooks and numbers."""
        return self.height

    @property
    def filled(self) -> int:
        """The number of filled cells."""
        return self.n * (self.n + 1) // 2

    @property
    def fixed(self) -> list[tuple[Cell, int]]:
        """The given cells, and those with a sum of neighbours, which are empty; contradictions are both."""
        return [*self.givens.items(), *((cell, EMPTY) for cell in self.neighbour_sums)]

    @cached_property
    def domains(self) -> dict[Cell, list[int]]:
        """The values that each cell may hold by itself, 0 for an empty cell; none if they contradict."""
        domains = {cell: list(range(self.n + 1)) for cell in self.cells}
        if self.hooks is not None and self.by_size:
            domains = {cell: [EMPTY, self.hooks[cell]] for cell in self.cells}
        for cell, value in self.fixed:
            domains[cell] = [held for held in domains[cell] if held == value]
        return domains

    @property
    def blocks(self) -> list[list[Cell]]:
        """The cells of each 2x2 block, if none may be filled."""
        return super().blocks if self.no_full_2x2 else []

    @cached_property
    def near(self) -> dict[Cell, list[Cell]]:
        """The cells that share an edge with each cell."""
        return {cell: neighbours(cell, self.n) for cell in self.cells}

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        if not is_grid(solution, self.n, self.n):
            return [f"the solution is not {self.n} rows of {self.n} whole numbers each"]
        broken = out_of_range(solution, self.n)
        values = [value for row in solution for value in row]
        for number in range(1, self.n + 1):
            if (count := values.count(number)) != number:
                broken.append(f"{number} stands in {count} cells, not in {number}")
        if not broken:
            broken += self._broken_hooks(solution)
        broken += changed(solution, self.givens)
        broken += full_blocks(solution) if self.no_full_2x2 else []
        broken += separate_groups(solution) if self.connected else []
        return broken + list(self._broken_clues(solution))

    def _broken_hooks(self, solution: Solution) -> list[str]:
        """What is wrong with the hooks, if every number v stands in v cells."""
        if self.hooks is not None:
            broken = []
            for size in range(1, self.n + 1):
                held = [solution[row][column] for (row, column), hook in self.hooks.items() if hook == size]
                if not self._fits(size, held):
                    one = f"the number {size}" if self.by_size else "one number"
                    broken.append(f"the hook of size {size} holds {_counted(held)}, not all of {one}")
            return broken
        # What remains of the grid once the larger hooks are cut off: the top left corners that fit.
        remaining = {(0, 0)}
        for size in range(self.n, 0, -1):
            remaining = {
                corner
                for top, left in remaining
                for corner, cells in peels(top, left, size)
                if self._fits(size, [solution[row][column] for row, column in cells])
            }
            if not remaining:
                one = "the number of its size" if self.by_size else "one number"
                return [f"no hooks down to size {size} can be cut off that each hold all of {one}"]
        return []

    def _fits(self, size: int, held: list[int]) -> bool:
        """Whether a hook may hold these values, if each number v stands in v cells of the grid."""
        numbers = [value for value in held if value != EMPTY]
        return bool(numbers) and numbers == [size if self.by_size else numbers[0]] * numbers[0]

    def _broken_clues(self, solution: list[list[int]]) -> Iterator[str]:
        columns = [list(column) for column in zip(*solution, strict=True)]
        for name, lines, sums in (("row", solution, self.row_sums), ("column", columns, self.column_sums)):
            for line, total in sums.items():
                if sum(lines[line]) != total:
                    yield f"{name} {line + 1} sums to {sum(lines[line])}, not {total}"
        for clues, seen_in, words in (
            (self.first_two_product, product_of_first_two, "a product of"),
            (self.first_block_sum, sum_of_first_block, "a block that sums to"),
        ):
            for (side, line), number in clues.items():
                cells = line_from(side, line, self.n, self.n)
                seen = seen_in([solution[row][column] for row, column in cells])
                if seen != number:
                    name = f"{'column' if side.on_columns else 'row'} {line + 1}"
                    yield f"{name} shows {words} {seen or 'nothing'} from the {side}, not {number}"
        totals = {sum(solution[row][column] for row, column in region) for region in self.regions}
        if len(totals) > 1:
            yield f"the regions have different sums: {', '.join(map(str, sorted(totals)))}"
        for (row, column), total in self.neighbour_sums.items():
            if solution[row][column] != EMPTY:
                yield f"{in_words((row, column))} holds {solution[row][column]}, but must stay empty"
            found = sum(solution[r][c] for r, c in neighbours((row, column), self.n))
            if found != total:
                yield f"the neighbours of {in_words((row, column))} sum to {found}, not {total}"

    def answer(self, solution: Solution) -> int:
        """What the answer rule asks for."""
        if self.answer_rule == "checkerboard_sum":
            return sum(solution[row][column] for row, column in self.cells if (row + column) % 2 == 0)
        return product_of_empty_groups(solution)

    def text(self, solution: Solution | None) -> str:
        """The grid with clues of one kind around it; the others, and the rules of the instance, below."""
        (_, name, around), *others = self._around or [("", "", {})]
        lines = [text_with_sides(self._labels, lambda cell: self._word(cell, solution) or " ", around)]
        lines += [f"around the grid: {name}"] if around else []
        for _, name, clues in others:
            lines.append(f"{name}:")
            for side in dict.fromkeys(side for side, _ in clues):
                numbers = " ".join(str(clues.get((side, line), ".")) for line in range(self.n))
                lines.append(f"  {side}: {numbers}")
        return "\n".join([*lines, *self._rules()])

    def _rules(self) -> list[str]:
        """The rules that do not hold of every instance, in words."""
        rules = ["the hooks are to be found"] if self.hooks is None else []
        rules += ["the hook of size v holds the number v" if self.by_size else "each hook holds any number"]
        if self.hooks is not None and self.regions:
            rules.append("the sizes of the hooks:")
            span, hooks = len(str(self.n)) + 1, self.hooks
            rules += map(" ".join, self.solution(lambda cell: f"{hooks[cell]:>{span}}"))
        optional = {
            "all filled cells are connected": self.connected,
            "no 2x2 block is completely filled": self.no_full_2x2,
            "all regions have the same sum": self.regions,
            "(s): an empty cell whose neighbours sum to s": self.neighbour_sums,
        }
        return rules + [rule for rule, holds in optional.items() if holds]

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The grid; givens in bold, empty cells grey, sums of neighbours in circles, other clues around."""
        fill = dict.fromkeys(self.cells, "#ffffff") if self.hooks is None and not self.regions else {}
        if self.hooks is not None:
            fill |= {cell: PALETTE[size % len(PALETTE)] for cell, size in self.hooks.items()}
        draw_cells(axes, self._labels, self.givens, solution, fill, without=self.neighbour_sums)
        circle = {"boxstyle": "circle,pad=0.15", "facecolor": "#ffffff", "edgecolor": "#8a5a00"}
        style: dict[str, Any] = {"ha": "center", "va": "center", "color": "#8a5a00", "bbox": circle}
        for (row, column), total in self.neighbour_sums.items():
            axes.text(column + 0.5, row + 0.5, str(total), fontsize=0.7 * font_size(self.n), **style)
        self._draw_around(axes, 0.8 * font_size(self.n))

    def _draw_around(self, axes: "Axes", size: float) -> None:
        """Writes the clues outside the grid, each kind farther out than those before, and what they are."""
        n, rings = self.n, len(self._around)
        for ring, (sign, _, clues) in enumerate(self._around):
            for (side, line), number in clues.items():
                out = -0.6 - ring if side in (Side.TOP, Side.LEFT) else n + 0.6 + ring
                x, y = (line + 0.5, out) if side.on_columns else (out, line + 0.5)
                text, font = f"{sign * (rings > 1)}{number}", size * n / (n + 2 * rings)
                axes.text(x, y, text, ha="center", va="center", fontsize=font)
        caption = "   ".join(f"{sign} {name}" if rings > 1 else name for sign, name, _ in self._around)
        axes.text(n / 2, n + rings + 0.5, caption, ha="center", va="center", fontsize=8, color="#555555")
        axes.set(xlim=(-0.1 - rings, n + 0.1 + rings), ylim=(n + 1 + rings, -0.1 - rings))

    @property
    def _around(self) -> list[tuple[str, str, SideClues]]:
        """The clues around the grid: a sign, what they are, and the numbers of each kind that there is."""
        sums = {(Side.BOTTOM, column): total for column, total in self.column_sums.items()}
        sums |= {(Side.RIGHT, row): total for row, total in self.row_sums.items()}
        kinds = (
            ("×", "products of the first two filled cells", self.first_two_product),
            ("+", "sums of the first runs of filled cells", self.first_block_sum),
            ("=", "sums of the rows and columns", sums),
        )
        return [(sign, name, clues) for sign, name, clues in kinds if clues]

    @property
    def _labels(self) -> Labels:
        """What the lines of the picture separate: regions, or else the hooks if they are printed."""
        label = {cell: str(number) for number, region in enumerate(self.regions) for cell in region}
        if not self.regions and self.hooks is not None:
            label = {cell: str(size) for cell, size in self.hooks.items()}
        return tuple(map(tuple, self.solution(lambda cell: label.get(cell, ""))))

    def _word(self, cell: Cell, solution: Solution | None) -> str:
        """What stands in a cell, or the sum of its neighbours."""
        if cell in self.neighbour_sums and not (solution and solution[cell[0]][cell[1]]):
            return f"({self.neighbour_sums[cell]})"
        return word(cell, self.givens, solution)


def product_of_first_two(line: list[int]) -> int | None:
    """The product of the first two filled cells; None if there are fewer."""
    filled = [value for value in line if value != EMPTY]
    return filled[0] * filled[1] if len(filled) > 1 else None


def sum_of_first_block(line: list[int]) -> int | None:
    """The sum of the first run of filled cells; None if there is none."""
    blocks = [list(block) for filled, block in groupby(line, key=bool) if filled]
    return sum(blocks[0]) if blocks else None


def _counted(held: list[int]) -> str:
    """How often each number is held, in words."""
    numbers = sorted({value for value in held if value != EMPTY})
    return ", ".join(f"{held.count(number)} x {number}" for number in numbers) or "nothing"
