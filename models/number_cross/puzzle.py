"""Number Cross: the rules.

Some cells are shaded, no two of them sharing an edge; the others hold digits. Two orthogonally adjacent
unshaded cells hold equal digits exactly if they lie in the same region. Every maximal horizontal run of
unshaded cells is a number of two digits or more, without a leading zero, that satisfies its row's clue.

## Data
- regions: a grid of labels, one character a cell, or words separated by blanks; each region is connected
- clues: one a row, of the forms in VOCABULARY, several joined by " & "

## Links
- the puzzle: https://www.janestreet.com/puzzles/number-cross-4-index/
- a search in Go, row by row: https://glthr.com/solving-number-cross-4-jane-street-puzzle-may-2024
- a search that stitches the candidates of the rows: https://www.kevinfox.dev/jane-street-numbers-4.html
- a model for SAT solvers: https://github.com/aaw/cnfc, examples/jane-st-number-cross-4
- the flow through an automaton: Côté, Gendron, Rousseau, Modeling the Regular Constraint with Integer
  Programming, CPAIOR 2007
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isqrt, prod
from typing import TYPE_CHECKING, Any

from models.shared.document import Document, InstanceError, read_document, shorten
from models.shared.grid import (
    Cell,
    Labels,
    cells_of,
    draw_regions,
    grid_text,
    read_grid,
    regions_of,
    write_in_cell,
)
from models.shared.puzzle import Ingredient, Reported, Solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INGREDIENTS = (Ingredient.WORDS,)

GLTHR = "glthr, Solving Number Cross 4: one goroutine a candidate"
GLTHR_URL = "https://glthr.com/solving-number-cross-4-jane-street-puzzle-may-2024"
PACE = "the whole space in about 5 s, 1 s to the solution; one thread under 30 s"

REPORTED = (
    Reported("may_2024", "Go, row by row", GLTHR, total_s=5.0, note=PACE, url=GLTHR_URL),
    Reported("may_2024", "Z3", GLTHR, note="given up", url=GLTHR_URL),
)

SHADED = "."
SYMBOLS = "0123456789" + SHADED
CODES = {symbol: code for code, symbol in enumerate(SYMBOLS)}
"""What a cell can hold, as integers for models: a digit is itself."""

VOCABULARY = {
    "square": r"square",
    "cube": r"cube",
    "fibonacci": r"fibonacci",
    "palindrome": r"palindrome",
    "palindrome + k": r"palindrome \+ (?P<above>[0-9]+)",
    "palindrome - k": r"palindrome - (?P<below>[0-9]+)",
    "multiple of k": r"multiple of (?P<multiple>[0-9]+)",
    "power of k": r"power of (?P<power>[0-9]+)",
    "prime ^ prime": r"prime \^ prime",
    "digit sum = k": r"digit sum = (?P<digit_sum>[0-9]+)",
    "digit product ends in k": r"digit product ends in (?P<digit_product>[0-9])",
}
"""The clues as a person writes them, and as patterns."""


@dataclass(frozen=True)
class Clue:
    """One property of numbers: its name in VOCABULARY, and its k if it has one."""

    name: str
    k: int = 0


class NumberCrossDocument(Document):
    """The keys of an instance file."""

    regions: str
    clues: list[str]


def parse(table: dict[str, Any]) -> "NumberCross":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    document = read_document(NumberCrossDocument, table)
    labels = read_grid("regions", document.regions)
    regions_of("regions", labels)
    if len(document.clues) != len(labels):
        raise InstanceError(
            f"clues: {len(document.clues)} clues; the grid has {len(labels)} rows, one clue each"
        )
    clues = tuple(read_clues(f"clues, row {row}", text) for row, text in enumerate(document.clues, 1))
    return NumberCross(labels, clues, tuple(document.clues))


def read_clues(place: str, text: str) -> tuple[Clue, ...]:
    """The properties that a row's clue joins with `&`; raises InstanceError for one not in the vocabulary."""
    clues = []
    for part in text.split(" & "):
        for name, pattern in VOCABULARY.items():
            if match := re.fullmatch(pattern, part.strip()):
                k = next(iter(match.groupdict().values()), "0")
                if len(k) > 30:
                    raise InstanceError(f"{place}: {shorten(k)} is too large a number")
                clues.append(Clue(name, int(k)))
                break
        else:
            raise InstanceError(f"{place}: unknown clue {shorten(part)}; known are {', '.join(VOCABULARY)}")
    for clue in clues:
        if clue.name == "multiple of k" and clue.k == 0:
            raise InstanceError(f"{place}: multiple of 0; write a positive number")
    return tuple(clues)


