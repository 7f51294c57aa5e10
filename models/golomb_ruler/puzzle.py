"""Golomb ruler: rules, parser, checker and drawing.

A ruler has marks at whole numbers, the first of them at 0. No two pairs of marks are the same distance apart.
The last mark is to be as near as possible: the length of the ruler is the least.

Distances that no two marks may have are an addition: so there is more than one instance of a size.

## Data
- `marks`: how many marks there are, from 2 to 30.
- `longest`: where the last mark may be at most, from 1 to 1000. Instances of this project have the length of
  the ruler of which each mark is the least that those before it allow (https://oeis.org/A005282).
- `forbidden`: distances that no two marks have, from 1 to 1000; none if it is missing.

A solution is the list of the marks, in ascending order from 0. Its value is the last one, the length.

## Links
- CSPLib, problem 6: https://www.csplib.org/Problems/prob006/
- The shortest lengths that are known: https://oeis.org/A003022
- Smith, Stergiou, Walsh, Using auxiliary variables and implied constraints to model non-binary problems,
  AAAI 2000: https://cdn.aaai.org/AAAI/2000/AAAI00-028.pdf
- Kocuk, van Hoeve, A computational comparison of optimization methods: https://arxiv.org/abs/1902.08660
- The search for the shortest rulers of 24 to 28 marks: https://www.distributed.net/OGR
"""

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from models.shared.document import Document, read_document, within
from models.shared.puzzle import Ingredient, Objective, Sense, Solution, is_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INGREDIENTS = (Ingredient.DISTANCE, Ingredient.SUMS)

MOST_MARKS = 30
LONGEST = 1_000


class GolombRulerDocument(Document):
    """The keys of an instance file."""

    marks: Annotated[int, within(2, MOST_MARKS)]
    longest: Annotated[int, within(1, LONGEST)]
    forbidden: list[Annotated[int, within(1, LONGEST)]] = field(default_factory=list)


def parse(table: dict[str, Any]) -> "GolombRuler":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    document = read_document(GolombRulerDocument, table)
    return GolombRuler(document.marks, document.longest, frozenset(document.forbidden))


@dataclass(frozen=True)
class GolombRuler:
    """One instance; a solution is a list of marks in ascending order.

    Attributes:
        size: the number of marks.
        longest: where the last mark may be at most.
        forbidden: distances that no two marks have.
    """

    size: int
    longest: int
    forbidden: frozenset[int] = frozenset()

    objective: ClassVar[Objective] = Objective(Sense.LEAST, "length")

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The numbers of any two marks, the first one first."""
        return list(combinations(range(self.size), 2))

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        if not is_grid([solution], 1, self.size):
            return [f"the solution is not a list of {self.size} whole numbers"]
        broken = [] if solution[0] == 0 else [f"the first mark is at {solution[0]}, not 0"]
        broken += [f"{b} does not come after {a}" for a, b in pairwise(solution) if a >= b]
        if max(solution) > self.longest:
            broken.append(f"the ruler is longer than {self.longest}")
        measured = defaultdict(list)
        for a, b in combinations(solution, 2):
            measured[abs(b - a)].append(f"{a} and {b}")
        for distance, between in measured.items():
            if distance in self.forbidden or len(between) > 1:
                which = "forbidden " if distance in self.forbidden else ""
                broken.append(f"the {which}distance {distance} is between {', '.join(between)}")
        return broken

    def answer(self, solution: Solution) -> int:
        """The length."""
        return int(solution[-1])

    def text(self, solution: Solution | None) -> str:
        """What is asked; the marks, and below them the distances of each mark to those after it."""
        lines = [f"{self.size} marks, length at most {self.longest}"]
        if self.forbidden:
            lines.append(f"no distance of {', '.join(map(str, sorted(self.forbidden)))}")
        if solution:
            lines.append("".join(".|"[place in solution] for place in range(solution[-1] + 1)))
            rows = ((a, solution[i + 1 :]) for i, a in enumerate(solution[:-1]))
            lines += [f"{a:>4}: " + " ".join(f"{b - a:>3}" for b in later) for a, later in rows]
        return "\n".join(lines)

    def position(self, unknown: int) -> tuple[float, float]:
        """Above a place on the ruler."""
        return unknown, 0.03 * self.longest

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The ruler with its marks, and an arc for each distance, higher the longer it is."""
        marks = solution or []
        length = marks[-1] if marks else self.longest
        axes.fill_between([-1, length + 1], -0.1 * length, color="#f0e442")
        axes.vlines(range(length + 1), -0.01 * length, 0, color="#999999", linewidth=0.5)
        axes.vlines(marks, -0.04 * length, 0, color="#000000", linewidth=2)
        for mark in marks:
            axes.text(mark, -0.05 * length, str(mark), ha="center", va="top", fontsize=8)
        arc = {"arrowstyle": "-", "connectionstyle": "arc3,rad=-0.5", "color": "#0072b2"}
        for a, b in combinations(marks, 2):
            axes.annotate("", (b, 0), (a, 0), arrowprops=arc)
        axes.text(0, -0.13 * length, self.text(None), va="top", fontsize=9)
        axes.set(xlim=(-2, length + 2), ylim=(-0.25 * length, 0.3 * length), aspect="equal")
        axes.axis("off")
