"""Generates ABC End Views: letters in random cells, one in each row and column, and the first ones seen.

All letters at the border may leave several solutions; where another one differs, a letter is given.
"""

from collections.abc import Collection, Sequence
from itertools import product
from random import Random

from models.abc_end_view.puzzle import ALPHABET
from models.shared.generator import Clue, Planted, Table, one_changed
from models.shared.givens import givens
from models.shared.grid import Grid
from models.shared.puzzle import Solution
from models.shared.sides import Side, line_from

SIZE = "cells on a side"


def plant(size: int, rng: Random) -> Planted:
    """As many letters as fill three quarters of the grid."""
    if not 1 <= size <= 35:
        raise ValueError("the grid needs 1 to 35 cells on a side")
    return with_clues(random_letters(size, max(1, 3 * size // 4), rng), [])


def random_letters(n: int, letters: int, rng: Random) -> Solution:
    """Letters in random cells, where cells that are taken already change columns with others."""
    rows = [[0] * n for _ in range(n)]
    for letter in range(1, letters + 1):
        columns = rng.sample(range(n), n)
        while taken := [r for r in range(n) if rows[r][columns[r]]]:
            one, other = rng.choice(taken), rng.randrange(n)
            columns[one], columns[other] = columns[other], columns[one]
        for row, column in zip(rows, columns, strict=True):
            row[column] = letter
    return rows


def with_clues(solution: Solution, given: Sequence[Clue]) -> Planted:
    """The grid with these letters given, and all letters at the border."""
    n, border = len(solution), list[Clue]()
    for end in product(Side, range(n)):
        border.append((end, next(filter(None, (solution[r][c] for r, c in line_from(*end, n, n))))))

    def table(told: Collection[Clue]) -> Table:
        word = {place: ALPHABET[letter] for place, letter in told}
        sides = {side.value: " ".join(word.get((side, line), ".") for line in range(n)) for side in Side}
        rows = "\n".join(map("".join, Grid(n, n).solution(lambda i: word.get(i, "."))))
        return {"size": n, "letters": max(solution[0])} | sides | {"givens": rows}

    return Planted(solution, [given, border], table)


def refute(planted: Planted, other: Solution, rng: Random) -> Planted:
    """One of the letters that the other solution has elsewhere is given."""
    elsewhere = [
        ((r, c), letter) for (r, c), letter in givens(planted.solution) if letter and other[r][c] != letter
    ]
    return with_clues(planted.solution, [*planted.clues[0], rng.choice(elsewhere)])


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue] | None:
    """One letter is another; None if there are no clues, or no other letter."""
    return one_changed(clues, range(1, max(planted.solution[0]) + 1), rng)
