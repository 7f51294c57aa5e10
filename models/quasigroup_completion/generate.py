"""Generates quasigroups to complete: a Latin square drawn by random moves, of which any cell may be given."""

from collections.abc import Sequence
from itertools import product
from random import Random

from models.shared.generator import Clue, Planted, one_changed
from models.shared.givens import planted_grid
from models.shared.puzzle import Solution

SIZE = "cells on a side"

Triple = tuple[int, ...]
"""A row, a column and the number that their cell holds, all from 0."""


def plant(size: int, rng: Random) -> Planted:
    """A Latin square."""
    if size < 1:
        raise ValueError("the grid needs 1 cell or more on a side")
    return planted_grid(latin_square(size, rng), {})


def latin_square(n: int, rng: Random) -> Solution:
    """A Latin square, by n^3 random moves from addition modulo n (Jacobson and Matthews, 1996).

    A square is triples of a row, a column and a number, of which any two places tell the third. A move puts a
    new one, takes the three that agree with it in two places, puts the three that these leave room for, and
    takes the one that has too much of them. If that is not there the square is improper: it owes the triple,
    which the next move puts. Moves end at a proper square.
    """
    thirds: list[dict[Triple, list[int]]] = [{}, {}, {}]

    def others(triple: Triple, k: int) -> list[int]:
        """What place k holds in the triples that agree with this one in the other places."""
        return thirds[k].setdefault(triple[:k] + triple[k + 1 :], [])

    def put(triple: Triple) -> None:
        for k in range(3):
            others(triple, k).append(triple[k])

    def take(triple: Triple) -> None:
        for k in range(3):
            others(triple, k).remove(triple[k])

    for row, column in product(range(n), repeat=2):
        put((row, column, (row + column) % n))
    owed: Triple = ()
    moves = n**3 if n > 1 else 0
    while moves > 0 or owed:
        moves -= 1
        new = owed or tuple(rng.randrange(n) for _ in range(3))
        if new[2] in others(new, 2):
            continue
        old = tuple(rng.choice(others(new, k)) for k in range(3))
        if not owed:
            put(new)
        for k in range(3):
            take(new[:k] + old[k : k + 1] + new[k + 1 :])
            put(old[:k] + new[k : k + 1] + old[k + 1 :])
        owed = () if old[2] in others(old, 2) else old
        if not owed:
            take(old)
    return [[others((row, column, 0), 2)[0] + 1 for column in range(n)] for row in range(n)]


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue] | None:
    """One given is another number."""
    return one_changed(clues, range(1, len(planted.solution) + 1), rng)
