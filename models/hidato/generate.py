"""Generates Hidatos: a king's random path, of which any cell may be given."""

from collections.abc import Sequence
from random import Random

from models.hidato.puzzle import Hidato
from models.shared.generator import Clue, Planted
from models.shared.givens import planted_grid

SIZE = "cells on a side"


def plant(size: int, rng: Random) -> Planted:
    """A path through a square."""
    return planted_path(Hidato(size, size, {}), rng)


def planted_path(puzzle: Hidato, rng: Random) -> Planted:
    """A path row by row, whose ends are joined again and again to other cells."""
    path = [(r, c if r % 2 == 0 else puzzle.width - 1 - c) for r, c in puzzle.cells]
    for _ in range(10 * puzzle.size if puzzle.size > 1 else 0):
        if rng.randrange(2):
            path.reverse()
        cut = path.index(rng.choice(puzzle.touching[path[0]]))
        path[:cut] = path[:cut][::-1]
    return planted_grid(puzzle.with_places(lambda t: path[t - 1]), {})


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue] | None:
    """One given is another number; if that is given too, they change places. None if there is no other."""
    if not clues or len(planted.clues[0]) == 1:
        return None
    one = rng.choice(clues)[1]
    other = rng.choice([number for _, number in planted.clues[0] if number != one])
    return [(cell, {one: other, other: one}.get(number, number)) for cell, number in clues]