@dataclass(frozen=True)
class NumberCross:
    """One instance; a solution is a list of strings, `.` for a shaded cell."""

    labels: Labels
    clues: tuple[tuple[Clue, ...], ...]
    clue_texts: tuple[str, ...]

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.labels[0])

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.labels) * self.width

    def vertical_neighbours(self) -> Iterator[tuple[Cell, Cell, bool]]:
        """Yields each cell with the one below it, and whether both lie in one region."""
        for row, column in cells_of(self.labels[1:]):
            yield (row, column), (row + 1, column), self.labels[row][column] == self.labels[row + 1][column]

    def solution(self, value_of: Callable[[Cell], str]) -> Solution:
        """Returns the solution in which each cell holds the symbol `value_of(cell)`."""
        return ["".join(value_of((r, c)) for c in range(self.width)) for r in range(len(self.labels))]

    def check(self, solution: Solution) -> list[str]:
        """Returns every broken rule in words."""
        height, width = len(self.labels), self.width
        if not (
            isinstance(solution, list)
            and len(solution) == height
            and all(isinstance(row, str) and re.fullmatch(r"[0-9.]*", row, re.ASCII) for row in solution)
            and all(len(row) == width for row in solution)
        ):
            return [f"the solution is not {height} strings of {width} digits or dots"]
        broken = []
        for row, column in cells_of(self.labels):
            for r, c in ((row + 1, column), (row, column + 1)):
                if r == height or c == width:
                    continue
                one, other = solution[row][column], solution[r][c]
                where = f"row {row + 1}, column {column + 1} and row {r + 1}, column {c + 1}"
                together = self.labels[row][column] == self.labels[r][c]
                if one == other == SHADED:
                    broken.append(f"{where} are both shaded")
                elif SHADED not in (one, other) and (one == other) != together:
                    which = "the same region but differ" if together else "two regions but are equal"
                    broken.append(f"{where} hold {one} and {other}: they lie in {which}")
        for row in range(height):
            for number in filter(None, solution[row].split(SHADED)):
                broken += [f"row {row + 1}: {number} {why}" for why in self._wrong_with(number, row)]
        return broken

    def _wrong_with(self, number: str, row: int) -> list[str]:
        if len(number) < 2 or number[0] == "0":
            return ["has one digit only" if len(number) < 2 else "has a leading zero"]
        return [f"is not: {clue_text(clue)}" for clue in self.clues[row] if not satisfies(int(number), clue)]

    def answer(self, solution: Solution) -> int:
        """Returns the sum of all the numbers."""
        return sum(int(number) for row in solution for number in row.split(SHADED) if number)

    def text(self, solution: Solution | None) -> str:
        """Returns the grid with its regions, the clues beside the rows."""
        lines = grid_text(self.labels, lambda cell: self._word(cell, solution)).splitlines()
        for row, clue in enumerate(self.clue_texts):
            lines[2 * row + 1] += f"  {clue}"
        return "\n".join(lines)

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """Draws the grid with its regions and shaded cells, the clues beside the rows."""
        words = {cell: self._word(cell, solution) for cell in cells_of(self.labels)}
        draw_regions(axes, self.labels, {cell: "#555555" for cell, word in words.items() if word == "■"})
        for cell, word in words.items():
            write_in_cell(axes, cell, word.strip("■ "), min(14, 150 / self.width), False)
        size = min(9, 100 / self.width)
        for row, clue in enumerate(self.clue_texts):
            axes.text(self.width + 0.3, row + 0.5, clue, va="center", fontsize=size, parse_math=False)
        axes.set_xlim(-0.05, self.width * 1.5)

    def _word(self, cell: Cell, solution: Solution | None) -> str:
        return (solution[cell[0]][cell[1]] if solution else " ").replace(SHADED, "■")


def compatible(one: str, other: str, same_region: bool) -> bool:
    """Tells whether two cells that share an edge may hold these symbols."""
    if SHADED in (one, other):
        return one != other
    return (one == other) == same_region


ALIKE = [(CODES[one], CODES[other]) for one in SYMBOLS for other in SYMBOLS if compatible(one, other, True)]
"""What two cells of one region that share an edge may hold, as integers."""


def clue_text(clue: Clue) -> str:
    """Returns the clue as a person writes it."""
    return re.sub(r"\bk\b", str(clue.k), clue.name)


def satisfies(number: int, clue: Clue) -> bool:
    """Tells whether a number of two digits or more has the property."""
    k = clue.k
    digits = [int(digit) for digit in str(number)]
    match clue.name:
        case "square":
            return isqrt(number) ** 2 == number
        case "cube":
            return _root(number, 3) ** 3 == number
        case "fibonacci":
            # n is a Fibonacci number exactly if 5n^2 + 4 or 5n^2 - 4 is a square.
            return any(isqrt(x) ** 2 == x for x in (5 * number**2 + 4, 5 * number**2 - 4))
        case "palindrome":
            return digits == digits[::-1]
        case "palindrome + k":
            return number >= k and str(number - k) == str(number - k)[::-1]
        case "palindrome - k":
            return str(number + k) == str(number + k)[::-1]
        case "multiple of k":
            return number % k == 0
        case "power of k":
            while k > 1 and number % k == 0:
                number //= k
            return number == 1
        case "prime ^ prime":
            roots = ((q, _root(number, q)) for q in range(2, number.bit_length() + 1) if _is_prime(q))
            return any(p**q == number and _is_prime(p) for q, p in roots)
        case "digit sum = k":
            return sum(digits) == k
        case "digit product ends in k":
            return prod(digits) % 10 == k
    raise ValueError(clue.name)


def _root(number: int, degree: int) -> int:
    """Returns the largest r with r^degree <= number."""
    low, high = 0, 1 << (number.bit_length() // degree + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**degree <= number else (low, middle)
    return low


def _is_prime(number: int) -> bool:
    return number >= 2 and all(number % divisor for divisor in range(2, isqrt(number) + 1))
