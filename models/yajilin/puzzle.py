"""Yajilin: the rules.

Some cells of a grid are grey, most of them with a clue. Of the others some are black, no two of which share
an edge, and one closed loop goes through the centres of all that are not. A clue is the number of black cells
from there to the edge of the grid in its direction. There is a loop even where no clue asks for it.

## Data
- `cells`: rows of words: `2e` for a clue, a number and n, e, s or w for up, right, down or left; `#` for a
  grey cell without a clue; `.` for the others.

The answer is the number of black cells. A solution is a list of rows of words: `.` for a grey cell, `#` for a
black one, and elsewhere the two directions of the loop: ns, ne, nw, se, sw or ew.

## Links
- Nikoli: https://www.nikoli.co.jp/en/puzzles/yajilin/
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from models.shared.document import Document, InstanceError, read_document, shorten
from models.shared.graph import graph_of, parts_of
from models.shared.grid import Cell, Grid, draw_regions, in_words, place, read_grid, write_in_cell
from models.shared.puzzle import Ingredient, Solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INGREDIENTS = (Ingredient.PATHS,)

STEPS = {"n": (-1, 0), "s": (1, 0), "e": (0, 1), "w": (0, -1)}  # rows down, columns right; in this order


class YajilinDocument(Document):
    """The keys of an instance file."""

    cells: str


def parse(table: dict[str, Any]) -> "Yajilin":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    words = read_grid("cells", read_document(YajilinDocument, table).cells, spaced=True)
    grey = {(r, c): word for r, row in enumerate(words) for c, word in enumerate(row) if word != "."}
    for i, word in grey.items():
        if not re.fullmatch("#|[0-9]{1,3}[nesw]", word):
            raise InstanceError(f"{place('cells', i)}: {shorten(word)} should be ., # or a clue such as 2e")
    return Yajilin(len(words), len(words[0]), grey)


@dataclass(frozen=True)
class Yajilin(Grid):
    """One instance; `grey` are the words of grey cells."""

    grey: Mapping[Cell, str]

    @cached_property
    def free(self) -> list[Cell]:
        """The cells that are black or on the loop, row by row."""
        return [cell for cell in self.cells if cell not in self.grey]

    @cached_property
    def edges(self) -> list[tuple[Cell, Cell]]:
        """The steps that the loop can take, from the upper or left one of two cells."""
        return [(i, k) for i in self.free for k in self.near[i] if i < k and k not in self.grey]

    @cached_property
    def clues(self) -> list[tuple[int, list[Cell]]]:
        """The number of each clue, and the cells of which so many are black."""
        free, ahead = set(self.free), range(1, max(self.height, self.width))
        told = [(i, int(clue[:-1]), *STEPS[clue[-1]]) for i, clue in self.grey.items() if clue != "#"]
        return [(n, [i for k in ahead if (i := (r + k * a, c + k * b)) in free]) for (r, c), n, a, b in told]

    def with_loop(self, steps: Iterable[tuple[Cell, Cell]]) -> Solution:
        """The solution whose loop takes these steps."""
        on = {step for i, k in steps for step in ((i, k), (k, i))}
        way = {
            (r, c): [w for w, (a, b) in STEPS.items() if ((r, c), (r + a, c + b)) in on] for r, c in self.free
        }
        return self.solution(lambda i: "".join(way[i]) or "#" if i in way else ".")

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        rows = solution if isinstance(solution, list) else []
        if [isinstance(row, list) and len(row) for row in rows] != [self.width] * self.height:
            return [f"the solution is not {self.height} rows of {self.width} words each"]
        words = {(r, c): solution[r][c] for r, c in self.cells}
        for i, word in words.items():
            if word not in (["."] if i in self.grey else ["#", "ns", "ne", "nw", "se", "sw", "ew"]):
                return [f"{in_words(i)} holds {shorten(word)}, which cannot be there"]
        black = {i for i, word in words.items() if word == "#"}
        beside = [((r, c), (r + a, c + b), way) for r, c in words for way, (a, b) in STEPS.items()]
        steps = {(i, k) for i, k, way in beside if way in words[i]}
        broken = [f"the loop ends in {in_words(i)}" for i, k in sorted(steps) if (k, i) not in steps]
        broken += [f"{in_words(i)} and a neighbour are black" for i, k, _ in beside if {i, k} <= black]
        for (r, c), clue in self.grey.items():
            if clue != "#":
                down, right = STEPS[clue[-1]]
                ahead = range(1, max(self.height, self.width))
                seen = sum((r + k * down, c + k * right) in black for k in ahead)
                if seen != int(clue[:-1]):
                    broken.append(f"{in_words((r, c))} sees {seen} black cells, not {clue[:-1]}")
        return broken + ["there is not one loop"] * (len(parts_of(graph_of(steps))) != 1)

    def answer(self, solution: Solution) -> int:
        """The number of black cells."""
        return sum(row.count("#") for row in solution)

    def text(self, solution: Solution | None) -> str:
        """The grid with its clues, black cells and the loop."""
        signs = {"#": "█", "ns": "│", "ne": "└", "nw": "┘", "se": "┌", "sw": "┐", "ew": "─"}
        words = self.solution(
            lambda i: self.grey.get(i) or (signs[solution[i[0]][i[1]]] if solution else ".")
        )
        return "\n".join(" ".join(f"{word:>3}" for word in row) for row in words)

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The grid with its clues; black cells and the loop."""
        rows = solution or self.solution(lambda i: "." if i in self.grey else "")
        fill = {(r, c): {"#": "#333333", ".": "#dddddd"}.get(rows[r][c], "#ffffff") for r, c in self.cells}
        draw_regions(axes, (("",) * self.width,) * self.height, fill, thin_lines=True)
        for r, c in self.cells:
            for down, right in (STEPS[way] for way in rows[r][c].strip("#.")):
                axes.plot([c + 0.5, c + 0.5 + right / 2], [r + 0.5, r + 0.5 + down / 2], color="#1f4e9c")
        for cell, clue in self.grey.items():
            text = clue.strip("#").translate(str.maketrans("nesw", "↑→↓←"))
            write_in_cell(axes, cell, text, min(12, 100 / self.width), given=True)

    def position(self, unknown: Any) -> tuple[float, float]:
        """The middle of a cell, or of the edge that two cells share."""
        (r, c), (below, right) = unknown if isinstance(unknown[0], tuple) else (unknown, unknown)
        return (c + right + 1) / 2, (r + below + 1) / 2
