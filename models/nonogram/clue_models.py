"""What the clue of a line says: as an automaton, and by where its blocks are."""

from collections.abc import Iterator
from itertools import pairwise

from models.nonogram.puzzle import Clue

Move = tuple[int, int]
"""`(b, k)`: that block b is moved by at most k cells from the first place where it can start."""


def automaton(clue: Clue) -> tuple[list[tuple[int, int, int]], list[int]]:
    """Steps from a state by the value of a cell to the next state, from state 0 on; the states that accept.

    A line has the clue if it is the shortest line with these blocks and an empty cell at either end, but for
    empty cells that are repeated, or left out at the ends. A state is the place in that of the cell before.
    """
    shortest = [0] + [value for length in clue for value in (*[1] * length, 0)]
    stay = [(state, 0, state) for state, value in enumerate(shortest) if value == 0]
    go_on = [(state, value, state + 1) for state, value in enumerate(shortest[1:])]
    return stay + go_on, [*range(len(shortest))][-2:]


def starts(clue: Clue, length: int) -> list[range]:
    """The places, from 0, where each block can start in a line of so many cells."""
    firsts = [sum(clue[:block]) + block for block in range(len(clue))]
    return [range(first, first + length - sum(clue) - len(clue) + 2) for first in firsts]


def moves(clue: Clue, length: int) -> list[Move]:
    """The moves that are not true in any case."""
    return [(b, k) for b, places in enumerate(starts(clue, length)) for k in range(len(places) - 1)]


def passes(clue: Clue, length: int) -> Iterator[tuple[int, int, Move | None, Move | None]]:
    """Yields places in a line with a value, which the cell has if one move is true and another one is not.

    Of all cases exactly one is true: some block starts there or before and has not ended, or it has, and the
    next one has not started. None stands for a move that is true in any case, or that is not.
    """
    blocks = [(b, places, n) for b, (places, n) in enumerate(zip(starts(clue, length), clue, strict=True))]
    for place in range(length):
        known: list[Move | bool] = [True]
        for block, places, cells in blocks:
            for k in (place - places[0], place - places[0] - cells):
                known.append((block, k) if 0 <= k < len(places) - 1 else k >= 0)
        for number, (one, other) in enumerate(pairwise([*known, False])):
            if one is not False and other is not True:
                yield place, number % 2, None if one is True else one, None if other is False else other
