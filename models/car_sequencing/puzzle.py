"""Car Sequencing: rules, parser, checker and drawing.

Cars are built on a line, in some order. Each car belongs to a class, which says the options that it requires,
and so many cars of each class are to be built. Of any so many consecutive cars an option's station can serve
only some: at most p of any q cars have the option.

## Data
- `max_in_window`, `window`: p and q of each option, whole numbers with p from 0 to q and q from 1 to 1000. A
  window lies within the line: an option whose q is larger than the number of cars is not limited.
- `demand`: the number of cars of each class, from 0 to 1000; 1 to 1000 in all.
- `requires`: a row for each class, with a 1 for each option that its cars require and a 0 for the others,
  with or without blanks between them.
- `cars`: the number of cars in all, which may be left out.

The answer has the numbers of the options of the middle car, the later one of two, from 1.

A solution is the list of the classes of the cars along the line. Classes are numbered from 0, as in CSPLib.
The line the other way round is another solution, unless it is the same.

## Links
- CSPLib, problem 1, by Barbara Smith: https://www.csplib.org/Problems/prob001/
- Dincbas, Simonis, Van Hentenryck, Solving the car-sequencing problem in constraint logic programming,
  ECAI 1988
- Regin, Puget, A filtering algorithm for global sequencing constraints, CP 1997:
  https://doi.org/10.1007/BFb0017428
- Gottlieb, Puchta, Solnon, A study of greedy, local search, and ant colony optimization approaches for car
  sequencing problems, EvoWorkshops 2003: https://doi.org/10.1007/3-540-36605-9_23
- Artigues, Hebrard, Mayer-Eichberger, Siala, Walsh, SAT and hybrid models of the car sequencing problem,
  2013: https://hal.archives-ouvertes.fr/hal-00871729
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

from models.shared.document import Document, InstanceError, read_document, shorten, within
from models.shared.grid import cells_of, place, read_grid, write_at
from models.shared.puzzle import Ingredient, Solution, is_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INGREDIENTS = (Ingredient.WORDS,)

MOST_CARS = 1_000
ROW = 40  # How many cars are drawn beside each other.


class CarSequencingDocument(Document):
    """The keys of an instance file."""

    max_in_window: list[Annotated[int, within(0, MOST_CARS)]]
    window: list[Annotated[int, within(1, MOST_CARS)]]
    demand: list[Annotated[int, within(0, MOST_CARS)]]
    requires: str
    cars: Annotated[int, within(1, MOST_CARS)] | None = None


def parse(table: dict[str, Any]) -> "CarSequencing":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    document = read_document(CarSequencingDocument, table)
    most, window, demand = document.max_in_window, document.window, document.demand
    rows = read_grid("requires", document.requires, spaced=len(window) == 1)
    options = range(len(rows[0]))
    for field, values in (("max_in_window", most), ("window", window)):
        if len(values) != len(options):
            raise InstanceError(f"{field}: {len(values)} for {len(options)} options; write one for each")
    if len(demand) != len(rows):
        raise InstanceError(f"demand: {len(demand)} for {len(rows)} rows of requires; write one for each")
    for number, (p, q) in enumerate(zip(most, window, strict=True), 1):
        if p > q:
            raise InstanceError(f"max_in_window, entry {number}: {p} of any {q} cars; at most {q}")
    if not 1 <= (cars := sum(demand)) <= MOST_CARS:
        raise InstanceError(f"demand: {cars} cars in all; it should be 1..{MOST_CARS}")
    if document.cars not in (None, cars):
        raise InstanceError(f"cars: {document.cars}, but demand has {cars} in all; leave it out")
    for cell in cells_of(rows):
        if (word := rows[cell[0]][cell[1]]) not in ("0", "1"):
            raise InstanceError(f"{place('requires', cell)}: {shorten(word)}; write 0 or 1")
    requires = tuple(tuple(map(int, row)) for row in rows)
    return CarSequencing(tuple(most), tuple(window), tuple(demand), requires)


@dataclass(frozen=True)
class CarSequencing:
    """One instance; a solution is a list of classes, numbered from 0.

    Attributes:
        max_in_window: of each option, how many consecutive cars can have it,
        window: of so many.
        demand: of each class, the number of its cars.
        requires: of each class 1 for the options that its cars require, 0 for the others.
    """

    max_in_window: tuple[int, ...]
    window: tuple[int, ...]
    demand: tuple[int, ...]
    requires: tuple[tuple[int, ...], ...]

    @cached_property
    def size(self) -> int:
        """The number of cars."""
        return sum(self.demand)

    @property
    def cars(self) -> range:
        """The places of the cars along the line, from 0."""
        return range(self.size)

    @property
    def classes(self) -> range:
        """The classes, from 0."""
        return range(len(self.demand))

    @property
    def options(self) -> range:
        """The options, from 0."""
        return range(len(self.window))

    @cached_property
    def windows(self) -> list[tuple[int, range]]:
        """Each option with each window of it."""
        return [(o, range(i, i + q)) for o, q in enumerate(self.window) for i in range(self.size - q + 1)]

    def having(self, option: int) -> list[int]:
        """The classes whose cars require an option."""
        return [c for c in self.classes if self.requires[c][option]]

    def solution(self, value_of: Callable[[int], int]) -> list[int]:
        """The solution in which the car at each place i is of class `value_of(i)`."""
        return [value_of(i) for i in self.cars]

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        if not is_grid([solution], 1, self.size):
            return [f"the solution is not a list of {self.size} whole numbers"]
        last = len(self.demand) - 1
        if unknown := [c for c in solution if not 0 <= c <= last]:
            return [f"there is no class {c}; classes are 0..{last}" for c in unknown]
        broken = [
            f"{solution.count(c)} cars are of class {c}, not {demand}"
            for c, demand in enumerate(self.demand)
            if solution.count(c) != demand
        ]
        for o, (p, q) in enumerate(zip(self.max_in_window, self.window, strict=True)):
            fitted = [self.requires[c][o] for c in solution]
            for i in range(self.size - q + 1):
                if (count := sum(fitted[i : i + q])) > p:
                    broken.append(f"of cars {i + 1} to {i + q}, {count} have option {o + 1}, not {p} at most")
        return broken

    def answer(self, solution: Solution) -> str:
        """The options of the car in the middle, from 1; `none` if it has none."""
        return self._options(solution[self.size // 2])

    def _options(self, c: int) -> str:
        return " ".join(str(o + 1) for o in self.options if self.requires[c][o]) or "none"

    def text(self, solution: Solution | None) -> str:
        """The options and the classes; the cars along the line, with a mark in the column of each option."""
        lines = [f"option {o + 1}: {self._rule(o)}" for o in self.options]
        lines += [f"class {c}, {self.demand[c]} cars: options {self._options(c)}" for c in self.classes]
        for i, c in enumerate(solution or []):
            lines.append(f"car {i + 1:>4}: {c:>3}  " + "".join(".#"[one] for one in self.requires[c]))
        return "\n".join(lines)

    def _rule(self, option: int) -> str:
        return f"{self.max_in_window[option]} of {self.window[option]}"

    def position(self, unknown: int) -> tuple[float, float]:
        """Above the options of a car."""
        row, x = divmod(unknown, ROW)
        return x + 0.5, row * (len(self.window) + 2) + 0.5

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The cars along the line, a square for each option; without them the classes and their demands."""
        columns = list(self.classes) if solution is None else solution
        for number, c in enumerate(columns):
            x, y = self.position(number)
            write_at(axes, (x, y), str(c) if solution else f"{self.demand[c]}x", 7, given=not solution)
            for o, one in enumerate(self.requires[c], 1):
                colour = f"C{o % 10}" if one else "#f0f0f0"
                axes.fill_between([x - 0.45, x + 0.45], y + o - 0.45, y + o + 0.45, color=colour)
                if number % ROW == 0:
                    axes.text(-0.3, y + o, self._rule(o - 1), ha="right", va="center", fontsize=7)
        height = self.position(len(columns) - 1)[1] + len(self.window) + 1
        axes.set(xlim=(-3, min(ROW, len(columns)) + 0.5), ylim=(height, -0.5), aspect="equal")
        axes.axis("off")
