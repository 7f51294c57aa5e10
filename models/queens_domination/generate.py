"""Generates boards for Queens Domination: squares of which each is a hole with probability 1/8.

The solution that is planted has more queens than needed: on each square that those before do not attack.
"""

from random import Random

from models.queens_domination.puzzle import MOST_CELLS, parse
from models.shared.generator import Planted, document
from models.shared.grid import Cell

SIZE = "rows"


def plant(size: int, rng: Random) -> Planted | None:
    """A board, of which nothing can be left out."""
    if size**2 > MOST_CELLS:
        raise ValueError(f"a board has at most {MOST_CELLS} cells")
    rows = ["".join(".#"[rng.random() < 1 / 8] for _ in range(size)) for _ in range(size)]
    if not any("." in row for row in rows):
        return None
    table = {"board": "".join(row + "\n" for row in rows)}
    puzzle = parse(document(table))
    queens = set[Cell]()
    for square, attackers in puzzle.attackers.items():
        if queens.isdisjoint(attackers):
            queens.add(square)
    return Planted(puzzle.placed(queens), [], lambda clues: table)


def spoil(planted: Planted, clues: object, rng: Random) -> None:
    """No board is without a solution."""
