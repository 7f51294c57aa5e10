"""Market Split: rules, parser, checker and drawing.

A company splits its customers between two divisions; each goes to one of them as a whole. Each customer
buys some amount of each product. For each product it is laid down what the first division sells: exactly
that its customers must buy together. The second division has the rest.

Small as they are, such integer programs are among the hardest: with m products, 10 (m - 1) customers and
random amounts of 0 to 99, branch and bound looks at a good part of all 2^n splits.

## Data
- `coefficients`: a row for each product with the amounts that the customers buy, each from 0 to 9999, with
  blanks between them; `.` for nothing. A row has one amount for each of the n customers, 1,000 at most.
- `totals`: what the first division sells of each product, from 0 to 9999999.

A solution is a list of n numbers, 1 for a customer of the first division, which the answer lists, and 0 for
one of the second.

## Links
- Cornuejols, Dawande, A class of hard small 0-1 programs, IPCO 1998: https://doi.org/10.1007/3-540-69346-7_22
- Aardal, Bixby, Hurkens, Lenstra, Smeltink, Market split and basis reduction, 1999:
  http://softlib.rice.edu/pub/CRPC-TRs/abstracts/99787-S.abst
- Wassermann, Solving the market split problem with lattice enumeration, 2025: https://arxiv.org/abs/2508.08702
- MiniZinc's instances and model: https://github.com/MiniZinc/minizinc-benchmarks/tree/master/market_split
- QOBLIB, feasible instances of up to 15 products: https://github.com/ZIB-AOPT/QOBLIB
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from models.shared.document import Document, InstanceError, read_document, within
from models.shared.grid import read_grid, read_numbers, write_at
from models.shared.puzzle import Ingredient, Solution, is_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INGREDIENTS = (Ingredient.SUMS,)

MOST_CUSTOMERS = 1_000
LARGEST_AMOUNT = 9_999
LARGEST_TOTAL = 9_999_999
"""What all customers can buy at most: it fits into 32 bits, as clingo needs it."""


class MarketSplitDocument(Document):
    """The keys of an instance file."""

    coefficients: str
    totals: list[Annotated[int, within(0, LARGEST_TOTAL)]]


def parse(table: dict[str, Any]) -> "MarketSplit":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    document = read_document(MarketSplitDocument, table)
    words = read_grid("coefficients", document.coefficients, spaced=True)
    products, customers = range(len(words)), range(len(words[0]))
    if len(customers) > MOST_CUSTOMERS:
        raise InstanceError(f"coefficients: {len(customers)} customers; at most {MOST_CUSTOMERS} are allowed")
    amounts = read_numbers("coefficients", words, range(LARGEST_AMOUNT + 1))
    if (count := len(document.totals)) != len(words):
        raise InstanceError(f"totals: {count} for {len(words)} rows of coefficients; write one for each")
    rows = tuple(tuple(amounts.get((p, i), 0) for i in customers) for p in products)
    return MarketSplit(rows, tuple(document.totals))


@dataclass(frozen=True)
class MarketSplit:
    """One instance; a solution is a list of 0 and 1, one for each customer.

    Attributes:
        rows: of each product the amounts that the customers buy.
        totals: of each product what those with 1 buy together.
    """

    rows: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of customers."""
        return len(self.rows[0])

    @property
    def customers(self) -> range:
        """The customers, from 0."""
        return range(self.size)

    @property
    def equations(self) -> list[tuple[tuple[int, ...], int]]:
        """The amounts of each product, and its total."""
        return list(zip(self.rows, self.totals, strict=True))

    def solution(self, value_of: Callable[[int], int]) -> list[int]:
        """The solution in which each customer i has `value_of(i)`."""
        return [value_of(i) for i in self.customers]

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        if not is_grid([solution], 1, self.size):
            return [f"the solution is not a list of {self.size} whole numbers"]
        numbered = enumerate(solution, 1)
        broken = [f"customer {i} has {value}, not 0 or 1" for i, value in numbered if value not in (0, 1)]
        for number, (row, total) in enumerate(self.equations, 1):
            sold = sum(amount * value for amount, value in zip(row, solution, strict=True))
            if sold != total:
                broken.append(f"product {number}: the first division sells {sold}, not {total}")
        return broken

    def answer(self, solution: Solution) -> str:
        """The numbers of the customers of the first division, from 1; `none` if there are none."""
        return " ".join(str(i + 1) for i in self.customers if solution[i]) or "none"

    def text(self, solution: Solution | None) -> str:
        """A line for each product, with its total behind it; who is in the first division above."""
        head = ["." if solution is None else str(solution[i]) for i in self.customers]
        span = max(len(str(amount)) for row in self.rows for amount in row)
        lines = [("first division", head, ""), *self._lines()]
        return "\n".join(
            f"{name:<16}{' '.join(f'{word:>{span}}' for word in words)}  {total}".rstrip()
            for name, words, total in lines
        )

    def _lines(self) -> list[tuple[str, Sequence[int], str]]:
        """The name of each product, its amounts, and its total among all that is sold, in words."""
        return [
            (f"product {number}", row, f"{total} of {sum(row)}")
            for number, (row, total) in enumerate(self.equations, 1)
        ]

    def position(self, unknown: int) -> tuple[float, float]:
        """Below the column of a customer."""
        return unknown + 0.5, len(self.rows) + 0.5

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """A row for each product, darker the larger the amount; those of the first division in orange."""
        height, small = len(self.rows), min(10, 150 / self.size)
        most = max(map(max, self.rows)) or 1
        for y, (name, row, total) in enumerate(self._lines()):
            for x, amount in enumerate(row):
                alpha = 0.08 + 0.6 * amount / most
                colour, weight = ("#d55e00", "bold") if solution and solution[x] else ("#999999", "normal")
                axes.fill([x, x + 1, x + 1, x], [y, y, y + 1, y + 1], colour, alpha=alpha, linewidth=0)
                write_at(axes, (x + 0.5, y + 0.5), str(amount), small, given=True, fontweight=weight)
            axes.text(-0.3, y + 0.5, name, ha="right", va="center", fontsize=9)
            axes.text(self.size + 0.3, y + 0.5, total, ha="left", va="center", fontsize=9)
        axes.text(-0.3, height + 0.5, "first division", ha="right", va="center", fontsize=9)
        for i, value in enumerate(solution or ()):
            write_at(axes, self.position(i), str(value), small, given=False)
        axes.vlines(range(self.size + 1), 0, height, color="#ffffff", linewidth=0.8)
        # Cells are as tall as there is room: with many customers they would be too small as squares.
        axes.set(xlim=(-0.2 * self.size, 1.2 * self.size), ylim=(height + 2, -1))
        axes.axis("off")
