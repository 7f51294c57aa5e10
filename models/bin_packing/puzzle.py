"""Bin packing: rules, parser, checker and drawing.

Items are put into bins of the same capacity. Each item goes into one bin, and what is in a bin may not be
larger than its capacity. What is the least number of bins? If an item is larger than a bin, there is no
packing.

## Data
- `capacity`: of each bin, from 1 to 100000.
- `sizes`: the size of each item, from 1 to 100000; there are 1 to 1000 items.

A solution is a list with the number of each item's bin; bins are numbered from 0, in the order of their
first items. The answer is how many there are.

## Links
- Wikipedia: https://en.wikipedia.org/wiki/Bin_packing_problem
- Delorme, Iori, Martello, Bin packing and cutting stock problems: mathematical models and exact algorithms,
  European Journal of Operational Research 255, 2016: https://doi.org/10.1016/j.ejor.2016.04.030
- BPPLIB: https://site.unibo.it/operations-research/en/research/bpplib-a-bin-packing-problem-library
- Falkenauer, A hybrid grouping genetic algorithm for bin packing, Journal of Heuristics 2, 1996, whose
  triplets the generator makes: https://doi.org/10.1007/BF00226291
- the Global Constraint Catalogue, bin_packing: https://sofdem.github.io/gccat/gccat/Cbin_packing.html
- Gecode's model and instances: https://github.com/Gecode/gecode/blob/master/examples/bin-packing.cpp
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from models.shared.document import Document, InstanceError, read_document, within
from models.shared.grid import PALETTE, write_at
from models.shared.puzzle import Ingredient, Objective, Sense, Solution, is_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INGREDIENTS = (Ingredient.SUMS,)

MOST_ITEMS = 1_000
LARGEST = 100_000
"""The largest capacity and the largest size."""


class BinPackingDocument(Document):
    """The keys of an instance file."""

    capacity: Annotated[int, within(1, LARGEST)]
    sizes: list[Annotated[int, within(1, LARGEST)]]


def parse(table: dict[str, Any]) -> "BinPacking":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    document = read_document(BinPackingDocument, table)
    if not 1 <= len(document.sizes) <= MOST_ITEMS:
        raise InstanceError(f"sizes: {len(document.sizes)} items; 1 to {MOST_ITEMS} are allowed")
    return BinPacking(document.capacity, tuple(document.sizes))


@dataclass(frozen=True)
class BinPacking:
    """One instance; a solution is a list with the bin of each item."""

    objective: ClassVar[Objective] = Objective(Sense.LEAST, "bins")
    capacity: int
    sizes: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of items."""
        return len(self.sizes)

    @property
    def items(self) -> range:
        """The items, from 0."""
        return range(self.size)

    @property
    def falling(self) -> list[int]:
        """The sizes, the largest first."""
        return sorted(self.sizes, reverse=True)

    def solution(self, value_of: Callable[[int], Any]) -> list[int]:
        """The solution in which those items i are together that have the same `value_of(i)`."""
        number: dict[Any, int] = {}
        return [number.setdefault(value_of(i), len(number)) for i in self.items]

    def packing(self, bins: Iterable[Sequence[int]]) -> list[int]:
        """The solution with bins of items of these sizes; more of a size than there are do not count."""
        items: dict[int, list[int]] = {}
        for i, size in enumerate(self.sizes):
            items.setdefault(size, []).append(i)
        bin_of = {items[size].pop(): b for b, sizes in enumerate(bins) for size in sizes if items[size]}
        return self.solution(bin_of.__getitem__)

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        if not is_grid([solution], 1, self.size):
            return [f"the solution is not a list of {self.size} whole numbers"]
        broken = []
        if solution != self.solution(solution.__getitem__):
            broken.append("the bins are not numbered from 0, in the order of their first items")
        for b, sizes in self._bins(solution).items():
            if (load := sum(sizes)) > self.capacity:
                broken.append(f"the items of bin {b} have size {load}, more than {self.capacity}")
        return broken

    def answer(self, solution: Solution) -> int:
        """The number of bins."""
        return len({*solution})

    def _bins(self, solution: Solution) -> dict[int, list[int]]:
        """The sizes in each bin, the largest first."""
        found: dict[int, list[int]] = {b: [] for b in sorted({*solution})}
        for size, b in sorted(zip(self.sizes, solution, strict=True), reverse=True):
            found[b].append(size)
        return found

    def text(self, solution: Solution | None) -> str:
        """The capacity and the sizes, the largest first; or a line for each bin."""
        if solution is None:
            return f"{self.size} items for bins of {self.capacity}\n{' '.join(map(str, self.falling))}"
        return "\n".join(
            f"bin {b:3}: {' + '.join(map(str, sizes))} = {sum(sizes)} of {self.capacity}"
            for b, sizes in self._bins(solution).items()
        )

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """A column for each bin, which is full at the line; without a solution, one for each item."""
        bins = self._bins(solution or self.items)
        for x, sizes in enumerate(bins.values()):
            for colour, size, top in zip(PALETTE * len(sizes), sizes, accumulate(sizes), strict=False):
                axes.bar(x, size, 0.9, top - size, color=colour, edgecolor="#555555", linewidth=0.5)
                write_at(axes, (x, top - size / 2), str(size), min(9, 240 / len(bins)), given=True)
        axes.axhline(self.capacity, color="#d55e00", linewidth=1.5)
        axes.set(xlim=(-0.6, len(bins) - 0.4), ylim=(0, 1.05 * max(self.capacity, *self.sizes)))
        axes.set(xticks=[], yticks=[0, self.capacity])
        axes.set_xlabel(f"{len(bins)} bins" if solution else f"{self.size} items")
